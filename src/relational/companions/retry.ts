/** Retries a statement that failed because of a lock timeout or a deadlock. */

import { sleep } from '../../lib/index.ts';

const attempts = 20;
const firstPauseMs = 50;
const longestPauseMs = 3000;

/**
 * Runs `step` up to twenty times, over about forty seconds, as long as its error `isTransient`. The delay between
 * attempts grows, so that the lock holder can finish.
 */
export async function withRetry<T>(
  step: () => Promise<T>,
  isTransient: (error: unknown) => boolean,
  signal?: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await step();
    } catch (error) {
      if (attempt === attempts || !isTransient(error)) throw error;
    }
    const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1));
    await sleep(pause, signal);
  }
}
