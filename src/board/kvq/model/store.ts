/** The data of a queue that the board reads, in Redis or PostgreSQL. */

import type { Datastore, JobState, JobStatus, KvStats } from './types.ts';
import type { JobPage, JobRecord } from './job-record.ts';
import type { FoundJobs, JobCriteria } from './search-criteria.ts';

/** The facts of a queue in a listing. */
export interface QueueFacts {
  readonly counts: Partial<Record<JobStatus, number>>;
  readonly jobSchedulerCount: number;
  readonly isPaused: boolean;
  /** `null` when there is no limit. */
  readonly globalConcurrency: number | null;
  /** Milliseconds; 0 when no limit is active. */
  readonly activeRateLimitTtl: number;
}

/** The facts of one queue, or the error that kept them. */
export type FactsResult =
  | { readonly facts: QueueFacts; readonly hasWorkers: boolean | null }
  | { readonly error: Error };

/** A worker's connection. `age` in seconds. */
export interface WorkerRecord {
  readonly id: string;
  readonly name: string | null;
  readonly addr: string;
  readonly age: number;
}

/** A job and where it is. */
export interface LocatedJob {
  readonly job: JobRecord;
  readonly state: JobState;
}

/** A job of a flow: itself, what became of its children, and the first of them. */
export interface FlowJob extends LocatedJob {
  readonly dependencies: {
    readonly processed: number;
    readonly unprocessed: number;
    readonly ignored: number;
    readonly failed: number;
  };
  /** Keys (`<qualified queue>:<id>`) of at most as many children as were asked for. */
  readonly childKeys: readonly string[];
  /** Reasons by child key, of failures the parent ignores. */
  readonly ignoredReasons: Readonly<Record<string, string>>;
}

/** A scheduler as stored. Moments and intervals in milliseconds. */
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
  /** The run it waits for, `null` when that is gone, and when that was made. */
  readonly nextRunJobId: string | null;
  readonly nextRunAdded: number | null;
  /** The run before, where it is still stored. */
  readonly lastRunJobId: string | null;
}

/** Statistics of the datastore, as the contract shows them. */
export type StoreStats = KvStats;

/** The data of one queue. */
export interface QueueStore {
  readonly datastore: Datastore;
  /** Name of the queue in keys of flows, `<prefix>:<queue>` on Redis. */
  readonly qualifiedName: string;
  /** Resolves when commands can be sent now; rejects when the datastore is away. */
  ready(): Promise<unknown>;
  /** Queues of the same group are read together. */
  group(): string;
  /** Facts of queues of this group, in their order, in one round trip. Rejects when the store is out of reach. */
  facts(queues: readonly QueueStore[], withWorkers: boolean): Promise<FactsResult[]>;
  /** Jobs of each status from `start` to `end` (inclusive, zero-based), newest first. */
  pages(statuses: readonly JobStatus[], start: number, end: number): Promise<JobPage[]>;
  job(id: string): Promise<LocatedJob | null>;
  /** Jobs of this queue with at most `maxChildren` child keys each; `null` for one that is gone. */
  flowJobs(ids: readonly string[], maxChildren: number): Promise<(FlowJob | null)[]>;
  /** Jobs that finished in that way up to the moment `before`. */
  countFinished(status: 'completed' | 'failed', before: number): Promise<number>;
  /** `null` where the server does not tell. */
  workers(): Promise<WorkerRecord[] | null>;
  /** `null` where the server does not tell. */
  stats(): Promise<StoreStats | null>;
  /** At most `limit` schedulers, those that fire soonest first. */
  schedulers(limit: number): Promise<SchedulerRecord[]>;
  scheduler(id: string): Promise<SchedulerRecord | null>;
  find(criteria: JobCriteria): Promise<FoundJobs>;
}
