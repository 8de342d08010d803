/** Queues of the `kvq` engine and their resources. */

import * as z from 'zod';

import { BoardAction } from './actions.ts';
import {
  Datastore,
  JobSchedulerKind,
  JobStatus,
  QueueLibrary,
  QueueType,
  Status,
} from './enums.ts';
import { TranslatableMessage } from './errors.ts';
import { AppJob } from './jobs.ts';

/** Jobs by status; an absent status counts as 0. */
export const JobCounts = z.partialRecord(JobStatus, z.number());

/** `range` gives the zero-based positions of the first and the last job of a full page. */
export const Pagination = z.object({
  pageCount: z.number(),
  range: z.object({ start: z.number(), end: z.number() }),
});

/** Capabilities of the queue library. */
export const QueueCapabilities = z.object({
  pause: z.boolean(),
  logs: z.boolean(),
  progress: z.boolean(),
  flows: z.boolean(),
  promote: z.boolean(),
  updateData: z.boolean(),
  changeDelay: z.boolean(),
  changePriority: z.boolean(),
  removeUnprocessedChildren: z.boolean(),
  completedRetry: z.boolean(),
  globalConcurrency: z.boolean(),
  globalRateLimit: z.boolean(),
  nativeMetrics: z.boolean(),
  workers: z.boolean(),
  jobSchedulers: z.object({
    update: z.boolean(),
    run: z.boolean(),
    create: z.boolean(),
    preview: z.boolean(),
    kinds: z.array(JobSchedulerKind),
  }),
  jobOptionsSchema: QueueType,
});
export type QueueCapabilities = z.output<typeof QueueCapabilities>;

/** Since when a queue is paused (milliseconds), by whom and why, as far as the board that paused it was told. */
export const QueuePause = z.object({
  since: z.number(),
  by: z.string().optional(),
  reason: z.string().optional(),
});
export type QueuePause = z.output<typeof QueuePause>;

/** A queue with its counts and, for the active queue, a page of its jobs. */
export const AppQueue = z.object({
  delimiter: z.string(),
  name: z.string(),
  displayName: z.string().optional(),
  description: z.string().optional(),
  counts: JobCounts,
  jobs: z.array(AppJob),
  statuses: z.array(Status),
  pagination: Pagination,
  readOnlyMode: z.boolean(),
  allowRetries: z.boolean(),
  allowCompletedRetries: z.boolean(),
  isPaused: z.boolean(),
  /** Absent where the queue was not paused through a board. */
  pause: QueuePause.optional(),
  type: QueueType,
  library: QueueLibrary,
  datastore: Datastore,
  capabilities: QueueCapabilities,
  globalConcurrency: z.number().nullable(),
  /** Milliseconds; 0 when no limit is active. */
  activeRateLimitTtl: z.number(),
  supportsGlobalRateLimit: z.boolean(),
  jobSchedulerCount: z.number(),
  hasWorkers: z.boolean().nullable(),
  /** The actions that the sender may do in the queue; absent where they are those of the whole listing. */
  allowed: z.array(BoardAction).optional(),
  /** Why the queue, or only its jobs, could not be read; the unread parts are empty. */
  problem: z.object({ key: z.string() }).optional(),
});
export type AppQueue = z.output<typeof AppQueue>;

/** Delays in milliseconds. Options unknown to the board are preserved. */
export const QueueDefaultJobOptions = z.looseObject({
  attempts: z.number().optional(),
  delay: z.number().optional(),
  priority: z.number().optional(),
  lifo: z.boolean().optional(),
  backoff: z
    .union([z.number(), z.looseObject({ type: z.string(), delay: z.number().optional() })])
    .optional(),
  removeOnComplete: keepJobs(),
  removeOnFail: keepJobs(),
});
export type QueueDefaultJobOptions = z.output<typeof QueueDefaultJobOptions>;

function keepJobs() {
  return z
    .union([
      z.boolean(),
      z.number(),
      z.looseObject({ age: z.number().optional(), count: z.number().optional() }),
    ])
    .optional();
}

/** Jobs finished per minute, newest first, without the current minute. `prevTS` is in milliseconds. */
export const QueueMetrics = z.object({
  meta: z.object({ count: z.number(), prevTS: z.number(), prevCount: z.number() }),
  data: z.array(z.number()),
  count: z.number(),
});
export type QueueMetrics = z.output<typeof QueueMetrics>;

/** At most `max` jobs in `duration` milliseconds. */
export const QueueRateLimit = z.object({ max: z.number(), duration: z.number() });
export type QueueRateLimit = z.output<typeof QueueRateLimit>;

/** A connected worker; `age` in seconds. */
export const QueueWorker = z.object({
  id: z.string(),
  name: z.string().nullable(),
  addr: z.string(),
  age: z.number(),
});

/** The workers of a queue; null where they are not known. */
export const QueueWorkers = z.object({
  queueName: z.string(),
  workers: z.array(QueueWorker).nullable(),
  /** Why the queue could not be read. */
  problem: TranslatableMessage.optional(),
});
