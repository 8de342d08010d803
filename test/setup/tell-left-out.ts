/** Says at the end of a quick run what it has left out, so that nobody takes it for everything. */

import { isQuick, leftToCi, leftOfSuites } from './left-to-ci.ts';

export function teardown(): void {
  if (!isQuick) return;
  const lines = [...leftToCi.map(({ files, reason }) => `${files}: ${reason}`), ...leftOfSuites];
  console.log(`\nLeft to CI (npm run test:all runs them too):\n  ${lines.join('\n  ')}`);
}
