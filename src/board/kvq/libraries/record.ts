/** Looks into values whose types the libraries do not publish, without believing anything about them. */

/** Whether a value is an object that is not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of an object, own or inherited; `undefined` of anything else. */
export function memberOf(value: unknown, name: string): unknown {
  return (typeof value === 'object' || typeof value === 'function') && value !== null
    ? Reflect.get(value, name)
    : undefined;
}

/** A method of an object bound to it, `null` where it has none. */
export function methodOf(
  value: unknown,
  name: string,
): ((...args: readonly unknown[]) => Promise<unknown>) | null {
  const member = memberOf(value, name);
  return typeof member === 'function'
    ? async (...args) => Reflect.apply(member, value, args)
    : null;
}
