/** The history that pg-boss keeps itself: snapshots of its monitor with counts and, from 12.38, durations. */

import {
  catalogSchemaOf,
  checkOptions,
  postgresqlErrorClass,
  refuseArguments,
  withTimeout,
} from '../../lib/index.ts';
import { isStorableText } from '../../schema/index.ts';
import { isUnavailable } from '../../board/kvq/index.ts';
import { HistoryUnavailableError } from '../../board/core/index.ts';
import type {
  HistoryPoint,
  HistoryProvider,
  HistoryQuery,
  HistoryQueues,
  HistoryRange,
} from '../../board/core/index.ts';
import { latencyPoints } from '../model/histogram.ts';
import { bucketRange, combined, widthOf } from '../model/series.ts';
import { chosenBy, pgqMetricsTable } from '../sources/pgq.ts';
import type { PgqMetricsOptions } from '../sources/pgq.ts';

/** The capabilities of {@link pgqLibraryHistoryProvider}. */
export type PgqLibraryHistoryProvider = Required<
  Pick<HistoryProvider, 'source' | 'getHistory' | 'getHistoryByQueue' | 'getLatency'>
>;

/** Milliseconds that a statement may take. */
const statementMs = 5_000;

/** The days before the end of a range: pg-boss keeps snapshots for days or weeks. */
const mostDays = 90;

const counters = {
  completed: 'sum(completed_delta)',
  failed: 'sum(failed_delta)',
  queueage: 'max(ready_oldest_seconds) * 1000',
} as const;

/** Milliseconds of the lower bound of slot 1: each slot is longer than the one before by the root of two. */
const firstSlotMs = 10;

/**
 * Serves what pg-boss 12.35 and later count by themselves, without a recorder, where it runs with `persistQueueStats`:
 * finished jobs, and from 12.38 the age of queues and durations. Series that the version does not have are empty.
 *
 * @throws {TypeError} when an option is unknown or has a wrong type
 */
export function pgqLibraryHistoryProvider(
  options: PgqMetricsOptions,
  ...more: readonly unknown[]
): PgqLibraryHistoryProvider {
  refuseArguments('pgqLibraryHistoryProvider', 1, more);
  checkOptions('pgqLibraryHistoryProvider', options, pgqMetricsTable);
  const { pool, schema = 'pgboss', queues } = options;
  const catalogSchema = catalogSchemaOf(schema);
  const snapshots = `(
          select * from (
            select *, coalesce(delta_on, captured_on) - interval '1 millisecond' as at
            from "${catalogSchema}".queue_stats
            where name = any($1) and captured_on >= to_timestamp($2::float8 / 1000)
              and captured_on < to_timestamp($3::float8 / 1000) + interval '1 hour'
          ) as read where at >= to_timestamp($2::float8 / 1000) and at < to_timestamp($3::float8 / 1000)
        ) as stats`;
  const isChosen = chosenBy(queues);

  const query = async (text: string, values: unknown[]): Promise<readonly Row[]> => {
    try {
      return (await withTimeout(pool.query(text, values), statementMs)).rows as readonly Row[];
    } catch (error) {
      // Earlier versions lack the table or the columns of a series.
      if (postgresqlErrorClass(error) === 'misfit') return [];
      throw isUnavailable(error) ? new HistoryUnavailableError(error, undefined, 'sql') : error;
    }
  };

  /** The names that a read covers. */
  const namesOf = async ({ queue, queues: given }: HistoryQueues): Promise<string[]> => {
    const wanted = queue === undefined ? given : [queue];
    if (wanted) return wanted.filter((name) => isStorableText(name) && isChosen(name));
    const rows = await query(`select name from "${catalogSchema}".queue`, []);
    return rows.map(({ name }) => String(name)).filter(isChosen);
  };

  /** Rows of the snapshots in whole hours or days of the range; none where there are no such hours or days. */
  const read = async (
    given: HistoryRange,
    granularity: 'hour' | 'day',
    text: string,
  ): Promise<readonly Row[]> => {
    const range = bucketRange(given, granularity, mostDays);
    if (!range) return [];
    const width = widthOf(granularity);
    return query(text, [await namesOf(given), range.from * width, (range.to + 1) * width]);
  };

  const seriesOf = (given: HistoryQuery): Promise<readonly Row[]> => {
    const value = counters[given.metric];
    return read(
      given,
      given.granularity,
      `select name, ${startOf(given.granularity)} as ts, ${value}::float8 as value
        from ${snapshots} group by 1, 2 having ${value} is not null order by 2`,
    );
  };

  return {
    source: 'library',
    async getHistory(given) {
      const points = (await seriesOf(given)).map(pointOf);
      const series = points.map(({ ts, value }) => [ts, value] as const);
      const values = combined([series], given.metric === 'queueage');
      return Array.from(values, ([ts, value]) => ({ ts, value }));
    },
    async getHistoryByQueue(given) {
      const rows = await seriesOf(given);
      const found = Map.groupBy(rows, ({ name }) => String(name));
      return new Map(given.queues.map((name) => [name, (found.get(name) ?? []).map(pointOf)]));
    },
    async getLatency({ metric, granularity, percentiles, ...given }) {
      const isWhole = granularity === 'range';
      const rows = await read(
        given,
        isWhole ? 'hour' : granularity,
        `select ts, json_agg(n order by slot) as bins from (
          select ${isWhole ? '0::float8' : startOf(granularity)} as ts, slot, sum(coalesce(n, 0))::float8 as n
          from ${snapshots} cross join lateral unnest(${metric === 'runtime' ? 'run_bins' : 'wait_bins'})
            with ordinality as each(n, slot)
          group by 1, 2) as slots
        group by ts order by ts`,
      );
      return rows.flatMap(({ ts, bins }) => {
        const slots = bins as number[];
        const at = isWhole ? given.from : Number(ts);
        return latencyPoints([[at, slots]], percentiles, withinSlots(slots.length));
      });
    },
  };
}

/** The start of the hour or day of a snapshot. */
const startOf = (granularity: 'hour' | 'day'): string =>
  `extract(epoch from date_trunc('${granularity}', at, 'UTC'))::float8 * 1000`;

type Row = Readonly<Record<string, unknown>>;

const pointOf = ({ ts, value }: Row): HistoryPoint => ({ ts: Number(ts), value: Number(value) });

/** As pg-boss reads a percentile: within the slot of the job, whose bounds grow by the root of two. */
const withinSlots =
  (slots: number) =>
  (slot: number, share: number): number =>
    slot === 0
      ? firstSlotMs
      : firstSlotMs * Math.SQRT2 ** (slot - 1 + (slot === slots - 1 ? 0 : share));
