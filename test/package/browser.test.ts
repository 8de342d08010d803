/** The builds for browsers: they load, and no name is missing that a browser would call meanwhile. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { buildBrowser } from '../../tools/package/browser.ts';
import { ensureBuilt, root } from './package.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'sluice-browser-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it.each([
  ['browser.js', 'defineQueryRules'],
  ['browser-client.js', 'createListClient'],
])('%s loads and has what its module exports', async (file, name) => {
  ensureBuilt();
  const loaded = (await import(pathToFileURL(path.join(root, 'dist', file)).href)) as object;
  expect(loaded).toMatchObject({ [name]: expect.any(Function) });
});

it('a stand-in without a name of its modules ends the build', async () => {
  const options = { bundle: true, format: 'esm', write: false, logLevel: 'silent' } as const;
  const source = readFileSync(path.join(root, 'src/rules/browser.ts'), 'utf8').replaceAll(
    /(?<=from ')\.{1,2}(?=\/)/g,
    (up) => path.join(root, 'src/rules', up),
  );
  const standIns = path.join(directory, 'stand-ins.ts');
  writeFileSync(standIns, source);
  expect(await buildBrowser(options, standIns)).toHaveLength(2);
  writeFileSync(standIns, source.replace('export const wayToFold = waysOut;\n', ''));
  await expect(buildBrowser(options, standIns)).rejects.toThrow('wayToFold');
});
