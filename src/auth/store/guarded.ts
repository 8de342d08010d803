/** The host's store with a timeout: a call without an answer fails and does not decide anything. */

import { withTimeout } from '../../lib/index.ts';
import { AuthStoreError } from '../auth-error.ts';
import type { AuthStore } from './store.ts';

/** Timeout of a call to the store, in milliseconds. */
const timeout = 3_000;

/** Wraps the store so that every failure is an `AuthStoreError`. */
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
