/**
 * The tests that `npm test` leaves to CI: files that cost minutes and try the product as a whole, in surroundings that
 * few changes touch. `.ci/run`, `npm run test:all` and `npx vitest run` with the name of a file run them.
 * `node tools/slowest-tests.ts` shows where the time goes.
 */

/** Files, and what costs the time. */
interface LeftToCi {
  readonly files: string;
  readonly reason: string;
}

export const leftToCi: readonly LeftToCi[] = [
  {
    files: 'test/newcomer/frameworks.test.ts',
    reason: 'a fresh folder for each framework, installed from the tarball',
  },
  { files: 'test/package/resolution.test.ts', reason: 'the tarball in each compiler and mode' },
  { files: 'test/scale/*.test.ts', reason: 'clusters, replicas and poolers that start and end' },
  { files: 'test/dashboard/**/looks.test.ts', reason: 'comparison of pictures' },
  { files: 'test/matrix/servers.test.ts', reason: 'the corpus on further server versions' },
  {
    files: 'test/matrix/irregular.test.ts',
    reason: 'walks and generated requests in a world of its own, of every adapter',
  },
];

/** Whether this run leaves them out: `npm test` on a developer's machine. */
export const isQuick = process.env['SLUICE_QUICK'] === '1' && process.env['CI'] === undefined;
