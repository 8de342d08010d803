/** Bodies of error responses. */

import * as z from 'zod';

import { anyObject } from './json.ts';

/** A translation key with its parameters. */
export const TranslatableMessage = z.object({
  key: z.string(),
  options: anyObject.optional(),
});
export type TranslatableMessage = z.output<typeof TranslatableMessage>;

/** The body of every error response. */
export const ErrorResponseBody = z.object({
  error: z.object({ key: z.string(), options: anyObject.optional() }),
  message: z.union([z.string(), TranslatableMessage]).optional(),
  code: z.string().optional(),
  details: z.string().optional(),
});

/** The refusal to remove the job that a scheduler waits for, because its schedule could not fire again. */
export const JobBelongsToJobSchedulerResponse = z.object({
  error: TranslatableMessage,
  message: TranslatableMessage,
  code: z.literal('JOB_BELONGS_TO_JOB_SCHEDULER'),
  jobSchedulerId: z.string(),
});

/** The response of commands without a result. */
export const EmptyResponse = z.object({});
