/** The interface to a queue library: all changes, and the reads that require the library. */

import type { JobRecord } from './job-record.ts';
import type { QueueStore } from './store.ts';
import type {
  JobStatus,
  QueueCapabilities,
  QueueLibrary,
  QueueMetrics,
  QueueRateLimit,
  QueueType,
} from './types.ts';

/** A schedule to set. Times and intervals in milliseconds. */
export interface Schedule {
  readonly pattern?: string;
  readonly every?: number;
  readonly tz?: string;
  readonly limit?: number;
  readonly startDate?: number;
  readonly endDate?: number;
  /** Runs that already count towards the limit. */
  readonly count?: number;
}

/** A job to add. */
export interface NewJob {
  readonly name: string;
  readonly data: unknown;
  readonly opts: Readonly<Record<string, unknown>>;
}

/** Why a library refused an operation. */
export type Refusal = 'missing' | 'active' | 'state' | 'scheduled' | 'taken' | 'unsupported';

/** A refusal of the library; the response depends on the operation. */
export class DriverRefusal extends Error {
  override readonly name = 'DriverRefusal';
  readonly refusal: Refusal;

  constructor(refusal: Refusal, cause?: unknown) {
    super(`The library refused: ${refusal}.`, { cause });
    this.refusal = refusal;
  }
}

/** Statuses whose jobs a library can clean. */
export type CleanableStatus =
  | 'completed'
  | 'failed'
  | 'delayed'
  | 'active'
  | 'waiting'
  | 'prioritized'
  | 'paused';

/**
 * One step of a bulk operation: processes at most a thousand jobs and returns whether there may be more. The board
 * repeats it until none are left, or until the client disconnects.
 */
export type BulkStep = () => Promise<boolean>;

/** Jobs per {@link BulkStep}. */
export const bulkSize = 1_000;

/** A queue of a library. Refusals are thrown as {@link DriverRefusal}. */
export interface QueueDriver {
  readonly name: string;
  readonly library: QueueLibrary;
  readonly type: QueueType;
  readonly statuses: readonly JobStatus[];
  readonly capabilities: QueueCapabilities;
  readonly store: QueueStore;
  readonly defaultJobOptions: Readonly<Record<string, unknown>>;

  /**
   * Group jobs that the library keeps outside its state lists, by the status they count in; `null` when there are none.
   */
  groupCounts(): Promise<Partial<Record<JobStatus, number>>> | null;
  /** Invalidates cached values of the queue, before and after a change. */
  changed(): void;

  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Adds a job and returns its id. An error that is not a refusal concerns the input. */
  add(job: NewJob): Promise<string>;
  /** Removes the queue; refused while jobs are active, unless forced. */
  obliterate(force: boolean): Promise<void>;
  setGlobalConcurrency(limit: number): Promise<void>;
  getRateLimit(): Promise<QueueRateLimit | null>;
  /** `null` removes the limit. */
  setRateLimit(limit: QueueRateLimit | null): Promise<void>;
  releaseRateLimit(): Promise<void>;
  metrics(kind: 'completed' | 'failed'): Promise<QueueMetrics>;
  logs(id: string): Promise<readonly string[]>;

  retry(id: string, state: 'failed' | 'completed'): Promise<void>;
  remove(id: string): Promise<void>;
  promote(id: string): Promise<void>;
  updateData(id: string, data: unknown): Promise<void>;
  /** `delay` in milliseconds from now. */
  changeDelay(id: string, delay: number): Promise<void>;
  changePriority(id: string, priority: number): Promise<void>;
  removeUnprocessedChildren(id: string): Promise<void>;
  /** The scheduler that added the job, and the id of its next run if that is due at `next`. */
  schedulerOf(job: JobRecord): { readonly id: string; isRunAt(next: number): boolean } | null;

  /** Retries the jobs that were in the state at time `before`. */
  retryStep(state: 'failed' | 'completed', before: number): BulkStep;
  promoteStep(): BulkStep;
  /** Removes the jobs that existed at time `until`, except the next runs of schedulers. */
  cleanStep(status: CleanableStatus, until: number): BulkStep;
  /** Removes the remaining jobs, after {@link cleanStep} has processed every status. */
  drain(): Promise<void>;

  removeScheduler(id: string): Promise<boolean>;
  /**
   * Returns the id of the next run, `null` when the schedule never fires. Refused when the next run has already run. An
   * error that is not a refusal concerns the pattern.
   */
  updateScheduler(id: string, schedule: Schedule, template: NewJob): Promise<string | null>;
}
