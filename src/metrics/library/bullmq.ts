/** The history that BullMQ and Bull keep themselves: minutes per queue, as long as their workers are told to. */

import { checkOptions, refuseArguments } from '../../lib/index.ts';
import * as option from '../../lib/option-rows.ts';
import type { HistoryPoint, HistoryProvider, HistoryQuery } from '../../board/core/index.ts';
import type { BoardQueue } from '../../board/kvq/index.ts';
import type { SourceReading } from '../model/source.ts';
import { dayMs, dayOf, hourMs, minuteMs, minuteOf } from '../model/time.ts';
import { boardQueuesSource } from '../sources/queues.ts';
import type { QueuesOf } from '../sources/queues.ts';

/** The most minutes that are read of a queue: two weeks. */
const mostMinutes = 20_160;

/** Milliseconds for which a read is shared: a page asks for several series. */
const sharedMs = 1_000;

/** The capabilities of {@link libraryHistoryProvider}. */
export type LibraryHistoryProvider = Required<
  Pick<HistoryProvider, 'source' | 'getHistory' | 'getHistoryByQueue'>
>;

/**
 * Serves what BullMQ and Bull count by themselves, without a recorder: the finished jobs of each minute, where workers
 * have the option `metrics`, as far back as its `maxDataPoints`; elsewhere the stored jobs of the last two hours. The
 * age of queues is not known.
 *
 * @throws {TypeError} when the queues are neither a list nor a function
 */
export function libraryHistoryProvider(
  queues: readonly BoardQueue[] | QueuesOf,
  ...more: readonly unknown[]
): LibraryHistoryProvider {
  refuseArguments('libraryHistoryProvider', 1, more);
  const row = option.either(option.listOf(option.anything), option.func);
  checkOptions('libraryHistoryProvider', { queues }, { queues: option.required(row) });
  const source = boardQueuesSource(typeof queues === 'function' ? queues : () => queues);
  let last: { readonly key: string; readonly at: number; readonly read: Readings } | undefined;

  const read = (names: readonly string[] | undefined, from: number): Readings => {
    const first = Math.max(minuteOf(from), minuteOf(Date.now()) - mostMinutes);
    const key = JSON.stringify([names, first]);
    if (last?.key === key && performance.now() - last.at < sharedMs) return last.read;
    const reading = readAll(source, names, first);
    last = { key, at: performance.now(), read: reading };
    reading.catch(() => {
      last = undefined;
    });
    return reading;
  };

  const byQueue = async (
    query: HistoryQuery,
    names: readonly string[] | undefined,
  ): Promise<ReadonlyMap<string, readonly HistoryPoint[]>> => {
    const { metric } = query;
    if (metric === 'queueage' || !(query.to >= query.from)) return new Map();
    const readings = await read(names, query.from);
    return new Map(
      [...readings].flatMap(([name, reading]) =>
        reading instanceof Error
          ? []
          : [[name, pointsOf(query, reading[metric]?.minutes ?? [])] as const],
      ),
    );
  };

  return {
    source: 'library',
    async getHistory(query) {
      const names = query.queue === undefined ? query.queues : [query.queue];
      const sums = new Map<number, number>();
      for (const points of (await byQueue(query, names)).values()) {
        for (const { ts, value } of points) sums.set(ts, (sums.get(ts) ?? 0) + value);
      }
      return [...sums]
        .toSorted(([left], [right]) => left - right)
        .map(([ts, value]) => ({ ts, value }));
    },
    getHistoryByQueue: (query) => byQueue(query, query.queues),
  };
}

type Readings = Promise<ReadonlyMap<string, SourceReading | Error>>;

async function readAll(
  source: ReturnType<typeof boardQueuesSource>,
  names: readonly string[] | undefined,
  first: number,
): Readings {
  const known = await source.queues();
  const asked = names ? known.filter((name) => names.includes(name)) : known;
  const request = { completedFrom: first, failedFrom: first, maxMinutes: mostMinutes };
  return source.read(new Map(asked.map((name) => [name, request])));
}

/** Sums of the minutes within the range by hour or day; days that the library remembers include zeros. */
function pointsOf(
  { from, to, granularity }: HistoryQuery,
  minutes: readonly (readonly [minute: number, count: number])[],
): HistoryPoint[] {
  const width = granularity === 'day' ? dayMs : hourMs;
  // Whole hours and days, as other providers have them.
  const [first, last] = [Math.floor(from / width) * width, Math.floor(to / width) * width];
  const sums = new Map<number, number>();
  for (const [minute, count] of minutes) {
    const ts = Math.floor((minute * minuteMs) / width) * width;
    if (ts >= first && ts <= last) sums.set(ts, (sums.get(ts) ?? 0) + count);
  }
  const [start] = sums.keys();
  if (granularity === 'day' && start !== undefined) {
    for (let day = dayOf(start); day <= dayOf(Math.min(to, Date.now())); day += 1) {
      if (!sums.has(day * dayMs)) sums.set(day * dayMs, 0);
    }
  }
  return [...sums]
    .toSorted(([left], [right]) => left - right)
    .map(([ts, value]) => ({ ts, value }));
}
