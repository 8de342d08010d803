/** The database families, and the families that a registry belongs to. */

import * as option from '../lib/option-rows.ts';
import type { OptionTableOf } from '../lib/index.ts';
import type { RegistryShape, SchemaRegistry } from './types.ts';

/** The supported database families. */
export const databaseFamilies = ['postgresql', 'mysql', 'sqlite'] as const;

/** A database family: databases with the same SQL dialect, ordering and types. */
export type DatabaseFamily = (typeof databaseFamilies)[number];

/** The families whose ascending indexes have nulls last; those of the others have them first. */
const nullsLast: readonly DatabaseFamily[] = ['postgresql'];

/** The place of nulls in an ascending order: that of the only family, and first where there are several. */
export function nullsOf(families: readonly DatabaseFamily[]): 'first' | 'last' {
  return families.every((family) => nullsLast.includes(family)) ? 'last' : 'first';
}

/** Options of a registry whose declarations do not tell the family. */
export interface RegistryOptions {
  /** Families of the databases that the models belong to; the default of `settings.families`. Default: all three. */
  readonly families?: readonly DatabaseFamily[];
}

/** A list of families as an option. */
export const familiesRow = option.nonEmptyListOf({
  ...option.oneOf(...databaseFamilies),
  plural: databaseFamilies.map((family) => `"${family}"`).join(', '),
});

export const registryOptions = { families: familiesRow } satisfies OptionTableOf<RegistryOptions>;

/** The registry, after it has been marked as that of a database of these families. */
export function inFamilies<Shape extends RegistryShape>(
  registry: SchemaRegistry<Shape>,
  families: readonly DatabaseFamily[],
): SchemaRegistry<Shape> {
  return Object.assign(registry, { families: Object.freeze([...families]) });
}
