/** Repeats a function until it is stopped. */

import { setTimeout as pause } from 'node:timers/promises';

/**
 * Calls `round` with 1, 2, 3 and so on, with a pause in between. Errors of a round are ignored, because the queue
 * library reports them.
 *
 * @param pauseMs milliseconds between the end of one round and the next
 * @returns stops the repetition and waits for the current round
 */
export function every(
  pauseMs: number,
  round: (number: number) => Promise<unknown>,
): () => Promise<void> {
  const stopping = new AbortController();
  const rounds = (async () => {
    for (let number = 1; !stopping.signal.aborted; number += 1) {
      await round(number).catch(() => undefined);
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return () => {
    stopping.abort();
    return rounds;
  };
}
