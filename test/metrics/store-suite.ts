/** The suite of a store: counts, gauges, durations, leases, usage and purge. */

import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Durations, QueueWrite } from '../../src/metrics/model/store.ts';
import { bucketOf, emptyHistogram } from '../../src/metrics/model/histogram.ts';
import { dayOf, isoDay, minuteOf } from '../../src/metrics/model/time.ts';
import type { StoreWorld } from './worlds.ts';

const retention = { minutes: 7, hours: 90, days: 90 };
const global = '__global__';

/** Noon of yesterday, so that a test does not cross midnight. */
const noon = (dayOf(Date.now()) - 1) * 1_440 + 720;
const hour = noon / 60;
const day = Math.floor(noon / 1_440);

function durations(...each: number[]): Durations {
  const counts = emptyHistogram();
  for (const ms of each) counts[bucketOf(ms)] = (counts[bucketOf(ms)] ?? 0) + 1;
  return { counts, ms: each.reduce((sum, ms) => sum + ms, 0) };
}

export async function storeSuite(
  name: string,
  open: () => Promise<StoreWorld | null>,
): Promise<void> {
  const world = await open();
  describe.skipIf(world === null)(`the store in ${name}`, () => {
    const { store, empty, close } = (world ?? {}) as StoreWorld;
    let instance: string | undefined;

    const commit = async (
      writes: readonly Partial<QueueWrite>[],
      holder = 'one',
      leaseMs = 60_000,
    ) => {
      const full = writes.map((write) => ({ queue: 'q', completed: [], failed: [], ...write }));
      const answer = await store.commit({ holder, leaseMs, instance, retention, writes: full });
      instance = answer.instance;
      return answer;
    };
    const hours = async (
      queue: string,
      metric: 'completed' | 'failed' | 'queueage' = 'completed',
    ) =>
      (
        await store.counters(metric, [queue], {
          granularity: 'hour',
          from: hour - 24,
          to: hour + 48,
        })
      )[0];
    const days = async (queue: string, metric: 'completed' | 'failed' | 'queueage' = 'completed') =>
      (
        await store.counters(metric, [queue], { granularity: 'day', from: day - 9, to: day + 2 })
      )[0];

    beforeEach(async () => {
      await empty();
      instance = undefined;
    });
    afterAll(() => close());

    it('stores an absolute count once, however often and in whatever order it is written', async () => {
      for (const count of [3, 5, 5, 4, 3]) {
        await commit([
          {
            completed: [
              [noon, count],
              [noon + 61, 2],
            ],
            failed: [[noon, 1]],
          },
        ]);
      }
      await commit([{ queue: 'other', completed: [[noon, 10]] }], 'two');
      expect(await hours('q')).toEqual([
        [hour, 5],
        [hour + 1, 2],
      ]);
      expect(await days('q')).toEqual([[day, 7]]);
      expect(await hours('q', 'failed')).toEqual([[hour, 1]]);
      expect(await hours(global)).toEqual([
        [hour, 15],
        [hour + 1, 2],
      ]);
      expect(await days(global)).toEqual([[day, 17]]);
      expect(await days(global, 'failed')).toEqual([[day, 1]]);
      expect(await store.minutes('completed', ['q', global, 'none'], noon, noon + 100)).toEqual([
        [
          [noon, 5],
          [noon + 61, 2],
        ],
        [
          [noon, 15],
          [noon + 61, 2],
        ],
        [],
      ]);
    });

    it('loses nothing where two recorders write at once', async () => {
      const writes = Array.from({ length: 40 }, (_none, index) =>
        commit(
          Array.from({ length: 6 }, (_none2, queue) => ({
            queue: `q${(queue + index) % 6}`,
            completed: [[noon + (index % 4), 10 + index]] as [number, number][],
          })),
          `recorder ${index % 2}`,
        ),
      );
      await Promise.all(writes);
      // The largest of each of the four minutes.
      const each = 46 + 47 + 48 + 49;
      expect(await days('q3')).toEqual([[day, each]]);
      expect(await days(global)).toEqual([[day, 6 * each]]);
    });

    it('reads the hours of a day and those of ninety', async () => {
      const minutes = Array.from({ length: 7 }, (_none, back) => noon - back * 1_440).toReversed();
      await commit([{ completed: minutes.map((minute, index) => [minute, index + 1] as const) }]);
      for (const back of [0, 1, 6, 89]) {
        const range = { granularity: 'hour', from: hour - back * 24, to: hour } as const;
        expect(await store.counters('completed', ['q'], range)).toEqual([
          minutes
            .map((minute, index) => [minute / 60, index + 1] as const)
            .filter(([at]) => at >= range.from),
        ]);
      }
    });

    it('tells where a recorder goes on, and never goes back', async () => {
      expect((await commit([{}])).states.get('q')).toEqual({
        completedNext: null,
        failedNext: null,
        sampledTo: null,
        leased: true,
      });
      await commit([{ completedNext: 50, failedNext: 40 }]);
      const { states } = await commit([{ completedNext: 45, failedNext: 41 }]);
      expect(states.get('q')).toMatchObject({ completedNext: 50, failedNext: 41 });
    });

    it('keeps the highest age of an hour, a day, and all queues', async () => {
      const at = noon * 60_000;
      const ages: [string, number, number][] = [
        ['q', at, 500],
        ['q', at + 1, 900],
        ['q', at + 2, 0],
        ['other', at, 700],
        ['idle', at, 0],
      ];
      for (const [queue, time, value] of ages) await commit([{ queue, age: { at: time, value } }]);
      expect(await hours('q', 'queueage')).toEqual([[hour, 900]]);
      expect(await days('idle', 'queueage')).toEqual([[day, 0]]);
      expect(await days(global, 'queueage')).toEqual([[day, 900]]);
    });

    it('adds durations only where the sampler stands', async () => {
      const samples = (from: number | null, to: number, ...ran: number[]) => ({
        samples: {
          from,
          to,
          hours: [{ hour, runtime: durations(...ran), waittime: durations(7) }],
        },
      });
      const range = { granularity: 'day', from: day, to: day } as const;
      const stored = async (queue: string) =>
        (await store.histograms('runtime', [queue], range))[0];
      await commit([samples(null, 1_000, 5, 40)]);
      await commit([samples(null, 1_000, 5, 40)], 'two');
      const { states } = await commit([samples(900, 2_000, 5)]);
      expect(states.get('q')?.sampledTo).toBe(1_000);
      await commit([samples(1_000, 3_000, 99_999_999)]);
      expect(await stored('q')).toEqual([[day, durations(5, 40, 99_999_999)]]);
      expect(await stored(global)).toEqual([[day, durations(5, 40, 99_999_999)]]);
      const byHour = { granularity: 'hour', from: hour - 1, to: hour } as const;
      expect(await store.histograms('waittime', ['q'], byHour)).toEqual([
        [[hour, durations(7, 7)]],
      ]);
    });

    it('leases the durations of a queue to one recorder, until it stops or is gone', async () => {
      const leased = async (holder: string, leaseMs?: number) =>
        (await commit([{}], holder, leaseMs)).states.get('q')?.leased;
      expect([await leased('one'), await leased('two')]).toEqual([true, false]);
      await store.release('two', ['q']);
      expect(await leased('two')).toBe(false);
      await store.release('one', ['q']);
      expect(await leased('two', 1)).toBe(true);
      await expect.poll(() => leased('one')).toBe(true);
    });

    it('extends the lease of the recorder that has it', async () => {
      const leased = async (holder: string, queue: string, leaseMs?: number) =>
        (await commit([{ queue }], holder, leaseMs)).states.get(queue)?.leased;
      for (const queue of ['q', 'other']) expect(await leased('one', queue, 100)).toBe(true);
      expect(await leased('one', 'q')).toBe(true);
      await expect.poll(() => leased('two', 'other')).toBe(true);
      expect(await leased('two', 'q')).toBe(false);
    });

    it('answers for each queue beside one whose name cannot be stored', async () => {
      const names = ['\0', 'q', '\uD800', 'other'];
      const { states } = await commit(
        names.map((queue, at) => ({ queue, completedNext: noon + at, failedNext: noon })),
      );
      expect([...states].map(([queue, state]) => [queue, state.completedNext])).toEqual(
        expect.arrayContaining([
          ['q', noon + 1],
          ['other', noon + 3],
        ]),
      );
    });

    it('reads no bucket beyond the ends of a range', async () => {
      const samples = {
        from: null,
        to: 1_000,
        hours: [-24, -1, 0, 1, 12].map((at) => ({
          hour: hour + at,
          runtime: durations(5),
          waittime: durations(5),
        })),
      };
      const minutes = [-1_440, -1, 0, 1, 60, 1_440];
      await commit([{ completed: minutes.map((at) => [noon + at, 1] as const), samples }]);
      const buckets = async (granularity: 'hour' | 'day', at: number) => {
        const range = { granularity, from: at, to: at };
        const [counts = []] = await store.counters('completed', ['q'], range);
        const [ran = []] = await store.histograms('runtime', ['q'], range);
        return [counts, ran].map((points) => points.map(([bucket]) => bucket));
      };
      expect(await buckets('hour', hour)).toEqual([[hour], [hour]]);
      expect(await buckets('day', day)).toEqual([[day], [day]]);
      expect(await store.minutes('completed', ['q'], noon, noon)).toEqual([[[noon, 1]]]);
    });

    it('keeps the latest failed attempts of a queue', async () => {
      const jobs = async (queue: string) => (await store.attempts([queue])).map(({ job }) => job);
      const add = (queue: string, ...some: number[]) =>
        store.addAttempts(
          new Map([
            [queue, some.map((n) => ({ job: `${n}`, attempt: 1, at: n, ms: null, reason: 'no' }))],
          ]),
          5,
        );
      await add('other', 1, 2);
      for (const some of [[1, 2, 3], [4, 5, 6, 7], [8], [9, 10, 11, 12, 13, 14]]) {
        await add('q', ...some);
        const last = some.at(-1) ?? 0;
        const kept = Array.from({ length: Math.min(5, last) }, (_none, at) => `${last - at}`);
        expect(await jobs('q')).toEqual(kept.toReversed());
      }
      expect(await jobs('other')).toEqual(['1', '2']);
      // Those of later days stay as well, until the queue is purged as a whole.
      await commit([{ completed: [[noon, 1]] }]);
      await store.purge({ queue: 'q', before: isoDay(day + 1) });
      await store.purge({ before: isoDay(day + 1) });
      expect(await jobs('q')).toHaveLength(5);
      await store.purge({ queue: 'q' });
      expect([await jobs('q'), await jobs('other')]).toEqual([[], ['1', '2']]);
    });

    it('writes nothing of a recorder that knows other data', async () => {
      await commit([{ completed: [[noon, 5]] }]);
      const before = instance;
      await empty();
      const lost = await commit([{ completed: [[noon + 1, 1]], completedNext: noon + 1 }]);
      // An emptied store has a new name; what the recorder knew no longer holds.
      expect(lost).toMatchObject({ written: false });
      expect(lost.instance).not.toBe(before);
      expect(lost.states.get('q')?.completedNext).toBeNull();
      expect(await days('q')).toEqual([]);
      expect(await commit([{ completed: [[noon, 5]] }])).toMatchObject({ written: true });
      expect(await days('q')).toEqual([[day, 5]]);
    });

    it('keeps queues apart, whatever their names', async () => {
      const names = [
        'a',
        'a:completed',
        'a:hour',
        'a:completed:20000',
        '{a}',
        '}{',
        'ü"\'\\',
        '__proto__',
        'a:state',
        ':',
        "x'; drop",
      ];
      await commit(names.map((queue, index) => ({ queue, completed: [[noon, index + 1]] })));
      const read = await store.counters('completed', names, {
        granularity: 'hour',
        from: hour,
        to: hour,
      });
      expect(read).toEqual(names.map((_name, index) => [[hour, index + 1]]));
      await store.purge({ queue: 'a' });
      await store.purge({ queue: '{a}' });
      const { queues } = await store.usage();
      expect(queues.map(({ queue }) => queue).toSorted()).toEqual(
        [...names.filter((name) => name !== 'a' && name !== '{a}'), global].toSorted(),
      );
    });

    it('knows nothing of a name that no queue can have', async () => {
      await commit([{ completed: [[noon, 5]] }]);
      const odd = ['\0', '\uD800', '', 'x'.repeat(10_000)];
      const range = { granularity: 'day', from: day, to: day } as const;
      expect(await store.counters('completed', odd, range)).toEqual([[], [], [], []]);
      expect(await store.histograms('runtime', odd, range)).toEqual([[], [], [], []]);
      for (const queue of odd) {
        expect(await store.purge({ queue })).toEqual({ keysDeleted: 0, fieldsDeleted: 0 });
      }
    });

    it('records other queues beside one whose name is too long for an index', async () => {
      const long = randomBytes(3_000).toString('hex');
      await commit([{ completed: [[noon, 5]] }, { queue: long, completed: [[noon, 7]] }]);
      expect(await days('q')).toEqual([[day, 5]]);
      await store.addAttempts(
        new Map(
          [long, 'q'].map((queue) => [
            queue,
            [{ job: queue.slice(0, 9), attempt: 1, at: noon * 60_000, ms: 5, reason: 'no' }],
          ]),
        ),
        9,
      );
      expect((await store.attempts(['q'])).map(({ job }) => job)).toEqual(['q']);
      await store.purge({ queue: long });
      await store.purge({ queue: randomBytes(3_000).toString('hex') });
      expect(await days('q')).toEqual([[day, 5]]);
    });

    it('refuses minutes beyond the retention and in the far future', async () => {
      const today = dayOf(Date.now());
      const first = (today - 7) * 1_440;
      await commit([
        {
          completed: [
            [first - 1, 1],
            [first, 2],
            [(today + 3) * 1_440, 4],
          ],
        },
      ]);
      expect(await store.minutes('completed', ['q'], 0, (today + 9) * 1_440)).toEqual([
        [[first, 2]],
      ]);
      expect(await days(global)).toEqual([[today - 7, 2]]);
    });

    it('tells its size', async () => {
      expect(await store.usage()).toEqual({
        keys: 0,
        bytes: 0,
        minutes: 0,
        oldestDay: null,
        newestDay: null,
        tiers: {
          minute: { keys: 0, bytes: 0 },
          hour: { keys: 0, bytes: 0 },
          day: { keys: 0, bytes: 0 },
        },
        queues: [],
      });
      await commit([
        {
          completed: [
            [noon - 1_440, 3],
            [noon, 4],
            [noon + 5, 1],
          ],
          failed: [[noon, 1]],
        },
        { queue: 'small', completed: [[noon, 1]] },
      ]);
      const usage = await store.usage();
      expect(usage).toMatchObject({ oldestDay: isoDay(day - 1), newestDay: isoDay(day) });
      const sizes = usage.queues.map(({ bytes }) => bytes);
      expect(sizes).toEqual(sizes.toSorted((left, right) => right - left));
      const one = usage.queues.find(({ queue }) => queue === 'q');
      expect(one).toMatchObject({ minutes: 4, days: [isoDay(day - 1), isoDay(day)] });
      for (const tier of Object.values(one?.tiers ?? {})) expect(tier.bytes).toBeGreaterThan(0);
      expect(usage.keys).toBe(usage.queues.reduce((sum, { keys }) => sum + keys, 0));
    });

    it('purges a queue with its share of all queues, and takes nothing of it back', async () => {
      const now = minuteOf(Date.now());
      const counted: Partial<QueueWrite> = {
        completed: [
          [noon - 1_440, 3],
          [noon, 4],
        ],
        failed: [[noon, 2]],
        age: { at: noon * 60_000, value: 5 },
      };
      const write = [counted, { queue: 'other', completed: [[noon, 10]] as [number, number][] }];
      await commit(write);
      const part = await store.purge({ queue: 'q', before: isoDay(day) });
      expect(part.keysDeleted).toBeGreaterThan(0);
      expect(part.fieldsDeleted).toBeGreaterThan(0);
      expect([await days('q'), await days(global)]).toEqual([[[day, 4]], [[day, 14]]]);
      await commit(write);
      expect(await days(global)).toEqual([[day, 14]]);
      await store.purge({ queue: 'q' });
      await commit(write);
      expect([await days('q'), await days('q', 'failed'), await hours('q', 'queueage')]).toEqual([
        [],
        [],
        [[hour, 5]],
      ]);
      expect([await days(global), await hours(global), await days(global, 'failed')]).toEqual([
        [[day, 10]],
        [[hour, 10]],
        [],
      ]);
      expect(await store.minutes('completed', [global], noon, noon)).toEqual([[[noon, 10]]]);
      await commit([{ completed: [[now + 1, 1]] }]);
      expect(await store.minutes('completed', ['q'], now, now + 2)).toEqual([[[now + 1, 1]]]);
    });

    it('takes nothing of a purge back after one of earlier days', async () => {
      const write: Partial<QueueWrite>[] = [
        {
          completed: [
            [noon - 1_440, 3],
            [noon, 4],
          ],
        },
      ];
      for (const scope of [{ queue: 'q' }, {}]) {
        await empty();
        instance = undefined;
        await commit(write);
        await store.purge({ ...scope, before: isoDay(day + 1) });
        await store.purge({ ...scope, before: isoDay(day) });
        await commit(write);
        expect([scope, await days('q'), await days(global)]).toEqual([scope, [], []]);
      }
    });

    it('purges the newest hour of a queue, where others have recorded a later one', async () => {
      // No other queue has counts in the hour before.
      const completed = [[noon - 60, 2] as const, [noon, 4] as const];
      await commit([{ completed, failed: [[noon, 1]] }]);
      await commit([
        {
          queue: 'other',
          completed: [
            [noon, 10],
            [noon + 60, 2],
          ],
        },
      ]);
      await store.purge({ queue: 'q' });
      expect([await hours(global), await hours(global, 'failed')]).toEqual([
        [
          [hour, 10],
          [hour + 1, 2],
        ],
        [],
      ]);
    });

    it('purges no counts of all queues without those of the queues', async () => {
      await commit([{ completed: [[noon, 4]] }]);
      expect(await store.purge({ queue: global })).toEqual({ keysDeleted: 0, fieldsDeleted: 0 });
      expect([await days('q'), await days(global)]).toEqual([[[day, 4]], [[day, 4]]]);
    });

    it('purges everything, or everything before a day that need not exist', async () => {
      await commit([{ completed: [[noon, 4]] }, { queue: 'other', failed: [[noon, 10]] }]);
      expect(await store.purge({ before: '1971-02-31' })).toEqual({
        keysDeleted: 0,
        fieldsDeleted: 0,
      });
      expect(await store.purge({ queue: 'none' })).toEqual({ keysDeleted: 0, fieldsDeleted: 0 });
      await store.purge({ before: '9999-99-99' });
      expect(await store.usage()).toMatchObject({ keys: 0, bytes: 0, queues: [] });
      expect(await days(global)).toEqual([]);
    });
  });
}
