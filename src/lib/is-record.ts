/** Tells objects from everything else. */

/** Whether the value is an object, lists included, `null` and functions not. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether the value is an object other than a list, whose properties may be read by name. */
export function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return isObject(value) && !Array.isArray(value);
}
