/** The description of a Prisma schema that the generator writes: models, fields, tables and columns. */

import type { FieldKind, JsonPaths } from '../../../schema/index.ts';

/** The datasource providers that have a database family. */
export type PrismaProvider =
  | 'postgresql'
  | 'postgres'
  | 'cockroachdb'
  | 'mysql'
  | 'sqlite'
  | 'sqlserver'
  | 'mongodb';

/** A field of a model. Absent properties have their defaults. */
export interface PrismaFieldDescription {
  /** Kind of the field. */
  readonly kind: FieldKind;
  /** Prisma's own type, which determines the client's values: `Int`, `String`, the name of an enum. */
  readonly type: string;
  /** Column type as in DDL without constraints. */
  readonly sqlType: string;
  /** Column name where it differs from the field's. */
  readonly column?: string;
  /** Present where the field may be null. */
  readonly nullable?: true;
  /** Members of an enum as they appear in lists. */
  readonly enumValues?: readonly string[];
  /** The stored text of a member, where it differs. */
  readonly stored?: { readonly [member: string]: string };
  /** The client's name of a member, where it differs. */
  readonly client?: { readonly [member: string]: string };
  /** Field with the folded value. Default: none. */
  readonly foldedField?: string;
  /** Field with the order key. Default: none. */
  readonly portableOrderField?: string;
  /** Paths of a json field that filters may name, and the kinds of their values. */
  readonly paths?: JsonPaths;
  /** Present where the field is hidden from clients. */
  readonly internal?: true;
}

/** One join of a relation. Column names are unquoted and paired by position. */
export interface PrismaHopDescription {
  /** Schema of the table. Default: that of the connection. */
  readonly schema?: string;
  /** Table that is joined. */
  readonly table: string;
  /** Columns of the preceding table. */
  readonly from: readonly string[];
  /** Columns of this table. */
  readonly to: readonly string[];
}

/** A relation of a model. */
export interface PrismaRelationDescription {
  /** Name of the target model in the registry. */
  readonly target: string;
  /** Whether a row has at most one related row, or any number of them. */
  readonly cardinality: 'one' | 'many';
  /** Present where a `one` relation may be absent. */
  readonly nullable?: true;
  /** The joins from the model to the target, in order. */
  readonly hops: readonly PrismaHopDescription[];
  /**
   * The client's fields of a relation through a join model: this model's list of it, and its reference to the target.
   */
  readonly through?: readonly [list: string, reference: string];
}

/** One model. */
export interface PrismaModelDescription {
  /** Name in the Prisma schema. */
  readonly name: string;
  /** Schema of the table. Default: that of the connection. */
  readonly schema?: string;
  /** Name of the table. */
  readonly table: string;
  /** Fields of the primary key, in key order. */
  readonly primaryKey: readonly string[];
  /** The columns of each key beside the primary key that a relation to one row joins. Default: none. */
  readonly uniqueKeys?: readonly (readonly string[])[];
  /** Fields by path. */
  readonly fields: { readonly [path: string]: PrismaFieldDescription };
  /** Relations by path. */
  readonly relations: { readonly [path: string]: PrismaRelationDescription };
}

/** A whole schema. */
export interface PrismaDescription {
  /** Provider of the datasource. */
  readonly provider: PrismaProvider;
  /** The timestamp format of the SQLite adapter. Default: ISO 8601 text. */
  readonly timestamps?: 'unixepoch-ms';
  /** Models by their name in the registry. */
  readonly models: { readonly [model: string]: PrismaModelDescription };
}
