/** The interface of a history provider: what a board asks for the past of its queues. */

import type { ErrorGroup, FailedAttempt } from '../../contract/index.ts';

/** Jobs finished, or the age of the oldest waiting job in milliseconds. */
export type HistoryMetric = 'completed' | 'failed' | 'queueage';

/** How long jobs ran, or waited before they ran. */
export type LatencyMetric = 'runtime' | 'waittime';

/** Which queues a read covers. */
export interface HistoryQueues {
  /** A queue by its name on the board. Default: all queues together. */
  readonly queue?: string;
  /** The queues that count where `queue` is absent. Default: every queue that was recorded. */
  readonly queues?: readonly string[];
}

/** Times are milliseconds since 1970; `from` and `to` are inclusive. */
export interface HistoryRange extends HistoryQueues {
  readonly from: number;
  readonly to: number;
}

export interface HistoryQuery extends HistoryRange {
  readonly metric: HistoryMetric;
  readonly granularity: 'hour' | 'day';
}

/** One value of a series; `ts` is the start of its hour or UTC day. */
export interface HistoryPoint {
  readonly ts: number;
  readonly value: number;
}

export interface LatencyQuery extends HistoryRange {
  readonly metric: LatencyMetric;
  /** `range` gives at most one point, for the whole range. */
  readonly granularity: 'hour' | 'day' | 'range';
  /** From 0 to 100. */
  readonly percentiles: readonly number[];
}

/** Percentiles of `count` jobs: milliseconds by percentile. */
export interface LatencyPoint {
  readonly ts: number;
  readonly count: number;
  readonly values: Readonly<Record<string, number>>;
}

/** Keys or rows of a tier, and their bytes. */
export interface TierUsage {
  readonly keys: number;
  readonly bytes: number;
}

/** Storage of one queue; `days` are UTC days (`YYYY-MM-DD`) with minutes or hours. */
export interface QueueHistoryUsage extends TierUsage {
  readonly queue: string;
  readonly minutes: number;
  readonly days: readonly string[];
  readonly tiers: Readonly<Record<'minute' | 'hour' | 'day', TierUsage>>;
}

/** Storage of the whole history; the largest queue first. All queues together are the queue `__global__`. */
export interface HistoryUsage extends TierUsage {
  readonly minutes: number;
  readonly oldestDay: string | null;
  readonly newestDay: string | null;
  readonly tiers: QueueHistoryUsage['tiers'];
  readonly queues: readonly QueueHistoryUsage[];
}

/** The part to delete; `before` is a UTC day (`YYYY-MM-DD`), which stays. Default: everything. */
export interface HistoryPurge {
  readonly queue?: string;
  readonly before?: string;
}

export interface HistoryPurgeResult {
  readonly keysDeleted: number;
  readonly fieldsDeleted: number;
}

/**
 * Gives a board its history. A board mounts a route for each method that the provider has; which, is decided when the
 * board is created.
 */
export interface HistoryProvider {
  /** Who counted: a recorder of `sluice/metrics`, or the queue library itself. Default: not told. */
  readonly source?: 'recorder' | 'library';
  /** Reads a series of counts or ages, in order of time. */
  getHistory(query: HistoryQuery): Promise<readonly HistoryPoint[]>;
  /** The series of each of the queues, by name, in one read. Default: one `getHistory` per queue. */
  getHistoryByQueue?(
    query: HistoryQuery & { readonly queues: readonly string[] },
  ): Promise<ReadonlyMap<string, readonly HistoryPoint[]>>;
  /** Reads percentiles of durations, in order of time. Default: the dashboard shows none. */
  getLatency?(query: LatencyQuery): Promise<readonly LatencyPoint[]>;
  /** Measures the storage of the history. Default: the dashboard shows none. */
  getUsage?(): Promise<HistoryUsage>;
  /** Jobs of each queue that finished in the last minutes, for thresholds. Default: not known. */
  getRecent?(
    queues: readonly string[],
    minutes: number,
  ): Promise<ReadonlyMap<string, { readonly completed: number; readonly failed: number }>>;
  /** Counts of each queue since midnight (UTC), for monitoring systems. Default: not known. */
  getToday?(queues: readonly string[]): Promise<readonly TodayCounts[]>;
  /** When the recorder wrote last, in milliseconds since 1970; null if it never has. Default: not known. */
  lastRecorded?(): Promise<number | null>;
  /** Failed attempts grouped by their error; the most frequent first. */
  getErrors?(range: HistoryRange): Promise<readonly ErrorGroup[]>;
  /** Failed attempts of one job; the oldest first. */
  getAttempts?(queue: string, job: string): Promise<readonly FailedAttempt[]>;
  /** Deletes a part of the history. Default: it cannot be deleted from the board. */
  purge?(scope: HistoryPurge): Promise<HistoryPurgeResult>;
}

/** The record of a queue since midnight (UTC). */
export interface TodayCounts {
  readonly queue: string;
  readonly completed: number;
  readonly failed: number;
  readonly durations: Readonly<Record<LatencyMetric, TodayDurations>>;
}

/** How long the measured jobs of a day ran, or waited. */
export interface TodayDurations {
  readonly buckets: readonly DurationBucket[];
  /** Sum of the durations in milliseconds. */
  readonly sumMs: number;
}

/** Jobs that took at most `leMs` milliseconds, those of smaller buckets included; Infinity for all of them. */
export interface DurationBucket {
  readonly leMs: number;
  readonly count: number;
}

/** The name of all queues together in the usage. */
export const globalQueue = '__global__';

/** The store of a history does not answer, or is not of this version; the board responds with 503. */
export class HistoryUnavailableError extends Error {
  override readonly name = 'HistoryUnavailableError';
  readonly code = 'HISTORY_UNAVAILABLE';
  /** The kind of the store: Redis or the like, or PostgreSQL. */
  readonly datastore: 'kv' | 'sql';

  constructor(
    cause: unknown,
    message = 'The store of the metrics history does not answer.',
    datastore: 'kv' | 'sql' = 'kv',
  ) {
    super(message, { cause });
    this.datastore = datastore;
  }
}
