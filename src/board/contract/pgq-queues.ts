/** Queues, counts, depth, warnings and schedules of the `pgq` engine. Times are ISO 8601 strings in UTC. */

import * as z from 'zod';

import { PgqScheduleKind } from './enums.ts';
import { anyObject, anyValue } from './json.ts';

/** The counts that the library stores in its queue table, not counted live. */
export const PgqQueueCounts = z.object({
  queued: z.number(),
  deferred: z.number(),
  ready: z.number(),
  active: z.number(),
  failed: z.number(),
  total: z.number(),
});
export type PgqQueueCounts = z.output<typeof PgqQueueCounts>;

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

export const PgqWarning = z.object({
  id: z.string(),
  type: z.string(),
  message: z.string(),
  data: anyValue,
  queueName: z.string().nullable(),
  createdOn: z.string(),
});
export type PgqWarning = z.output<typeof PgqWarning>;

/** `nextRuns` holds up to five times; empty when they cannot be computed. */
export const PgqSchedule = z.object({
  queueName: z.string(),
  key: z.string(),
  kind: PgqScheduleKind,
  expression: z.string(),
  timezone: z.string(),
  data: anyValue,
  options: anyObject,
  createdOn: z.string(),
  updatedOn: z.string(),
  lastJobId: z.string().nullable(),
  nextRuns: z.array(z.string()),
});
export type PgqSchedule = z.output<typeof PgqSchedule>;

/** The number of jobs that a command was given, and the number that it changed. */
export const PgqCommandResponse = z.object({ requested: z.number(), affected: z.number() });
export type PgqCommandResponse = z.output<typeof PgqCommandResponse>;
