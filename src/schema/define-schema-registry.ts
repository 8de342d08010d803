/** Collects the schemas of a host, by model name (`spec/3`, "Registry"). */

import { defineQuerySchema } from './define-query-schema.ts';
import { configurationError } from './query-error.ts';
import type { ShapeOf } from './shape.ts';
import type { QuerySchema, SchemaRegistry } from './types.ts';

/**
 * A registry of validated schemas, reused across endpoints.
 *
 * @throws QueryError `SOURCE_CONFIGURATION_INVALID` for a schema that `defineQuerySchema` refuses and for
 * two schemas of one model.
 */
export function defineSchemaRegistry<const Schemas extends Iterable<QuerySchema>>(
  schemas: Schemas,
): SchemaRegistry<ShapeOf<Schemas>> {
  const registry = new Map<string, QuerySchema>();
  for (const each of schemas) {
    const schema = defineQuerySchema(each);
    const { model } = schema;
    if (registry.has(model)) {
      throw configurationError(`${model}: two schemas have this model name; keep one.`, { model });
    }
    registry.set(model, schema);
  }
  return registry;
}
