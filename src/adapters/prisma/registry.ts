/** Creates a registry from a generated description and remembers the description. */

import { defineSchemaRegistry, inFamilies } from '../../schema/index.ts';
import type { FieldDescriptor, QuerySchema, SchemaRegistry } from '../../schema/index.ts';
import { familyNamed } from '../../relational/index.ts';
import type {
  PrismaDescription,
  PrismaFieldDescription,
  PrismaModelDescription,
} from './description.ts';
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
    Object.entries(description.models).map(([model, each]) => schemaOf(model, each)),
  );
  descriptions.set(registry, description);
  const family = familyNamed(providers, description.provider);
  return family ? inFamilies(registry, [family]) : registry;
}

/** The description of a registry; `undefined` for a registry that `prismaRegistry` did not make. */
export function descriptionOf(registry: SchemaRegistry): PrismaDescription | undefined {
  return descriptions.get(registry);
}

function schemaOf(model: string, described: PrismaModelDescription): QuerySchema {
  const { primaryKey, fields, relations } = described;
  return {
    model,
    primaryKey,
    fields: Object.entries(fields).map(([path, field]) =>
      descriptorOf(path, field, primaryKey.includes(path)),
    ),
    relations: Object.entries(relations).map(
      ([path, { target, cardinality, nullable = false }]) => ({
        path,
        target,
        cardinality,
        nullable,
      }),
    ),
  };
}

function descriptorOf(
  path: string,
  field: PrismaFieldDescription,
  primaryKey: boolean,
): FieldDescriptor {
  const { kind, nullable = false, enumValues, foldedField, portableOrderField } = field;
  const { paths, internal } = field;
  return {
    path,
    kind,
    nullable,
    primaryKey,
    ...(enumValues && { enumValues }),
    ...(foldedField !== undefined && { foldedField }),
    ...(portableOrderField !== undefined && { portableOrderField }),
    ...(paths && { paths }),
    ...(internal && { internal }),
  };
}
