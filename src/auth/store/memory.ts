/** The store of a single process, in its memory. */

import { ExpiringMap } from '../session/expiring-map.ts';
import type { AuthStore } from './store.ts';

/** Entries with an expiry time in milliseconds since 1970. */
type Entries = Pick<ExpiringMap<string>, 'get' | 'set'>;

/**
 * Creates a store whose content is lost when the process ends. `entries` that forget some early bound its memory, where
 * clients without credentials cause them.
 */
export function memoryAuthStore(entries: Entries = new ExpiringMap<string>()): AuthStore {
  const until = (seconds: number): number => Date.now() + seconds * 1000;
  return {
    async claim(key, seconds) {
      if (entries.get(key) !== undefined) return false;
      entries.set(key, '', until(seconds));
      return true;
    },
    get: async (key) => entries.get(key) ?? null,
    set: async (key, value, seconds) => entries.set(key, value, until(seconds)),
  };
}
