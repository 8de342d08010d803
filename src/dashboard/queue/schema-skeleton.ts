/** A first value for data that a JSON Schema describes: required members, with their defaults or an empty value. */

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

export function skeletonOf(schema: unknown): unknown {
  const {
    type,
    properties,
    required = [],
    default: standard,
    enum: members,
    const: fixed,
  } = (schema ?? {}) as Schema;
  if (standard !== undefined) return standard;
  if (fixed !== undefined) return fixed;
  if (members) return members[0];
  if (properties) {
    const wanted = required.length > 0 ? required : Object.keys(properties);
    return Object.fromEntries(wanted.map((name) => [name, skeletonOf(properties[name])]));
  }
  switch (Array.isArray(type) ? type[0] : type) {
    case 'string':
      return '';
    case 'number':
    case 'integer':
      return 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'null':
      return null;
    default:
      return {};
  }
}
