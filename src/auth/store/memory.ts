/** The store of a single process, in its memory. */

import { ExpiringMap } from '../expiring-map.ts';
import type { AuthStore } from './store.ts';

/** Creates a store whose content is lost when the process ends. */
export function memoryAuthStore(): AuthStore {
  const entries = new ExpiringMap<string>();
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
