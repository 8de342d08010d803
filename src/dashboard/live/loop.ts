/**
 * Keeps what is shown current: one loop for the page reads all visible queries again, and starts its pause when the
 * last answer has arrived. It is silent in a hidden tab, backs off after failures, and obeys `Retry-After`.
 */

import type { QueryClient } from '@tanstack/react-query';

import { uiConfig } from '../config.ts';
import { failureOf } from '../api/errors.ts';
import { settings, subscribe as onSettings } from '../settings.ts';
import { sharedValue } from './shared-value.ts';

export interface LiveStatus {
  readonly mode: 'live' | 'poll' | 'paused' | 'stale';
  /** Seconds between polls. */
  readonly every: number;
  /** When everything shown was last read, by the clock of the browser. */
  readonly readAt: number;
}

/** Seconds to wait after the third failure in a row, the fourth, and so on. */
const backOff = [5, 10, 20, 60];
const patience = 3;
/** Milliseconds after which a read that has not been answered makes what is shown stale. */
const slowMs = 10_000;
/** Milliseconds after which it is lost, and begun anew. */
const lostMs = 120_000;

/** A query that the loop keeps current. */
export const live = { live: true } as const;

/** One that may take long: it is waited for by nobody, and not begun anew while it is under way. */
export const liveSearch = { ...live, search: true } as const;

let client: QueryClient | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let failures = 0;
let running = false;
/** Number of the last round of reads. */
let last = 0;
/** Whether a stream of events tells of changes; the loop then only makes sure. */
let streaming = false;
const status = sharedValue<LiveStatus>({ mode: 'poll', every: interval(), readAt: Date.now() });

export const useLive = status.use;

function interval(): number {
  return uiConfig.pollingInterval?.forceInterval ?? settings().interval;
}

function publish(changes: Partial<LiveStatus>): void {
  status.set({ ...status.get(), ...changes });
}

function schedule(seconds: number): void {
  clearTimeout(timer);
  if (document.hidden || status.get().mode === 'paused' || seconds <= 0) return;
  timer = setTimeout(() => void tick(), seconds * 1_000);
}

/**
 * Reads everything shown again.
 *
 * @param anew instead of reads that are under way; otherwise these are waited for
 */
async function tick(anew = false): Promise<void> {
  if (!client || (running && !anew) || status.get().mode === 'paused') return;
  const round = (last += 1);
  running = true;
  const filters = {
    type: 'active',
    predicate: ({
      meta,
      state,
    }: {
      readonly meta?: unknown;
      readonly state: { readonly error: unknown; readonly fetchStatus: string };
    }) => {
      const failed = state.error === null ? 0 : failureOf(state.error).status;
      // Things that are gone or not allowed do not come by asking again; all else does with the session.
      const isKept = meta === live || (meta === liveSearch && state.fetchStatus === 'idle');
      return (isKept && ![403, 404].includes(failed)) || failed === 401;
    },
  } as const;
  const slow = setTimeout(() => {
    if (status.get().mode !== 'paused') publish({ mode: 'stale', every: interval() });
  }, slowMs);
  const lost = setTimeout(() => void tick(true), lostMs);
  try {
    if (anew) await client.cancelQueries(filters);
    await client.refetchQueries(filters);
  } finally {
    clearTimeout(slow);
    clearTimeout(lost);
    if (round === last) running = false;
  }
  if (round !== last) return;
  const failed = client
    .getQueryCache()
    .findAll(filters)
    .map((query) => query.state.error)
    .filter((error) => error !== null)
    .map(failureOf)
    .filter(({ status }) => [0, 401, 429].includes(status) || status >= 500);
  // A person who signs in again is not kept waiting.
  failures = failed.some(({ status }) => status !== 401) ? failures + 1 : 0;
  const asked = Math.max(0, ...failed.map(({ retryAfter }) => retryAfter ?? 0));
  // A person may have paused it while it was reading.
  if (status.get().mode === 'paused') return;
  publish(
    failed.length > 0
      ? { mode: 'stale', every: interval() }
      : { mode: streaming ? 'live' : 'poll', every: interval(), readAt: Date.now() },
  );
  const wait =
    failures >= patience
      ? (backOff[Math.min(failures - patience, backOff.length - 1)] ?? 60)
      : interval() * (streaming ? 6 : 1);
  schedule(Math.max(wait, asked));
}

export function startLoop(queries: QueryClient): void {
  client = queries;
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) clearTimeout(timer);
    else void tick();
  });
  // A request that began while the network was away may never be answered.
  addEventListener('online', () => {
    if (!document.hidden) void tick(true);
  });
  onSettings(() => {
    if (status.get().every === interval()) return;
    publish({ every: interval() });
    schedule(interval());
  });
  schedule(interval());
}

/** Says whether a stream of events is open. */
export function setStreaming(open: boolean): void {
  streaming = open;
  if (['live', 'poll'].includes(status.get().mode)) publish({ mode: open ? 'live' : 'poll' });
}

/** Reads everything shown now, also where answers have not come for long. */
export function readNow(): void {
  clearTimeout(timer);
  void tick(status.get().mode === 'stale');
}

export function togglePause(): void {
  if (status.get().mode === 'paused') {
    publish({ mode: streaming ? 'live' : 'poll' });
    void tick();
  } else {
    clearTimeout(timer);
    publish({ mode: 'paused' });
  }
}
