/** `sluice migrate`: tells how endpoints that were taken over from another library differ from what they were. */

import { isRecord } from '../lib/index.ts';
import { UsageError, readArguments } from './command.ts';
import type { Command, CommandOutput, ExitCode } from './command.ts';
import { loadModule } from './load-module.ts';

const usage = `Usage: sluice migrate <module>

Prints how the endpoints that a module exports, as results of fromNestjsPaginate, differ from
those of nestjs-paginate, by the name of the export. If the module exports a function "close",
it is called at the end.

  --help  show this help

Exit codes: 0 no differences, 1 some or the command failed, 2 invalid usage.
`;

export const migrateCommand: Command = { usage, run };

async function run(args: readonly string[], { out }: CommandOutput): Promise<ExitCode> {
  const [file, ...others] = readArguments(args, {}).positionals;
  if (file === undefined || others.length > 0) throw new UsageError('write migrate <module>.');
  const loaded = await loadModule(file);
  const endpoints = Object.entries(loaded).filter(([, value]) => isEndpoint(value));
  const lines = endpoints.flatMap(([name, value]) =>
    (value as { readonly differences: readonly string[] }).differences.map(
      (difference) => `${name}: ${difference}\n`,
    ),
  );
  const { close } = loaded;
  if (typeof close === 'function') await (close as () => unknown)();
  if (endpoints.length === 0)
    throw new UsageError(`${file} exports no result of fromNestjsPaginate.`);
  out(`${lines.join('')}endpoints: ${endpoints.length}, differences: ${lines.length}\n`);
  return lines.length === 0 ? 0 : 1;
}

const isEndpoint = (value: unknown): boolean =>
  isRecord(value) &&
  Array.isArray(value['differences']) &&
  typeof value['translate'] === 'function';
