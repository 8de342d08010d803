/** One clock for all relative times of the page: a text is rendered again when it changes, and never by itself. */

import { useSyncExternalStore } from 'react';

const tickMs = 1_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    if (!document.hidden) for (const each of listeners) each();
  }, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The result of `read` at the present moment; rendered again when that changes. */
export function useClock<Value extends string | number | boolean>(
  read: (now: number) => Value,
): Value {
  return useSyncExternalStore(subscribe, () => read(Date.now()));
}
