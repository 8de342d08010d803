/** The history that BullMQ and Bull keep themselves: minutes per queue, as long as their workers are told to. */

import { checkOptions, refuseArguments, SingleFlight } from '../../lib/index.ts';
import * as option from '../../lib/option-rows.ts';
import type {
  HistoryPoint,
  HistoryProvider,
  HistoryQuery,
  SourceReading,
} from '../../board/core/index.ts';
import type { BoardQueue } from '../../board/kvq/index.ts';
import { combined, filled, widthOf } from '../model/series.ts';
import type { Series } from '../model/store.ts';
import { minuteMs, minuteOf } from '../model/time.ts';
import { boardQueuesSource } from '../sources/queues.ts';
import type { QueuesOf } from '../sources/queues.ts';

/** The most minutes that are read of a queue: two weeks. */
const mostMinutes = 20_160;

/** Milliseconds for which a read is shared: a page asks for several series. */
const sharedMs = 1_000;

/** The capabilities of {@link kvqLibraryHistoryProvider}. */
export type KvqLibraryHistoryProvider = Required<
  Pick<HistoryProvider, 'source' | 'getHistory' | 'getHistoryByQueue'>
>;

/**
 * Serves what BullMQ and Bull count by themselves, without a recorder: the finished jobs of each minute, where workers
 * have the option `metrics`, as far back as its `maxDataPoints`; elsewhere the stored jobs of the last two hours. Hours
 * and days of which a minute is no longer known are left out, and so are those of all queues together where one of them
 * does not know them. The age of queues is not known.
 *
 * @throws {TypeError} when the queues are neither a list nor a function
 */
export function kvqLibraryHistoryProvider(
  queues: readonly BoardQueue[] | QueuesOf,
  ...more: readonly unknown[]
): KvqLibraryHistoryProvider {
  refuseArguments('kvqLibraryHistoryProvider', 1, more);
  const row = option.either(option.listOf(option.anything), option.func);
  checkOptions('kvqLibraryHistoryProvider', { queues }, { queues: option.required(row) });
  const source = boardQueuesSource(typeof queues === 'function' ? queues : () => queues);
  const reads = new SingleFlight<Readings>(sharedMs, 1);

  const byQueue = async (
    query: HistoryQuery,
    names: readonly string[] | undefined,
  ): Promise<ReadonlyMap<string, Known>> => {
    const { metric } = query;
    if (metric === 'queueage' || !(query.to >= query.from)) return new Map();
    const first = Math.max(minuteOf(query.from), minuteOf(Date.now()) - mostMinutes);
    const key = JSON.stringify([names, first]);
    const readings = await reads.run(key, () => readAll(source, names, first));
    return new Map(
      [...readings].map(([name, reading]) => [
        name,
        reading instanceof Error ? nothingKnown : knownOf(query, reading[metric]),
      ]),
    );
  };

  return {
    source: 'library',
    async getHistory(query) {
      const names = query.queue === undefined ? query.queues : [query.queue];
      return pointsOf(query, [...(await byQueue(query, names)).values()]);
    },
    async getHistoryByQueue(query) {
      const known = await byQueue(query, query.queues);
      return new Map(Array.from(known, ([name, each]) => [name, pointsOf(query, [each])]));
    },
  };
}

type Readings = ReadonlyMap<string, SourceReading | Error>;

async function readAll(
  source: ReturnType<typeof boardQueuesSource>,
  names: readonly string[] | undefined,
  first: number,
): Promise<Readings> {
  const known = await source.queues();
  const asked = names ? known.filter((name) => names.includes(name)) : known;
  const request = {
    completedFrom: first,
    failedFrom: first,
    maxMinutes: mostMinutes,
    remembered: true,
  };
  return source.read(new Map(asked.map((name) => [name, request])));
}

/** Counts of a queue by hour or day, and the first hour or day of which every minute is known. */
interface Known {
  readonly counts: Series<number>;
  readonly since: number;
}

const nothingKnown: Known = { counts: [], since: Infinity };

function knownOf({ granularity }: HistoryQuery, counts: SourceReading['completed']): Known {
  const minutes = widthOf(granularity) / minuteMs;
  return {
    counts: (counts?.minutes ?? []).map(([at, count]) => [Math.floor(at / minutes), count]),
    since: Math.ceil((counts?.since ?? 0) / minutes),
  };
}

/**
 * The hours or days of the range that are known of every queue, from the first one with a job on. One of which the
 * library has forgotten a minute is left out: its sum is not known.
 */
function pointsOf(
  { from, to, granularity }: HistoryQuery,
  queues: readonly Known[],
): HistoryPoint[] {
  const width = widthOf(granularity);
  const sums = combined(
    queues.map(({ counts }) => counts),
    false,
  );
  if (sums.size === 0) return [];
  const since = Math.max(Math.min(...sums.keys()), ...queues.map((queue) => queue.since));
  const newest = Math.max(Math.floor(Date.now() / width), ...sums.keys());
  const first = Math.max(since, Math.floor(from / width));
  return filled(sums, first, Math.min(Math.floor(to / width), newest), width);
}
