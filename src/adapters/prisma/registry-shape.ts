/** The type of a registry that the generator wrote. */

import type { FieldKind } from '../../schema/index.ts';
import type { PrismaDescription, PrismaModelDescription } from './description.ts';

/** The type of `prismaRegistry(description)`. */
export type PrismaShape<Description extends PrismaDescription> = {
  readonly [Model in keyof Description['models'] & string]: ShapeOfModel<
    Description['models'][Model]
  >;
};

interface ShapeOfModel<Model extends PrismaModelDescription> {
  readonly fields: {
    readonly [
      Path in keyof Model['fields'] & string as Model['fields'][Path] extends {
        readonly internal: true;
      }
        ? never
        : Path
    ]: KindOf<Model['fields'][Path]>;
  };
  /** Members of the enums, as they appear in lists. */
  readonly members: {
    readonly [
      Path in keyof Model['fields'] & string as Model['fields'][Path] extends {
        readonly enumValues: readonly string[];
      }
        ? Path
        : never
    ]: MemberOf<Model['fields'][Path]>;
  };
  readonly relations: {
    readonly [Path in keyof Model['relations'] & string]: {
      readonly target: Model['relations'][Path]['target'];
      readonly cardinality: Model['relations'][Path]['cardinality'];
    };
  };
}

type KindOf<Field> = Field extends { readonly kind: infer Kind extends FieldKind } ? Kind : never;

type MemberOf<Field> = Field extends { readonly enumValues: readonly (infer Member)[] }
  ? Member
  : never;
