/** Compares a task with the catalogue: existing, missing and unusable columns. */

import type { Knex } from 'knex';
import { configurationError } from '../../schema/index.ts';
import { familyTools } from '../tools/index.ts';
import { property, type CompanionDialect, type TableState } from './dialect.ts';
import type { CompanionTask } from './plan.ts';

/** The operations of the family of a Knex instance. */
export function dialectOf(knex: Knex): CompanionDialect {
  const name = String(property(knex.client, 'dialect'));
  const family = Object.values(familyTools).find(({ companions }) =>
    companions.knex.dialects.includes(name),
  );
  if (family) return family.companions;
  throw configurationError(
    '"knex" must be a Knex instance for PostgreSQL, MySQL, MariaDB or SQLite.',
  );
}

/**
 * Reads the columns of the table from the catalogue.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the table, a key column or a source column does not exist, or
 * an existing companion column is not of a text type.
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
      `${model}: the table "${table.name}" does not exist; set the "table" of the model.`,
      { model },
    );
  }
  const byName = new Map(columns.map((column) => [dialect.sameName(column.name), column]));
  const info = (column: string) => {
    const found = byName.get(dialect.sameName(column));
    if (found !== undefined) return found;
    throw configurationError(
      `${model}: the table "${table.name}" has no column "${column}"; set it in the "columns" of the model.`,
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
        `${model}: the column "${column}" exists but is not text; use another column for the companion.`,
        { model },
      );
    }
  }
  return { task, columns, info, missing };
}
