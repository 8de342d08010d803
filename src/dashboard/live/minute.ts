/** The present minute, for reads that are repeated once a minute. */

import { useRef } from 'react';

import { useClock } from './clock.ts';
import { useLive } from './loop.ts';

const minuteMs = 60_000;

/** The start of the present minute; that of the last one while updates are paused. */
export function useMinute(): number {
  const minute = useClock((now) => Math.floor(now / minuteMs) * minuteMs);
  const paused = useLive().mode === 'paused';
  const kept = useRef(minute);
  if (!paused) kept.current = minute;
  return kept.current;
}
