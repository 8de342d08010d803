/** The query schema: fields, primary key and relations of a model, independent of any database. */

import type { DatabaseFamily } from './families.ts';

/** Kind of a value that can be compared, and of which arrays can consist. */
export type ItemKind =
  | 'string'
  | 'uuid'
  | 'enum'
  | 'integer'
  | 'bigint'
  | 'decimal'
  | 'float'
  | 'boolean'
  | 'date'
  | 'datetime';

/** Kind of an array: `string[]` is one of strings. */
export type ArrayKind = `${ItemKind}[]`;

/**
 * Logical type of a field. It determines coercion, order, applicable operators and the JSON form. An array of values of a
 * kind has the name of the kind before brackets, such as `string[]`.
 */
export type FieldKind = ItemKind | ArrayKind | 'json' | 'binary' | 'opaque';

/** Kind of a value at a declared path of a json field, or of the members of an array there. */
type JsonItemKind = Exclude<ItemKind, 'uuid' | 'enum' | 'float'>;

/** Kind of a value at a declared path of a json field. */
export type JsonPathKind = JsonItemKind | `${JsonItemKind}[]`;

/**
 * Paths within a json field, and the kinds of their values: member names joined by dots, each a letter or underscore,
 * then letters, digits and underscores. A value of another JSON type, or beyond the range of its kind, counts as null.
 */
export interface JsonPaths {
  readonly [path: string]: JsonPathKind;
}

/** Kind of a computed field. */
export type ComputedKind = Exclude<ItemKind, 'uuid' | 'enum'>;

/**
 * The SQL of a computed field, with fields of the same model in braces: `{firstName} || ' ' || {lastName}`. One text for
 * every family, or a text for each family that the model belongs to. Sluice replaces a name in braces by the quoted column,
 * whose stored value the expression has. It never contains text of a client.
 */
export type FieldExpression = string | { readonly [Family in DatabaseFamily]?: string };

/** One field of a model. */
export interface FieldDescriptor {
  /** Name of the field in requests and responses: a letter or underscore, then letters, digits and underscores. */
  readonly path: string;
  /** Kind of the values, which decides operators, order and the form in JSON. */
  readonly kind: FieldKind;
  /** Whether the column accepts null; must match the source. `isNull` is valid only on a nullable field. */
  readonly nullable: boolean;
  /**
   * Whether the column is an unsigned one of MySQL or MariaDB: kind `integer` then takes values up to 2^32 - 1, kind
   * `bigint` up to 2^64 - 1. Default `false`.
   */
  readonly unsigned?: boolean;
  /** Whether the field is part of the primary key; must agree with `QuerySchema.primaryKey`. */
  readonly primaryKey: boolean;
  /** Accepted members, in sort order; required for the kinds `enum` and `enum[]`. */
  readonly enumValues?: readonly string[];
  /** Internal field that stores `foldText(value)`; required by `ilike`, `notIlike` and search on several families. */
  readonly foldedField?: string;
  /** Internal field that stores `portableOrderKey(field, value)`; required to order `uuid` and `enum` on several families. */
  readonly portableOrderField?: string;
  /** Paths of a json field that filters may name, as in `filter[data.customer.id]`. Default: none; JSON is opaque. */
  readonly paths?: JsonPaths;
  /** The SQL of a field that the database computes, in place of a column. Default: the field has a column. */
  readonly sql?: FieldExpression;
  /** Excludes the field from filters, projections, sorts and responses. Default `false`. */
  readonly internal?: boolean;
}

/** One relation of a model to another model of the registry. */
export interface RelationDescriptor {
  /** Name of the relation, as clients write it in paths. */
  readonly path: string;
  /** Model name in the registry. */
  readonly target: string;
  /** Whether a row has at most one related row, or any number of them. */
  readonly cardinality: 'one' | 'many';
  /** Whether a `one` relation may be null. A `many` relation is never null, only empty. */
  readonly nullable: boolean;
}

/** One model. */
export interface QuerySchema {
  /** Name of the model, by which rules and relations refer to it. */
  readonly model: string;
  /** Field paths of the primary key, in key order; at least one. */
  readonly primaryKey: readonly string[];
  /** Fields of the model, including internal ones. */
  readonly fields: readonly FieldDescriptor[];
  /** Relations to other models of the registry. */
  readonly relations: readonly RelationDescriptor[];
}

/**
 * Type of a model in a registry: kinds by field, targets by relation. The optional parts refine the checks and types of
 * the fields; where one is absent, the compiler does not know it.
 */
export interface ModelShape {
  readonly fields: { readonly [path: string]: FieldKind };
  readonly relations: { readonly [path: string]: RelationShape };
  /** The JSON form of each field by path, with null where it is nullable. May contain fields that rules cannot name. */
  readonly values?: object;
  /** Whether each field has a folded companion, `true` or `false` by path. */
  readonly folded?: object;
  /** Whether the registry belongs to one database family, whose own case folding and order rules may use. */
  readonly native?: boolean;
  /** The entity of the model, where the registry was derived from classes. */
  readonly entity?: unknown;
}

/** Type of a relation in a registry. */
export interface RelationShape {
  /** The name of the target model, or its shape where the compiler does not know the name. */
  readonly target: string | ModelShape;
  readonly cardinality: 'one' | 'many';
}

/** Type of a registry. The default accepts every model and path. */
export interface RegistryShape {
  readonly [model: string]: ModelShape;
}

/** A table, view, column or foreign key that is not in the registry, or only in part. */
export interface SkippedPart {
  /** Schema of the table, where the option `schema` is given. */
  readonly schema?: string;
  /** Name of the table, in Drizzle that of its export. */
  readonly table: string;
  /** Name of the column, of which the registry knows no kind: it is shown, but neither filtered nor sorted. */
  readonly column?: string;
  /** The columns of the foreign key, which gives no relation. */
  readonly foreignKey?: readonly string[];
  /** English text that says why. */
  readonly reason: string;
}

/**
 * Schemas by model name. A plain `Map` is accepted wherever a registry is. A registry made by `defineSchemaRegistry`
 * or derived from an ORM also carries the type `Shape`, so that wrong paths in a rules literal do not compile.
 */
export interface SchemaRegistry<Shape extends RegistryShape = RegistryShape> extends ReadonlyMap<
  string,
  QuerySchema
> {
  /**
   * The database families that the models belong to, the default of `settings.families`. A registry derived from the
   * tables of one database has its family. Default: all three.
   */
  readonly families?: readonly DatabaseFamily[];
  /** The parts of the tables that a derived registry lacks, each with the reason. */
  readonly skipped?: readonly SkippedPart[];
  /** Type information only; never present at run time. */
  readonly '~shape'?: Shape;
}
