/** The simulated day on a store: counts exactly as they happened, percentiles within one bucket. */

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { bucketOf, percentile, totalOf } from '../../src/metrics/model/histogram.ts';
import type { Histogram } from '../../src/metrics/model/histogram.ts';
import type { LatencyMetric } from '../../src/board/core/index.ts';
import type { CounterMetric } from '../../src/metrics/model/store.ts';
import { everything, repeatable, seed } from '../seed.ts';
import { simulate } from './simulation.ts';
import type { Simulated } from './simulation.ts';
import type { StoreWorld } from './worlds.ts';

const global = '__global__';

/** Sums of counts per minute by longer spans. */
function summed(minutes: ReadonlyMap<number, number>, width: number): [number, number][] {
  const sums = new Map<number, number>();
  for (const [minute, count] of minutes) {
    const bucket = Math.floor(minute / width);
    sums.set(bucket, (sums.get(bucket) ?? 0) + count);
  }
  return [...sums].toSorted(([left], [right]) => left - right);
}

/** Counts per minute of all queues. */
function ofAll(simulated: Simulated, metric: CounterMetric): Map<number, number> {
  const all = new Map<number, number>();
  for (const queue of simulated.queues.values()) {
    for (const [minute, count] of queue[metric].truth) {
      all.set(minute, (all.get(minute) ?? 0) + count);
    }
  }
  return all;
}

export function simulationSuite(name: string, open: () => Promise<StoreWorld | null>): void {
  describe(`a simulated day on ${name}`, () => {
    let world: StoreWorld | null = null;
    const days = everything ? 8 : 1;

    beforeAll(async () => {
      world = await open();
    });
    afterEach(() => {
      vi.useRealTimers();
    });
    afterAll(() => world?.close());

    async function run(given: number, steps: boolean): Promise<Simulated> {
      await world?.empty();
      vi.useFakeTimers({ toFake: ['Date'] });
      return simulate(
        (world as StoreWorld).store,
        { seed: given, minutes: 1_440, tickShare: everything ? 0.7 : 0.25, steps },
        (ms) => vi.setSystemTime(ms),
      ).finally(() => vi.useRealTimers());
    }

    async function compareCounts(simulated: Simulated): Promise<void> {
      const { store } = world as StoreWorld;
      const { from, to } = simulated;
      for (const metric of ['completed', 'failed'] as const) {
        const queues = [...simulated.queues.keys(), global];
        const truths = [
          ...Array.from(simulated.queues.values(), (queue) => queue[metric].truth),
          ofAll(simulated, metric),
        ];
        expect(await store.minutes(metric, queues, from, to)).toEqual(
          truths.map((truth) => summed(truth, 1)),
        );
        for (const [granularity, width] of [
          ['hour', 60],
          ['day', 1_440],
        ] as const) {
          const range = {
            granularity,
            from: Math.floor(from / width),
            to: Math.floor(to / width),
          };
          expect(await store.counters(metric, queues, range)).toEqual(
            truths.map((truth) => summed(truth, width)),
          );
        }
      }
    }

    /** The histogram of a whole range. */
    async function whole(
      simulated: Simulated,
      queue: string,
      metric: LatencyMetric = 'runtime',
    ): Promise<Histogram> {
      const { store } = world as StoreWorld;
      const range = {
        granularity: 'day',
        from: Math.floor(simulated.from / 1_440),
        to: Math.floor(simulated.to / 1_440),
      } as const;
      const [points = []] = await store.histograms(metric, [queue], range);
      return points.reduce<number[]>(
        (sum, [, { counts }]) => counts.map((count, index) => count + (sum[index] ?? 0)),
        [],
      );
    }

    async function comparePercentiles(simulated: Simulated): Promise<void> {
      const queues = [...simulated.queues.values()];
      const all = { name: global, jobs: queues.flatMap(({ jobs }) => jobs) };
      for (const [metric, member] of [
        ['runtime', 'ran'],
        ['waittime', 'waited'],
      ] as const) {
        for (const { name: queue, jobs } of [...queues, all]) {
          const counts = await whole(simulated, queue, metric);
          const exact = jobs.map((job) => job[member]).toSorted((left, right) => left - right);
          expect(totalOf(counts)).toBeLessThanOrEqual(exact.length);
          for (const percent of exact.length > 0 ? [50, 95, 99] : []) {
            const at = exact[Math.ceil((percent / 100) * exact.length) - 1] ?? 0;
            const estimate = percentile(counts, percent) ?? 0;
            const apart = Math.abs(bucketOf(estimate) - bucketOf(at));
            const asked = [metric, queue, percent];
            expect([...asked, apart <= 1]).toEqual([...asked, true]);
          }
        }
      }
    }

    for (let day = 0; day < days; day += 1) {
      it(`stores what happened while clocks step, day ${day}`, (context) =>
        repeatable(async () => {
          context.skip(world === null, `${name} is not available`);
          const simulated = await run(seed + day, true);
          console.log(
            `${name}: seed ${seed + day}, ${simulated.ticks} ticks, ${simulated.errors} failed writes,`,
            simulated.events,
          );
          for (const [event, times] of Object.entries(simulated.events)) {
            expect([event, times > 0]).toEqual([event, true]);
          }
          await compareCounts(simulated);
          await comparePercentiles(simulated);
        }));
    }

    it('measures every job once while clocks are right', (context) =>
      repeatable(async () => {
        context.skip(world === null, `${name} is not available`);
        const simulated = await run(seed + 100, false);
        await compareCounts(simulated);
        await comparePercentiles(simulated);
        for (const queue of simulated.queues.values()) {
          const counted = totalOf(await whole(simulated, queue.name));
          // The first tick that is written looks back for one interval only.
          const due = queue.jobs.filter(({ finished }) => finished > simulated.firstWrite);
          expect(counted).toBeLessThanOrEqual(queue.jobs.length);
          expect(counted).toBeGreaterThanOrEqual(due.length * 0.97);
        }
      }));
  });
}
