/**
 * One run of all tests: units, matrix, hostile requests, companions, profile, demo, package. The TypeORM tests run
 * twice, on both of its versions.
 */

import { randomInt } from 'node:crypto';
import { defineConfig } from 'vitest/config';

// One seed for all files of a run; workers inherit it.
process.env['SLUICE_SEED'] ??= String(randomInt(2 ** 31));

/** The TypeORM tests, and the corpus for the version that the matrix does not run. */
const typeorm = ['test/typeorm/**/*.test.ts', 'test/matrix/typeorm.test.ts'];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two files at a time, because each may start its own database server.
    maxWorkers: 2,
    globalSetup: ['test/setup/tell-seed.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['test/**/*.test.ts'],
          // The matrix runs the corpus on the newer version.
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
