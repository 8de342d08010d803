/** Tries again what a lock or a deadlock stopped. */

import { sleep } from '../../lib/index.ts';

const attempts = 20;
const firstPauseMs = 50;
const longestPauseMs = 3000;

/**
 * Runs `step`, up to twenty times in about forty seconds while `isTransient` says of its error that the
 * next attempt may succeed. The pauses let the work that holds the lock finish.
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
