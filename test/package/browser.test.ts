/** The builds for browsers: they load, and no name is missing that a browser would call meanwhile. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { buildBrowser } from '../../tools/package/browser.ts';
import { ensureBuilt, root } from './package.ts';

it.each([
  ['browser.js', 'defineQueryRules'],
  ['browser-client.js', 'createListClient'],
])('%s loads and has what its module exports', async (file, name) => {
  ensureBuilt();
  const loaded = (await import(pathToFileURL(path.join(root, 'dist', file)).href)) as object;
  expect(loaded).toMatchObject({ [name]: expect.any(Function) });
});

it('a stand-in without a name of its module ends the build', async () => {
  const file = path.join(root, 'src/lib/browser-options.ts');
  const source = readFileSync(file, 'utf8');
  const built = (contents: string) =>
    buildBrowser({
      bundle: true,
      format: 'esm',
      write: false,
      logLevel: 'silent',
      plugins: [
        {
          name: 'stand-in',
          setup: (setup) => {
            setup.onLoad({ filter: /browser-options\.ts$/ }, () => ({ contents, loader: 'ts' }));
          },
        },
      ],
    });
  expect(await built(source)).toHaveLength(2);
  await expect(built(source.replace('  made as oneOf,\n', ''))).rejects.toThrow('oneOf');
});
