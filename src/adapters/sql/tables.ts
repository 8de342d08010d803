/** How tables are declared: columns with the database's own types, keys, and the columns that join relations. */

import type { FieldKind, JsonPaths } from '../../schema/index.ts';
import type { StorageForm } from '../../relational/index.ts';

/** A column: its SQL type, or options that include it. */
export type SqlColumn = string | SqlColumnOptions;

/** The options of a column. */
export interface SqlColumnOptions {
  /** The database's own type, as in DDL without constraints: `int8`, `numeric(10, 2)`, `"mood"`. */
  readonly type: string;
  /** Name in the database. Default: the path. */
  readonly column?: string;
  /**
   * Whether the column may hold null. Default `false`; in a primary key of SQLite, which accepts null where the column is
   * not declared `not null`, state `false` to make pages in descending order of long tables faster.
   */
  readonly nullable?: boolean;
  /** Kind of the field. Default: the kind of the type; `enum` where `enumValues` are given. */
  readonly kind?: FieldKind;
  /** Members of an enum, in their order. */
  readonly enumValues?: readonly string[];
  /** Path of the folded companion. Default: the text column `<path>Folded` or `<path>_folded`, if there is one. */
  readonly foldedField?: string | false;
  /** Path of the order companion. Default: the text column `<path>Order` or `<path>_order`, if there is one. */
  readonly portableOrderField?: string | false;
  /** Paths of a json field that filters may name, and the kinds of their values. Default: none. */
  readonly paths?: JsonPaths;
  /** Whether clients can neither see, filter nor sort the field. Default: `true` for companions, `false` otherwise. */
  readonly internal?: boolean;
  /**
   * How the column stores its kind, where the type does not determine it, such as an instant in an integer column of
   * SQLite.
   */
  readonly storage?: StorageForm;
}

/** One path, or the paths of a composite key in order. */
export type Paths = string | readonly string[];

/** A relation to at most one row. */
export interface SqlOne {
  /** Name of the target model. */
  readonly one: string;
  /** Paths of this model. */
  readonly from: Paths;
  /** Paths of the target, paired with `from`. Default: its primary key. */
  readonly to?: Paths;
  /** Whether the row may be absent. Default: whether a column of `from` is nullable, or `to` is not the primary key. */
  readonly nullable?: boolean;
  /**
   * Whether a foreign key of the database, which is enforced at any time, keeps rows from referring to one that is absent.
   * An index then serves an order by a field of the target. Default: false.
   */
  readonly foreignKey?: boolean;
}

/** A relation to any number of rows. */
export interface SqlMany {
  /** Name of the target model. */
  readonly many: string;
  /** Paths of this model. Default: its primary key. */
  readonly from?: Paths;
  /** Paths of the target, paired with `from`. Required without `through`; with it the default is the primary key. */
  readonly to?: Paths;
  /** The join table of a many-to-many relation. */
  readonly through?: SqlThrough;
}

/** A join table between two models. */
export interface SqlThrough {
  /** Name of the join table. */
  readonly table: string;
  /** Schema of the table. Default: the connection's default schema. */
  readonly schema?: string;
  /** Names of the columns that reference this model, in the database. */
  readonly from: Paths;
  /** Names of the columns that reference the target, in the database. */
  readonly to: Paths;
}

/** A relation. */
export type SqlRelation = SqlOne | SqlMany;

/** One table and its model. */
export interface SqlTable {
  /** Name in the database. */
  readonly table: string;
  /** Schema of the table. Default: the connection's default schema. */
  readonly schema?: string;
  /** Columns by path. Columns that are not declared are not used. */
  readonly columns: { readonly [path: string]: SqlColumn };
  /** Paths of the primary key, in order. */
  readonly primaryKey: Paths;
  /**
   * The paths of each key that is unique beside the primary key, which the database has to ensure by a constraint or an
   * index without a condition. A `one` relation to other paths is read as its first row by the primary key. Default: none.
   */
  readonly uniqueKeys?: readonly Paths[];
  /** Relations by path. Default: none. */
  readonly relations?: { readonly [path: string]: SqlRelation };
}

/** Tables by model name. */
export interface SqlTables {
  readonly [model: string]: SqlTable;
}

export function listOf(paths: Paths): readonly string[] {
  return typeof paths === 'string' ? [paths] : paths;
}

export function columnOf(column: SqlColumn): SqlColumnOptions {
  return typeof column === 'string' ? { type: column } : column;
}
