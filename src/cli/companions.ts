/** `sluice companions`: prints or runs the migration that adds and fills companion columns. */

import { printCompanions, runCompanions } from '../relational/companions/index.ts';
import type { CompanionProgress, CompanionTableReport } from '../relational/companions/index.ts';
import { UsageError, readFlags } from './command.ts';
import type { Command, CommandOutput, ExitCode } from './command.ts';
import { openDatabase } from './database.ts';
import { loadModels } from './models.ts';

const usage = `Usage: sluice companions (--config <file> | --schema <module>) --database <url> [options]

Adds and fills the folded and order columns of the query schemas. Without --run it prints the
statements and changes nothing. It can be run again at any time and continues an interrupted run.

  --config <file>    a module whose default export is { models, database? }; each model is
                     { schema, table?, columns? } or a query schema
  --schema <module>  a module whose default export is a registry, query schemas, or one of them;
                     tables and columns have the names of models and paths
  --database <url>   postgresql://..., mysql://..., sqlite:<file>; default: the config's database
  --run              run the migration instead of printing it
  --recheck          also compare companions that are already filled, and correct those that differ
  --batch <rows>     rows of one read and one update (default 1000)
  --index            create an index on each companion column after it is filled
  --help             show this help

Exit codes: 0 success, 1 failed, interrupted or incomplete, 2 invalid usage.
`;

const flags = {
  config: { type: 'string' },
  schema: { type: 'string' },
  database: { type: 'string' },
  run: { type: 'boolean' },
  recheck: { type: 'boolean' },
  batch: { type: 'string' },
  index: { type: 'boolean' },
} as const;

export const companionsCommand: Command = { usage, run };

async function run(
  args: readonly string[],
  output: CommandOutput,
  signal: AbortSignal,
): Promise<ExitCode> {
  const values = readFlags(args, flags);
  const { models, database } = await loadModels(values);
  const url = values.database ?? database;
  if (url === undefined) throw new UsageError('--database is required.');
  const batch = values.batch === undefined ? undefined : rowsOf(values.batch);
  const options = {
    ...(batch === undefined ? {} : { batch }),
    recheck: values.recheck === true,
    index: values.index === true,
  };
  const knex = await openDatabase(url);
  try {
    if (values.run !== true) {
      output.out(await printCompanions(knex, models, options));
      return 0;
    }
    const onProgress = progressLine(output);
    const reports = await runCompanions(knex, models, { ...options, signal, onProgress });
    if (reports.length === 0) output.out('No field has a folded or an order column.\n');
    for (const report of reports) output.out(reportText(report));
    return reports.every(isComplete) ? 0 : 1;
  } finally {
    await knex.destroy();
  }
}

function rowsOf(text: string): number {
  if (/^[1-9][0-9]{0,6}$/.test(text)) return Number(text);
  throw new UsageError('--batch must be a positive whole number of rows.');
}

/** Prints progress at most once a second, and at the end of each table. */
function progressLine(output: CommandOutput): (progress: CompanionProgress) => void {
  let last = 0;
  return ({ model, scanned, updated, total }) => {
    const now = Date.now();
    if (now - last < 1000 && scanned < total) return;
    last = now;
    output.err(`${model}: ${scanned} of ${total} rows, ${updated} written\n`);
  };
}

function isComplete({ refused, unsettled }: CompanionTableReport): boolean {
  return refused.length === 0 && unsettled === 0;
}

function reportText(report: CompanionTableReport): string {
  const { model, table, added, updated, indexed, refused, unsettled } = report;
  const lines = [`${model} (${table}): ${updated} rows written`];
  if (added.length > 0) lines.push(`  added: ${added.join(', ')}`);
  if (indexed.length > 0) lines.push(`  indexed: ${indexed.join(', ')}`);
  for (const { path, rows, keys } of refused) {
    const some = keys.map((key) => `(${key.join(', ')})`).join(', ');
    lines.push(
      `  ${path}: ${rows} rows with a value that does not fit the kind; primary keys: ${some}`,
    );
  }
  if (unsettled > 0)
    lines.push(`  ${unsettled} rows not filled because of concurrent writes; run again`);
  return `${lines.join('\n')}\n`;
}
