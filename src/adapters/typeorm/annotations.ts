/** `@QueryModel`, `@QueryField` and `@QueryHidden`: what an entity says to Sluice beside what it says to TypeORM. */

import * as option from '../../lib/option-rows.ts';
import type { OptionTableOf } from '../../lib/index.ts';
import { checkConfiguration, configurationError, fieldOverrideTable } from '../../schema/index.ts';
import type { FieldKind } from '../../schema/index.ts';

/** What `@QueryModel` may say. */
export interface QueryModelOptions {
  /** Name of the model in registry and rules. Default: the class's name with its first letter in lower case. */
  readonly name?: string | undefined;
}

/** What `@QueryField` may say of a column, where TypeORM's own decorator does not say it. */
export interface QueryFieldOptions {
  /** Kind of the field. Default: from the column's type. */
  readonly kind?: FieldKind | undefined;
  /** Whether the field may be null. Default: as the column says. */
  readonly nullable?: boolean | undefined;
  /** Members of an enum, in their order. Default: those of the column's `enum`. */
  readonly enumValues?: readonly string[] | undefined;
  /** Property with the folded value; `false` for none. Default: the column `<path>_folded`. */
  readonly foldedField?: string | false | undefined;
  /** Property with the order key; `false` for none. Default: the column `<path>_order`. */
  readonly portableOrderField?: string | false | undefined;
  /** Whether clients never see it. Default: for companions and columns with `select: false`. */
  readonly internal?: boolean | undefined;
}

/** What is said of one property. */
export interface PropertyAnnotation extends QueryFieldOptions {
  readonly hidden?: boolean | undefined;
}

interface ClassAnnotations {
  name?: string | undefined;
  readonly properties: Map<string, PropertyAnnotation>;
}

const annotations = new WeakMap<object, ClassAnnotations>();

function annotationsFor(target: object): ClassAnnotations {
  let found = annotations.get(target);
  if (!found) {
    found = { properties: new Map() };
    annotations.set(target, found);
  }
  return found;
}

function annotate(prototype: object, property: string | symbol, said: PropertyAnnotation): void {
  if (typeof property !== 'string') {
    throw configurationError('A property that is a symbol cannot be queried; give it a name.');
  }
  const { properties } = annotationsFor(prototype.constructor);
  properties.set(property, { ...properties.get(property), ...said });
}

const modelTable = { name: option.nonEmptyString } satisfies OptionTableOf<QueryModelOptions>;

/**
 * Names the model of an entity.
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
 * Describes a column whose type alone is not enough.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type
 */
export function QueryField(options: QueryFieldOptions = {}): PropertyDecorator {
  checkConfiguration('QueryField', options, fieldTable);
  return (prototype, property) => annotate(prototype, property, options);
}

/**
 * Keeps a property from clients: a column becomes an internal field (rules cannot name it, `transformPlan` and
 * companions can), a relation or an embedded entity is left out.
 */
export function QueryHidden(): PropertyDecorator {
  return (prototype, property) => annotate(prototype, property, { hidden: true });
}

/** Name given by `@QueryModel` on the class itself. */
export function annotatedName(target: unknown): string | undefined {
  return typeof target === 'function' ? annotations.get(target)?.name : undefined;
}

/** What is said of the properties of a class and of those it inherits; a subclass's word counts. */
export function annotatedProperties(target: unknown): ReadonlyMap<string, PropertyAnnotation> {
  const found = new Map<string, PropertyAnnotation>();
  let current: unknown = target;
  while (typeof current === 'function') {
    for (const [property, said] of annotations.get(current)?.properties ?? []) {
      found.set(property, { ...said, ...found.get(property) });
    }
    current = Object.getPrototypeOf(current);
  }
  return found;
}
