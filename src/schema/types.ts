/** What a model is: the query schema, as `spec/3` ("Query schema declaration") declares it. */

/** Logical type of a field. It decides coercion, order, applicable operators and the JSON form. */
export type FieldKind =
  | 'string'
  | 'uuid'
  | 'enum'
  | 'integer'
  | 'bigint'
  | 'decimal'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'json'
  | 'binary';

/** One field of a model. */
export interface FieldDescriptor {
  /** Field name as the API exposes it: a letter or underscore, then letters, digits, underscores. */
  readonly path: string;
  readonly kind: FieldKind;
  /** Must match the source. `isNull` is valid only on a nullable field. */
  readonly nullable: boolean;
  /** Whether the field is part of the primary key; agrees with `QuerySchema.primaryKey`. */
  readonly primaryKey: boolean;
  /** Accepted members; required for kind `enum`, their order is their portable order. */
  readonly enumValues?: readonly string[];
  /** Internal field holding `foldText(value)`; needed by `ilike`, `notIlike` and search. */
  readonly foldedField?: string;
  /** Internal field holding `portableOrderKey(field, value)`; needed to order `uuid` and `enum`. */
  readonly portableOrderField?: string;
  /** Never filterable, projectable or sortable, never present in the JSON. Default `false`. */
  readonly internal?: boolean;
}

/** One relation of a model to another model of the registry. */
export interface RelationDescriptor {
  readonly path: string;
  /** Model name in the registry. */
  readonly target: string;
  readonly cardinality: 'one' | 'many';
  /** Whether a `one` relation may be absent. A `many` relation is never null, only empty. */
  readonly nullable: boolean;
}

/** One model. */
export interface QuerySchema {
  readonly model: string;
  /** Field paths of the primary key, in key order; not empty. */
  readonly primaryKey: readonly string[];
  readonly fields: readonly FieldDescriptor[];
  readonly relations: readonly RelationDescriptor[];
}

/** What the compiler knows of a model: kinds by field, targets by relation. */
export interface ModelShape {
  readonly fields: { readonly [path: string]: FieldKind };
  readonly relations: { readonly [path: string]: RelationShape };
}

/** What the compiler knows of a relation. */
export interface RelationShape {
  readonly target: string;
  readonly cardinality: 'one' | 'many';
}

/** What the compiler knows of a registry. The default knows nothing and accepts every path. */
export interface RegistryShape {
  readonly [model: string]: ModelShape;
}

/**
 * Models by name, one schema each, reused across endpoints. A plain `Map` works wherever a registry
 * is taken; a registry made by `defineSchemaRegistry` or derived from an ORM also carries `Shape`,
 * so that wrong paths in a rules literal do not compile.
 */
export interface SchemaRegistry<Shape extends RegistryShape = RegistryShape> extends ReadonlyMap<
  string,
  QuerySchema
> {
  /** Exists for the compiler only. */
  readonly '~shape'?: Shape;
}
