/** Types of compiled rules besides their declaration. */

import type { ArrayKind, FieldKind, ItemKind } from '../../schema/index.ts';
import type { FoundField, Refused } from './paths.ts';
import type { Members } from './projections.ts';

/**
 * Types that rules take from their registry and settings; they exist for the compiler only. `defineQueryRules` writes
 * them out, so that the type of rules contains what it needs of a registry and not the whole registry.
 */
export interface RulesTypes {
  /** Name of the model whose rows are listed. */
  readonly model: string;
  /** The entity of the model; `unknown` where the registry was not derived from classes. */
  readonly entity: unknown;
  /** The type of a filter's values, by path. */
  readonly values: object;
  /** The type of each value over a relation that rows may show, by path. */
  readonly aggregates: object;
  /** The names that a wildcard stands for, by relation path. */
  readonly wildcards: object;
  /** Whether the settings allow `paginate=false`. */
  readonly allowUnpaginated: boolean;
  /** The values that the scopes of the settings require. */
  readonly scope: unknown;
}

/** The entity of a model. */
export type EntityOf<Of> = Of extends { readonly entity: infer Entity } ? Entity : unknown;

export type FilterPaths<Filters> = Extract<Members<Filters>, { readonly path: string }>['path'];

/** The paths of the filters of children, from the rows of the endpoint. */
export type ChildFilterPaths<Children> = {
  [Include in keyof Children & string]: Children[Include] extends {
    readonly filters: infer Filters;
  }
    ? `${Include}.${FilterPaths<Filters>}`
    : never;
}[keyof Children & string];

/** The relations whose `allowed` is a wildcard, and the empty path where every field of the root is allowed. */
export type WildcardPaths<Fields, Includes> = Fields extends { readonly root: infer Root }
  ?
      | (Root extends 'all' ? '' : never)
      | ('relations' extends keyof Fields ? WildcardRelations<Fields['relations']> : never)
  : '' | Members<Includes>;

type WildcardRelations<Projections> = {
  [Relation in keyof Projections & string]: `${Relation}.*` extends Members<
    AllowedOf<Projections[Relation]>
  >
    ? Relation
    : never;
}[keyof Projections & string];

/** The list of what a projection allows. */
export type AllowedOf<Projection> = Projection extends { readonly allowed: infer List }
  ? List
  : never;

/** The names that the root allows; `string` where the compiler does not know them. */
export type RootNames<Fields, Wildcards> = Fields extends {
  readonly root: { readonly allowed: infer List };
}
  ? Members<List>
  : '' extends keyof Wildcards
    ? Wildcards['']
    : string;

/** The projections of relations; where all fields are allowed, those of the relations with known fields. */
export type RelationProjections<Fields, Wildcards> = Fields extends 'all'
  ? { readonly [Path in keyof Wildcards & string]: { readonly allowed: readonly [`${Path}.*`] } }
  : 'relations' extends keyof Fields
    ? NonNullable<Fields['relations']>
    : never;

/** The visible fields of the model at the end of a path. */
export type FieldsAt<Found> = Found extends { readonly target: { readonly fields: infer Fields } }
  ? keyof Fields & string
  : string;

/**
 * A value of a filter. A `Date` is an instant and is sent as ISO 8601 in UTC; a calendar day is sent as a string. Use a
 * string or `bigint` where a `number` is not exact.
 */
export type ClientValue = string | number | bigint | boolean | Date;

/** The values of each kind that a client sends. */
interface ClientForms {
  string: string;
  uuid: string;
  enum: string;
  integer: number | bigint;
  bigint: bigint | number | string;
  decimal: string | number | bigint;
  float: number | string;
  boolean: boolean;
  date: string;
  datetime: Date | string;
  json: never;
  binary: never;
  opaque: never;
}

/** The values of a filter at the end of its path. */
export type ClientValueAt<Found> =
  Found extends Refused<string>
    ? never
    : Found extends FoundField
      ? FieldKind extends Found['kind']
        ? ClientValue
        : Found['kind'] extends 'enum'
          ? Member<Found['value']>
          : Found['kind'] extends 'enum[]'
            ? Member<ItemIn<Found['value']>>
            : ClientForms[ItemOf<Found['kind']>]
      : Found extends null
        ? ClientValue
        : never;

/** The kind of the values that operators compare. */
type ItemOf<Kind extends FieldKind> = Kind extends `${infer Item extends ItemKind}[]`
  ? Item
  : Exclude<Kind, ArrayKind>;

/** The members of an array. */
type ItemIn<Value> = NonNullable<Value> extends readonly (infer Item)[] ? Item : unknown;

/** The members of an enum, those of TypeScript also as text; any text where the compiler does not know them. */
type Member<Value> = unknown extends Value
  ? string
  : Value extends string
    ? Value | `${Value}`
    : Exclude<Value, null>;
