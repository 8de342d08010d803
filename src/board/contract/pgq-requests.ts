/** Query strings and bodies of the `pgq` routes. */

import * as z from 'zod';

import { PgqJobState } from './enums.ts';
import { maxBulkIds } from './error-keys.ts';
import { failsAs, integerParam, storableText, storableValue } from './json.ts';

/** The maximum of PostgreSQL's `integer`. */
const maxInteger = 2_147_483_647;

export const PgqQueueDepthQuery = z.object({
  range: z.enum(['1h', '6h', '24h', '7d']).default('24h'),
  aggregate: z.enum(['max', 'avg']).default('max'),
});

/** In addition, `filter[...]` of the list grammar is read from the raw query string. */
export const ListPgqJobsQuery = z.object({
  state: PgqJobState.optional(),
  cursor: storableText.optional(),
  limit: integerParam(1, 100, 20),
  order: z.enum(['desc', 'asc']).default('desc'),
  id: z.guid().optional(),
  singletonKey: storableText.optional(),
});

export const ListPgqWarningsQuery = z.object({
  type: storableText.min(1).max(64).optional(),
  cursor: storableText.optional(),
  limit: integerParam(1, 100, 25),
});

export const ListPgqSchedulesQuery = z.object({ queueName: storableText.optional() });

/** Options of a new job; others are dropped. Durations in seconds, `startAfter` also as an ISO 8601 time. */
export const SendPgqJobOptions = z.object({
  priority: z.int().min(-maxInteger).max(maxInteger).optional(),
  startAfter: z
    .union([
      z.iso.datetime({ offset: true }),
      z.iso.date(),
      z.number().min(-maxInteger).max(maxInteger),
    ])
    .optional(),
  singletonKey: storableText.optional(),
  retryLimit: z.int().min(0).max(maxInteger).optional(),
  retryDelay: z.int().min(0).max(maxInteger).optional(),
  retryBackoff: z.boolean().optional(),
  expireInSeconds: z.int().min(1).max(maxInteger).optional(),
});
export type SendPgqJobOptions = z.output<typeof SendPgqJobOptions>;

export const SendPgqJobBody = z.object({
  data: storableValue.optional(),
  options: SendPgqJobOptions.optional(),
});
export type SendPgqJobBody = z.output<typeof SendPgqJobBody>;

/** 1 to 100 ids. */
export const PgqJobIdsBody = z.object({
  ids: z
    .array(z.guid(), {
      error: (issue) =>
        issue.code === 'invalid_type' ? failsAs('PGQ_BULK_LIMIT').error : undefined,
    })
    .min(1, failsAs('PGQ_BULK_LIMIT'))
    .max(maxBulkIds, failsAs('PGQ_BULK_LIMIT')),
});
export type PgqJobIdsBody = z.output<typeof PgqJobIdsBody>;

/** A cron or RRULE expression. */
const expression = storableText.refine(
  (text) => text.trim() !== '',
  failsAs('PGQ_INVALID_SCHEDULE'),
);

export const PreviewPgqScheduleBody = z.object({
  expression,
  tz: storableText.optional(),
  count: z.int().min(1).max(20).default(5),
});
export type PreviewPgqScheduleBody = z.output<typeof PreviewPgqScheduleBody>;

/** `missed`: handling of occurrences missed while no instance was running: none, or one job for the latest. */
export const UpsertPgqScheduleBody = z.object({
  key: storableText.default(''),
  cron: expression,
  tz: storableText.default('UTC'),
  data: storableValue.optional(),
  options: SendPgqJobOptions.optional(),
  missed: z.enum(['skip', 'once'], failsAs('PGQ_INVALID_SCHEDULE')).optional(),
});
export type UpsertPgqScheduleBody = z.output<typeof UpsertPgqScheduleBody>;

export const RemovePgqScheduleBody = z.object({ key: storableText.default('') });
export type RemovePgqScheduleBody = z.output<typeof RemovePgqScheduleBody>;
