/** The jobs of a queue over time, counted among those that are stored, and the deployments beside them. */

import * as z from 'zod';

import { epochParam, failsAs, lastMoment } from '../json.ts';
import { reading, type RouteTable } from './route.ts';

const unitMs = { minute: 60_000, hour: 3_600_000 } as const;

/** The most minutes or hours of an answer. */
const mostBuckets = 200;

/** The most stored jobs that a request reads to count by when they were added. */
export const mostCounted = 10_000;

/** The most jobs of a database that are counted by when they finished, of each state. */
export const mostFinished = 100_000;

const Query = z
  .object({
    queueName: z.string(),
    from: epochParam('INVALID_DATE_RANGE'),
    to: epochParam('INVALID_DATE_RANGE'),
    unit: z.enum(['minute', 'hour'], failsAs('INVALID_GRANULARITY')).default('minute'),
  })
  .refine(
    ({ from, to, unit }) =>
      from >= 0 && to >= from && to <= lastMoment && (to - from) / unitMs[unit] <= mostBuckets - 1,
    failsAs('INVALID_DATE_RANGE'),
  );

const counts = z.array(z.number());

/**
 * Counts by minute or hour (`bucketMs`), the first of which begins at `from`. `examined` stored jobs were read for
 * `added`; `partial` names the series for which more are stored than were read: they count those jobs alone.
 */
export const QueueTimeline = z.object({
  from: z.number(),
  bucketMs: z.number(),
  added: counts,
  completed: counts,
  failed: counts,
  examined: z.number(),
  partial: z.array(z.enum(['added', 'completed', 'failed'])),
});
export type QueueTimeline = z.output<typeof QueueTimeline>;

/** The most deployments of an answer: the last ones. */
export const mostDeployments = 100;

/** `from` to `to`, both inclusive. */
export const DeploymentsQuery = z
  .object({ from: epochParam('INVALID_DATE_RANGE'), to: epochParam('INVALID_DATE_RANGE') })
  .refine(({ from, to }) => to >= from, failsAs('INVALID_DATE_RANGE'));

/** The earliest first. */
export const ListDeploymentsResponse = z.object({
  deployments: z.array(z.object({ at: z.number(), release: z.string().min(1).max(200) })),
});

/** The whole minutes or hours from `from` to `to`. */
export interface TimelineBuckets {
  readonly from: number;
  readonly bucketMs: number;
  readonly count: number;
}

/** The buckets that a request asks for. */
export function bucketsOf({ from, to, unit }: z.output<typeof Query>): TimelineBuckets {
  const bucketMs = unitMs[unit];
  const first = Math.floor(from / bucketMs);
  return { from: first * bucketMs, bucketMs, count: Math.floor(to / bucketMs) - first + 1 };
}

/** Counts by bucket; moments outside of them count nowhere. */
export function tallyOf({ from, bucketMs, count }: TimelineBuckets) {
  const counted = Array.from({ length: count }, () => 0);
  return {
    counted,
    add(moment: number, jobs = 1): void {
      const at = Math.floor((moment - from) / bucketMs);
      if (at >= 0 && at < count) counted[at] = (counted[at] ?? 0) + jobs;
    },
  };
}

export const timelineRoutes = {
  getTimeline: {
    ...reading('shared', 'job.read', 'jobs'),
    path: '/api/timeline',
    summary: 'Jobs of a queue added, completed and failed per minute or hour, among those stored',
    query: Query,
    strict: true,
    response: QueueTimeline,
    errors: ['INVALID_DATE_RANGE', 'INVALID_GRANULARITY', 'QUEUE_NOT_FOUND'],
  },
} as const satisfies RouteTable;
