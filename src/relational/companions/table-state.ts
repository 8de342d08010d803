/** Holds a task against the catalogue: what is there, what is missing, what cannot work. */

import type { Knex } from 'knex';
import { configurationError } from '../../schema/index.ts';
import { mysqlCompanions } from '../databases/mysql/companions.ts';
import { postgresqlCompanions } from '../databases/postgresql/companions.ts';
import { sqliteCompanions } from '../databases/sqlite/companions.ts';
import { property } from './dialect.ts';
import type { CompanionDialect, TableState } from './dialect.ts';
import type { CompanionTask } from './plan.ts';

const dialects: ReadonlyMap<string, CompanionDialect> = new Map([
  ['postgresql', postgresqlCompanions],
  ['mysql', mysqlCompanions],
  ['mysql2', mysqlCompanions],
  ['mariadb', mysqlCompanions],
  ['sqlite3', sqliteCompanions],
]);

/** The dialect of a Knex instance. */
export function dialectOf(knex: Knex): CompanionDialect {
  const name = property(knex.client, 'dialect');
  const dialect = dialects.get(String(name));
  if (dialect === undefined) {
    throw configurationError(
      'Companion columns need a Knex instance of PostgreSQL, MySQL, MariaDB or SQLite.',
    );
  }
  return dialect;
}

/**
 * Reads the table's columns.
 *
 * @throws QueryError `SOURCE_CONFIGURATION_INVALID` when the table, a key or a source column is not
 * there, or when a column of a companion's name is there and is not text.
 */
export async function readState(
  knex: Knex,
  dialect: CompanionDialect,
  task: CompanionTask,
): Promise<TableState> {
  const columns = await dialect.columns(knex, task);
  const { model, table } = task;
  if (columns.length === 0) {
    throw configurationError(
      `${model}: there is no table "${table.name}" in the database; name the model's table.`,
      { model },
    );
  }
  const byName = new Map(columns.map((column) => [dialect.sameName(column.name), column]));
  const info = (column: string) => {
    const found = byName.get(dialect.sameName(column));
    if (found !== undefined) return found;
    throw configurationError(
      `${model}: the table "${table.name}" has no column "${column}"; name the field's column.`,
      { model },
    );
  };
  for (const key of task.keys) info(key);
  for (const { source } of task.companions) info(source);
  const missing = task.companions.filter(({ column }) => !byName.has(dialect.sameName(column)));
  for (const { column } of task.companions) {
    const present = byName.get(dialect.sameName(column));
    if (present !== undefined && !dialect.holdsText(present)) {
      throw configurationError(
        `${model}: the column "${column}" is there but is not text; choose another name for the companion.`,
        { model },
      );
    }
  }
  return { task, columns, info, missing };
}
