/** Reads properties of values whose types the libraries do not publish, with every access checked. */

/** Whether a value is an object other than an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of an object, own or inherited; `undefined` for other values. */
export function memberOf(value: unknown, name: string): unknown {
  return (typeof value === 'object' || typeof value === 'function') && value !== null
    ? Reflect.get(value, name)
    : undefined;
}

/** A bound method of an object, `null` when absent. */
export function methodOf(
  value: unknown,
  name: string,
): ((...args: readonly unknown[]) => Promise<unknown>) | null {
  const member = memberOf(value, name);
  return typeof member === 'function'
    ? async (...args) => Reflect.apply(member, value, args)
    : null;
}
