/** The history that BullMQ and Bull keep themselves: minutes per queue, as long as their workers are told to. */

import { checkOptions, refuseArguments } from '../../lib/index.ts';
import * as option from '../../lib/option-rows.ts';
import type {
  HistoryPoint,
  HistoryProvider,
  HistoryQuery,
  SourceReading,
} from '../../board/core/index.ts';
import type { BoardQueue } from '../../board/kvq/index.ts';
import { dayMs, hourMs, minuteMs, minuteOf } from '../model/time.ts';
import { boardQueuesSource, type QueuesOf } from '../sources/queues.ts';

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
 * have the option `metrics`, as far back as its `maxDataPoints`; elsewhere the stored jobs of the last two hours. Hours
 * and days of which a minute is no longer known are left out, and so are those of all queues together where one of them
 * does not know them. The age of queues is not known.
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
  ): Promise<ReadonlyMap<string, Known>> => {
    const { metric } = query;
    if (metric === 'queueage' || !(query.to >= query.from)) return new Map();
    const readings = await read(names, query.from);
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

type Readings = Promise<ReadonlyMap<string, SourceReading | Error>>;

async function readAll(
  source: ReturnType<typeof boardQueuesSource>,
  names: readonly string[] | undefined,
  first: number,
): Readings {
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

/** The sums of a queue by hour or day, and the first hour or day of which every minute is known. */
interface Known {
  readonly sums: ReadonlyMap<number, number>;
  readonly since: number;
}

const nothingKnown: Known = { sums: new Map(), since: Infinity };

const widthOf = ({ granularity }: HistoryQuery): number => (granularity === 'day' ? dayMs : hourMs);

function knownOf(query: HistoryQuery, counts: SourceReading['completed']): Known {
  const width = widthOf(query);
  const sums = new Map<number, number>();
  for (const [minute, count] of counts?.minutes ?? []) {
    const ts = Math.floor((minute * minuteMs) / width) * width;
    sums.set(ts, (sums.get(ts) ?? 0) + count);
  }
  return { sums, since: Math.ceil(((counts?.since ?? 0) * minuteMs) / width) * width };
}

/**
 * The hours or days of the range that are known of every queue, from the first one with a job on. One of which the
 * library has forgotten a minute is left out: its sum is not known.
 */
function pointsOf(query: HistoryQuery, queues: readonly Known[]): HistoryPoint[] {
  const width = widthOf(query);
  const starts = queues.flatMap(({ sums }) => [...sums.keys()]);
  const earliest = Math.min(...starts);
  if (starts.length === 0) return [];
  const since = Math.max(earliest, ...queues.map((queue) => queue.since));
  const first = Math.max(since, Math.floor(query.from / width) * width);
  const last = Math.floor(Math.min(query.to, Math.max(Date.now(), ...starts)) / width) * width;
  const points = Math.max(0, Math.floor((last - first) / width) + 1);
  return Array.from({ length: points }, (_none, index) => {
    const ts = first + index * width;
    return { ts, value: queues.reduce((sum, { sums }) => sum + (sums.get(ts) ?? 0), 0) };
  });
}
