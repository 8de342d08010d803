/** What the generator writes down of a Prisma schema: models as lists see them, and where they live. */

import type { FieldKind } from '../../schema/index.ts';

/** The datasource providers that have a database family. */
export type PrismaProvider =
  | 'postgresql'
  | 'postgres'
  | 'cockroachdb'
  | 'mysql'
  | 'sqlite'
  | 'sqlserver'
  | 'mongodb';

/** A field of a model. What is absent has its default. */
export interface PrismaFieldDescription {
  readonly kind: FieldKind;
  /** Prisma's own type, which says what the client takes and gives: `Int`, `String`, the name of an enum. */
  readonly type: string;
  /** Column type as in DDL without constraints. */
  readonly sqlType: string;
  /** Column name where it is not the field's. */
  readonly column?: string;
  readonly nullable?: true;
  /** Members of an enum as lists show them. */
  readonly enumValues?: readonly string[];
  /** What the database stores for a member, where that is another text. */
  readonly stored?: { readonly [member: string]: string };
  /** What the client calls a member, where that is another text. */
  readonly client?: { readonly [member: string]: string };
  readonly foldedField?: string;
  readonly portableOrderField?: string;
  readonly internal?: true;
}

/** One join on the way of a relation. Column names are unquoted and pair up by position. */
export interface PrismaHopDescription {
  readonly schema?: string;
  readonly table: string;
  /** Columns of the table before this one. */
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** A relation of a model. */
export interface PrismaRelationDescription {
  readonly target: string;
  readonly cardinality: 'one' | 'many';
  readonly nullable?: true;
  readonly hops: readonly PrismaHopDescription[];
  /** The client's fields on the way through a join model: this model's list of it, its reference to the target. */
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
  /** How the SQLite adapter was told to write instants. Default: as ISO 8601 text. */
  readonly timestamps?: 'unixepoch-ms';
  readonly models: { readonly [model: string]: PrismaModelDescription };
}
