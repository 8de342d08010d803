/** Values outside of components: a component that uses one is rendered again when it changes. */

import { useSyncExternalStore } from 'react';

export interface SharedValue<Value> {
  readonly get: () => Value;
  readonly set: (value: Value) => void;
  /** Calls the listener after each change, until the result is called. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly use: () => Value;
}

export function sharedValue<Value>(value: Value): SharedValue<Value> {
  const listeners = new Set<() => void>();
  const get = (): Value => value;
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe,
    use: () => useSyncExternalStore(subscribe, get),
  };
}

/** A value that all tabs of this browser share and keep; `parse` makes it from what is stored, null for nothing. */
export function keptValue<Value>(
  name: string,
  parse: (stored: unknown) => Value,
): SharedValue<Value> {
  const read = (): Value => {
    try {
      return parse(JSON.parse(localStorage.getItem(name) ?? 'null'));
    } catch {
      // Storage may be forbidden or hold something else.
      return parse(null);
    }
  };
  const value = sharedValue(read());
  globalThis.addEventListener('storage', ({ key }) => {
    if (key === name) value.set(read());
  });
  return {
    ...value,
    set(next) {
      try {
        localStorage.setItem(name, JSON.stringify(next));
      } catch {
        // The value lasts as long as the page.
      }
      value.set(next);
    },
  };
}
