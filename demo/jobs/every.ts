/** Something done again and again until told to stop. */

import { setTimeout as pause } from 'node:timers/promises';

/**
 * Calls `round` with 1, 2, 3 and so on, with a pause in between. A round that fails is left out; whoever runs the
 * queues tells why by itself.
 *
 * @param pauseMs milliseconds between the end of one round and the next
 * @returns stops, and waits for the round under way
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
