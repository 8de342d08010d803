/** The bodies of errors. */

import * as z from 'zod';

import { anyObject } from './json.ts';

/** A translation key with what its text needs. */
export const TranslatableMessage = z.object({
  key: z.string(),
  options: anyObject.optional(),
});
export type TranslatableMessage = z.output<typeof TranslatableMessage>;

/** The body of every failure. */
export const ErrorResponseBody = z.object({
  error: z.object({ key: z.string(), options: anyObject.optional() }),
  message: z.union([z.string(), TranslatableMessage]).optional(),
  code: z.string().optional(),
  details: z.string().optional(),
});
export type ErrorResponseBody = z.output<typeof ErrorResponseBody>;

/** The refusal to remove the job a scheduler is waiting on: its schedule could not fire again. */
export const JobBelongsToJobSchedulerResponse = z.object({
  error: TranslatableMessage,
  message: TranslatableMessage,
  code: z.literal('JOB_BELONGS_TO_JOB_SCHEDULER'),
  jobSchedulerId: z.string(),
});
export type JobBelongsToJobSchedulerResponse = z.output<typeof JobBelongsToJobSchedulerResponse>;

/** The answer of commands that have nothing to say. */
export const EmptyResponse = z.object({});
export type EmptyResponse = z.output<typeof EmptyResponse>;
