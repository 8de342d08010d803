/** Prints the companion migration for review. */

import type { Knex } from 'knex';
import { checkConfiguration } from '../../schema/index.ts';
import type { CompanionDialect, TableState, WriteRow } from './dialect.ts';
import { indexStatements } from './index-statements.ts';
import { companionOptionTable, type CompanionOptions } from './options.ts';
import { planCompanions, type CompanionModel } from './plan.ts';
import { dialectOf, readState } from './table-state.ts';

/**
 * Returns the statements that `runCompanions` would run with the same arguments. Only reads the catalogue.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the models do not fit the database, `knex` is not of a supported
 * database, or `batch` or `lockTimeoutMs` is not a positive whole number.
 */
export async function printCompanions(
  knex: Knex,
  models: readonly CompanionModel[],
  options: CompanionOptions = {},
): Promise<string> {
  checkConfiguration('printCompanions', options, companionOptionTable);
  const dialect = dialectOf(knex);
  const tasks = planCompanions(models);
  if (tasks.length === 0) return '-- No field has a folded or an order column.\n';
  const parts: string[] = [];
  for (const task of tasks) {
    parts.push(await printTable(knex, dialect, await readState(knex, dialect, task), options));
  }
  return parts.join('\n');
}

async function printTable(
  knex: Knex,
  dialect: CompanionDialect,
  state: TableState,
  options: CompanionOptions,
): Promise<string> {
  const { model, table, companions } = state.task;
  const lines = [`-- ${comment(model)}: table ${comment(table.name)}`];
  for (const companion of companions) {
    const { role, source, column, field } = companion;
    const made = role === 'folded' ? 'foldText' : `portableOrderKey (${field.kind})`;
    const there = state.missing.includes(companion) ? 'to be added' : 'exists';
    lines.push(`--   ${comment(column)} = ${made} of ${comment(source)}; ${there}`);
  }
  if (state.missing.length > 0) {
    const server = await dialect.server(knex);
    lines.push('', ...dialect.addColumns(state, server).map((sql) => `${sql};`));
  }
  const batch = options.batch ?? 1000;
  const mode = options.recheck === true ? 'recheck' : 'fill';
  const keys = state.task.keys.map(() => null);
  const row: WriteRow = {
    keys,
    sources: companions.map(() => null),
    values: companions.map(() => null),
  };
  lines.push(
    '',
    `-- Then, in batches of ${batch} rows until none is left, read the rows after the last key:`,
    `--   ${comment(dialect.readRows(state, mode, keys, batch).sql)}`,
    '-- and write their companions, except to rows whose source has changed since the read:',
    `--   ${comment(dialect.writeRows(state, [row]).sql)}`,
  );
  if (options.index === true) {
    lines.push('');
    for (const companion of companions) {
      const statements = await indexStatements(knex, dialect, state, companion);
      lines.push(...statements.map((sql) => `${sql};`));
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Removes line breaks, so that a name cannot end the comment that contains it. */
function comment(text: string): string {
  return text.replaceAll(/[\r\n]/g, ' ');
}
