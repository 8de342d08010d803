/** `sluice rules`: writes the descriptions of rules, and tells which changes between two of them break clients. */

import { writeFile } from 'node:fs/promises';
import { isRecord } from '../../lib/index.ts';
import type { CompiledQueryRules } from '../../rules/index.ts';
import { describeRules, type RulesDescription } from '../../rules/client/index.ts';
import { UsageError, readArguments } from '../command.ts';
import type { Command, CommandOutput, ExitCode } from '../command.ts';
import { loadModule } from '../load-module.ts';
import { type Change, changeRows, changed } from './changes.ts';
import { compareDescriptions } from './compare.ts';
import { readDescriptions } from './description-file.ts';

const usage = `Usage: sluice rules export <module> [--out <file>]
       sluice rules diff <old.json> <new.json> [--json]

export writes describeRules(rules) of all rules that a module exports, by the name of the export.
If the module exports a function "close", it is called at the end.

diff tells what differs between two such files, or between two files with one description each,
and which of it breaks clients that rely on the rules as they were.

  --out <file>  write to a file
  --json        print { breaking, changes } as JSON
  --help        show this help

Exit codes: 0 success, and nothing breaks clients; 1 a change breaks clients, or the command
failed; 2 invalid usage.
`;

const flags = { out: { type: 'string' }, json: { type: 'boolean' } } as const;

export const rulesCommand: Command = { usage, run };

async function run(args: readonly string[], { out }: CommandOutput): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, flags);
  const [action, ...files] = positionals;
  const [first, second] = files;
  if (action === 'export' && first !== undefined && files.length === 1) {
    if (values.json !== undefined) throw new UsageError('--json is of rules diff.');
    const text = `${JSON.stringify(Object.fromEntries(await descriptionsOf(first)), null, 2)}\n`;
    if (values.out === undefined) out(text);
    else await writeFile(values.out, text);
    return 0;
  }
  if (action === 'diff' && first !== undefined && second !== undefined && files.length === 2) {
    if (values.out !== undefined) throw new UsageError('--out is of rules export.');
    const changes = await changesBetween(first, second);
    const breaking = changes.some((change) => change.breaking);
    out(values.json ? `${JSON.stringify({ breaking, changes }, null, 2)}\n` : report(changes));
    return breaking ? 1 : 0;
  }
  throw new UsageError('write rules export <module>, or rules diff <old.json> <new.json>.');
}

/** The descriptions of the rules that a module exports, by the name of the export. */
async function descriptionsOf(file: string): Promise<ReadonlyMap<string, RulesDescription>> {
  const loaded = await loadModule(file);
  const described = Object.entries(loaded).flatMap(([name, value]) =>
    isRules(value) ? [[name, describeRules(value)] as const] : [],
  );
  const { close } = loaded;
  if (typeof close === 'function') await (close as () => unknown)();
  if (described.length === 0) {
    throw new UsageError(`${file} exports no result of defineQueryRules.`);
  }
  return new Map(described);
}

const isRules = (value: unknown): value is CompiledQueryRules =>
  isRecord(value) && value['filters'] instanceof Map && value['sorts'] instanceof Map;

/** A change of one list; the name is absent where a file has a single description. */
interface NamedChange extends Change {
  readonly list?: string;
}

async function changesBetween(oldFile: string, newFile: string): Promise<readonly NamedChange[]> {
  const before = await readDescriptions(oldFile);
  const after = await readDescriptions(newFile);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) =>
    listChanges(before.get(name), after.get(name)).map((change) =>
      name === '' ? change : { list: name, ...change },
    ),
  );
}

function listChanges(before?: RulesDescription, after?: RulesDescription): readonly Change[] {
  if (!before) return [changed('list-added')];
  return after ? compareDescriptions(before, after) : [changed('list-removed')];
}

/** A line for each change, those that break clients first. */
function report(changes: readonly NamedChange[]): string {
  const lines = changes
    .toSorted((one, other) => Number(other.breaking) - Number(one.breaking))
    .map(({ list, change, breaking, path, from, to }) => {
      const named = [list, path].filter((part) => part !== undefined).join(' ');
      const values = [from, to]
        .filter((value) => value !== undefined)
        .map((value) => value ?? 'none');
      const details = [named, values.join(' -> ')].filter((part) => part !== '').join(': ');
      const effect = breaking ? 'breaking  ' : 'compatible';
      return `${effect}  ${change.padEnd(20)}${details} (${changeRows[change][1]})`;
    });
  const count = changes.filter(({ breaking }) => breaking).length;
  return `${[...lines, `${changes.length} changes, ${count} of them breaking.`].join('\n')}\n`;
}
