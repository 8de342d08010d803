/** The catalogue of a database: tables, columns and keys, in one form for all families. */

import type { Executor, Rows } from './read/executor.ts';

/** A column. */
export interface CatalogueColumn {
  readonly name: string;
  /** The database's own type, with length; of a domain, the type that it restricts. */
  readonly type: string;
  readonly nullable: boolean;
  /** Members of an enum type. */
  readonly enumValues?: readonly string[] | null;
}

/** A foreign key. */
export interface CatalogueForeignKey {
  readonly columns: readonly string[];
  readonly schema: string;
  readonly table: string;
  /** Columns that are referred to, paired with `columns`. */
  readonly to: readonly string[];
}

/** A table, no view. */
export interface CatalogueTable {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly CatalogueColumn[];
  /** Empty where the table has none. */
  readonly primaryKey: readonly string[];
  /** Columns that are unique together, each key a list. */
  readonly uniqueKeys: readonly (readonly string[])[];
  readonly foreignKeys: readonly CatalogueForeignKey[];
}

/** Reads the tables of a schema, by name; `null` is the schema of the connection. */
export type ReadCatalogue = (
  executor: Executor,
  schema: string | null,
) => Promise<readonly CatalogueTable[]>;

/** Rows by the text in one of their columns, in their order. */
export function grouped(rows: Rows, column: number): Map<string, Rows[number][]> {
  const groups = new Map<string, Rows[number][]>();
  for (const row of rows) {
    const key = String(row[column]);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}
