/** The data of a queue that the board reads, in Redis or PostgreSQL. */

import type { Datastore, JobState, JobStatus, KvStats } from './types.ts';
import type { JobPage, JobRecord } from './job-record.ts';
import type { FoundJobs, JobCriteria } from './search-criteria.ts';

/** The facts of a queue in a listing. */
export interface QueueFacts {
  readonly counts: Partial<Record<JobStatus, number>>;
  readonly jobSchedulerCount: number;
  readonly isPaused: boolean;
  /** `null` if the concurrency is not limited. */
  readonly globalConcurrency: number | null;
  /** Milliseconds; 0 when no limit is active. */
  readonly activeRateLimitTtl: number;
}

/** The facts of one queue, or the error of reading them. */
export type FactsResult =
  | { readonly facts: QueueFacts; readonly hasWorkers: boolean | null }
  | { readonly error: Error };

/** A connected worker. `age` in seconds. */
export interface WorkerRecord {
  readonly id: string;
  readonly name: string | null;
  readonly addr: string;
  readonly age: number;
}

/** A job with its state. */
export interface LocatedJob {
  readonly job: JobRecord;
  readonly state: JobState;
}

/** A job of a flow with the results and first keys of its children. */
export interface FlowJob extends LocatedJob {
  readonly dependencies: {
    readonly processed: number;
    readonly unprocessed: number;
    readonly ignored: number;
    readonly failed: number;
  };
  /** Keys (`<qualified queue>:<id>`) of the children, up to the requested number. */
  readonly childKeys: readonly string[];
  /** Reasons by child key, for failures that the parent ignores. */
  readonly ignoredReasons: Readonly<Record<string, string>>;
}

/** A scheduler as stored. Times and intervals in milliseconds. */
export interface SchedulerRecord {
  readonly id: string;
  readonly name: string;
  readonly next: number | null;
  readonly iterationCount: number | null;
  readonly limit: number | null;
  readonly startDate: number | null;
  readonly endDate: number | null;
  readonly tz: string | null;
  readonly pattern: string | null;
  readonly every: number | null;
  readonly template: { readonly data?: unknown; readonly opts?: Readonly<Record<string, unknown>> };
  /** The id of the next run and when it was added; `null` when it is missing. */
  readonly nextRunJobId: string | null;
  readonly nextRunAdded: number | null;
  /** The id of the previous run, if it is still stored. */
  readonly lastRunJobId: string | null;
}

/** Statistics of the datastore, as in the contract. */
export type StoreStats = KvStats;

/** The data of one queue. */
export interface QueueStore {
  readonly datastore: Datastore;
  /** Queue name in flow keys, `<prefix>:<queue>` on Redis. */
  readonly qualifiedName: string;
  /** Resolves when commands can be sent; rejects when the datastore is unavailable. */
  ready(): Promise<unknown>;
  /** Queues of the same group are read together. */
  group(): string;
  /** Facts of queues of this group, in order, in one round trip. Rejects when the store is unreachable. */
  facts(queues: readonly QueueStore[], withWorkers: boolean): Promise<FactsResult[]>;
  /** Jobs of each status from `start` to `end` (inclusive, zero-based), newest first. */
  pages(statuses: readonly JobStatus[], start: number, end: number): Promise<JobPage[]>;
  job(id: string): Promise<LocatedJob | null>;
  /** Jobs of this queue with at most `maxChildren` child keys each; `null` for a missing job. */
  flowJobs(ids: readonly string[], maxChildren: number): Promise<(FlowJob | null)[]>;
  /** Number of jobs that finished with that status up to the time `before`. */
  countFinished(status: 'completed' | 'failed', before: number): Promise<number>;
  /** `null` when the server does not report it. */
  workers(): Promise<WorkerRecord[] | null>;
  /** `null` when the server does not report it. */
  stats(): Promise<StoreStats | null>;
  /** The first `limit` schedulers by next run. */
  schedulers(limit: number): Promise<SchedulerRecord[]>;
  scheduler(id: string): Promise<SchedulerRecord | null>;
  find(criteria: JobCriteria): Promise<FoundJobs>;
}
