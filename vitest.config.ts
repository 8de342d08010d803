/** One run of everything: units, matrix, hostile requests, companions, profile, demo, package. */

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two files at a time: each may bring its own database server.
    maxWorkers: 2,
  },
});
