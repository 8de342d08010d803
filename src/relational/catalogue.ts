/** The catalogue of a database (tables, columns and keys) in one form for all families. */

import type { Executor, Rows } from './read/executor.ts';

/** A column. */
export interface CatalogueColumn {
  readonly name: string;
  /** The database's own type, with length; for a domain, its base type. */
  readonly type: string;
  readonly nullable: boolean;
  /** Set for a part of the primary key that is declared `not null`, where the key alone does not make it so. */
  readonly notNull?: boolean;
  /** Members of an enum type. */
  readonly enumValues?: readonly string[] | null;
}

/** A foreign key. */
export interface CatalogueForeignKey {
  readonly columns: readonly string[];
  readonly schema: string;
  readonly table: string;
  /** The referenced columns, in the order of `columns`. */
  readonly to: readonly string[];
  /** Whether the database keeps each row from referring to one that is absent, at any time. */
  readonly isEnforced: boolean;
}

/** A table or a view. */
export interface CatalogueTable {
  readonly schema: string;
  readonly name: string;
  /** Whether it is a view, materialised or not. */
  readonly isView: boolean;
  readonly columns: readonly CatalogueColumn[];
  /** Columns of the primary key, in key order; empty where the table has none. */
  readonly primaryKey: readonly string[];
  /** Unique keys, each as a list of columns. */
  readonly uniqueKeys: readonly (readonly string[])[];
  readonly foreignKeys: readonly CatalogueForeignKey[];
  /** Ordered indexes on columns, of all rows, with those of keys. */
  readonly indexes: readonly CatalogueIndex[];
  /** Indexes on the members of columns. Default: the family has none. */
  readonly inverted?: readonly CatalogueIndex[];
  /** The number of rows that the planner expects; `null` where the catalogue does not tell. */
  readonly rows: number | null;
}

/** An index. */
export interface CatalogueIndex {
  readonly name: string;
  /** Its columns, up to the first expression. */
  readonly columns: readonly string[];
  /** Whether texts that start with another are found by it. Default: it does. */
  readonly servesPrefix?: boolean;
}

/**
 * Reads the tables and views of a schema, by name; a `null` schema means the connection's default. Views whose names are not
 * in `views`, with or without that of their schema, may come without columns.
 */
export type ReadCatalogue = (
  executor: Executor,
  schema: string | null,
  views: readonly string[],
) => Promise<readonly CatalogueTable[]>;

/** The table of a name: that of another case only where none has this one. */
export const tableNamed = (
  tables: readonly CatalogueTable[],
  wanted: string,
): CatalogueTable | undefined =>
  tables.find(({ name }) => name === wanted) ??
  tables.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());

/** The columns of an index in the third value of its rows, up to the first expression, which has no name. */
export function columnsOf(rows: Rows): string[] {
  const end = rows.findIndex((row) => row[2] === null);
  return rows.slice(0, end < 0 ? rows.length : end).map((row) => String(row[2]));
}

/** Groups rows by the text in one of their columns, in their order. */
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
