/** Says at the end of a run what it has left out, so that nobody takes it for everything. */

import {
  isQuick,
  isSharedOut,
  leftOfSuites,
  leftToAll,
  leftToCi,
  outOfTurn,
} from './left-to-ci.ts';

export function teardown(): void {
  const files = leftToCi.map(({ files: left, reason }) => `${left}: ${reason}`);
  if (isQuick) tell('Left to CI', [...files, ...leftOfSuites]);
  const others = outOfTurn(Number(process.env['SLUICE_SEED']));
  if (isSharedOut) tell('Left to the weekly run', [...others, ...leftToAll]);
}

function tell(title: string, lines: readonly string[]): void {
  console.log(`\n${title} (npm run test:all runs them too):\n  ${lines.join('\n  ')}`);
}
