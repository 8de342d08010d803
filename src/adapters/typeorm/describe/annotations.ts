/** The decorators `@QueryModel`, `@QueryField` and `@QueryHidden`: properties of an entity that only Sluice needs. */

import * as option from '../../../lib/option-rows.ts';
import { type OptionTableOf, oncePer } from '../../../lib/index.ts';
import {
  checkConfiguration,
  configurationError,
  fieldOverrideTable,
} from '../../../schema/index.ts';
import type { FieldOverride } from '../../../schema/index.ts';

/** Options of `@QueryModel`. */
export interface QueryModelOptions {
  /** Name of the model in registry and rules. Default: the class's name with its first letter in lower case. */
  readonly name?: string | undefined;
}

/** Options of `@QueryField`, for properties of a column that TypeORM's own decorator does not declare. */
export interface QueryFieldOptions extends FieldOverride {
  /** Whether the field is hidden from clients. Default: `true` for companions and for columns with `select: false`. */
  readonly internal?: boolean | undefined;
}

export interface PropertyAnnotation extends QueryFieldOptions {
  readonly hidden?: boolean | undefined;
}

interface ClassAnnotations {
  name?: string | undefined;
  readonly properties: Map<string, PropertyAnnotation>;
}

const annotationsFor = oncePer((_class: object): ClassAnnotations => ({ properties: new Map() }));

function annotate(prototype: object, property: string | symbol, said: PropertyAnnotation): void {
  if (typeof property !== 'string') {
    throw configurationError(
      'A property that is a symbol cannot be queried; use a string as its name.',
    );
  }
  const { properties } = annotationsFor(prototype.constructor);
  properties.set(property, { ...properties.get(property), ...said });
}

const modelTable = { name: option.nonEmptyString } satisfies OptionTableOf<QueryModelOptions>;

/**
 * Sets the name of an entity's model.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type
 */
export function QueryModel(options: QueryModelOptions = {}): ClassDecorator {
  checkConfiguration('QueryModel', options, modelTable);
  return (target) => {
    annotationsFor(target).name = options.name;
  };
}

const fieldTable = fieldOverrideTable satisfies OptionTableOf<QueryFieldOptions>;

/**
 * Describes a field whose column type alone is not sufficient.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type
 */
export function QueryField(options: QueryFieldOptions = {}): PropertyDecorator {
  checkConfiguration('QueryField', options, fieldTable);
  return (prototype, property) => annotate(prototype, property, options);
}

/**
 * Hides a property from clients: a column becomes an internal field (rules cannot name it, `transformPlan` and
 * companions can); a relation or an embedded entity is left out.
 */
export function QueryHidden(): PropertyDecorator {
  return (prototype, property) => annotate(prototype, property, { hidden: true });
}

/** The name set by `@QueryModel` on the class itself. */
export function annotatedName(target: unknown): string | undefined {
  return typeof target === 'function' ? annotationsFor(target).name : undefined;
}

/** The annotations of a class's properties, inherited ones included; those of the subclass take precedence. */
export function annotatedProperties(target: unknown): ReadonlyMap<string, PropertyAnnotation> {
  const found = new Map<string, PropertyAnnotation>();
  let current: unknown = target;
  while (typeof current === 'function') {
    for (const [property, said] of annotationsFor(current).properties) {
      found.set(property, { ...said, ...found.get(property) });
    }
    current = Object.getPrototypeOf(current);
  }
  return found;
}
