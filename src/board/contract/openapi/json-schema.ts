/** JSON Schema of the contract's schemas, from zod itself; those that have a name become components. */

import * as z from 'zod';

import * as resources from '../resources.ts';

/** A JSON Schema, or any part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const names = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(resources)) names.add(schema, { id });

/** A schema of a document, with the components that it names. */
export interface DescribedSchema {
  readonly schema: JsonSchema;
  readonly components: Readonly<Record<string, JsonSchema>>;
}

/** Describes what comes in (`input`, before defaults and coercion) or what goes out (`output`). */
export function describeSchema(schema: z.core.$ZodType, io: 'input' | 'output'): DescribedSchema {
  // In a property, a schema with a name is given by reference, as it should be here too.
  const described = z.toJSONSchema(z.object({ it: schema }), {
    metadata: names,
    io,
    target: 'draft-2020-12',
    override({ jsonSchema, zodSchema }) {
      // The meaning of a parameter that arrives as a string, from the metadata of its schema.
      Object.assign(jsonSchema, z.globalRegistry.get(zodSchema));
      // A later version may add fields: a client must not refuse them.
      if (zodSchema instanceof z.ZodObject && jsonSchema.additionalProperties === false) {
        delete jsonSchema.additionalProperties;
      }
    },
  });
  const components = Object.entries(described.$defs ?? {}).map(
    ([name, definition]) => [name, toComponentRefs(definition)] as const,
  );
  return {
    schema: toComponentRefs(described.properties?.['it'] ?? {}),
    components: Object.fromEntries(components),
  };
}

/** A copy whose references point to the document's components. */
function toComponentRefs(part: unknown): JsonSchema {
  return JSON.parse(JSON.stringify(part), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string'
      ? value.replace('#/$defs/', '#/components/schemas/')
      : value,
  ) as JsonSchema;
}
