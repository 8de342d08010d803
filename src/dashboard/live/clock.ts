/** One clock for all relative times of the page: a text is written again when it changes, and never by itself. */

import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import type { RefObject } from 'react';

import { serverNow } from './server-time.ts';

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

/**
 * Keeps the text of an element that has no other children, without rendering: of hundreds of times on a page, many
 * change each second.
 */
export function useClockText<Shown extends Element>(
  read: (now: number) => string,
): RefObject<Shown | null> {
  const at = useRef<Shown>(null);
  useLayoutEffect(() => {
    const { current } = at;
    if (!current) return;
    const show = () => {
      const text = read(serverNow());
      if (text !== current.textContent) current.textContent = text;
    };
    show();
    return subscribe(show);
  });
  return at;
}

/** The result of `read` at the present moment; rendered again when that changes. */
export function useClock<Value extends string | number | boolean>(
  read: (now: number) => Value,
): Value {
  return useSyncExternalStore(subscribe, () => read(serverNow()));
}
