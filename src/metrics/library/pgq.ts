/** The history that pg-boss keeps itself: snapshots of its monitor with counts and, from 12.38, durations. */

import {
  catalogSchemaOf,
  checkOptions,
  refuseArguments,
  sqlState,
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
} from '../../board/core/index.ts';
import { latencyPoints } from '../model/histogram.ts';
import { combined } from '../model/series.ts';
import { dayMs, hourMs } from '../model/time.ts';
import { chosenBy, pgqMetricsTable, type PgqMetricsOptions } from '../sources/pgq.ts';

/** The capabilities of {@link pgqLibraryHistoryProvider}. */
export type PgqLibraryHistoryProvider = Required<
  Pick<HistoryProvider, 'source' | 'getHistory' | 'getHistoryByQueue' | 'getLatency'>
>;

/** Milliseconds that a statement may take. */
const statementMs = 5_000;

/** The longest range in days: pg-boss keeps snapshots for days or weeks. */
const mostDays = 91;

const counters = {
  completed: 'sum(completed_delta)',
  failed: 'sum(failed_delta)',
  queueage: 'max(ready_oldest_seconds) * 1000',
} as const;

/** The columns that a series needs, which earlier versions lack. */
const undefinedColumn = '42703';
const undefinedTable = '42P01';

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
      if ([undefinedColumn, undefinedTable].includes(sqlState(error) ?? '')) return [];
      throw isUnavailable(error) ? new HistoryUnavailableError(error) : error;
    }
  };

  /** The names that a read covers. */
  const namesOf = async ({ queue, queues: given }: HistoryQueues): Promise<string[]> => {
    const wanted = queue === undefined ? given : [queue];
    if (wanted) return wanted.filter((name) => isStorableText(name) && isChosen(name));
    const rows = await query(`select name from "${catalogSchema}".queue`, []);
    return rows.map(({ name }) => String(name)).filter(isChosen);
  };

  const seriesOf = async (given: HistoryQuery): Promise<readonly Row[]> => {
    const range = clamped(given);
    if (!range) return [];
    const { granularity, metric } = given;
    return query(
      `select name, extract(epoch from date_trunc('${granularity}', at, 'UTC'))::float8 * 1000 as ts,
          ${counters[metric]}::float8 as value
        from ${snapshots}
        group by 1, 2 having ${counters[metric]} is not null order by 2`,
      [await namesOf(given), range.from, range.to],
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
    async getLatency(given) {
      const range = clamped({
        ...given,
        granularity: given.granularity === 'range' ? 'hour' : given.granularity,
      });
      if (!range) return [];
      const bins = given.metric === 'runtime' ? 'run_bins' : 'wait_bins';
      const ts =
        given.granularity === 'range'
          ? '$4::float8'
          : `extract(epoch from date_trunc('${given.granularity}', at, 'UTC'))::float8 * 1000`;
      const rows = await query(
        `select ts, json_agg(n order by slot) as bins from (
          select ${ts} as ts, slot, sum(coalesce(n, 0))::float8 as n
          from ${snapshots} cross join lateral unnest(${bins}) with ordinality as each(n, slot)
          where $4::float8 is not null
          group by 1, 2) as slots
        group by ts order by ts`,
        [await namesOf(given), range.from, range.to, given.from],
      );
      return rows.flatMap(({ ts: at, bins: counts }) => {
        const slots = counts as number[];
        const within = withinSlots(slots.length);
        return latencyPoints([[Number(at), slots]], given.percentiles, within);
      });
    },
  };
}

type Row = Readonly<Record<string, unknown>>;

const pointOf = ({ ts, value }: Row): HistoryPoint => ({ ts: Number(ts), value: Number(value) });

/** Whole hours or days of the range; `to` is exclusive. */
function clamped({
  from,
  to,
  granularity,
}: Pick<HistoryQuery, 'from' | 'to' | 'granularity'>): { from: number; to: number } | undefined {
  const width = granularity === 'day' ? dayMs : hourMs;
  const end = Math.min(to, Date.now() + dayMs);
  const start = Math.max(from, end - mostDays * dayMs, 0);
  if (!(end >= start)) return undefined;
  return {
    from: Math.floor(start / width) * width,
    to: (Math.floor(end / width) + 1) * width,
  };
}

/** As pg-boss reads a percentile: within the slot of the job, whose bounds grow by the root of two. */
const withinSlots =
  (slots: number) =>
  (slot: number, share: number): number =>
    slot === 0
      ? firstSlotMs
      : firstSlotMs * Math.SQRT2 ** (slot - 1 + (slot === slots - 1 ? 0 : share));
