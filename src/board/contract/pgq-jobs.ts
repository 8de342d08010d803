/** Jobs of the `pgq` engine. Times are ISO 8601 strings in UTC. */

import * as z from 'zod';

import { PgqJobState } from './enums.ts';
import { TranslatableMessage } from './errors.ts';
import { anyValue, columnsMember } from './json.ts';

/** The job whose failure created this job in a dead-letter queue. */
export const PgqDeadLetterSource = z.object({
  queueName: z.string(),
  id: z.string(),
  createdOn: z.string().nullable(),
  retryCount: z.number().nullable(),
});

export const PgqJobSummary = z.object({
  id: z.string(),
  queueName: z.string(),
  state: PgqJobState,
  priority: z.number(),
  retryCount: z.number(),
  retryLimit: z.number(),
  createdOn: z.string(),
  startAfter: z.string(),
  startedOn: z.string().nullable(),
  completedOn: z.string().nullable(),
  singletonKey: z.string().nullable(),
  groupId: z.string().nullable(),
  deferred: z.boolean(),
  blocked: z.boolean(),
  deadLetterSource: PgqDeadLetterSource.nullable(),
  /**
   * With `brief`: the first 200 characters of the data as JSON text, and of the message of a failure. A part is absent
   * where it is large, or a formatter replaces it.
   */
  brief: z.object({ data: z.string().optional(), reason: z.string().optional() }).optional(),
  ...columnsMember,
});
export type PgqJobSummary = z.output<typeof PgqJobSummary>;

/** A job with all of its fields; delays and timeouts in seconds. */
export const PgqJob = PgqJobSummary.omit({ brief: true, columns: true }).extend({
  data: anyValue,
  output: anyValue,
  policy: z.string().nullable(),
  retryDelay: z.number(),
  retryBackoff: z.boolean(),
  retryDelayMax: z.number().nullable(),
  expireInSeconds: z.number(),
  deleteAfterSeconds: z.number(),
  keepUntil: z.string(),
  singletonOn: z.string().nullable(),
  groupTier: z.string().nullable(),
  heartbeatSeconds: z.number().nullable(),
  heartbeatOn: z.string().nullable(),
  deadLetter: z.string().nullable(),
  blocking: z.boolean(),
  pendingDependencies: z.number(),
  traceUrl: z.string().optional(),
  /** JSON texts as stored, with all digits; a part that a formatter replaces is absent. */
  raw: z.object({ data: z.string().optional(), output: z.string().optional() }).optional(),
  problem: TranslatableMessage.optional(),
});
export type PgqJob = z.output<typeof PgqJob>;

export const PgqDependencyRef = z.object({ queueName: z.string(), id: z.string() });
export type PgqDependencyRef = z.output<typeof PgqDependencyRef>;
