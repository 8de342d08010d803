/**
 * One run, in four parts: tests that wait, tests that share processes, tests that need a process of their own, and
 * TypeORM's tests again on its older version. `npm test` and CI leave files out by `test/setup/left-to-ci.ts`.
 */

import { randomBytes, randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { isQuick, isSharedOut, leftOut } from './test/setup/left-to-ci.ts';
import { SpreadWaiting } from './test/setup/spread-waiting.ts';

// One seed for all files of a run; workers inherit it.
process.env['SLUICE_SEED'] ??= String(randomInt(2 ** 31));
// A name for all that the files of a run share.
process.env['SLUICE_RUN'] ??= randomBytes(4).toString('hex');
// Tests start the demo and the command line dozens of times: their sources are compiled once.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('.scratch/compile-cache', import.meta.url),
);

/** Tests that mostly wait, for servers that stop, timeouts or processes, and use little of the processor. */
const waiting = [
  'test/auth/{browser-tabs,outage}.test.ts',
  'test/board/core/lifecycle.test.ts',
  'test/board/runs/processes.test.ts',
  'test/cli/board-*.test.ts',
  'test/board/kvq/{bulk,cluster,cluster-failover,connections,faults,postgresql-faults}.test.ts',
  'test/board/pgq/{busy,frozen,lent-connections,moving,outage,requests}.test.ts',
  'test/demo/**/*.test.ts',
  'test/matrix/{outages,server-away,statements}.test.ts',
  'test/metrics/processes/*.test.ts',
  'test/scale/**/*.test.ts',
  'test/newcomer/{frameworks,init}.test.ts',
  'test/services/**/*.test.ts',
];

/** Tests that leave no state behind in their process: files share it, and load what they import once. */
const sharing = [
  'test/{auth,client,companions,dashboard,drizzle,hostile,http,matrix,prisma,profile,sql,typeorm,unit}/**/*.test.ts',
  'test/board/{contract,core,pgq}/**/*.test.ts',
  'test/board/*.test.ts',
  'test/metrics/**/*.test.ts',
  // The test of memory measures its process.
  'test/board/kvq/!(memory).test.ts',
];
/** The corpus on the older TypeORM; the matrix runs it on the newer one. */
const olderTypeorm = 'test/matrix/typeorm.test.ts';
const left = isSharedOut ? leftOut(Number(process.env['SLUICE_SEED'])) : [];

export default defineConfig({
  test: {
    // Timeouts are for tests that hang, not for machines with other work. A long run has ten times the cases.
    testTimeout: process.env['SLUICE_LONG'] === '1' ? 3_600_000 : 300_000,
    hookTimeout: 600_000,
    // A condition that is waited for may take long on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    globalSetup: [
      'test/setup/tell-seed.ts',
      'test/setup/tell-left-out.ts',
      'test/setup/services.ts',
      'test/setup/dashboard.ts',
      'test/setup/nothing-left.ts',
      'test/setup/drop-templates.ts',
    ],
    setupFiles: ['test/setup/end-file.ts'],
    // The tests are made for two processors: of five files, some wait.
    maxWorkers: 5,
    sequence: { sequencer: SpreadWaiting },
    projects: [
      { extends: true, test: { name: 'waiting', include: waiting, exclude: [...left] } },
      {
        extends: true,
        test: {
          name: 'sharing',
          include: sharing,
          exclude: [...waiting, ...left, olderTypeorm],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'all',
          include: ['test/**/*.test.ts'],
          exclude: [...waiting, ...sharing, ...left, '**/node_modules/**'],
        },
      },
      {
        extends: true,
        resolve: { alias: { typeorm: 'typeorm-0.3' } },
        test: {
          name: 'typeorm 0.3',
          include: ['test/typeorm/**/*.test.ts', olderTypeorm],
          // An older version is left to CI.
          exclude: isQuick ? ['**'] : [...left],
          isolate: false,
        },
      },
    ],
  },
});
