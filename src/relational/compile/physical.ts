/** Where a model lives in a relational database: table, columns and the columns that join relations. */

import type { PlanValue } from '../../rules/index.ts';
import type { FieldKind } from '../../schema/index.ts';

/** A table, unquoted. */
export interface TableRef {
  readonly schema?: string | undefined;
  readonly name: string;
}

/**
 * How a column holds its kind, where the kind alone does not tell:
 * `native` as the family's profile says; `epoch-seconds` and `epoch-milliseconds` an integer datetime;
 * `iso-text` a datetime as `YYYY-MM-DDTHH:MM:SS.sssZ`, `blank-text` as `YYYY-MM-DD HH:MM:SS.sss`, `short-text` like
 * that but without a fraction that is zero, `offset-text` as `YYYY-MM-DDTHH:MM:SS.sss+00:00`; `numeric-text` a decimal in canonical text;
 * `json-text` JSON in a text column; `json-blob` JSON text in a binary column.
 */
export type StorageForm =
  | 'native'
  | 'epoch-seconds'
  | 'epoch-milliseconds'
  | 'iso-text'
  | 'blank-text'
  | 'short-text'
  | 'offset-text'
  | 'numeric-text'
  | 'json-text'
  | 'json-blob';

/** The way between a field's value and what its column holds, where an ORM puts something in between. */
export interface ColumnCodec {
  /** The canonical value of the field's kind as it is stored. */
  bind(value: PlanValue): unknown;
  /** What the driver gave as it is shown. */
  read(stored: unknown): unknown;
}

/** One column that a field of the schema stands for. */
export interface PhysicalColumn {
  /** Path of the field. */
  readonly path: string;
  /** Column name in the database, unquoted. */
  readonly name: string;
  /** Kind of the field; with a codec, the kind that is stored. */
  readonly kind: FieldKind;
  readonly storage: StorageForm;
  /** The database's own type, as in DDL without constraints: `int`, `numeric(10, 2)`, `timestamp with time zone`. */
  readonly sqlType: string;
  readonly codec?: ColumnCodec | undefined;
}

/** One table joined on equal columns. Column names are unquoted and pair up by position. */
export interface PhysicalHop {
  readonly table: TableRef;
  /** Columns of the table before this one. */
  readonly from: readonly string[];
  /** Columns of this table. */
  readonly to: readonly string[];
}

/**
 * A relation as joins: one hop, or two where a join table lies between. The last hop is the target's table.
 * No hop at all: the target is part of the same row, as an embedded entity is.
 */
export interface PhysicalRelation {
  readonly path: string;
  readonly target: string;
  readonly cardinality: 'one' | 'many';
  readonly hops: readonly PhysicalHop[];
}

/** Rows of a table that a model is: where the column is null, or holds one of the values. Column names are unquoted. */
export type RowRestriction =
  | { readonly column: string; readonly isNull: true }
  | { readonly column: string; readonly values: readonly string[] };

/** One model in the database. */
export interface PhysicalModel {
  readonly model: string;
  readonly table: TableRef;
  readonly columns: ReadonlyMap<string, PhysicalColumn>;
  readonly relations: ReadonlyMap<string, PhysicalRelation>;
  /** Columns that no field stands for, by name: a relation may join on them all the same. Default: none. */
  readonly hidden?: ReadonlyMap<string, PhysicalColumn> | undefined;
  /** Conditions that every row of the model meets: soft deletion, single table inheritance. Default: none. */
  readonly restrictions?: readonly RowRestriction[] | undefined;
}

/** The models a source can reach, by name. */
export type PhysicalSchema = ReadonlyMap<string, PhysicalModel>;
