/**
 * The exporter of a board for monitoring systems: jobs by state, pauses, workers, ages, whether the store is up, and what a
 * recorder has counted since midnight (UTC).
 */

import * as z from 'zod';

import type { HandlerContext } from '../engine.ts';
import type { AnyHandler } from '../dispatch.ts';
import type { ListQueues } from '../live/listing.ts';
import type { HookRequest } from '../request/request.ts';
import { RawBody } from '../request/respond.ts';
import { contentTypes, expose, formatFor } from './exposition.ts';
import type { MetricFamily, MetricSample } from './exposition.ts';
import type { TodayCounts, LatencyMetric } from '../history/provider.ts';
import { withTimeout } from '../../../lib/index.ts';

/** Options of `GET /metrics`. */
export interface ExporterOptions {
  /** Whether jobs are told under BullMQ's own name as well, `bullmq_job_count`. Default false. */
  readonly bullmqNames?: boolean;
  /**
   * Further families, such as counters and histograms of a recorder, for the sender of a request. When it fails, they
   * are left out and the failure is logged. Default none.
   */
  readonly collect?: (
    request: HookRequest,
  ) => readonly MetricFamily[] | Promise<readonly MetricFamily[]>;
}

/** The parts of a board that the exporter reads. */
export interface ExporterHost {
  readonly list: ListQueues;
  /** The handler that tells what goes on in all queues. */
  readonly activity: () => Promise<AnyHandler>;
  /** The counts of the queues today by a recorder; absent without one. */
  readonly today?: ((queues: readonly string[]) => Promise<readonly TodayCounts[]>) | undefined;
  readonly onError: (error: unknown) => void;
}

/** Milliseconds that the store of the history has for a scrape. */
const recordedMs = 5_000;

/** The members of a listed queue that are numbers, of either engine. */
const Listed = z.object({
  name: z.string(),
  counts: z.record(z.string(), z.number()),
  isPaused: z.boolean().optional(),
});

const Activity = z.object({
  queues: z.array(
    z.object({
      queueName: z.string(),
      workers: z.number().nullable(),
      oldestWaiting: z.number().nullable(),
      perMinute: z.object({ completed: z.number(), failed: z.number() }).nullable(),
    }),
  ),
});

/** Answers with the families of the queues that the sender may see, read at once for all of them. */
export function exporterHandler(host: ExporterHost, options: ExporterOptions): AnyHandler {
  return async (context) => {
    const { request } = context;
    const [own, more] = await Promise.all([
      ownFamilies(host, context, options.bullmqNames === true),
      collected(host, options, request),
    ]);
    const format = formatFor(request.headers['accept']);
    return new RawBody({ 'content-type': contentTypes[format] }, expose([...own, ...more], format));
  };
}

async function collected(
  { onError }: ExporterHost,
  { collect }: ExporterOptions,
  request: HookRequest,
): Promise<readonly MetricFamily[]> {
  try {
    return (await collect?.(request)) ?? [];
  } catch (error) {
    onError(error);
    return [];
  }
}

const gauge = (name: string, help: string, samples: readonly MetricSample[]): MetricFamily => ({
  name,
  type: 'gauge',
  help,
  samples,
});

/** A datastore that is away is a number too, and not a failure of the request. */
async function ownFamilies(
  host: ExporterHost,
  context: HandlerContext,
  bullmqNames: boolean,
): Promise<MetricFamily[]> {
  const up = (value: number): MetricFamily =>
    gauge('sluice_store_up', 'Whether the queues could be read.', [{ labels: {}, value }]);
  try {
    const [listed, activity] = await Promise.all([
      host.list().then((queues) => queues.shownTo(context.request)),
      host.activity().then((handler) => handler({ ...context, query: { minutes: 0 } as never })),
    ]);
    const queues = z.array(Listed).parse(listed.queues);
    return [
      up(1),
      ...queueFamilies(queues, bullmqNames),
      ...activityFamilies(Activity.parse(activity)),
      ...(await recorded(
        host,
        queues.map(({ name }) => name),
      )),
    ];
  } catch (error) {
    host.onError(error);
    return [up(0)];
  }
}

/** The families of the recorder; none while its store is away, which is logged. */
async function recorded(
  { today, onError }: ExporterHost,
  queues: readonly string[],
): Promise<readonly MetricFamily[]> {
  if (!today) return [];
  try {
    return recordedFamilies(await withTimeout(today(queues), recordedMs));
  } catch (error) {
    onError(error);
    return [];
  }
}

