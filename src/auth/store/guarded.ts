/** The host's store under a time limit: what it does not answer is not decided. */

import { withTimeout } from '../../lib/index.ts';
import { AuthStoreError } from '../auth-error.ts';
import type { AuthStore } from './store.ts';

/** Milliseconds that the store has for an answer. */
const timeout = 3_000;

/** The store with every failure as an `AuthStoreError`. */
export function guardedStore(store: AuthStore): AuthStore {
  const guard = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await withTimeout(work(), timeout);
    } catch (error) {
      throw new AuthStoreError(error);
    }
  };
  return {
    claim: (key, seconds) => guard(() => store.claim(key, seconds)),
    get: (key) => guard(() => store.get(key)),
    set: (key, value, seconds) => guard(() => store.set(key, value, seconds)),
  };
}
