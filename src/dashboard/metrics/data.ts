/** The series of the charts, as the board has recorded them. */

import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import type { Board } from '../api/boards.ts';
import type { Answer } from '../api/client.ts';
import { serverNow } from '../live/server-time.ts';
import { minutesFor, ranges, recordedUnit, unitMs } from './ranges.ts';
import type { Span, Unit } from './ranges.ts';

/** The points of a chart: times in milliseconds, and a list of values for each line. */
export interface Points {
  readonly span: Span;
  readonly unit: Unit;
  readonly times: readonly number[];
  readonly values: readonly (readonly (number | null)[])[];
  /** The index of the last point where its time is not over. */
  readonly unfinished?: number;
}

/** Percentiles shown. */
export const percentiles = [50, 95, 99] as const;

type Point = { readonly ts: number; readonly value: number };

const bucketsOf = ({ from, to }: Span, unit: Unit): number[] => {
  const width = unitMs[unit];
  const first = Math.floor(from / width) * width;
  return Array.from(
    { length: Math.floor((to - first) / width) + 1 },
    (_, at) => first + at * width,
  );
};

function pointsOf(
  span: Span,
  unit: Unit,
  series: readonly (readonly Point[])[],
  absent: 0 | null,
): Points {
  const times = bucketsOf(span, unit);
  const values = series.map((points) => {
    const known = new Map(points.map(({ ts, value }) => [ts, value]));
    return times.map((time) => known.get(time) ?? absent);
  });
  const last = times.length - 1;
  const isOver = (times[last] ?? 0) + unitMs[unit] <= serverNow();
  return { span, unit, times, values, ...(!isOver && { unfinished: last }) };
}

/** The sums by minute of the queues; undefined unless each of them has counted all of these minutes. */
function minutesOf(
  { at, queues }: Answer<'GET /api/activity'>,
  span: Span,
  queue: string | undefined,
): Points | undefined {
  const newest = Math.floor(at / unitMs.minute) - 1;
  const wanted = newest - Math.floor(span.from / unitMs.minute);
  const counted = queues.flatMap(({ queueName, minutes }) =>
    queue === undefined || queueName === queue ? [minutes] : [],
  );
  const known = counted.flatMap((minutes) =>
    minutes && minutes.completed.length >= wanted ? [minutes] : [],
  );
  if (known.length === 0 || known.length < counted.length) return undefined;
  const series = (['completed', 'failed'] as const).map((name) => {
    const sums = new Map<number, number>();
    for (const minutes of known) {
      for (const [back, value] of minutes[name].entries()) {
        const ts = (newest - back) * unitMs.minute;
        sums.set(ts, (sums.get(ts) ?? 0) + value);
      }
    }
    return [...sums].map(([ts, value]) => ({ ts, value }));
  });
  const to = Math.min(span.to, newest * unitMs.minute);
  return { ...pointsOf({ ...span, to }, 'minute', series, 0), span };
}

/** A query of points. */
const read = (
  { basePath }: Board,
  name: string,
  queue: string | undefined,
  span: Span,
  ask: (signal: AbortSignal) => Promise<Points>,
) =>
  queryOptions({
    queryKey: [basePath, 'metrics', name, queue, span],
    queryFn: ({ signal }) => ask(signal),
    placeholderData: keepPreviousData,
  });

export type PointsQuery = ReturnType<typeof read>;

/** A query of the recorded history. */
const historyOf = (span: Span, queue: string | undefined) => {
  const unit = recordedUnit(span);
  return { unit, query: { ...outward(span, unit), granularity: unit, queue } };
};

