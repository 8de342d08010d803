/** JSON Schemas as far as forms read them: the schema of a queue, a first value for it, and the schema of some jobs. */

/** A JSON Schema, or the part of one. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly $ref?: string;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The part of the document that a reference within it names. */
function referred(document: Schema, reference: string): Schema {
  const steps = reference.replace(/^#\/?/, '').split('/').filter(Boolean);
  const found = steps.reduce<unknown>((at, step) => {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    return isObject(at) && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined;
  }, document);
  return isObject(found) ? found : {};
}

/** References and alternatives that are followed to one part, and the nesting that a first value and a shape have. */
const [mostSteps, deepest] = [8, 4];

/** The schema behind references, and the one that an alternative with null leaves. */
export function resolved(document: Schema, part: Schema, steps = 0): Schema & { isNull?: boolean } {
  const { $ref, anyOf, oneOf, ...own } = part;
  if (steps > mostSteps) return {};
  if ($ref !== undefined)
    return { ...resolved(document, referred(document, $ref), steps + 1), ...own };
  const others = (anyOf ?? oneOf)?.filter(({ type }) => type !== 'null');
  const [only] = others ?? [];
  if (!only || others?.length !== 1) return part;
  const isNull = others.length < ((anyOf ?? oneOf)?.length ?? 0);
  return { ...resolved(document, only, steps + 1), ...own, ...(isNull && { isNull }) };
}

/** The types but null; null may be one of them. */
export function typesOf({ type = [], isNull = false }: Schema & { isNull?: boolean }): {
  readonly types: readonly string[];
  readonly isNullable: boolean;
} {
  const all = typeof type === 'string' ? [type] : type;
  return {
    types: all.filter((each) => each !== 'null'),
    isNullable: isNull || all.includes('null'),
  };
}

const emptyValues: Readonly<Record<string, unknown>> = {
  string: '',
  number: 0,
  integer: 0,
  boolean: false,
  array: [],
};

/** A first value: required members, with their defaults or an empty value. */
export function skeletonOf(document: Schema, part = document, depth = 0): unknown {
  const schema = resolved(document, part);
  const { properties, required = [], default: standard, enum: members, const: fixed } = schema;
  if (standard !== undefined) return standard;
  if (fixed !== undefined) return fixed;
  if (members) return members[0];
  if (properties && depth < deepest) {
    const wanted = required.length > 0 ? required : Object.keys(properties);
    return Object.fromEntries(
      wanted.map((name) => [name, skeletonOf(document, properties[name] ?? {}, depth + 1)]),
    );
  }
  const [first] = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  return emptyValues[first ?? ''] ?? (first === 'null' ? null : {});
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/**
 * The schema that some values have in common: members of `own`, and those that half of the others have.
 *
 * @returns undefined where the values are not objects
 */
export function shapeOf(values: readonly unknown[], own?: unknown, depth = 0): Schema | undefined {
  const others = values.filter(isObject);
  const objects = isObject(own) ? [own, ...others] : others;
  if (objects.length === 0 || depth > deepest) return undefined;
  const names = new Set(objects.flatMap(Object.keys));
  const properties = [...names].flatMap((name): [string, Schema][] => {
    const valueIn = (object: object): unknown =>
      Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
    const kept = isObject(own) ? valueIn(own) : undefined;
    const found = others.map(valueIn).filter((value) => value !== undefined);
    if (kept === undefined && found.length * 2 < others.length) return [];
    const types = [...new Set([...(kept === undefined ? [] : [kept]), ...found].map(typeOf))];
    const inner = types.includes('object') ? shapeOf(found, kept, depth + 1) : undefined;
    return [[name, { type: types, ...(inner?.properties && { properties: inner.properties }) }]];
  });
  return { type: 'object', properties: Object.fromEntries(properties) };
}
