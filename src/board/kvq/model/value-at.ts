/** Values in the stored data of a job. */

/** Whether a value has a stored member of that name; a list has only its items. */
function holds(value: unknown, name: string): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, name) && !(Array.isArray(value) && name === 'length');
}

/** The value at a path of stored members, `undefined` when absent. */
export function valueAt(stored: string, path: readonly string[]): unknown {
  let value: unknown;
  try {
    value = JSON.parse(stored);
  } catch {
    return undefined;
  }
  for (const name of path) {
    if (!holds(value, name)) return undefined;
    value = Object.getOwnPropertyDescriptor(value, name)?.value;
  }
  return value;
}

/** The same where it is not a list or an object; null where there is none. */
export function scalarAt(stored: string, path: readonly string[]): string | number | null {
  const value = valueAt(stored, path);
  if (typeof value === 'string' || typeof value === 'number') return value;
  return typeof value === 'boolean' ? String(value) : null;
}
