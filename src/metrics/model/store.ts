/** The interface of a store: where a recorder keeps the history, and a board reads it. */

import type {
  HistoryMetric,
  HistoryPurge,
  HistoryPurgeResult,
  HistoryUsage,
  LatencyMetric,
  MinuteCount,
} from '../../board/core/index.ts';
import type { FailedAttempt } from '../../board/contract/index.ts';
import type { QueueAttempt } from './errors.ts';
import type { Histogram } from './histogram.ts';

/** Counters of the history. */
export type CounterMetric = 'completed' | 'failed';

/** The durations of jobs: how many by bucket, and the sum of them in milliseconds. */
export interface Durations {
  readonly counts: Histogram;
  readonly ms: number;
}

/** Durations of an hour since 1970. */
export interface HourDurations {
  readonly hour: number;
  readonly runtime: Durations;
  readonly waittime: Durations;
}

/** The parts of a queue that a recorder has read. */
export interface QueueWrite {
  readonly queue: string;
  /** Absolute counts of minutes; a store keeps the largest that it was given. */
  readonly completed: readonly MinuteCount[];
  readonly failed: readonly MinuteCount[];
  /** The minutes to begin with after a restart. */
  readonly completedNext?: number;
  readonly failedNext?: number;
  /** Age of the oldest waiting job, in milliseconds, at a time. */
  readonly age?: { readonly at: number; readonly value: number };
  /** Durations of the jobs that finished from one time to another; added only if the store stands at `from`. */
  readonly samples?: {
    readonly from: number | null;
    readonly to: number;
    readonly hours: readonly HourDurations[];
  };
}

/** A write of one tick. */
export interface Commit {
  /** The recorder. */
  readonly holder: string;
  /** Milliseconds for which the recorder measures durations of the queues alone. */
  readonly leaseMs: number;
  /** The data that the recorder has read before; a store that holds other data writes nothing. */
  readonly instance: string | undefined;
  readonly retention: { readonly minutes: number; readonly hours: number; readonly days: number };
  readonly writes: readonly QueueWrite[];
}

/** Where a queue stands after a write. */
export interface QueueState {
  readonly completedNext: number | null;
  readonly failedNext: number | null;
  readonly sampledTo: number | null;
  /** Whether this recorder measures durations of the queue. */
  readonly leased: boolean;
}

/** The answer to a write. */
export interface Committed {
  /** Names the data: another after the store was emptied. */
  readonly instance: string;
  /** Whether the writes were applied. */
  readonly written: boolean;
  readonly states: ReadonlyMap<string, QueueState>;
}

/** Hours or days since 1970, inclusive. */
export interface BucketRange {
  readonly granularity: 'hour' | 'day';
  readonly from: number;
  readonly to: number;
}

/** Values of a queue by bucket, in order. */
export type Series<Value> = readonly (readonly [bucket: number, value: Value])[];

/** Keeps a history. Made by `redisMetricsStore` and `sqlMetricsStore`; closes nothing that the host opened. */
export interface MetricsStore {
  /** Writes a tick in one round trip. A queue is written whole or not at all. */
  commit(commit: Commit): Promise<Committed>;
  /** Gives up the leases of a recorder. */
  release(holder: string, queues: readonly string[]): Promise<void>;
  /** When a recorder wrote last, in milliseconds since 1970; null if none has. */
  lastWrite(): Promise<number | null>;
  /** Series of the queues, in their order; `__global__` stands for all queues together. */
  counters(
    metric: HistoryMetric,
    queues: readonly string[],
    range: BucketRange,
  ): Promise<readonly Series<number>[]>;
  /** Durations of the queues, in their order. */
  histograms(
    metric: LatencyMetric,
    queues: readonly string[],
    range: BucketRange,
  ): Promise<readonly Series<Durations>[]>;
  /** Counts per minute since 1970 of the queues, in their order, from a minute to another, without zeros. */
  minutes(
    metric: CounterMetric,
    queues: readonly string[],
    from: number,
    to: number,
  ): Promise<readonly (readonly MinuteCount[])[]>;
  /** Adds failed attempts, and keeps the last ones of each queue. */
  addAttempts(
    attempts: ReadonlyMap<string, readonly FailedAttempt[]>,
    perQueue: number,
  ): Promise<void>;
  /** The failed attempts that are kept of the queues, or of all queues; the oldest first. */
  attempts(queues: readonly string[] | undefined): Promise<readonly QueueAttempt[]>;
  /** Measures the storage of the history. */
  usage(): Promise<HistoryUsage>;
  /** Deletes a part of the history, and tells what was deleted. */
  purge(scope: HistoryPurge): Promise<HistoryPurgeResult>;
}
