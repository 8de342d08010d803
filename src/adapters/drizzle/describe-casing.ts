/** Column names under a database handle that was made with Drizzle's `casing` option. */

import type { Column } from 'drizzle-orm';
import type { ColumnNaming } from './describe-metadata.ts';

interface CasingCache {
  getColumnCasing(column: Column): string;
}

/**
 * The column names that a Drizzle handle uses. `drizzle({ casing })` renames the columns that were declared without a
 * name; the handle's dialect has the new names, the tables do not.
 */
export function columnNamingOf(db: unknown): ColumnNaming {
  const casing = (db as { dialect?: { casing?: Partial<CasingCache> } } | null)?.dialect?.casing;
  if (typeof casing?.getColumnCasing !== 'function') return (column) => column.name;
  return (column) => (casing as CasingCache).getColumnCasing(column);
}
