/** The type of a registry of named entities: kinds and values by property, relations by the entities they lead to. */

import type { EntitySchema } from 'typeorm';
import type { FieldKind, RegistryShape } from '../../../schema/index.ts';
import type { EntityDeclaration } from './declared-entity.ts';
import type { JsonOf } from './row-type.ts';

/** Entities by the names of their models. */
export interface NamedEntities {
  readonly [model: string]: EntityDeclaration;
}

/** The type of `typeormRegistry(entities)`; a list does not name the models, so its registry has the general type. */
export type TypeormShape<Entities> = Entities extends readonly unknown[]
  ? RegistryShape
  : {
      readonly [Model in keyof Entities & string]: EntityShape<
        EntityOf<Entities[Model]>,
        EntityOf<Entities[keyof Entities]>
      >;
    };

type EntityOf<Declaration> = Declaration extends abstract new (...args: never[]) => infer Entity
  ? Entity
  : Declaration extends EntitySchema<infer Entity>
    ? Entity
    : never;

/**
 * The type of an entity's model. Properties of scalar types are fields; those of an entity, a list of entities or a
 * promise of either are relations. Other objects are both, because the compiler cannot tell an embedded entity from a
 * json column. `Known` is the union of the registered entities.
 */
export interface EntityShape<Entity, Known> {
  /** The entity. */
  readonly entity: Entity;
  /** Kinds of the fields, by path. */
  readonly fields: {
    readonly [Path in keyof Entity & string as FieldName<Entity, Path, Known>]: KindOf<
      PropertyOf<Entity, Path>
    >;
  };
  /** Types of the values, by path. */
  readonly values: {
    readonly [Path in keyof Entity & string as FieldName<Entity, Path, Known>]:
      | Exclude<JsonOf<Entity[Path]>, undefined>
      | (undefined extends Entity[Path] ? null : never);
  };
  /** Target and cardinality of the relations, by path. */
  readonly relations: {
    readonly [Path in keyof Entity & string as RelationName<Entity, Path, Known>]: {
      readonly target: EntityShape<ItemOf<PropertyOf<Entity, Path>>, Known>;
      readonly cardinality: PropertyOf<Entity, Path> extends readonly unknown[] ? 'many' : 'one';
    };
  };
}

/** A property without null, and without the promise of a lazy relation. */
type PropertyOf<Entity, Path extends keyof Entity> = unknown extends Entity[Path]
  ? unknown
  : NonNullable<Loaded<Entity[Path]>>;

type Loaded<T> = T extends Promise<infer Value> ? Value : T;

type ItemOf<T> = T extends readonly (infer Item)[] ? Item : T;

type FieldName<Entity, Path extends keyof Entity, Known> =
  RoleOf<PropertyOf<Entity, Path>, Known> extends 'field' | 'either'
    ? Exclude<Path, CompanionNames<Entity>>
    : never;

type RelationName<Entity, Path extends keyof Entity, Known> =
  RoleOf<PropertyOf<Entity, Path>, Known> extends 'relation' | 'either' ? Path : never;

type RoleOf<T, Known> = unknown extends T
  ? 'field'
  : [T] extends [string | number | boolean | bigint | Date | Uint8Array]
    ? 'field'
    : [T] extends [(...args: never[]) => unknown]
      ? 'method'
      : [T] extends [readonly (infer Item)[]]
        ? [Item] extends [Known]
          ? 'relation'
          : 'field'
        : [T] extends [Known]
          ? 'relation'
          : 'either';

/** Text properties that are called `<path>_folded` beside a text property. */
type CompanionNames<Entity> = {
  [Path in keyof Entity & string]: [PropertyOf<Entity, Path>] extends [string]
    ? `${Path}_folded` & keyof Entity
    : never;
}[keyof Entity & string];

/** Whether a text type is a literal, and not all text, branded text or a pattern. */
type IsLiteral<T extends string> = Record<never, never> extends Record<T, unknown> ? false : true;

/** The kind that a property of a type has most often; every kind where the type does not determine it. */
type KindOf<T> = unknown extends T
  ? FieldKind
  : T extends string
    ? IsLiteral<T> extends true
      ? 'enum'
      : 'string'
    : T extends number
      ? 'integer'
      : T extends boolean
        ? 'boolean'
        : T extends bigint
          ? 'bigint'
          : T extends Date
            ? 'datetime'
            : T extends Uint8Array
              ? 'binary'
              : FieldKind;
