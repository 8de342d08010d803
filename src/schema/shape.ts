/** Derives the type of a registry from schemas written as literals. */

import type { JsonForm } from './json-forms.ts';
import type { FieldDescriptor, QuerySchema, RegistryShape, RelationDescriptor } from './types.ts';

/**
 * The type of a collection of schemas: kinds of the fields that rules may name, targets of relations.
 * `RegistryShape`, which accepts every path, if the schemas are not literals.
 */
export type ShapeOf<Schemas extends Iterable<QuerySchema>> =
  Schemas extends Iterable<infer Schema extends QuerySchema>
    ? string extends Schema['model']
      ? RegistryShape
      : {
          readonly [Model in Schema['model']]: ShapeOfSchema<
            Extract<Schema, { readonly model: Model }>
          >;
        }
    : RegistryShape;

interface ShapeOfSchema<Schema extends QuerySchema> {
  readonly fields: KindsOf<Visible<Schema>>;
  readonly values: ValuesOf<Visible<Schema>>;
  readonly folded: FoldedOf<Visible<Schema>>;
  readonly relations: TargetsOf<Schema['relations'][number]>;
}

type Visible<Schema extends QuerySchema> = Exclude<
  Schema['fields'][number],
  { readonly internal: true }
>;

type KindsOf<Field extends FieldDescriptor> = {
  readonly [Path in Field['path']]: Extract<Field, { readonly path: Path }>['kind'];
};

type ValuesOf<Field extends FieldDescriptor> = {
  readonly [Path in Field['path']]:
    | ValueOf<Extract<Field, { readonly path: Path }>>
    | NullIn<Extract<Field, { readonly path: Path }>>;
};

type ValueOf<Field extends FieldDescriptor> = Field extends {
  readonly kind: 'enum';
  readonly enumValues: readonly (infer Member)[];
}
  ? Member
  : Field extends {
        readonly kind: 'enum[]';
        readonly enumValues: readonly (infer Member)[];
      }
    ? (Member | null)[]
    : JsonForm<Field['kind']>;

type NullIn<Field extends FieldDescriptor> = Field['nullable'] extends false ? never : null;

type FoldedOf<Field extends FieldDescriptor> = {
  readonly [Path in Field['path']]: Extract<Field, { readonly path: Path }> extends {
    readonly foldedField: string;
  }
    ? true
    : false;
};

type TargetsOf<Relation extends RelationDescriptor> = {
  readonly [Path in Relation['path']]: Pick<
    Extract<Relation, { readonly path: Path }>,
    'target' | 'cardinality'
  >;
};
