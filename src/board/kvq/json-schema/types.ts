/** Types of the JSON Schema validator. */

/** The path of names and indexes to the invalid value; `null` when the value is valid. */
export type Failure = readonly (string | number)[] | null;

/** Validates a value. */
export type Check = (value: unknown) => Failure;

/** A schema that is an object. */
export type Keywords = Readonly<Record<string, unknown>>;

/** Compiles a subschema. */
export type Compile = (schema: unknown) => Check;

/** Compiles a keyword from its value and the schema around it. */
export type Keyword = (holds: unknown, schema: Keywords, compile: Compile) => Check;

/** The value itself is invalid. */
export const here: Failure = [];

/** Whether it is a JSON object. */
export function isObject(value: unknown): value is Keywords {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first failure among the validators of parts, with the path of the part in front. */
export function firstOf<Part>(
  parts: Iterable<Part>,
  check: (part: Part) => Failure,
  way: (part: Part) => readonly (string | number)[],
): Failure {
  for (const part of parts) {
    const failure = check(part);
    if (failure) return [...way(part), ...failure];
  }
  return null;
}

/** The same text for values that are equal in JSON Schema. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).toSorted(byName)) : part,
  );
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

/** A pattern; many are written without Unicode mode in mind and are invalid in it. */
export function patternOf(text: unknown): RegExp {
  try {
    return new RegExp(String(text), 'u');
  } catch {
    return new RegExp(String(text));
  }
}