/** Jobs completed and failed: by minute in short spans where the libraries count them, else by hour or day. */
export const throughput = (
  board: Board,
  queue: string | undefined,
  span: Span,
  now: number,
): PointsQuery =>
  read(board, 'throughput', queue, span, async (signal) => {
    const minutes = minutesFor(span, now);
    if (minutes !== undefined) {
      const query = { minutes, ...(queue !== undefined && { queueName: queue }) };
      const answer = await board.client
        .call('GET /api/activity', { query, signal })
        .catch(() => undefined);
      const points = answer && minutesOf(answer, span, queue);
      if (points) return points;
    }
    const { unit, query } = historyOf(span, queue);
    const answer = await board.client.call('GET /api/metrics/history', { query, signal });
    const { completed = [], failed = [], source } = answer;
    // A library forgets; a recorder leaves out hours without jobs.
    if (source === 'library') return pointsOf(span, unit, [completed, failed], null);
    return sinceFirst(pointsOf(span, unit, [completed, failed], 0));
  });

/** Before its first job nothing is known to have been recorded: there the points are not zero. */
function sinceFirst(points: Points): Points {
  const known = points.times.findIndex((_, at) => points.values.some((line) => line[at]));
  const first = known === -1 ? points.times.length : known;
  const values = points.values.map((line) => line.map((value, at) => (at < first ? null : value)));
  return { ...points, values };
}

/** How long the oldest job had waited. */
export const queueAge = (board: Board, queue: string | undefined, span: Span): PointsQuery =>
  read(board, 'age', queue, span, async (signal) => {
    const { unit, query } = historyOf(span, queue);
    const { queueage = [] } = await board.client.call('GET /api/metrics/history', {
      query: { ...query, metric: 'queueage' },
      signal,
    });
    return pointsOf(span, unit, [queueage], null);
  });

/** Percentiles of the time that jobs ran or waited. */
export const latency = (
  board: Board,
  metric: 'runtime' | 'waittime',
  queue: string | undefined,
  span: Span,
): PointsQuery =>
  read(board, metric, queue, span, async (signal) => {
    const { unit, query } = historyOf(span, queue);
    const points = await board.client.call('GET /api/metrics/latency', {
      query: { ...query, metric, percentiles: percentiles.join(',') },
      signal,
    });
    const series = percentiles.map((percentile) =>
      points.flatMap(({ ts, count, values }) => {
        const value = values[percentile];
        return count > 0 && value !== undefined ? [{ ts, value }] : [];
      }),
    );
    return pointsOf(span, unit, series, null);
  });

export const usage = ({ client }: Board) =>
  queryOptions({ ...client.read('GET /api/metrics/history/usage'), staleTime: 60_000 });

/** The range of the depth of a queue that has a span. */
const depthRange = (span: Span, now: number) =>
  (['1h', '6h', '24h', '7d'] as const).find(
    (name) => now - ranges[name] <= span.from + unitMs.minute,
  );

/** Whether the depth of a queue in a span can be known. */
export const hasDepth = (span: Span, now: number): boolean => depthRange(span, now) !== undefined;

/** Jobs that wait, are deferred and run, as pg-boss has counted them; the last week is known. */
export const depth = (board: Board, queueName: string, span: Span, now: number): PointsQuery =>
  read(board, 'depth', queueName, span, async (signal) => {
    const { points } = await board.client.call('GET /api/pgq/queues/{queueName}/depth', {
      params: { queueName },
      query: { range: depthRange(span, now) ?? '24h' },
      signal,
    });
    const shown = points.filter(({ ts }) => ts >= span.from && ts <= span.to);
    return {
      span,
      unit: 'minute',
      times: shown.map(({ ts }) => ts),
      values: (['active', 'ready', 'deferred'] as const).map((state) =>
        shown.map((point) => point[state]),
      ),
    };
  });

/** Points with some of the lines of the period before beside them, at the same distance from its start. */
export function withBefore(
  points: Points,
  earlier: Points | undefined,
  compared: readonly number[],
): Points {
  if (earlier?.unit !== points.unit) return points;
  const added = compared.map((line) =>
    points.times.map((_, index) => earlier.values[line]?.[index] ?? null),
  );
  return { ...points, values: [...points.values, ...added] };
}

/** The span with its first bucket whole. */
const outward = ({ from, to }: Span, unit: Unit): Span => ({
  from: Math.floor(from / unitMs[unit]) * unitMs[unit],
  to,
});
