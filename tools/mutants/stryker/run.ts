/** `npm run stryker -- rules`: installs Stryker beside this file, and runs it over a part of the source. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parts } from './parts.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const [part = '', ...more] = process.argv.slice(2);
if (!Object.hasOwn(parts, part)) {
  throw new Error(`npm run stryker -- <part>: ${Object.keys(parts).join(', ')}`);
}

function must(program: string, args: readonly string[]): void {
  const env = { ...process.env, SLUICE_PART: part };
  const { status } = spawnSync(program, args, { stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}

must('npm', ['ci', '--prefix', here, '--no-audit', '--no-fund']);
const stryker = `${here}node_modules/@stryker-mutator/core/bin/stryker.js`;
must(process.execPath, [stryker, 'run', `${here}stryker.config.ts`, ...more]);
