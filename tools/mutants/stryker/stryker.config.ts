/** Stryker over one part of the source. It is run without its checker of types: only tests decide. */

import { chosenPart } from './parts.ts';

const { mutate, least, leftOut = [] } = chosenPart();

export default {
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  vitest: { configFile: 'tools/mutants/stryker/vitest.config.ts', related: true },
  coverageAnalysis: 'perTest',
  // Code that runs once when it is loaded belongs to no test, and would need all of them for each change.
  ignoreStatic: true,
  mutate,
  // A comment in each file would differ from snapshots of generated files.
  disableTypeChecks: false,
  mutator: { excludedMutations: leftOut },
  ignorePatterns: ['dist', 'site', 'docs/images', '.demo', '.scratch'],
  tempDirName: '.scratch/stryker',
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { logTests: false, allowColor: false },
  thresholds: { high: 90, low: least, break: least },
  concurrency: 2,
};
