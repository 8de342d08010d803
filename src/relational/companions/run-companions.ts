/** Runs the companion migration on a database in use. */

import type { Knex } from 'knex';
import { configurationError } from '../../schema/index.ts';
import { backFill } from './back-fill.ts';
import type { CompanionDialect, TableState } from './dialect.ts';
import { indexName, indexStatements } from './index-statements.ts';
import type { CompanionOptions, CompanionTableReport } from './options.ts';
import { planCompanions } from './plan.ts';
import type { CompanionModel } from './plan.ts';
import { withRetry } from './retry.ts';
import { dialectOf, readState } from './table-state.ts';

const defaultLockTimeoutMs = 2000;

/**
 * Adds the companion columns that are missing, fills them, and, if asked to, indexes them.
 *
 * Safe to run again, also after an interruption: only rows whose companion is null while the source is
 * not are filled (with `recheck`, those that differ). A row that is written meanwhile is never given a
 * companion of its former value. Each batch is one short statement of its own.
 *
 * @throws QueryError `SOURCE_CONFIGURATION_INVALID` when models and database do not fit each other or
 * `batch` is no positive whole number; the driver's error when a statement fails for good; the reason of
 * `signal` when it is aborted.
 */
export async function runCompanions(
  knex: Knex,
  models: readonly CompanionModel[],
  options: CompanionOptions = {},
): Promise<readonly CompanionTableReport[]> {
  checkOptions(options);
  const dialect = dialectOf(knex);
  const states: TableState[] = [];
  for (const task of planCompanions(models)) states.push(await readState(knex, dialect, task));
  const reports: CompanionTableReport[] = [];
  for (const state of states) reports.push(await runTable(knex, dialect, state, options));
  return reports;
}

/** Refuses options that cannot work. */
export function checkOptions({ batch = 1, lockTimeoutMs = 1 }: CompanionOptions): void {
  if (!Number.isSafeInteger(batch) || batch < 1) {
    throw configurationError('batch is a number of rows: a whole number of at least 1.');
  }
  if (!Number.isSafeInteger(lockTimeoutMs) || lockTimeoutMs < 1) {
    throw configurationError('lockTimeoutMs is a whole number of milliseconds of at least 1.');
  }
}

async function runTable(
  knex: Knex,
  dialect: CompanionDialect,
  state: TableState,
  options: CompanionOptions,
): Promise<CompanionTableReport> {
  const { model, table, companions } = state.task;
  const { signal, lockTimeoutMs = defaultLockTimeoutMs } = options;
  if (state.missing.length > 0) {
    const server = await dialect.server(knex);
    for (const sql of dialect.addColumns(state, server)) {
      const alter = () => dialect.alter(knex, sql, lockTimeoutMs);
      await withRetry(alter, dialect.isTransient, signal);
    }
  }
  const filled = await backFill(knex, dialect, state, options);
  const indexed: string[] = [];
  for (const companion of options.index === true ? companions : []) {
    signal?.throwIfAborted();
    const name = indexName(table.name, companion.column, dialect.maxNameBytes);
    const statements = await indexStatements(knex, dialect, state, companion);
    for (const sql of statements) {
      await withRetry(() => Promise.resolve(knex.raw(sql)), dialect.isTransient, signal);
    }
    if (statements.length > 0) indexed.push(name);
  }
  const added = state.missing.map(({ column }) => column);
  return { model, table: table.name, added, indexed, ...filled };
}
