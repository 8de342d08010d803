/**
 * One run of everything: units, matrix, hostile requests, companions, profile, demo, package. TypeORM's tests
 * run twice, on both of its versions.
 */

import { randomInt } from 'node:crypto';
import { defineConfig } from 'vitest/config';

// One seed for every file of a run; workers inherit it.
process.env['SLUICE_SEED'] ??= String(randomInt(2 ** 31));

/** What holds for TypeORM, and the corpus where the matrix itself does not run it. */
const typeorm = ['test/typeorm/**/*.test.ts', 'test/matrix/typeorm.test.ts'];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two files at a time: each may bring its own database server.
    maxWorkers: 2,
    globalSetup: ['test/setup/tell-seed.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['test/**/*.test.ts'],
          // The corpus on the newer version is the matrix's own.
          exclude: ['test/matrix/typeorm.test.ts'],
        },
      },
      {
        extends: true,
        resolve: { alias: { typeorm: 'typeorm-0.3' } },
        test: { name: 'typeorm 0.3', include: typeorm },
      },
    ],
  },
});
