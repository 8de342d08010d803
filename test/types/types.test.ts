/** Runs the type tests (`*.test-d.ts`) in the ordinary test run: they compile without errors. */

import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

// Vitest's type checking keeps build information between runs and has reported fixed errors.
it('type-checks every type test', { timeout: 60_000 }, async () => {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const config = join(root, 'test/types/tsconfig.json');
  const run = (...options: string[]) =>
    promisify(execFile)(process.execPath, [tsc, '-p', config, ...options]).then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    );
  const listed = await run('--listFilesOnly');
  for (const name of await readdir(join(root, 'test/types'))) {
    if (name.endsWith('.test-d.ts')) expect(listed).toContain(`test/types/${name}`);
  }
  expect(await run('--pretty', 'false')).toBe('');
});
