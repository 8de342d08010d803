/** The interface to a queue library: every change, and the few reads that only the library can do. */

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

/** A schedule to be set. Moments and intervals in milliseconds. */
export interface Schedule {
  readonly pattern?: string;
  readonly every?: number;
  readonly tz?: string;
  readonly limit?: number;
  readonly startDate?: number;
  readonly endDate?: number;
  /** Runs that count towards the limit already. */
  readonly count?: number;
}

/** A job to be made. */
export interface NewJob {
  readonly name: string;
  readonly data: unknown;
  readonly opts: Readonly<Record<string, unknown>>;
}

/** Why a library would not do what it was told. */
export type Refusal = 'missing' | 'active' | 'state' | 'scheduled' | 'taken' | 'unsupported';

/** The library refused; what the board answers depends on the operation. */
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
 * One step of work on many jobs: does at most a thousand, and says whether there may be more. The board calls
 * it again until there are none, or until the client has gone.
 */
export type BulkStep = () => Promise<boolean>;

/** Jobs that one {@link BulkStep} handles. */
export const bulkSize = 1_000;

/** A queue as its library offers it. Refusals are {@link DriverRefusal}s. */
export interface QueueDriver {
  readonly name: string;
  readonly library: QueueLibrary;
  readonly type: QueueType;
  readonly statuses: readonly JobStatus[];
  readonly capabilities: QueueCapabilities;
  readonly store: QueueStore;
  readonly defaultJobOptions: Readonly<Record<string, unknown>>;

  /** Jobs the library keeps outside its lists of states, by the status they count for; `null` when it does not. */
  groupCounts(): Promise<Partial<Record<JobStatus, number>>> | null;
  /** Forgets what the driver remembers of the queue: something is about to change, or has changed. */
  changed(): void;

  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Adds a job and gives its id. A plain error is about what was to be added. */
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
  /** The scheduler that made the job, and the id its next run has, if that is due at `next`. */
  schedulerOf(job: JobRecord): { readonly id: string; isRunAt(next: number): boolean } | null;

  /** Retries jobs that were in the state at `before`. */
  retryStep(state: 'failed' | 'completed', before: number): BulkStep;
  promoteStep(): BulkStep;
  /** Removes jobs that were there at the moment `until`; spares runs that a scheduler waits for. */
  cleanStep(status: CleanableStatus, until: number): BulkStep;
  /** Removes the rest, after {@link cleanStep} has been through every status. */
  drain(): Promise<void>;

  removeScheduler(id: string): Promise<boolean>;
  /**
   * Gives the id of the next run, `null` when the schedule can never fire. Refused when its next run would be one
   * that has been. A plain error is about the pattern.
   */
  updateScheduler(id: string, schedule: Schedule, template: NewJob): Promise<string | null>;
}
