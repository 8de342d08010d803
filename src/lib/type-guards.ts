/** Type guards for objects and promises. */

/** Whether the value is an object, including lists and excluding `null` and functions. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether the value is an object other than a list, so that its properties can be read by name. */
export function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return isObject(value) && !Array.isArray(value);
}

export const isThenable = <Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> =>
  typeof (value as Partial<PromiseLike<Value>> | null | undefined)?.then === 'function';
