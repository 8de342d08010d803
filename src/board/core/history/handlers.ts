/** The handlers of the metrics-history routes, for every engine. */

import type { metricsRoutes } from '../../contract/index.ts';
import { TimeoutError, withTimeout } from '../../../lib/index.ts';
import { BoardError, datastoreUnavailable, routeNotFound } from '../board-error.ts';
import type { Handler } from '../engine.ts';
import type { HookRequest } from '../request/request.ts';
import type { Attention } from './attention.ts';
import { globalQueue, HistoryUnavailableError } from './provider.ts';
import type {
  HistoryMetric,
  HistoryPoint,
  HistoryProvider,
  HistoryPurgeResult,
  HistoryQuery,
  HistoryUsage,
} from './provider.ts';
import type { HistoryScope } from './scope.ts';
import { usageOf } from './usage.ts';

type Handlers = {
  readonly [
    Operation in Exclude<keyof typeof metricsRoutes, 'listAttention' | 'listDeployments'>
  ]: Handler<(typeof metricsRoutes)[Operation]>;
};

/** Milliseconds that a provider has for a request. */
const providerMs = 10_000;

/** The range of errors without `from`. */
const dayMs = 86_400_000;

/** Hours or days of all series of a response together, which is a few megabytes then. */
const mostPoints = 250_000;
const hourMs = 3_600_000;

/** Queues asked at a time, of a provider that reads one at a time. */
const queuesAtATime = 8;

/** Metrics of a request that names none. */
const counters: readonly HistoryMetric[] = ['completed', 'failed'];

/** The handlers over a provider; `scopeOf` asks the engine for the queues that a sender may see. */
export function historyHandlers(
  provider: HistoryProvider,
  scopeOf: (request: HookRequest) => Promise<HistoryScope>,
): Handlers {
  return {
    async getMetricsHistory({ query, request }) {
      const scope = await scopeOf(request);
      const { metric, groupBy, queue, ...range } = query;
      const metrics = metric ? [metric] : counters;
      const source = provider.source && { source: provider.source };
      if (groupBy === 'queue') {
        const names = queue === undefined ? await scope.names() : await allowed(scope, queue);
        requireFew(names.length * metrics.length, range);
        const series = await answered(
          Promise.all(metrics.map((each) => byQueue(provider, { ...range, metric: each }, names))),
        );
        const queues = names.map((name) => ({
          queue: name,
          ...named(metrics, (index) => series[index]?.get(name) ?? []),
        }));
        const points = series.reduce((sum, each) => sum + pointsIn(each), 0);
        if (points > mostPoints) throw new BoardError('INVALID_DATE_RANGE');
        return { queues, ...source };
      }
      const covered = await coveredBy(scope, queue);
      const series = await answered(
        Promise.all(
          metrics.map((each) =>
            covered
              ? provider.getHistory({ ...range, ...covered, metric: each })
              : Promise.resolve([]),
          ),
        ),
      );
      return { ...named(metrics, (index) => series[index] ?? []), ...source };
    },
    async getMetricsLatency({ query, request }) {
      const { from = 0, to = Date.now(), queue, ...rest } = query;
      const covered = await coveredBy(await scopeOf(request), queue);
      if (!covered || !provider.getLatency) return [];
      return [...(await answered(provider.getLatency({ ...rest, ...covered, from, to })))].map(
        ({ values, ...point }) => ({ ...point, values: { ...values } }),
      );
    },
    async listMetricsErrors({ query, request }) {
      const { to = Date.now(), from = to - dayMs, queue } = query;
      const covered = await coveredBy(await scopeOf(request), queue);
      if (!covered || !provider.getErrors || to < from) return { errors: [] };
      const errors = await answered(provider.getErrors({ ...covered, from, to }));
      return {
        errors: errors.map((group) => ({
          ...group,
          queues: [...group.queues],
          hours: [...group.hours],
        })),
      };
    },
    async listMetricsAttempts({ query: { queue, job }, request }) {
      const scope = await scopeOf(request);
      if (!provider.getAttempts || !(await scope.allows(queue))) return { attempts: [] };
      return { attempts: [...(await answered(provider.getAttempts(queue, job)))] };
    },
    async getMetricsHistoryUsage({ request }) {
      const scope = await scopeOf(request);
      if (!provider.getUsage) throw routeNotFound();
      const usage = await answered(provider.getUsage());
      return writable(scope.all ? usage : within(usage, new Set(await scope.names())));
    },
    async purgeMetricsHistory({ body, request }) {
      const scope = await scopeOf(request);
      const { queue, before } = body;
      if (scope.readOnly) throw new BoardError('QUEUE_READ_ONLY');
      const purge = async (name?: string): Promise<HistoryPurgeResult> =>
        (await provider.purge?.({
          ...(name !== undefined && { queue: name }),
          ...(before !== undefined && { before }),
        })) ?? nothing;
      if (queue !== undefined) {
        if (!(await scope.allows(queue))) return nothing;
        if (scope.isReadOnly(queue)) throw new BoardError('QUEUE_READ_ONLY');
        return answered(purge(queue));
      }
      const names = await scope.names();
      if (scope.all && !names.some((name) => scope.isReadOnly(name))) return answered(purge());
      // Hidden and read-only queues keep their history.
      let [keysDeleted, fieldsDeleted] = [0, 0];
      for (const name of names.filter((each) => !scope.isReadOnly(each))) {
        const result = await answered(purge(name));
        keysDeleted += result.keysDeleted;
        fieldsDeleted += result.fieldsDeleted;
      }
      return { keysDeleted, fieldsDeleted };
    },
  };
}

