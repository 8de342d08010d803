/** The description of a Prisma schema that the generator writes: models, fields, tables and columns. */

import type { FieldKind, JsonPaths } from '../../schema/index.ts';

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
  readonly kind: FieldKind;
  /** Prisma's own type, which determines the client's values: `Int`, `String`, the name of an enum. */
  readonly type: string;
  /** Column type as in DDL without constraints. */
  readonly sqlType: string;
  /** Column name where it differs from the field's. */
  readonly column?: string;
  readonly nullable?: true;
  /** Members of an enum as they appear in lists. */
  readonly enumValues?: readonly string[];
  /** The stored text of a member, where it differs. */
  readonly stored?: { readonly [member: string]: string };
  /** The client's name of a member, where it differs. */
  readonly client?: { readonly [member: string]: string };
  readonly foldedField?: string;
  readonly portableOrderField?: string;
  /** Paths of a json field that filters may name, and the kinds of their values. */
  readonly paths?: JsonPaths;
  readonly internal?: true;
}

/** One join of a relation. Column names are unquoted and paired by position. */
export interface PrismaHopDescription {
  readonly schema?: string;
  readonly table: string;
  /** Columns of the preceding table. */
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** A relation of a model. */
export interface PrismaRelationDescription {
  readonly target: string;
  readonly cardinality: 'one' | 'many';
  readonly nullable?: true;
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
  readonly schema?: string;
  readonly table: string;
  readonly primaryKey: readonly string[];
  readonly fields: { readonly [path: string]: PrismaFieldDescription };
  readonly relations: { readonly [path: string]: PrismaRelationDescription };
}

/** A whole schema. */
export interface PrismaDescription {
  readonly provider: PrismaProvider;
  /** The timestamp format of the SQLite adapter. Default: ISO 8601 text. */
  readonly timestamps?: 'unixepoch-ms';
  readonly models: { readonly [model: string]: PrismaModelDescription };
}
