/** Runs the type tests (`*.test-d.ts`) in the ordinary test run: they compile without errors. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { compile } from '../../tools/tsc.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

// Vitest's type checking keeps build information between runs and has reported fixed errors.
it('type-checks every type test', { timeout: 240_000 }, async () => {
  const config = join(root, 'test/types/tsconfig.json');
  const printed = (await compile(root, '-p', config, '--listFiles')).split('\n');
  const isFile = (line: string) => line.startsWith('/') && !line.includes(': error ');
  for (const name of await readdir(join(root, 'test/types'))) {
    if (name.endsWith('.test-d.ts')) expect(printed).toContain(join(root, 'test/types', name));
  }
  expect(printed.filter((line) => line !== '' && !isFile(line))).toEqual([]);
});
