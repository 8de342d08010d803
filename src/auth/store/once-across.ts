/** Runs work once for all instances: one of them runs it, the others wait for its result. */

import { sleep } from '../../lib/index.ts';
import { AuthStoreError } from '../auth-error.ts';
import type { AuthStore } from './store.ts';

/** Maximum duration of the work in seconds; then another instance may start it again. */
const workSeconds = 15;

/** Polling interval for the result, in milliseconds. */
const lookEvery = 40;

/** Stored value for work without a result. */
const nothing = '-';

/**
 * Returns the result of the work, run by this or another instance; `null` if it had none. An error of the work is
 * thrown only to the caller that ran it, and the next instance tries again after a second.
 *
 * @param seconds lifetime of the stored result for later callers
 * @throws {AuthStoreError} AUTH_STORE_UNAVAILABLE when no result arrives in time; errors of store and work pass through
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
    if (done !== null) return resultOf(done);
    if (claimed) return keep(store, key, seconds, work);
    if (Date.now() > deadline) throw new AuthStoreError('no instance finished in time');
    await sleep(lookEvery);
  }
}

/** The result of work that an instance has done, without doing it; `null` if it had none, or is not done. */
export async function doneAcross(store: AuthStore, key: string): Promise<string | null> {
  return resultOf(await store.get(`${key}:done`));
}

const resultOf = (done: string | null): string | null => (done === nothing ? null : done);

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
  const write = (): Promise<void> => store.set(`${key}:done`, result ?? nothing, seconds);
  // The work cannot be done again, so its result counts here also while the store is away.
  await write().catch(() => writeLater(write));
  return result;
}

/** Keeps trying in the background while no other instance may start the work. Does not keep the process alive. */
function writeLater(write: () => Promise<void>, attempts = workSeconds): void {
  if (attempts === 0) return;
  setTimeout(() => {
    write().catch(() => writeLater(write, attempts - 1));
  }, 1_000).unref();
}
