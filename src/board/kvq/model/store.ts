/** The data of a queue that the board reads, in Redis or PostgreSQL. */

import type { ActivityResult } from './activity.ts';
import type { EventsOfJob, JobPlace } from './course.ts';
import type { LogWindow, ReadLimits } from './read-limits.ts';
import type { QueuePause, QueueTimeline, TimelineBuckets } from '../../contract/index.ts';
import type { Datastore, JobState, JobStatus, KvStats, QueueMetrics } from './types.ts';
import type { SourceReading, SourceRequest } from '../../core/index.ts';
import type { JobPage, JobRecord } from './job-record.ts';
import type { SummaryPage, SummaryQuery } from './job-summary.ts';
import type { FailureQuery, StoredFailures } from './failures.ts';
import type { FoundJobs, JobCriteria } from './search-criteria.ts';

/** The facts of a queue in a listing. */
export interface QueueFacts {
  readonly counts: Partial<Record<JobStatus, number>>;
  readonly jobSchedulerCount: number;
  readonly isPaused: boolean;
  /** Who has paused it and why, where a board did. */
  readonly pause?: QueuePause | undefined;
  /** `null` if the concurrency is not limited. */
  readonly globalConcurrency: number | null;
  /** Milliseconds; 0 when no limit is active. */
  readonly activeRateLimitTtl: number;
}

/** The facts of one queue that was read. */
export interface FactsRead {
  readonly facts: QueueFacts;
  readonly hasWorkers: boolean | null;
}

/** The facts of one queue, or the error of reading them. */
export type FactsResult = FactsRead | { readonly error: Error };

/** A connected worker. `age` in seconds. */
export interface WorkerRecord {
  readonly id: string;
  readonly name: string | null;
  readonly addr: string;
  readonly age: number;
}

/** The workers of one queue, `null` when the server does not report them, or the error of reading them. */
export type WorkersResult =
  | { readonly workers: readonly WorkerRecord[] | null }
  | { readonly error: Error };

/** A job with its state. */
export interface LocatedJob {
  readonly job: JobRecord;
  readonly state: JobState;
}

/** The parts of a job as stored: JSON texts, whose numbers have every digit. */
export interface StoredTexts {
  readonly data?: string;
  readonly opts?: string;
  readonly progress?: string;
  readonly returnValue?: string;
}

/** A job with its state, and texts that tell whether it has changed. They never leave the server. */
export interface VersionedJob extends LocatedJob {
  /** Changes with every change of the job or its state, hidden parts included. */
  readonly revision: string;
  /** Each part as stored, or its digest: changes with every digit of it. */
  readonly parts: Readonly<Record<keyof StoredTexts, string>>;
  /** Present where the read has asked for them. */
  readonly texts?: StoredTexts;
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

/** Jobs of a state among which the runs of a scheduler are looked for. */
export const examinedRuns = 1_000;

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
  /** The template as stored. */
  readonly texts?: Pick<StoredTexts, 'data' | 'opts'>;
  /** The id of the next run and when it was added; `null` when it is missing. */
  readonly nextRunJobId: string | null;
  readonly nextRunAdded: number | null;
  /** The id of the previous run, if it is still stored. */
  readonly lastRunJobId: string | null;
  /** The beginning of the ids of its runs; the time of the run follows. */
  readonly runPrefix: string;
}

/** Statistics of the datastore, as in the contract. */
type StoreStats = KvStats;

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
  /** The readings of queues of this group, in order, in one round trip. Rejects when the store is unreachable. */
  recordings(
    queues: readonly { readonly store: QueueStore; readonly request: SourceRequest }[],
  ): Promise<(SourceReading | Error)[]>;
  /** The activity of queues of this group, in order, in one round trip, with the counts of the last minutes. */
  activity(
    queues: readonly QueueStore[],
    minutes: number,
    withWorkers: boolean,
  ): Promise<ActivityResult[]>;
  /** Jobs of each status from `start` to `end` (inclusive, zero-based), newest first. */
  pages(
    statuses: readonly JobStatus[],
    start: number,
    end: number,
    limits: ReadLimits,
  ): Promise<JobPage[]>;
  /** A page of each status in brief, newest first. */
  summaries(query: SummaryQuery): Promise<SummaryPage[]>;
  /** Jobs added, completed and failed over time, among those that are stored, up to a limit. */
  timeline(buckets: TimelineBuckets): Promise<QueueTimeline>;
  /** The next failed jobs, added up where they are alike. */
  failures(query: FailureQuery): Promise<StoredFailures>;
  /** The last lines of the log of a job, as many as the limits allow. */
  logs(id: string, limits: ReadLimits): Promise<LogWindow>;
  /** At most `limit` lines of the log of a job from the line `start`, oldest first, as many as the limits allow. */
  logPage(id: string, start: number, limit: number, limits: ReadLimits): Promise<LogWindow>;
  /** Counts per minute, as recorded by the library. */
  metrics(kind: 'completed' | 'failed'): Promise<QueueMetrics>;
  /** `withTexts`: whether the parts are read as stored as well. */
  job(id: string, withTexts?: boolean): Promise<VersionedJob | null>;
  /** The kept events of a job from one moment to another, or until now, by the clock of the datastore. */
  events(id: string, from: number, to: number | null): Promise<EventsOfJob>;
  /** The place of a job among others. */
  place(job: LocatedJob): Promise<JobPlace>;
  /** Jobs of this queue with at most `maxChildren` child keys each; `null` for a missing job. */
  flowJobs(
    ids: readonly string[],
    maxChildren: number,
    limits: ReadLimits,
  ): Promise<(FlowJob | null)[]>;
  /**
   * The workers of queues of this group, in order, in one round trip; `null` when the server does not report them.
   * Rejects when the store is unreachable.
   */
  workers(queues: readonly QueueStore[]): Promise<(WorkerRecord[] | null)[]>;
  /** `null` when the server does not report it. */
  stats(): Promise<StoreStats | null>;
  /** The first `limit` schedulers by next run. */
  schedulers(limit: number): Promise<SchedulerRecord[]>;
  scheduler(id: string): Promise<SchedulerRecord | null>;
  /** Ids that begin with the prefix, among the last {@link examinedRuns} jobs that were completed, failed or begun. */
  latestWithPrefix(prefix: string): Promise<string[]>;
  find(criteria: JobCriteria): Promise<FoundJobs>;
}
