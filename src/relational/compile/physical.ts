/** The storage of a model in a relational database: its table, columns and the columns that join relations. */

import type { PlanValue } from '../../rules/index.ts';
import type { FieldKind } from '../../schema/index.ts';

/** A table, unquoted. */
export interface TableRef {
  /** Schema of the table. Default: that of the connection. */
  readonly schema?: string | undefined;
  /** Name of the table. */
  readonly name: string;
}

/** The names of storage forms. */
export const storageForms = [
  'native',
  'epoch-seconds',
  'epoch-milliseconds',
  'iso-text',
  'blank-text',
  'short-text',
  'offset-text',
  'numeric-text',
  'json-text',
  'json-number',
  'json-blob',
  'single',
  'uuid-bytes',
] as const;

/**
 * How a column stores its kind, where the kind alone does not determine it: `native` as the family's profile
 * prescribes; `epoch-seconds` and `epoch-milliseconds` a datetime as an integer; `iso-text` a datetime as
 * `YYYY-MM-DDTHH:MM:SS.sssZ`, `blank-text` as `YYYY-MM-DD HH:MM:SS.sss`, `short-text` the same but without a fraction
 * that is zero, `offset-text` as `YYYY-MM-DDTHH:MM:SS.sss+00:00`; `numeric-text` a decimal in canonical text;
 * `json-text` JSON in a text column; `json-number` the same in a column that may store it as a number; `json-blob` JSON
 * text in a binary column; `single` a float in single precision; `uuid-bytes` a UUID as 16 bytes.
 */
export type StorageForm = (typeof storageForms)[number];

/** Converts between a field's value and the column's, where an ORM transforms values. */
export interface ColumnCodec {
  /** Converts a canonical value of the field's kind to its stored form. */
  bind(value: PlanValue): unknown;
  /** Converts a value of the driver to its presented form. */
  read(stored: unknown): unknown;
  /**
   * Whether `read` returns a different value for each stored value, and `bind` converts it back to that stored value.
   * Default: unknown, so cursors contain stored values.
   */
  readonly exact?: true;
}

/** A column in the expression of a computed field. */
interface ColumnInExpression {
  /** Name of the column. */
  readonly column: string;
}

/** The column of one field of the schema. */
export interface PhysicalColumn {
  /** Path of the field. */
  readonly path: string;
  /** Column name in the database, unquoted. */
  readonly name: string;
  /** Kind of the field; with a codec, the stored kind. */
  readonly kind: FieldKind;
  /** How the column stores its kind. */
  readonly storage: StorageForm;
  /** The database's own type, as in DDL without constraints: `int`, `numeric(10, 2)`, `timestamp with time zone`. */
  readonly sqlType: string;
  /** Conversion of values where the ORM transforms them. Default: none. */
  readonly codec?: ColumnCodec | undefined;
  /** Stored members of a native enum type, in the order of the database. Default: unknown, or the type is not an enum. */
  readonly members?: readonly string[] | undefined;
  /**
   * Whether numbers are bound as text that the database casts, for a client that rounds numbers on their way. Default
   * `false`.
   */
  readonly numbersAsText?: boolean | undefined;
  /** Whether rows may have no value although the field is required, as in keys of SQLite. Default `false`. */
  readonly keepsNull?: boolean | undefined;
  /** The SQL of a computed field in parts: texts, and names of columns of the same table. Default: the column itself. */
  readonly expression?: readonly (string | ColumnInExpression)[] | undefined;
  /** The json column and the member names, for a value at a declared path. Default: the column itself. */
  readonly member?: JsonMember | undefined;
}

/** A value within a json column. The member names are identifiers, so that they need no quotes in any family. */
export interface JsonMember {
  readonly keys: readonly string[];
  readonly of: PhysicalColumn;
}

/** One table joined on equal columns. Column names are unquoted and paired by position. */
export interface PhysicalHop {
  /** The table that is joined. */
  readonly table: TableRef;
  /** Columns of the preceding table. */
  readonly from: readonly string[];
  /** Columns of this table. */
  readonly to: readonly string[];
}

/**
 * A relation as joins: one hop, or two through a join table. The last hop is the target's table. No hops: the target is
 * stored in the same row, as an embedded entity is.
 */
export interface PhysicalRelation {
  /** Name of the relation. */
  readonly path: string;
  /** Name of the target model. */
  readonly target: string;
  /** Whether a row has at most one related row, or any number of them. */
  readonly cardinality: 'one' | 'many';
  /** The joins from the model to the target, in order. */
  readonly hops: readonly PhysicalHop[];
  /** Whether a foreign key that the database enforces keeps rows from referring to one that is absent. Default `false`. */
  readonly isEnforced?: boolean | undefined;
}

/**
 * Limits a model to some rows of its table: the column is null, or has one of the values. Column names are unquoted.
 */
export type RowRestriction =
  | { readonly column: string; readonly isNull: true }
  | { readonly column: string; readonly values: readonly string[] };

/** One model in the database. */
export interface PhysicalModel {
  /** Name of the model. */
  readonly model: string;
  /** Table of the model. */
  readonly table: TableRef;
  /** Columns by path of their field. */
  readonly columns: ReadonlyMap<string, PhysicalColumn>;
  /** Relations by path. */
  readonly relations: ReadonlyMap<string, PhysicalRelation>;
  /** Columns without a field, by name, on which a relation may join. Default: none. */
  readonly hidden?: ReadonlyMap<string, PhysicalColumn> | undefined;
  /**
   * The columns of each key that the table keeps unique beside the primary key, by name. A `one` relation to other
   * columns is read as its first row by the primary key. Default: none.
   */
  readonly uniqueKeys?: readonly (readonly string[])[] | undefined;
  /** Conditions that every row of the model meets, such as soft deletion or single table inheritance. Default: none. */
  readonly restrictions?: readonly RowRestriction[] | undefined;
}

/** The models that a source can reach, by name. */
export type PhysicalSchema = ReadonlyMap<string, PhysicalModel>;
