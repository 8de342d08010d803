/** Facts beyond the thresholds of the host, and since when. */

import { SingleFlight, withTimeout, type OptionTableOf } from '../../../lib/index.ts';
import * as option from '../../../lib/option-rows.ts';
import type { AttentionItem } from '../../contract/index.ts';
import type { HistoryProvider } from './provider.ts';

/** Thresholds of a board; one that is absent is not checked. */
export interface AttentionOptions {
  /** Share of failed jobs, from 0 to 1, among at least ten jobs that finished in the last ten minutes. */
  readonly failureShare?: number;
  /** Milliseconds that the oldest job of a queue may wait. */
  readonly oldestJobMs?: number;
  /** Waiting jobs that a queue may have while it has no workers; on pg-boss from 12.38, where a process registers. */
  readonly backlogWithoutWorkers?: number;
  /** Milliseconds since the last write of the recorder. */
  readonly recorderSilentMs?: number;
  /** Milliseconds between two checks for `onAttention`. Default 60000. */
  readonly intervalMs?: number;
}

const milliseconds = option.wholeNumber(1, 2 ** 31 - 1);

export const attentionTable = {
  failureShare: option.number(0, 1),
  oldestJobMs: milliseconds,
  backlogWithoutWorkers: option.wholeNumber(0),
  recorderSilentMs: milliseconds,
  intervalMs: option.wholeNumber(10, 2 ** 31 - 1),
} satisfies OptionTableOf<AttentionOptions>;

/** The change between two checks. */
export interface AttentionChange {
  /** Facts beyond a threshold now that were not before. */
  readonly raised: readonly AttentionItem[];
  /** Facts that are within their threshold again. */
  readonly cleared: readonly AttentionItem[];
}

/** The parts of a queue that are compared with thresholds; null where the engine does not know them. */
export interface AttentionReading {
  readonly queue: string;
  /** Jobs that finished in the last ten minutes. */
  readonly finished: { readonly completed: number; readonly failed: number } | null;
  readonly oldestMs: number | null;
  readonly waiting: number | null;
  readonly hasWorkers: boolean | null;
}

/** Minutes over which failures are counted, and the fewest jobs of a share. */
export const failureMinutes = 10;
const fewestJobs = 10;

/** Milliseconds for which a check is shared among requests. */
const sharedMs = 1_000;

/** Milliseconds that the history has for a check. */
const providerMs = 5_000;

/** Milliseconds for which a message to the host is waited for, so that the next one does not overtake it. */
const messageMs = 30_000;

type Recent = ReadonlyMap<string, NonNullable<AttentionReading['finished']>>;

interface AttentionHost {
  readonly options: AttentionOptions;
  readonly provider: HistoryProvider | undefined;
  readonly onAttention: ((change: AttentionChange) => unknown) | undefined;
  readonly read: () => Promise<readonly AttentionReading[]>;
  readonly onError: (error: unknown) => void;
}

const keyOf = ({ kind, queue }: AttentionItem): string => JSON.stringify([kind, queue ?? null]);

type Items = ReadonlyMap<string, AttentionItem>;

const byKey = (items: readonly AttentionItem[]): Items =>
  new Map(items.map((item) => [keyOf(item), item]));

const without = (items: Items, others: Items): AttentionItem[] =>
  [...items].flatMap(([key, item]) => (others.has(key) ? [] : [item]));

