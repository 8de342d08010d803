/** `sluice indexes`: names the indexes that rules have a use for, and the statements that create those that are lacking. */

import { isRecord } from '../lib/index.ts';
import { type IndexUse, type ProfiledSource, readIndexUses } from '../relational/profile/index.ts';
import type { CompiledQueryRules } from '../rules/index.ts';
import { UsageError, readFlags } from './command.ts';
import type { Command, CommandOutput, ExitCode } from './command.ts';
import { importDefault } from './models.ts';

const usage = `Usage: sluice indexes --endpoints <module>

Prints, for each sort, filter and include that the rules of the endpoints allow, the index of the
database that serves it, or the statement that creates one. It changes nothing.

  --endpoints <module>  a module whose default export is { source, rules, close? } or a list of
                        them; "close" is called at the end, for the pool that the source reads with
  --help                show this help

Exit codes: 0 every part has an index, 1 an index is lacking or the command failed, 2 invalid usage.
`;

const flags = { endpoints: { type: 'string' } } as const;

export const indexesCommand: Command = { usage, run };

interface Endpoint {
  readonly source: ProfiledSource;
  readonly rules: CompiledQueryRules;
  readonly close?: () => unknown;
}

async function run(args: readonly string[], { out }: CommandOutput): Promise<ExitCode> {
  const { endpoints: file } = readFlags(args, flags);
  if (file === undefined) throw new UsageError('--endpoints is required.');
  const endpoints = endpointsOf(await importDefault(file, '--endpoints'));
  try {
    let isLacking = false;
    for (const { source, rules } of endpoints) {
      const uses = await readIndexUses(source, rules);
      isLacking ||= uses.some(({ index }) => index === null);
      out(report(rules.model, uses));
    }
    return isLacking ? 1 : 0;
  } finally {
    for (const { close } of endpoints) await close?.();
  }
}

function report(model: string, uses: readonly IndexUse[]): string {
  const lines = uses.map(({ serves, on, index, statement }) => {
    const parts = serves.join(', ');
    return index === null ? `${statement}; -- ${parts}` : `-- ${index} on ${on}: ${parts}`;
  });
  return [`-- ${model}`, ...lines, ''].join('\n');
}

function endpointsOf(value: unknown): readonly Endpoint[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.map((each) => {
    if (!isRecord(each) || !isSource(each['source']) || !isRules(each['rules'])) {
      throw new UsageError(
        'the default export of --endpoints must be { source, rules } or a list of them.',
      );
    }
    if (each['close'] !== undefined && typeof each['close'] !== 'function') {
      throw new UsageError('"close" of --endpoints must be a function.');
    }
    return each as unknown as Endpoint;
  });
}

const isSource = (value: unknown): boolean =>
  isRecord(value) && 'describe' in value && 'execute' in value;

const isRules = (value: unknown): boolean => isRecord(value) && value['sorts'] instanceof Map;
