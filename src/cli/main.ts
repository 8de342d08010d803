#!/usr/bin/env node
/** Entry point of the command line: finds and runs the command, reports an error in one line. */

import { companionsCommand } from './companions.ts';
import { UsageError } from './command.ts';
import type { Command, CommandOutput, ExitCode } from './command.ts';

const commands: ReadonlyMap<string, Command> = new Map(
  [companionsCommand].map((command) => [command.name, command]),
);

const usage = `Usage: sluice <command> [options]

Commands:
${[...commands.values()].map(({ name, summary }) => `  ${name.padEnd(12)}${summary}`).join('\n')}

Run sluice <command> --help for the options of a command.
`;

const output: CommandOutput = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

async function main([name, ...args]: readonly string[], signal: AbortSignal): Promise<ExitCode> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    (name === undefined ? output.err : output.out)(usage);
    return name === undefined ? 2 : 0;
  }
  const command = commands.get(name);
  if (command === undefined) {
    output.err(`sluice: unknown command "${name}".\n\n${usage}`);
    return 2;
  }
  if (args.includes('--help') || args.includes('-h')) {
    output.out(command.usage);
    return 0;
  }
  try {
    return await command.run(args, output, signal);
  } catch (error) {
    if (error instanceof UsageError) {
      output.err(`sluice ${name}: ${error.message}\nRun sluice ${name} --help for the options.\n`);
      return 2;
    }
    if (signal.aborted) {
      output.err(`sluice ${name}: interrupted.\n`);
      return 1;
    }
    output.err(`sluice ${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

const interruption = new AbortController();
// Only once: a second SIGINT ends the process immediately.
process.once('SIGINT', () => interruption.abort());
process.exitCode = await main(process.argv.slice(2), interruption.signal);
