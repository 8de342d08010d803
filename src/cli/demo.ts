/** `sluice demo`: what `npm start` runs. The demo needs the data and packages of the repository. */

import { existsSync } from 'node:fs';
import { type Command, type CommandOutput, type ExitCode, UsageError } from './command.ts';
import { packageFolder } from './package-folder.ts';

const usage = `Usage: sluice demo

Runs the demo of the repository: list endpoints over real data in PostgreSQL and SQLite, and boards of
BullMQ and pg-boss with live jobs, on embedded databases. The variables PORT, HOST, DEMO_DIR,
DEMO_CITIES and REDIS_URL change it.
`;

export const demoCommand: Command = { usage, run };

async function run(args: readonly string[], output: CommandOutput): Promise<ExitCode> {
  if (args.length > 0) throw new UsageError('this command has no options.');
  const demo = new URL('demo/main.ts', packageFolder);
  if (existsSync(demo)) {
    // It stops by itself on a signal.
    await import(demo.href);
    return 0;
  }
  output.err(`The demo is a part of the repository, and not of the installed package:
  git clone https://github.com/sluicejs/sluice && cd sluice && npm ci && npm start
`);
  return 1;
}
