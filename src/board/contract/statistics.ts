/** Statistics of the datastore and the metrics history. Times in milliseconds, sizes in bytes. */

import * as z from 'zod';

import { Datastore } from './enums.ts';

/** `uptime` in seconds; `memory` and `mode` are absent where the datastore is PostgreSQL. */
export const KvStats = z.object({
  backend: Datastore.optional(),
  version: z.string(),
  mode: z.enum(['standalone', 'sentinel', 'cluster']).optional(),
  port: z.number(),
  os: z.string().optional(),
  uptime: z.number(),
  memory: z
    .object({
      total: z.number().optional(),
      used: z.number().optional(),
      fragmentationRatio: z.number().optional(),
      peak: z.number().optional(),
    })
    .optional(),
  clients: z.object({ connected: z.number(), blocked: z.number() }),
});
export type KvStats = z.output<typeof KvStats>;

export const MetricsHistoryPoint = z.object({ ts: z.number(), value: z.number() });

/** `values` gives milliseconds by percentile. */
export const MetricsLatencyPoint = z.object({
  ts: z.number(),
  count: z.number(),
  values: z.record(z.string(), z.number()),
});

export const MetricsHistoryPurgeResult = z.object({
  keysDeleted: z.number(),
  fieldsDeleted: z.number(),
});

export const MetricsHistoryTierUsage = z.object({ keys: z.number(), bytes: z.number() });

const Tiers = z.object({
  minute: MetricsHistoryTierUsage,
  hour: MetricsHistoryTierUsage,
  day: MetricsHistoryTierUsage,
});

/** The storage used by the history of a queue; `days` are UTC days (`YYYY-MM-DD`). */
export const MetricsHistoryQueueUsage = z.object({
  queue: z.string(),
  keys: z.number(),
  bytes: z.number(),
  minutes: z.number(),
  days: z.array(z.string()),
  tiers: Tiers,
});

export const MetricsHistoryUsage = z.object({
  keys: z.number(),
  bytes: z.number(),
  minutes: z.number(),
  oldestDay: z.string().nullable(),
  newestDay: z.string().nullable(),
  tiers: Tiers,
  queues: z.array(MetricsHistoryQueueUsage),
});
