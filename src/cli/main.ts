#!/usr/bin/env node
/** Entry point of the command line: finds and runs the command, reports an error in one line. Runs on any Node.js. */

import type { Command, CommandOutput, ExitCode } from './command.ts';

/** One row of the table of commands; a command is loaded when it is run. */
interface CommandRow {
  /** One line for the list of commands. */
  readonly summary: string;
  load(): Promise<Command>;
}

const commands: ReadonlyMap<string, CommandRow> = new Map(
  Object.entries({
    init: {
      summary: 'write a list over a table of a project, or a board over its queues',
      load: async () => (await import('./init/command.ts')).initCommand,
    },
    board: {
      summary: 'serve a board for queues of BullMQ, Bull and pg-boss',
      load: async () => (await import('./board/command.ts')).boardCommand,
    },
    companions: {
      summary: 'print or run the migration that adds and fills folded and order columns',
      load: async () => (await import('./companions.ts')).companionsCommand,
    },
    indexes: {
      summary: 'name the indexes that the rules of list endpoints have a use for',
      load: async () => (await import('./indexes.ts')).indexesCommand,
    },
    migrate: {
      summary: 'tell how endpoints taken over from nestjs-paginate differ',
      load: async () => (await import('./migrate.ts')).migrateCommand,
    },
    openapi: {
      summary: 'print the OpenAPI document of a board',
      load: async () => (await import('./openapi.ts')).openApiCommand,
    },
    rules: {
      summary: 'write the descriptions of rules, and tell which changes break clients',
      load: async () => (await import('./rules/command.ts')).rulesCommand,
    },
    demo: {
      summary: 'run the demo of the repository: lists and boards with live data',
      load: async () => (await import('./demo.ts')).demoCommand,
    },
  }),
);

const usage = `Usage: sluice <command> [options]

Commands:
${[...commands].map(([name, { summary }]) => `  ${name.padEnd(12)}${summary}`).join('\n')}

Run sluice <command> --help for the options of a command, sluice --version for the version.
`;

const output: CommandOutput = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

const isOneOf = (args: readonly string[], ...flags: readonly string[]): boolean =>
  args.some((arg) => flags.includes(arg));

async function main([name, ...args]: readonly string[], signal: AbortSignal): Promise<ExitCode> {
  if (name === 'help' && args[0] !== undefined) return main([args[0], '--help'], signal);
  if (name === undefined || name === 'help' || isOneOf([name], '--help', '-h')) {
    (name === undefined ? output.err : output.out)(usage);
    return name === undefined ? 2 : 0;
  }
  const row = commands.get(name);
  if (isOneOf([name], '--version', '-v') || (row && isOneOf(args, '--version', '-v'))) {
    const { version } = await import('./package-folder.ts');
    output.out(`${version()}\n`);
    return 0;
  }
  if (row === undefined) {
    output.err(`sluice: unknown command "${name}".\n\n${usage}`);
    return 2;
  }
  const command = await row.load();
  if (isOneOf(args, '--help', '-h')) {
    output.out(command.usage);
    return 0;
  }
  const { UsageError } = await import('./command.ts');
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

/** The oldest Node.js, as `engines` of the package says. */
const oldest = [22, 12] as const;

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
}

if (isTooOld(process.versions.node)) {
  output.err(
    `sluice: Node.js ${oldest.join('.')} or later is needed, and this is ${process.versions.node}.\n`,
  );
  process.exitCode = 1;
} else {
  for (const stream of [process.stdout, process.stderr]) {
    // A reader such as `head` may have seen enough.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  const interruption = new AbortController();
  // Only once each: a second signal ends the process immediately.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => interruption.abort());
  }
  process.exitCode = await main(process.argv.slice(2), interruption.signal);
}
