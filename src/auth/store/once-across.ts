/** Work that is done once for all instances: one of them does it, the others wait for its result. */

import { sleep } from '../../lib/index.ts';
import { AuthStoreError } from '../auth-error.ts';
import type { AuthStore } from './store.ts';

/** Seconds that the instance which does the work has for it; then another one may begin it again. */
const workSeconds = 15;

/** Milliseconds between two looks for the result. */
const lookEvery = 40;

/** What is kept where the work had no result. */
const nothing = '-';

/**
 * The result of the work, from whichever instance did it; `null` where it had none. An error of the work is thrown to
 * its own caller alone, and the next instance tries again after a second.
 *
 * @param seconds how long the result is kept for those who come later
 * @throws {AuthStoreError} AUTH_STORE_UNAVAILABLE when no result comes in time; also what the store or the work throws
 */
export async function onceAcross(
  store: AuthStore,
  key: string,
  seconds: number,
  work: () => Promise<string | null>,
): Promise<string | null> {
  const deadline = Date.now() + workSeconds * 1000;
  for (;;) {
    const claimed = await store.claim(`${key}:claim`, workSeconds);
    // After the claim: the instance that held it before may have finished in between.
    const done = await store.get(`${key}:done`);
    if (done !== null) return done === nothing ? null : done;
    if (claimed) return keep(store, key, seconds, work);
    if (Date.now() > deadline) throw new AuthStoreError('no instance finished in time');
    await sleep(lookEvery);
  }
}

async function keep(
  store: AuthStore,
  key: string,
  seconds: number,
  work: () => Promise<string | null>,
): Promise<string | null> {
  let result: string | null;
  try {
    result = await work();
  } catch (error) {
    await store.set(`${key}:claim`, '', 1);
    throw error;
  }
  await store.set(`${key}:done`, result ?? nothing, seconds);
  return result;
}
