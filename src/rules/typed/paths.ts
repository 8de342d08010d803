/** Follows the paths of a rules literal through the type of a registry. */

import type { AggregateAt } from './aggregates.ts';
import type { FieldKind, ModelShape, RegistryShape, RelationShape } from '../../schema/index.ts';

/** Replaces a type that does not fit; the compiler's message contains `Refused<"reason">`. */
export interface Refused<Reason extends string> {
  /** Why the declaration does not compile. */
  readonly '~refused': Reason;
}

/** Replaces a literal that does not fit; the message contains the reason and the literals that fit. */
export interface RefusedName<Reason extends string, Allowed> extends Refused<Reason> {
  /** The names that exist. */
  readonly '~allowed': Allowed;
}

/** The end of a path that is a field. */
export interface FoundField {
  readonly kind: FieldKind;
  /** The JSON form, with null where the field is nullable. */
  readonly value: unknown;
  /** Whether the field has a folded companion; `boolean` where the compiler does not know it. */
  readonly isFolded: boolean;
  readonly crossesMany: boolean;
}

/** The end of a path that is a relation. */
export interface FoundRelation {
  readonly target: unknown;
  readonly crossesMany: boolean;
}

/** The shape of a model by its name; `null` where the compiler does not know it. */
export type ModelNamed<Shape extends RegistryShape, Model extends string> = string extends
  | keyof Shape
  | Model
  ? null
  : Model extends keyof Shape
    ? Shape[Model]
    : null;

/** The shape of a relation's target; `null` where the compiler does not know it. */
export type Target<
  Shape extends RegistryShape,
  Relation extends RelationShape,
> = Relation['target'] extends infer Found
  ? Found extends string
    ? ModelNamed<Shape, Found>
    : Found
  : never;

/** Name of the model in messages: its own, or that of the relation that leads to it. */
type NameOf<Relation extends RelationShape, Path extends string> = Relation['target'] extends string
  ? Relation['target']
  : Path;

/**
 * The end of a path: a field, a relation, a refusal, or `null` where the compiler does not know. A name that is both a
 * field and a relation is one that the compiler cannot tell apart. `Name` is the name of `Of` in messages.
 */
export type Resolve<
  Shape extends RegistryShape,
  Of,
  Name extends string,
  Path,
  CrossesMany extends boolean = false,
> = Of extends ModelShape
  ? string extends Path | keyof Of['fields'] | keyof Of['relations']
    ? null
    : Path extends `${infer Head}.${infer Rest}`
      ? [Head, Rest] extends [keyof Of['relations'], `$${infer End}`]
        ? AggregateAt<
            Target<Shape, Of['relations'][Head]>,
            NameOf<Of['relations'][Head], Head>,
            End,
            CrossesMany
          >
        : Head extends keyof Of['relations']
          ? Resolve<
              Shape,
              Target<Shape, Of['relations'][Head]>,
              NameOf<Of['relations'][Head], Head>,
              Rest,
              Of['relations'][Head]['cardinality'] extends 'many' ? true : CrossesMany
            >
          : // The compiler does not know the declared paths of a json field.
            Head extends JsonFields<Of>
            ? null
            : RefusedName<`${Name} has no relation ${Head}; it has`, keyof Of['relations']>
      : Path extends keyof Of['fields']
        ? Path extends keyof Of['relations']
          ? null
          : {
              readonly kind: Of['fields'][Path];
              readonly value: ValueIn<Of, Path>;
              readonly isFolded: FoldedIn<Of, Path>;
              readonly crossesMany: CrossesMany;
            }
        : Path extends keyof Of['relations']
          ? {
              readonly target: Target<Shape, Of['relations'][Path]>;
              readonly crossesMany: CrossesMany;
            }
          : RefusedName<
              `${Name} has no visible field or relation ${Path & string}; it has`,
              keyof Of['fields'] | keyof Of['relations']
            >
  : null;

/** The names of the json fields. */
type JsonFields<Of extends ModelShape> = {
  [Path in keyof Of['fields']]: Of['fields'][Path] extends 'json' ? Path : never;
}[keyof Of['fields']];

type ValueIn<Of extends ModelShape, Path> = Of extends { readonly values: infer Values }
  ? Path extends keyof Values
    ? Values[Path]
    : unknown
  : unknown;

type FoldedIn<Of extends ModelShape, Path> = Of extends { readonly folded: infer Folded }
  ? Path extends keyof Folded
    ? Folded[Path] & boolean
    : boolean
  : boolean;

/**
 * Whether rules may use what a single family has: by the settings, else by the registry. `true` where the compiler does
 * not know the families, because the rules are then checked at boot only.
 */
export type IsNative<Of, Settings> = Settings extends { readonly portable: true }
  ? false
  : Settings extends { readonly families: infer Families }
    ? Families extends readonly [unknown, unknown, ...unknown[]]
      ? false
      : true
    : Of extends { readonly native: infer Native }
      ? Native
      : false;
