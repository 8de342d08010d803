/** Types of the JSON Schema validator. */

/** Where a value fails, as the names and indexes that lead there; `null` where it does not. */
export type Failure = readonly (string | number)[] | null;

/** Checks a value. */
export type Check = (value: unknown) => Failure;

/** A schema that is an object. */
export type Keywords = Readonly<Record<string, unknown>>;

/** Makes the check of a schema that is part of another. */
export type Compile = (schema: unknown) => Check;

/** Makes the check of a keyword from its value and the schema around it. */
export type Keyword = (holds: unknown, schema: Keywords, compile: Compile) => Check;

/** The value itself fails. */
export const here: Failure = [];

/** Whether it is an object in the sense of JSON. */
export function isObject(value: unknown): value is Keywords {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first failure among checks of parts, with the way to the part in front. */
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

/** One text for all values that JSON Schema takes for the same. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).toSorted(byName)) : part,
  );
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

/** A pattern; many are written without Unicode in mind, and mean nothing with it. */
export function patternOf(text: unknown): RegExp {
  try {
    return new RegExp(String(text), 'u');
  } catch {
    return new RegExp(String(text));
  }
}
