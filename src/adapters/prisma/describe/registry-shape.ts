/** The type of a registry that the generator wrote. */

import type { FieldKind, JsonForm } from '../../../schema/index.ts';
import type { PrismaDescription, PrismaModelDescription } from './description.ts';

/** The type of `prismaRegistry(description)`. */
export type PrismaShape<Description extends PrismaDescription> = {
  readonly [Model in keyof Description['models'] & string]: ShapeOfModel<
    Description['models'][Model]
  >;
};

interface ShapeOfModel<Model extends PrismaModelDescription> {
  readonly native: true;
  readonly fields: {
    readonly [Path in VisiblePaths<Model['fields']>]: KindOf<Model['fields'][Path]>;
  };
  readonly values: {
    readonly [Path in keyof Model['fields']]:
      | ValueOf<Model['fields'][Path]>
      | NullIn<Model['fields'][Path]>;
  };
  readonly folded: {
    readonly [Path in keyof Model['fields']]: Model['fields'][Path] extends {
      readonly foldedField: string;
    }
      ? true
      : false;
  };
  readonly relations: {
    readonly [Path in keyof Model['relations'] & string]: {
      readonly target: Model['relations'][Path]['target'];
      readonly cardinality: Model['relations'][Path]['cardinality'];
    };
  };
}

type VisiblePaths<Fields> = {
  [Path in keyof Fields]: Fields[Path] extends { readonly internal: true } ? never : Path;
}[keyof Fields] &
  string;

type KindOf<Field> = Field extends { readonly kind: infer Kind extends FieldKind } ? Kind : never;

/** The JSON form of a field, with the members of an enum as they appear in lists. */
type ValueOf<Field> = Field extends { readonly enumValues: readonly (infer Member)[] }
  ? Member
  : JsonForm<KindOf<Field>>;

type NullIn<Field> = Field extends { readonly nullable: true } ? null : never;
