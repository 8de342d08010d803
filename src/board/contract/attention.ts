/** Facts beyond the thresholds of the host, and failures grouped by their error. Times in milliseconds. */

import * as z from 'zod';

import { epochParam } from './json.ts';

/**
 * `failureShare`: the share of failed jobs in ten minutes, from 0 to 1. `oldestJob`: milliseconds that a job waits.
 * `backlogWithoutWorkers`: waiting jobs of a queue without workers. `recorderSilent`: milliseconds since the last write
 * of the recorder, of no queue.
 */
export const AttentionKind = z.enum([
  'failureShare',
  'oldestJob',
  'backlogWithoutWorkers',
  'recorderSilent',
]);

/** Something beyond its threshold. */
export const AttentionItem = z.object({
  kind: AttentionKind,
  queue: z.string().optional(),
  since: z.number(),
  value: z.number(),
  threshold: z.number(),
});
export type AttentionItem = z.output<typeof AttentionItem>;

/** The longest first. */
export const ListAttentionResponse = z.object({ items: z.array(AttentionItem) });

/** Failed attempts of one error: a name for its kind, an example, when it was met, and how often per hour. */
export const ErrorGroup = z.object({
  error: z.string(),
  example: z.string(),
  queues: z.array(z.string()),
  count: z.number(),
  firstAt: z.number(),
  lastAt: z.number(),
  hours: z.array(z.object({ ts: z.number(), value: z.number() })),
});
export type ErrorGroup = z.output<typeof ErrorGroup>;

/** `from` to `to`, both inclusive; default the last day. */
export const MetricsErrorsQuery = z.object({
  from: epochParam('INVALID_DATE_RANGE').optional(),
  to: epochParam('INVALID_DATE_RANGE').optional(),
  queue: z.string().optional(),
});

/** The most frequent first. */
export const MetricsErrorsResponse = z.object({ errors: z.array(ErrorGroup) });

/** A failed attempt of a job; `ms` is how long it ran, null where it is not known. */
export const FailedAttempt = z.object({
  job: z.string(),
  attempt: z.number(),
  at: z.number(),
  ms: z.number().nullable(),
  reason: z.string(),
});
export type FailedAttempt = z.output<typeof FailedAttempt>;

export const MetricsAttemptsQuery = z.object({ queue: z.string(), job: z.string() });

/** The oldest first. */
export const MetricsAttemptsResponse = z.object({ attempts: z.array(FailedAttempt) });