export class Attention {
  readonly #host: AttentionHost;
  readonly #checks = new SingleFlight<readonly AttentionItem[]>(sharedMs, 1);
  readonly #startedAt = Date.now();
  #known: Items = new Map();
  #told: Items = new Map();
  /** Until when the last message is waited for. */
  #waitsUntil = 0;
  #isClosed = false;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(host: AttentionHost) {
    this.#host = host;
    const { onAttention, options, onError } = host;
    if (onAttention) {
      this.#timer = setInterval(() => {
        this.#tell(onAttention).catch(onError);
      }, options.intervalMs ?? 60_000);
      this.#timer.unref();
    }
  }

  /** Facts beyond their threshold, the longest first. */
  check(): Promise<readonly AttentionItem[]> {
    return this.#checks.run('', async () => {
      const found = await this.#find(Date.now());
      const items = found.map((item) => {
        const since = Math.min(item.since, this.#known.get(keyOf(item))?.since ?? item.since);
        return { ...item, since };
      });
      this.#known = byKey(items);
      return items.toSorted((left, right) => left.since - right.since);
    });
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  /** Tells the host the change since it was told last. Requests between two intervals tell nothing. */
  async #tell(onAttention: NonNullable<AttentionHost['onAttention']>): Promise<void> {
    const items = byKey(await this.check());
    const raised = without(items, this.#told);
    const cleared = without(this.#told, items);
    const isWaiting = performance.now() < this.#waitsUntil;
    if (this.#isClosed || isWaiting || raised.length + cleared.length === 0) return;
    this.#told = items;
    const until = performance.now() + messageMs;
    this.#waitsUntil = until;
    try {
      await onAttention({ raised, cleared });
    } finally {
      if (this.#waitsUntil === until) this.#waitsUntil = 0;
    }
  }

  async #find(now: number): Promise<AttentionItem[]> {
    const { options, read } = this.#host;
    const [readings, silent] = await Promise.all([read(), this.#silence(now)]);
    const unknown = readings.filter(({ finished }) => !finished).map(({ queue }) => queue);
    const recent = unknown.length > 0 ? await this.#recent(unknown) : undefined;
    return [
      ...readings.flatMap((reading) => ofQueue(options, reading, recent?.get(reading.queue), now)),
      ...(recent === null ? this.#stillKnown('failureShare', new Set(unknown)) : []),
      ...silent,
    ];
  }

  /** The jobs of queues that finished lately; null while the history cannot be read. */
  async #recent(queues: readonly string[]): Promise<Recent | null | undefined> {
    const { options, provider, onError } = this.#host;
    if (options.failureShare === undefined) return undefined;
    try {
      const recent = provider?.getRecent?.(queues, failureMinutes);
      return recent && (await withTimeout(recent, providerMs));
    } catch (error) {
      onError(error);
      return null;
    }
  }

  /** A recorder that has never written is silent at once, for as long as the board runs. */
  async #silence(now: number): Promise<AttentionItem[]> {
    const { options, provider, onError } = this.#host;
    const threshold = options.recorderSilentMs;
    if (threshold === undefined || !provider?.lastRecorded) return [];
    try {
      const last = await withTimeout(provider.lastRecorded(), providerMs);
      const value = last === null ? Math.max(threshold, now - this.#startedAt) : now - last;
      if (last !== null && value <= threshold) return [];
      const since = last === null ? this.#startedAt : last + threshold;
      return [{ kind: 'recorderSilent', since, value, threshold }];
    } catch (error) {
      onError(error);
      return this.#stillKnown('recorderSilent');
    }
  }

  /** Facts of the last check, which stand while a history that cannot be read tells nothing new. */
  #stillKnown(kind: AttentionItem['kind'], queues?: ReadonlySet<string>): AttentionItem[] {
    return [...this.#known.values()].filter(
      (item) => item.kind === kind && (!queues || queues.has(item.queue ?? '')),
    );
  }
}

function ofQueue(
  { failureShare, oldestJobMs, backlogWithoutWorkers }: AttentionOptions,
  { queue, finished, oldestMs, waiting, hasWorkers }: AttentionReading,
  recent: AttentionReading['finished'] | undefined,
  now: number,
): AttentionItem[] {
  const items: AttentionItem[] = [];
  const { completed = 0, failed = 0 } = finished ?? recent ?? {};
  const share = completed + failed >= fewestJobs ? failed / (completed + failed) : 0;
  if (failureShare !== undefined && share > failureShare) {
    items.push({ kind: 'failureShare', queue, since: now, value: share, threshold: failureShare });
  }
  if (oldestJobMs !== undefined && oldestMs !== null && oldestMs > oldestJobMs) {
    const since = now - (oldestMs - oldestJobMs);
    items.push({ kind: 'oldestJob', queue, since, value: oldestMs, threshold: oldestJobMs });
  }
  const threshold = backlogWithoutWorkers;
  if (threshold !== undefined && hasWorkers === false && waiting !== null && waiting > threshold) {
    items.push({ kind: 'backlogWithoutWorkers', queue, since: now, value: waiting, threshold });
  }
  return items;
}
