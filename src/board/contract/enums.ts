/** The enumerations of the board's contract, one zod schema each. */

import * as z from 'zod';

/** The values of `status` of `GET /api/queues`: a job status, or `latest` for all statuses. */
export const Status = z.enum([
  'latest',
  'active',
  'waiting',
  'waiting-children',
  'prioritized',
  'completed',
  'failed',
  'delayed',
  'paused',
]);
export type Status = z.output<typeof Status>;

/** The state of a job; `stuck` occurs in `legacy` queues only, `unknown` when the library cannot determine it. */
export const JobState = z.enum([...Status.options, 'stuck', 'unknown']);
export type JobState = z.output<typeof JobState>;

/** The states of a job, from waiting to finished. */
export const JobStatus = Status.exclude(['latest']);
export type JobStatus = z.output<typeof JobStatus>;

export const QueueType = z.enum(['legacy', 'current']);
export type QueueType = z.output<typeof QueueType>;

export const QueueLibrary = z.enum(['legacy', 'current', 'current-pro']);
export type QueueLibrary = z.output<typeof QueueLibrary>;

export const Datastore = z.enum(['kv', 'sql']);
export type Datastore = z.output<typeof Datastore>;

export const JobSchedulerKind = z.enum(['every', 'cron']);

export const MetricsHistoryGranularity = z.enum(['hour', 'day']);

export const MetricsHistoryMetric = z.enum(['completed', 'failed', 'queueage']);

export const MetricsLatencyGranularity = z.enum(['hour', 'day', 'range']);

export const MetricsLatencyMetric = z.enum(['runtime', 'waittime']);

export const PgqJobState = z.enum([
  'created',
  'retry',
  'active',
  'completed',
  'cancelled',
  'failed',
]);
export type PgqJobState = z.output<typeof PgqJobState>;

export const PgqScheduleKind = z.enum(['cron', 'rrule']);

/** Features that a pg-boss schema may lack without making the board unusable. */
export const PgqFeature = z.enum([
  'queueCounters',
  'readyHistory',
  'schedules',
  'scheduleKind',
  'dependencies',
  'deadLetterSource',
  'queueDepth',
  'warnings',
]);
export type PgqFeature = z.output<typeof PgqFeature>;
