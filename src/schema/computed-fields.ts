/** Computed fields: fields of a model whose value is an SQL expression over its columns. */

import * as option from '../lib/option-rows.ts';
import { type OptionTableOf, knownNames } from '../lib/index.ts';
import { checkConfiguration } from './check-configuration.ts';
import { defineQuerySchema } from './define-query-schema.ts';
import type { JsonForm } from './json-forms.ts';
import { configurationError } from './query-error.ts';
import { Refusals } from './refusals.ts';
import type {
  ComputedKind,
  FieldExpression,
  ModelShape,
  QuerySchema,
  RegistryShape,
  SchemaRegistry,
} from './types.ts';

/** A field that the database computes for each row. */
export interface ComputedField {
  /** Kind of the values, which decides operators, order and the form in JSON. */
  readonly kind: ComputedKind;
  /** The SQL, with fields of the model in braces; one for every family, or one for each. */
  readonly sql: FieldExpression;
  /** Whether the value may be null. Default `true`. */
  readonly nullable?: boolean;
  /** Internal field that stores or computes `foldText(value)`; required by `ilike` and search on several families. */
  readonly foldedField?: string;
  /** Excludes the field from filters, projections, sorts and responses. Default `false`. */
  readonly internal?: boolean;
}

/** Computed fields by model and path. */
export interface ComputedFields {
  readonly [model: string]: { readonly [path: string]: ComputedField };
}

const fieldTable = {
  kind: option.required(option.string),
  sql: option.required(option.either(option.string, option.plainObject)),
  nullable: option.boolean,
  foldedField: option.string,
  internal: option.boolean,
} satisfies OptionTableOf<ComputedField>;

const fieldsRow = option.required(option.recordOf(option.recordOf(option.objectOf(fieldTable))));

/** The type of a registry with computed fields. */
export type WithComputedFields<Shape extends RegistryShape, Fields> = string extends keyof Shape
  ? Shape
  : {
      readonly [Model in keyof Shape]: Model extends keyof Fields
        ? ModelWith<Shape[Model], Fields[Model]>
        : Shape[Model];
    };

type ModelWith<Of extends ModelShape, Fields> = {
  readonly [Key in keyof Of]: Key extends 'fields'
    ? {
        readonly [Path in keyof Of['fields'] | Visible<Fields>]: Path extends keyof Fields
          ? KindOf<Fields[Path]>
          : Path extends keyof Of['fields']
            ? Of['fields'][Path]
            : never;
      }
    : Key extends 'values'
      ? Omit<Of['values'], keyof Fields> & {
          readonly [Path in keyof Fields]: JsonForm<KindOf<Fields[Path]>> | NullIn<Fields[Path]>;
        }
      : Key extends 'folded'
        ? Omit<Of['folded'], keyof Fields> & {
            readonly [Path in keyof Fields]: Fields[Path] extends { readonly foldedField: string }
              ? true
              : false;
          }
        : Of[Key];
};

type KindOf<Field> = Field extends { readonly kind: infer Kind extends ComputedKind }
  ? Kind
  : never;

type NullIn<Field> = Field extends { readonly nullable: false } ? never : null;

type Visible<Fields> = {
  [Path in keyof Fields]: Fields[Path] extends { readonly internal: true } ? never : Path;
}[keyof Fields] &
  string;

/** The registries that were derived from tables, by those with computed fields. */
const bases = new WeakMap<SchemaRegistry, SchemaRegistry>();

/** The registry without computed fields; the registry itself where it has none. */
export const baseOf = (registry: SchemaRegistry): SchemaRegistry => bases.get(registry) ?? registry;

/**
 * Adds computed fields to the models of a registry, and returns a registry with them. Rules, requests and sources then use
 * them like columns: they are shown, filtered and sorted by. Compile rules and create sources with the registry that is
 * returned.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when a model does not exist, a path has the name of a field or a
 * relation, a kind is not one of `ComputedKind`, or an expression is not a whole one, has a placeholder or a comment, or
 * names what is not a field with a column. It names every model and path that is refused. A source whose database family
 * has no expression is refused when it is created or checked.
 */
export function withComputedFields<
  Shape extends RegistryShape,
  const Fields extends ComputedFields & {
    readonly [Model in keyof Fields]: string extends Model | keyof Shape
      ? unknown
      : Model extends keyof Shape
        ? unknown
        : never;
  },
>(
  registry: SchemaRegistry<Shape>,
  fields: Fields,
): SchemaRegistry<Extract<WithComputedFields<Shape, Fields>, RegistryShape>>;
export function withComputedFields(
  registry: SchemaRegistry,
  fields: ComputedFields,
): SchemaRegistry {
  checkConfiguration('withComputedFields', { fields }, { fields: fieldsRow });
  const refusals = new Refusals();
  for (const model of Object.keys(fields)) {
    if (registry.has(model)) continue;
    refusals.attempt(() => {
      throw configurationError(
        `"fields" names the model "${model}"; the registry has ${knownNames(model, registry.keys())}.`,
        { model },
      );
    });
  }
  const made = new Map<string, QuerySchema>();
  for (const [model, schema] of registry) {
    const added = Object.hasOwn(fields, model) ? Object.entries(fields[model] ?? {}) : [];
    const all = added.map(([path, { nullable = true, ...field }]) => ({
      path,
      ...field,
      nullable,
      primaryKey: false,
    }));
    const whole = refusals.attempt(() =>
      all.length === 0
        ? schema
        : defineQuerySchema({ ...schema, fields: [...schema.fields, ...all] }),
    );
    if (whole) made.set(model, whole);
  }
  refusals.throwAll();
  const { families, skipped } = registry;
  bases.set(made, baseOf(registry));
  return Object.assign(made, { ...(families && { families }), ...(skipped && { skipped }) });
}
