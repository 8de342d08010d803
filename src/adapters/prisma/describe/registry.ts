/** Creates a registry from a generated description and remembers the description. */

import {
  type SchemaRegistry,
  baseOf,
  defineSchemaRegistry,
  inFamilies,
} from '../../../schema/index.ts';
import { familyNamed, schemaOf } from '../../../relational/index.ts';
import { describeTables } from './describe-tables.ts';
import type { PrismaDescription } from './description.ts';
import { providers } from './providers.ts';
import type { PrismaShape } from './registry-shape.ts';

const descriptions = new WeakMap<object, PrismaDescription>();

/**
 * Creates the registry of a Prisma schema. The module that `sluice-prisma` writes calls it; such a module can also be
 * written by hand.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when `defineQuerySchema` refuses a schema
 */
export function prismaRegistry<const Description extends PrismaDescription>(
  description: Description,
): SchemaRegistry<PrismaShape<Description>>;
export function prismaRegistry(description: PrismaDescription): SchemaRegistry {
  const registry = defineSchemaRegistry(
    [...describeTables(description)].map(([model, table]) => schemaOf(model, table)),
  );
  descriptions.set(registry, description);
  const family = familyNamed(providers, description.provider);
  return family ? inFamilies(registry, [family]) : registry;
}

/** The description of a registry; `undefined` for a registry that `prismaRegistry` did not make. */
export function descriptionOf(registry: SchemaRegistry): PrismaDescription | undefined {
  return descriptions.get(baseOf(registry));
}
