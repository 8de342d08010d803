/** The course of a job: what happened to it and when, and what holds it back now. Times are in milliseconds since 1970. */

import * as z from 'zod';

/** Events of a job that a library keeps with their times, under the names of BullMQ's `QueueEvents`. */
export const JobEvent = z.enum([
  'added',
  'waiting',
  'delayed',
  'waiting-children',
  'active',
  'stalled',
  'completed',
  'failed',
  'deduplicated',
]);
export type JobEvent = z.output<typeof JobEvent>;

/** Moments of a job in one answer at most. */
export const mostMoments = 500;

/** Events of a queue that are looked through for those of one job at most, the latest first. */
export const mostEvents = 10_000;

export const JobMoment = z.object({
  /** By the clock of the datastore. */
  at: z.number(),
  event: JobEvent,
  /** Of `delayed`: when the job may run. */
  until: z.number().optional(),
  /** Of `deduplicated`: the id that the job would have had which was not added. */
  jobId: z.string().optional(),
});
export type JobMoment = z.output<typeof JobMoment>;

/** The events of a job, oldest first. */
export const JobCourse = z.object({
  moments: z.array(JobMoment),
  /** The time since when events were found; earlier ones are not kept or not read. Null where the library keeps none. */
  since: z.number().nullable(),
});

/** Why a job that could run does not run yet. */
export const HoldReason = z.enum([
  'paused',
  'rate-limit',
  'concurrency',
  'order',
  'delayed',
  'backoff',
  'children',
  'singleton',
  'group',
  'no-worker',
]);

export const JobHold = z.object({
  reason: HoldReason,
  /** When the reason ends by itself. */
  until: z.number().optional(),
  /** Jobs that run first, are active, or are waited for. */
  count: z.number().optional(),
  /** Whether `count` stopped at a limit, so that there may be more. */
  capped: z.boolean().optional(),
  /** Of `concurrency`: jobs that may be active at a time. */
  limit: z.number().optional(),
  /** Of `singleton`: the job that must end first. */
  jobId: z.string().optional(),
});
export type JobHold = z.output<typeof JobHold>;

/** The reasons that hold a job back, the most general first, and the key by which jobs are deduplicated with it. */
export const JobHolds = z.object({
  holds: z.array(JobHold),
  /** Present where further jobs with this key are not added: the job that they are deduplicated with, and how long. */
  deduplication: z
    .object({ key: z.string(), jobId: z.string(), until: z.number().nullable() })
    .optional(),
});
export type JobHolds = z.output<typeof JobHolds>;
