/** Adds the descriptions of properties to a schema. */

import type { JsonSchema } from './json-schema.ts';
import { propertyTexts } from './texts/properties.ts';

/** A copy whose properties have descriptions; `place` is the component or operation that has the schema. */
export function withTexts(schema: JsonSchema, place: string): JsonSchema {
  const copy: Record<string, unknown> = { ...schema };
  const { properties, items, additionalProperties } = schema;
  if (isSchema(properties)) {
    copy['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => {
        const path = `${place}.${name}`;
        const text = propertyTexts[path] ?? propertyTexts[name];
        const described = isSchema(property) ? withTexts(property, path) : property;
        return [
          name,
          isSchema(described) && text ? { description: text, ...described } : described,
        ];
      }),
    );
  }
  if (isSchema(items)) copy['items'] = withTexts(items, place);
  if (isSchema(additionalProperties)) {
    copy['additionalProperties'] = withTexts(additionalProperties, place);
  }
  for (const key of ['anyOf', 'allOf', 'oneOf']) {
    const parts = schema[key];
    if (Array.isArray(parts)) copy[key] = parts.map((part) => withTexts(part as JsonSchema, place));
  }
  return copy;
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null;
