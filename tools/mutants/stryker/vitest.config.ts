/** The tests that Stryker runs for each of its mutants: those that share a process and need no browser. */

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/{unit,client,auth}/**/*.test.ts', 'test/board/core/**/*.test.ts'],
    exclude: [
      'test/auth/{browser,browser-tabs,outage,instances}.test.ts',
      'test/unit/{extensibility/**,mutants.test.ts}',
    ],
    globalSetup: ['test/setup/tell-seed.ts', 'test/setup/drop-templates.ts'],
    setupFiles: ['test/setup/end-file.ts'],
    testTimeout: 60_000,
    isolate: false,
  },
});
