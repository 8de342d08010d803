/** The tests that Stryker runs: those of the part that need no browser and no process that ends. */

import { defineConfig } from 'vitest/config';
import { chosenPart } from './parts.ts';

export default defineConfig({
  test: {
    include: chosenPart().tests.map((folder) => `${folder}/*.test.ts`),
    exclude: [
      'test/auth/{browser,browser-tabs,instances,outage}.test.ts',
      'test/unit/{extensibility/**,mutants.test.ts}',
    ],
    globalSetup: ['test/setup/tell-seed.ts', 'test/setup/drop-templates.ts'],
    setupFiles: ['test/setup/end-file.ts'],
    testTimeout: 60_000,
    hookTimeout: 600_000,
    // A process per file and change would take most of the time.
    isolate: false,
  },
});
