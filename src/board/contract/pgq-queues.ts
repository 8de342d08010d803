/** Queues, counts, depth, warnings and schedules of the `pgq` engine. Times are ISO 8601 strings in UTC. */

import * as z from 'zod';

import { BoardAction } from './actions.ts';
import { PgqJobState, PgqScheduleKind } from './enums.ts';
import { TranslatableMessage } from './errors.ts';
import { anyObject, anyValue } from './json.ts';

/** The counts that the library stores in its queue table, not counted live. */
export const PgqQueueCounts = z.object({
  queued: z.number(),
  deferred: z.number(),
  ready: z.number(),
  active: z.number(),
  failed: z.number(),
  total: z.number(),
  /** Jobs that wait for others; absent before pg-boss 12.38. */
  blocked: z.number().optional(),
});

/** How long the `count` jobs took that the last pass counted, in seconds: percentiles, at most 1.42 times too long. */
const latency = z
  .object({ count: z.number(), p50: z.number(), p95: z.number(), p99: z.number() })
  .nullable()
  .optional();

export const PgqQueueSummary = z.object({
  name: z.string(),
  policy: z.string(),
  partition: z.boolean(),
  counts: PgqQueueCounts,
  statsCapturedOn: z.string().nullable(),
  readyHistory: z.array(z.number()),
  deadLetter: z.string().nullable(),
  retryLimit: z.number(),
  retryDelay: z.number(),
  retryBackoff: z.boolean(),
  retryDelayMax: z.number().nullable(),
  expireInSeconds: z.number(),
  retentionSeconds: z.number(),
  deleteAfterSeconds: z.number(),
  warningQueueSize: z.number(),
  backlogged: z.boolean(),
  heartbeatSeconds: z.number().nullable(),
  notify: z.boolean(),
  singletonsActive: z.array(z.string()).nullable(),
  scheduleCount: z.number(),
  createdOn: z.string(),
  updatedOn: z.string(),
  /** Seconds that the oldest job ready to run had waited at the last pass; null when it was not counted. */
  readyOldestSeconds: z.number().nullable().optional(),
  /** From ready to started; null when no job finished. This and the next are absent before pg-boss 12.38. */
  waitSeconds: latency,
  /** From started to finished. */
  runSeconds: latency,
  /** The actions that the sender may do in the queue; absent where they are those of the whole listing. */
  allowed: z.array(BoardAction).optional(),
});
export type PgqQueueSummary = z.output<typeof PgqQueueSummary>;

/** `count` is null when counting timed out; `capped` when it stopped at the cap. */
export const PgqStateCount = z.object({ count: z.number().nullable(), capped: z.boolean() });
export type PgqStateCount = z.output<typeof PgqStateCount>;

export const PgqStateCounts = z.object({
  created: PgqStateCount,
  retry: PgqStateCount,
  active: PgqStateCount,
  completed: PgqStateCount,
  cancelled: PgqStateCount,
  failed: PgqStateCount,
});
export type PgqStateCounts = z.output<typeof PgqStateCounts>;

/** The counts of a time bucket; `ts` is its start in milliseconds. */
export const PgqQueueDepthPoint = z.object({
  ts: z.number(),
  deferred: z.number(),
  queued: z.number(),
  ready: z.number(),
  active: z.number(),
  failed: z.number(),
  total: z.number(),
});
export type PgqQueueDepthPoint = z.output<typeof PgqQueueDepthPoint>;

/** One call of `work()` in an instance; `active` is the number of its jobs at the last heartbeat. */
const PgqInstanceWorker = z.object({
  id: z.string(),
  queueName: z.string(),
  active: z.number(),
  batchSize: z.number(),
  localConcurrency: z.number(),
  lastFetchedOn: z.string().nullable(),
  lastJobEndedOn: z.string().nullable(),
  lastErrorOn: z.string().nullable(),
});

/** A `PgBoss` object of a process. It is live when it has not stopped and has missed fewer than three heartbeats. */
export const PgqInstance = z.object({
  id: z.string(),
  name: z.string().nullable(),
  host: z.string(),
  pid: z.number(),
  version: z.string(),
  live: z.boolean(),
  startedOn: z.string(),
  heartbeatOn: z.string(),
  heartbeatSeconds: z.number(),
  stoppedOn: z.string().nullable(),
  /** How often the process has died and come back. */
  crashRestarts: z.number(),
  /** Connections of its pool; null where the library cannot count them. */
  pool: z
    .object({ max: z.number(), total: z.number(), idle: z.number(), waiting: z.number() })
    .nullable(),
  workers: z.array(PgqInstanceWorker),
});
export type PgqInstance = z.output<typeof PgqInstance>;

export const PgqWarning = z.object({
  id: z.string(),
  type: z.string(),
  message: z.string(),
  data: anyValue,
  queueName: z.string().nullable(),
  createdOn: z.string(),
});
export type PgqWarning = z.output<typeof PgqWarning>;

/**
 * `nextRuns` holds up to five times; empty when they cannot be computed. `version` identifies the content, for
 * `ifUnchanged`.
 */
export const PgqSchedule = z.object({
  queueName: z.string(),
  key: z.string(),
  kind: PgqScheduleKind,
  expression: z.string(),
  /** The same, under the name that both engines have for a cron text. */
  pattern: z.string(),
  timezone: z.string(),
  data: anyValue,
  options: anyObject,
  createdOn: z.string(),
  updatedOn: z.string(),
  lastJobId: z.string().nullable(),
  nextRuns: z.array(z.string()),
  version: z.string(),
  /** JSON texts as stored, with all digits; data that a formatter replaces is absent. */
  raw: z.object({ data: z.string().optional(), options: z.string().optional() }).optional(),
  problem: TranslatableMessage.optional(),
});
export type PgqSchedule = z.output<typeof PgqSchedule>;

/** A job that a command on many ids has left as it was: the key of the reason, and the state if the job was found. */
export const PgqSkippedJob = z.object({
  id: z.string(),
  code: z.string(),
  state: PgqJobState.optional(),
});
export type PgqSkippedJob = z.output<typeof PgqSkippedJob>;

/**
 * The number of jobs that a command was given, and the number that it changed. `skipped` is absent unless a command on
 * ids has left some. `refused` is absent unless a command on a whole queue passed over jobs: their number, and why.
 */
export const PgqCommandResponse = z.object({
  requested: z.number(),
  affected: z.number(),
  skipped: z.array(PgqSkippedJob).optional(),
  refused: z.object({ count: z.number(), reason: TranslatableMessage }).optional(),
});
export type PgqCommandResponse = z.output<typeof PgqCommandResponse>;
