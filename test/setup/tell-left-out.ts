/** Says at the end of a run what it has left out, so that nobody takes it for everything. */

import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isQuick, isSharedOut, leftOfSuites, leftOut, leftToAll } from './left-to-ci.ts';

const cwd = fileURLToPath(new URL('../..', import.meta.url));

export function teardown(): void {
  if (!isSharedOut) return;
  const left = leftOut(Number(process.env['SLUICE_SEED']));
  const files = globSync([...left], { cwd });
  const all = globSync('test/**/*.test.ts', { cwd });
  const lines = [
    `${files.length} of ${all.length} files, which the seed chooses`,
    ...(isQuick ? leftOfSuites : left),
    ...leftToAll,
  ];
  console.log(`\nLeft out (npm run test:all runs them too):\n  ${lines.join('\n  ')}`);
}
