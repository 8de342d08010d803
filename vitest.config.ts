/**
 * One run of everything, in three parts: tests that wait, tests that share processes, and all others. TypeORM's tests
 * run twice, on both of its versions.
 */

import { randomInt } from 'node:crypto';
import { defineConfig } from 'vitest/config';

// One seed for all files of a run; workers inherit it.
process.env['SLUICE_SEED'] ??= String(randomInt(2 ** 31));

/** Tests that mostly wait, for servers that stop, timeouts or processes, and use little of the processor. */
const waiting = [
  'test/auth/outage.test.ts',
  'test/board/core/lifecycle.test.ts',
  'test/board/kvq/{cluster,cluster-failover,connections,faults,postgresql-faults,writes}.test.ts',
  'test/board/pgq/{busy,lent-connections,moving,outage,requests}.test.ts',
  'test/demo/**/*.test.ts',
  'test/matrix/{outages,statements}.test.ts',
  'test/scale/**/*.test.ts',
  'test/services/**/*.test.ts',
];

/** Tests that leave no state behind in their process: files share it, and load what they import once. */
const sharing = [
  'test/{companions,drizzle,hostile,http,matrix,prisma,profile,unit}/**/*.test.ts',
  'test/board/contract/**/*.test.ts',
];
/** The corpus on the older TypeORM; the matrix runs it on the newer one. */
const olderTypeorm = 'test/matrix/typeorm.test.ts';

export default defineConfig({
  test: {
    testTimeout: 60_000,
    // A condition that is waited for may take long on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 120_000,
    globalSetup: ['test/setup/tell-seed.ts'],
    // Two files at a time: each may keep a processor and a database server busy.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'waiting',
          include: waiting,
          // Before the others, as they have another number of workers.
          maxWorkers: 6,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'sharing',
          include: sharing,
          exclude: [...waiting, olderTypeorm],
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'all',
          include: ['test/**/*.test.ts'],
          exclude: [...waiting, ...sharing],
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        resolve: { alias: { typeorm: 'typeorm-0.3' } },
        test: {
          name: 'typeorm 0.3',
          include: ['test/typeorm/**/*.test.ts', olderTypeorm],
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
