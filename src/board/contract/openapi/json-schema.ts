/** Converts the zod schemas of the contract to JSON Schema; named schemas become components. */

import * as z from 'zod';

import * as resources from '../resources.ts';

/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const names = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(resources)) names.add(schema, { id });

/** A schema of a document, with the components that it references. */
interface DescribedSchema {
  readonly schema: JsonSchema;
  readonly components: Readonly<Record<string, JsonSchema>>;
}

/** Describes request values (`input`, before defaults and coercion) or response values (`output`). */
export function describeSchema(schema: z.core.$ZodType, io: 'input' | 'output'): DescribedSchema {
  // zod references named schemas only below the root, so the schema is wrapped in a property.
  const described = z.toJSONSchema(z.object({ it: schema }), {
    metadata: names,
    io,
    target: 'draft-2020-12',
    override({ jsonSchema, zodSchema }) {
      // A parameter that arrives as a string has its type in the metadata of its schema.
      Object.assign(jsonSchema, z.globalRegistry.get(zodSchema));
      // Later versions may add fields, so additional properties are allowed.
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

/** A copy whose references point to the components of the document. */
function toComponentRefs(part: unknown): JsonSchema {
  return JSON.parse(JSON.stringify(part), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string'
      ? value.replace('#/$defs/', '#/components/schemas/')
      : value,
  ) as JsonSchema;
}
