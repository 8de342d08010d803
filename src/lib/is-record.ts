/** Tells objects from everything else. */

/** Whether the value is an object, lists included and `null` not, whose properties may be read. */
export function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null;
}
