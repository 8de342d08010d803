/** Collects the schemas of a host by model name. */

import { defineQuerySchema } from './define-query-schema.ts';
import { configurationError } from './query-error.ts';
import { Refusals } from './refusals.ts';
import type { ShapeOf } from './shape.ts';
import type { QuerySchema, SchemaRegistry } from './types.ts';

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
