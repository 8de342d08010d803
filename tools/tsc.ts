/**
 * The TypeScript compiler for scripts and tests. Each of its checkers instantiates the same types again, and it
 * collects garbage often: one checker and a larger heap need a third of the processor time.
 */

import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { buildDashboard } from './build-dashboard.ts';

const tsc = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')));

const start = (args: readonly string[], options: SpawnOptions) =>
  spawn(process.execPath, [tsc, '--checkers', '1', ...args], {
    ...options,
    env: { GOGC: '400', ...process.env },
  });

/** The output of the compiler with these arguments; empty if it found no error. */
export async function compile(cwd: string, ...args: readonly string[]): Promise<string> {
  const child = start(['--pretty', 'false', ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  return output;
}

// As a script: the compiler with the arguments of the command line.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // The sources import a module that is built.
  await buildDashboard();
  const [code] = (await once(start(process.argv.slice(2), { stdio: 'inherit' }), 'close')) as [
    number | null,
  ];
  process.exitCode = code ?? 1;
}
