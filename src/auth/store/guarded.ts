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
  /** A claim that comes too late holds its key for nobody: clients of Redis send it once they are connected again. */
  const claim = async (key: string, seconds: number): Promise<boolean> => {
    let isLate = false;
    const work = async (): Promise<boolean> => {
      const claimed = await store.claim(key, seconds);
      if (claimed && isLate) await store.set(key, '', 1);
      return claimed;
    };
    try {
      return await guard(work);
    } catch (error) {
      isLate = true;
      throw error;
    }
  };
  return {
    claim,
    get: (key) => guard(() => store.get(key)),
    set: (key, value, seconds) => guard(() => store.set(key, value, seconds)),
  };
}