/** States that each job has one of: pg-boss counts a job that waits twice, and all jobs besides. */
function apart(counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  const { total, queued = 0, active = 0, failed = 0 } = counts;
  if (total === undefined) return counts;
  return { queued, active, failed, finished: Math.max(0, total - queued - active - failed) };
}

function queueFamilies(
  queues: readonly z.output<typeof Listed>[],
  bullmqNames: boolean,
): MetricFamily[] {
  const jobs = queues.flatMap(({ name, counts }) =>
    Object.entries(apart(counts)).map(([state, value]) => ({
      labels: { queue: name, state },
      value,
    })),
  );
  const queued = queues.flatMap(({ name, counts: { deferred, ready, blocked } }) =>
    Object.entries({ deferred, ready, blocked }).flatMap(([state, value]) =>
      value === undefined ? [] : [{ labels: { queue: name, state }, value }],
    ),
  );
  const paused = queues.flatMap(({ name, isPaused }) =>
    isPaused === undefined ? [] : [{ labels: { queue: name }, value: Number(isPaused) }],
  );
  return [
    gauge('sluice_queue_jobs', 'Jobs of the queue by state.', jobs),
    ...(queued.length > 0
      ? [gauge('sluice_queue_queued_jobs', 'Queued jobs by the reason why they wait.', queued)]
      : []),
    gauge('sluice_queue_paused', 'Whether the queue is paused.', paused),
    ...(bullmqNames
      ? [gauge('bullmq_job_count', 'Number of jobs in the queue by state', jobs)]
      : []),
  ];
}

function activityFamilies({ queues }: z.output<typeof Activity>): MetricFamily[] {
  const known = (
    value: (queue: (typeof queues)[number]) => number | null | undefined,
    labels: Readonly<Record<string, string>> = {},
  ): MetricSample[] =>
    queues.flatMap((queue) => {
      const number = value(queue) ?? undefined;
      return number === undefined
        ? []
        : [{ labels: { queue: queue.queueName, ...labels }, value: number }];
    });
  return [
    gauge(
      'sluice_queue_workers',
      'Connected workers.',
      known((queue) => queue.workers),
    ),
    gauge(
      'sluice_queue_oldest_waiting_seconds',
      'Seconds that the oldest job has waited since it could run.',
      known(({ oldestWaiting }) => oldestWaiting && oldestWaiting / 1000),
    ),
    gauge(
      'sluice_queue_jobs_per_minute',
      'Jobs that ended in the last full minute; stored jobs, where these are counted, of the last 60 seconds.',
      [
        ...known(({ perMinute }) => perMinute?.completed, { result: 'completed' }),
        ...known(({ perMinute }) => perMinute?.failed, { result: 'failed' }),
      ],
    ),
  ];
}

const millisecondsPerSecond = 1_000;

/** A bound in the form that OpenMetrics recommends, so that each number has one text. */
const boundOf = (seconds: number): string => {
  if (seconds === Infinity) return '+Inf';
  return Number.isInteger(seconds) ? seconds.toFixed(1) : String(seconds);
};

/** Counters and histograms of the queues. */
function recordedFamilies(queues: readonly TodayCounts[]): MetricFamily[] {
  const counter = (result: 'completed' | 'failed'): MetricFamily => ({
    name: `sluice_recorded_${result}`,
    type: 'counter',
    help: `Jobs recorded as ${result} since midnight (UTC).`,
    samples: queues.map((counts) => ({ labels: { queue: counts.queue }, value: counts[result] })),
  });
  const histogram = (metric: LatencyMetric, help: string): MetricFamily => ({
    name: `sluice_recorded_${metric}_seconds`,
    type: 'histogram',
    help,
    samples: queues.flatMap(({ queue, durations }) => {
      const { buckets, sumMs } = durations[metric];
      return [
        ...buckets.map(({ leMs, count }) => ({
          labels: { queue, le: boundOf(leMs / millisecondsPerSecond) },
          value: count,
          suffix: '_bucket',
        })),
        { labels: { queue }, value: buckets.at(-1)?.count ?? 0, suffix: '_count' },
        { labels: { queue }, value: sumMs / millisecondsPerSecond, suffix: '_sum' },
      ];
    }),
  });
  return [
    counter('completed'),
    counter('failed'),
    histogram('runtime', 'How long jobs ran that finished since midnight (UTC).'),
    histogram('waittime', 'How long jobs waited that finished since midnight (UTC).'),
  ];
}
