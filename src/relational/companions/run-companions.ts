/** Runs the companion migration, also on a database in use. */

import type { Knex } from 'knex';
import { checkConfiguration } from '../../schema/index.ts';
import { backFill } from './back-fill.ts';
import type { CompanionDialect, TableState } from './dialect.ts';
import { indexName, indexStatements } from './index-statements.ts';
import { companionOptionTable } from './options.ts';
import type { CompanionOptions, CompanionTableReport } from './options.ts';
import { planCompanions, type CompanionModel } from './plan.ts';
import { withRetry } from './retry.ts';
import { dialectOf, readState } from './table-state.ts';

const defaultLockTimeoutMs = 2000;

/**
 * Adds the missing companion columns, fills them and, with `index`, creates their indexes.
 *
 * It can be run again at any time, also after an interruption: it fills only rows whose companion is null while the
 * source is not (with `recheck`, also rows whose companion differs). A row that another connection changes during the
 * run never gets the companion of its previous value. Each batch is one short statement. Errors of the driver are
 * thrown unchanged, after retries for lock timeouts and deadlocks; an abort throws the reason of `signal`.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the models do not fit the database, `knex` is not of a supported
 * database, or `batch` or `lockTimeoutMs` is not a positive whole number.
 */
export async function runCompanions(
  knex: Knex,
  models: readonly CompanionModel[],
  options: CompanionOptions = {},
): Promise<readonly CompanionTableReport[]> {
  checkConfiguration('runCompanions', options, companionOptionTable);
  const dialect = dialectOf(knex);
  const states: TableState[] = [];
  for (const task of planCompanions(models)) states.push(await readState(knex, dialect, task));
  const reports: CompanionTableReport[] = [];
  for (const state of states) reports.push(await runTable(knex, dialect, state, options));
  return reports;
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
