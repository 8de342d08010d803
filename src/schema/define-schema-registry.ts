/** Collects the schemas of a host by model name, with the companion columns that they have by convention. */

import { defineQuerySchema } from './define-query-schema.ts';
import { configurationError } from './query-error.ts';
import { Refusals } from './refusals.ts';
import type { ShapeOf } from './shape.ts';
import type { QuerySchema, SchemaRegistry, FieldKind } from './types.ts';

/**
 * Validates the schemas and returns them by model name. One registry serves all endpoints of a host.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when `defineQuerySchema` refuses a schema or two schemas have the
 * same model name.
 */
export function defineSchemaRegistry<const Schemas extends Iterable<QuerySchema>>(
  schemas: Schemas,
): SchemaRegistry<ShapeOf<Schemas>> {
  if (typeof Object(schemas)[Symbol.iterator] !== 'function') {
    throw configurationError('"schemas" must be a list of schemas, made by defineQuerySchema.');
  }
  const registry = new Map<string, QuerySchema>();
  const refusals = new Refusals();
  for (const each of schemas) {
    refusals.attempt(() => {
      const schema = defineQuerySchema(each);
      const { model } = schema;
      if (registry.has(model)) {
        throw configurationError(`${model}: two schemas have this model name; keep one.`, {
          model,
        });
      }
      registry.set(model, schema);
    });
  }
  refusals.throwAll();
  return registry;
}

/** One role of a companion column. */
interface CompanionRole {
  readonly role: 'foldedField' | 'portableOrderField';
  readonly kinds: ReadonlySet<FieldKind>;
  readonly suffixes: readonly string[];
}

export const companionRoles: readonly CompanionRole[] = [
  {
    role: 'foldedField',
    kinds: new Set(['string', 'uuid', 'enum']),
    suffixes: ['Folded', '_folded'],
  },
  {
    role: 'portableOrderField',
    kinds: new Set(['uuid', 'enum', 'decimal']),
    suffixes: ['Order', '_order'],
  },
];