const nothing: HistoryPurgeResult = { keysDeleted: 0, fieldsDeleted: 0 };

/** The queues of a read; undefined where the sender may see none of them. */
async function coveredBy(
  scope: HistoryScope,
  queue: string | undefined,
): Promise<Pick<HistoryQuery, 'queue' | 'queues'> | undefined> {
  if (queue !== undefined) return (await scope.allows(queue)) ? { queue } : undefined;
  if (scope.all) return {};
  const queues = await scope.names();
  return queues.length > 0 ? { queues } : undefined;
}

async function allowed(scope: HistoryScope, queue: string): Promise<readonly string[]> {
  return (await scope.allows(queue)) ? [queue] : [];
}

/**
 * Refuses more points than a response has; a longer range has them by day.
 *
 * @throws {BoardError} `INVALID_DATE_RANGE`
 */
function requireFew(
  series: number,
  { from, to, granularity }: Pick<HistoryQuery, 'from' | 'to' | 'granularity'>,
): void {
  if (granularity === 'day') return;
  if (series * ((to - from) / hourMs + 1) > mostPoints) throw new BoardError('INVALID_DATE_RANGE');
}

/** Days are counted once they are read: how many are kept is known to the provider alone. */
const pointsIn = (series: ReadonlyMap<string, readonly HistoryPoint[]>): number =>
  [...series.values()].reduce((sum, { length }) => sum + length, 0);

/** An object with the points of each metric. */
function named(
  metrics: readonly HistoryMetric[],
  pointsOf: (index: number) => readonly HistoryPoint[],
): Partial<Record<HistoryMetric, HistoryPoint[]>> {
  return Object.fromEntries(metrics.map((metric, index) => [metric, [...pointsOf(index)]]));
}

async function byQueue(
  provider: HistoryProvider,
  query: HistoryQuery,
  queues: readonly string[],
): Promise<ReadonlyMap<string, readonly HistoryPoint[]>> {
  if (provider.getHistoryByQueue) return provider.getHistoryByQueue({ ...query, queues });
  const found = new Map<string, readonly HistoryPoint[]>();
  for (let start = 0; start < queues.length; start += queuesAtATime) {
    const some = queues.slice(start, start + queuesAtATime);
    const series = await Promise.all(some.map((queue) => provider.getHistory({ ...query, queue })));
    for (const [index, queue] of some.entries()) found.set(queue, series[index] ?? []);
  }
  return found;
}

/** The part of the usage that belongs to some queues, summed again. */
const within = ({ queues }: HistoryUsage, names: ReadonlySet<string>): HistoryUsage =>
  usageOf(queues.filter(({ queue }) => queue !== globalQueue && names.has(queue)));

/** A copy without read-only lists, as the schema of the response has it. */
function writable(usage: HistoryUsage) {
  return {
    ...usage,
    queues: usage.queues.map((queue) => ({ ...queue, days: [...queue.days] })),
  };
}

/** The handler of what needs attention; items of queues that the sender may not see are left out. */
export function attentionHandlers(
  attention: Attention,
  scopeOf: (request: HookRequest) => Promise<HistoryScope>,
): { readonly listAttention: Handler<(typeof metricsRoutes)['listAttention']> } {
  return {
    async listAttention({ request }) {
      const scope = await scopeOf(request);
      const items = await answered(attention.check());
      const shown = await Promise.all(
        items.map(async ({ queue }) => queue === undefined || scope.allows(queue)),
      );
      return { items: items.filter((_item, index) => shown[index]) };
    },
  };
}

/** The answer of the provider in time; a store that does not answer is an unavailable datastore. */
export async function answered<Answer>(work: Promise<Answer>): Promise<Answer> {
  try {
    return await withTimeout(work, providerMs);
  } catch (error) {
    if (error instanceof HistoryUnavailableError)
      throw datastoreUnavailable(error, error.datastore);
    throw error instanceof TimeoutError ? datastoreUnavailable(error) : error;
  }
}
