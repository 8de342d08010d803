/** A recorder whose host or sources misbehave: it goes on recording, and ends. */

import { EventEmitter } from 'node:events';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { metricsHistoryProvider, MetricsRecorder } from '../../src/metrics/index.ts';
import { resolveRetention } from '../../src/metrics/model/retention.ts';
import type { MetricsSource } from '../../src/metrics/index.ts';
import { bounds } from '../../src/metrics/model/histogram.ts';
import { hoursOf } from '../../src/metrics/model/samples.ts';
import { minuteOf } from '../../src/metrics/model/time.ts';
import { SimulatedQueue, simulatedSource } from './simulation.ts';
import { redisWorld } from './worlds.ts';
import type { StoreWorld } from './worlds.ts';

let world: StoreWorld | null;
beforeAll(async () => {
  world = await redisWorld();
});
afterAll(() => world?.close());

const today = { granularity: 'day', from: 0, to: 1e5 } as const;
const broken: MetricsSource = {
  queues: async () => {
    throw new Error('the source is away');
  },
  read: async () => new Map(),
};

function deferred() {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

it.each([
  [
    'throws',
    () => {
      throw new Error('a host that fails');
    },
  ],
  ['rejects', () => Promise.reject(new Error('a host that fails'))],
])('goes on where "onSnapshotError" %s', async (_how, onSnapshotError) => {
  if (!world) return;
  await world.empty();
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  onTestFinished(() => warned.mockRestore());
  const queue = new SimulatedQueue('mail');
  queue.finish({ finished: Date.now(), ran: 5, waited: 5 }, true);
  const recorder = new MetricsRecorder({
    store: world.store,
    sources: [broken, simulatedSource(new Map([['mail', queue]]), Date.now)],
    onSnapshotError,
  });
  await recorder.tick();
  await expect
    .poll(() => warned.mock.calls)
    .toEqual([['Metrics recorder: "onSnapshotError" failed: Error: a host that fails']]);
  expect(await world.store.counters('completed', ['mail'], today)).toEqual([
    [[expect.any(Number), 1]],
  ]);
  await recorder.stop();
});

it('measures jobs up to "maxLatencySamplesPerTick", shared out among the queues', async () => {
  if (!world) return;
  const names = ['mail', 'news', 'sms'];
  const limits = async (maxLatencySamplesPerTick: number, queues: readonly string[]) => {
    await world?.empty();
    const asked: (number | undefined)[] = [];
    const recorder = new MetricsRecorder({
      store: (world as StoreWorld).store,
      maxLatencySamplesPerTick,
      sources: [
        {
          queues: async () => [...queues],
          async read(requests) {
            asked.push(...[...requests.values()].map(({ samples }) => samples?.limit));
            return new Map();
          },
        },
      ],
    });
    await recorder.tick();
    await recorder.stop();
    return asked;
  };
  expect(await limits(600, names)).toEqual([200, 200, 200]);
  expect(await limits(600, ['mail'])).toEqual([600]);
  expect(await limits(60, names)).toEqual([50, 50, 50]);
});

it('warns once for each reason, however many queues have it', async () => {
  if (!world) return;
  await world.empty();
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  onTestFinished(() => warned.mockRestore());
  const away = new Error('The datastore is away.');
  const readings = { mail: away, letters: new Error('The list is none.'), news: away, sms: away };
  const recorder = new MetricsRecorder({
    store: world.store,
    sources: [
      {
        queues: async () => Object.keys(readings),
        read: async () => new Map(Object.entries(readings)),
      },
    ],
  });
  await recorder.tick();
  await recorder.stop();
  expect(warned.mock.calls).toEqual([
    ['Metrics recorder: the queue "mail" and 2 more were not recorded: The datastore is away.'],
    ['Metrics recorder: the queue "letters" was not recorded: The list is none.'],
  ]);
});

it('records other queues, and ends, while a source gives no answer', async () => {
  if (!world) return;
  await world.empty();
  const queue = new SimulatedQueue('mail');
  queue.finish({ finished: Date.now(), ran: 5, waited: 5 }, true);
  const { promise: asked, resolve: tellAsked } = deferred();
  const hanging: MetricsSource = {
    queues: async () => ['silent'],
    read: () => {
      tellAsked();
      return new Promise(() => undefined);
    },
  };
  const errors: string[] = [];
  const recorder = new MetricsRecorder({
    store: world.store,
    sources: [hanging, simulatedSource(new Map([['mail', queue]]), Date.now)],
    onSnapshotError: ({ message }) => void errors.push(message),
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  void recorder.tick();
  await asked;
  const stopped = recorder.stop();
  vi.advanceTimersByTime(30_000);
  await stopped;
  expect(errors).toEqual(['There was no answer within 30000 ms.']);
  expect(await world.store.counters('completed', ['mail'], today)).toEqual([
    [[expect.any(Number), 1]],
  ]);
});

/** A source of counts of this minute, whose readings wait for a promise, and are noted. */
function countingSource(
  counts: Record<string, number>,
  ready: Promise<unknown> = Promise.resolve(),
) {
  const read: string[][] = [];
  const source: MetricsSource = {
    queues: async () => Object.keys(counts),
    read: async (requests) => {
      read.push([...requests.keys()]);
      await ready;
      const now = Date.now();
      const counted = (name: string) => ({
        minutes: [[minuteOf(now), counts[name] ?? 0] as const],
        next: minuteOf(now),
      });
      const none = { minutes: [], next: minuteOf(now) };
      return new Map(
        [...requests.keys()].map((name) => [
          name,
          { completed: counted(name), failed: none, more: false, now },
        ]),
      );
    },
  };
  return { source, read };
}

const completedOf = async (queues: readonly string[]): Promise<number[]> =>
  ((await world?.store.counters('completed', queues, today)) ?? []).map((points) =>
    points.reduce((sum, [, count]) => sum + count, 0),
  );

it('ticks once at a time, and gives its leases up after the tick under way', async () => {
  if (!world) return;
  await world.empty();
  const { promise: ready, resolve } = deferred();
  const { source, read } = countingSource({ mail: 3 }, ready);
  const recorder = new MetricsRecorder({ store: world.store, sources: [source] });
  const ticks = [recorder.tick(), recorder.tick()];
  await expect.poll(() => read).toEqual([['mail']]);
  const ended = [...ticks, recorder.tick(), recorder.stop()];
  resolve();
  await Promise.all(ended);
  expect(read).toEqual([['mail']]);
  const { states } = await world.store.commit({
    holder: 'another',
    leaseMs: 1,
    instance: undefined,
    retention: { minutes: 7, hours: 90, days: 90 },
    writes: [{ queue: 'mail', completed: [], failed: [] }],
  });
  expect(states.get('mail')?.leased).toBe(true);
});

it('goes on in a store that was emptied', async () => {
  if (!world) return;
  await world.empty();
  const { source } = countingSource({ mail: 3 });
  const recorder = new MetricsRecorder({ store: world.store, sources: [source] });
  for (let times = 0; times < 2; times += 1) {
    await recorder.tick();
    await recorder.tick();
    expect(await completedOf(['mail'])).toEqual([3]);
    await world.empty();
  }
  await recorder.stop();
});

it('reads again what was lost of the others where a new queue finds the store emptied', async () => {
  if (!world) return;
  await world.empty();
  const counts: Record<string, number> = { mail: 3 };
  const { source } = countingSource(counts);
  const from: number[] = [];
  const noting: MetricsSource = {
    ...source,
    read(requests) {
      from.push(requests.get('mail')?.completedFrom ?? 0);
      return source.read(requests);
    },
  };
  const recorder = new MetricsRecorder({ store: world.store, sources: [noting] });
  await recorder.tick();
  await world.empty();
  counts['sms'] = 4;
  await recorder.tick();
  await recorder.stop();
  expect(from.at(-1)).toBe(from[0]);
  expect(await completedOf(['mail', 'sms'])).toEqual([3, 4]);
});

it('records a queue from the first source that has it, and none with the name of all', async () => {
  if (!world) return;
  await world.empty();
  const sources = [
    countingSource({ mail: 3, __global__: 90 }),
    countingSource({ sms: 4, mail: 50, __global__: 90 }),
  ];
  const recorder = new MetricsRecorder({
    store: world.store,
    sources: sources.map(({ source }) => source),
  });
  await recorder.tick();
  await recorder.stop();
  expect(sources.map(({ read }) => read)).toEqual([[['mail']], [['sms']]]);
  expect(await completedOf(['mail', 'sms', '__global__'])).toEqual([3, 4, 7]);
});

it('keeps the last failed attempts of each queue while the store is away', async () => {
  if (!world) return;
  await world.empty();
  const { store } = world;
  let isAway = true;
  const errors: string[] = [];
  const recorder = new MetricsRecorder({
    store: {
      commit: (given) => store.commit(given),
      release: (...given) => store.release(...given),
      lastWrite: () => store.lastWrite(),
      counters: (...given) => store.counters(...given),
      histograms: (...given) => store.histograms(...given),
      minutes: (...given) => store.minutes(...given),
      attempts: (queues) => store.attempts(queues),
      usage: () => store.usage(),
      purge: (scope) => store.purge(scope),
      addAttempts: async (given, perQueue) => {
        if (isAway) throw new Error('the store is away');
        // No more are sent than are kept.
        for (const attempts of given.values())
          expect(attempts.length).toBeLessThanOrEqual(perQueue);
        await store.addAttempts(given, perQueue);
      },
    },
    queues: [],
    attempts: { perQueue: 3 },
    onSnapshotError: ({ message }) => void errors.push(message),
  });
  const workers = ['mail', 'sms'].map((name) => Object.assign(new EventEmitter(), { name }));
  for (const worker of workers) recorder.watch(worker);
  const fail = (...jobs: number[]): void => {
    for (const worker of workers) {
      for (const id of jobs) {
        worker.emit('failed', { id, finishedOn: Date.now() + id }, new Error(`no ${worker.name}`));
      }
    }
  };
  fail(1, 2);
  await recorder.tick();
  fail(3, 4);
  await recorder.tick();
  isAway = false;
  await recorder.tick();
  const stored = async (queue: string) => (await store.attempts([queue])).map(({ job }) => job);
  for (const queue of ['mail', 'sms']) expect(await stored(queue)).toEqual(['2', '3', '4']);
  fail(5, 6, 7, 8);
  await recorder.stop();
  for (const queue of ['mail', 'sms']) expect(await stored(queue)).toEqual(['6', '7', '8']);
  expect(errors).toEqual(['the store is away', 'the store is away']);
  // A sender who sees one of the queues is told of its errors alone.
  const provider = metricsHistoryProvider(store);
  const range = { from: 0, to: Date.now() + 60_000 };
  const told = async (of: object) =>
    (await provider.getErrors({ ...range, ...of })).flatMap(({ queues }) => queues).toSorted();
  expect(await told({ queues: ['mail'] })).toEqual(['mail']);
  expect(await told({ queue: 'sms' })).toEqual(['sms']);
  expect(await told({})).toEqual(['mail', 'sms']);
});

it('serves the counts of the last minutes that are over', async () => {
  if (!world) return;
  await world.empty();
  const minute = minuteOf(Date.now());
  await world.store.commit({
    holder: 'one',
    leaseMs: 1,
    instance: undefined,
    retention: { minutes: 7, hours: 90, days: 90 },
    writes: [
      {
        queue: 'mail',
        completed: [0, 1, 5, 6].map((ago) => [minute - ago, 10 ** ago] as const),
        failed: [0, 2].map((ago) => [minute - ago, 10 ** ago] as const),
      },
    ],
  });
  vi.useFakeTimers({ toFake: ['Date'], now: minute * 60_000 + 59_999 });
  onTestFinished(() => void vi.useRealTimers());
  const recent = await metricsHistoryProvider(world.store).getRecent(['mail', 'none'], 5);
  expect([...recent]).toEqual([
    ['mail', { completed: 10 + 100_000, failed: 100 }],
    ['none', { completed: 0, failed: 0 }],
  ]);
});

it('counts a duration in the bucket whose upper bound it does not exceed', () => {
  const bucketsOf = (ran: number) => {
    const [hour] = hoursOf([{ finished: 0, ran, waited: null }], 1);
    return hour?.runtime.counts.flatMap((count, bucket) => (count > 0 ? [bucket] : []));
  };
  for (const [bucket, bound] of bounds.entries()) {
    expect([bound, bucketsOf(bound), bucketsOf(bound + 1)]).toEqual([
      bound,
      [bucket],
      [bucket + 1],
    ]);
  }
});

it.each([
  [{}, [7, 90, 90]],
  [{ retentionDays: 30 }, [7, 30, 30]],
  [{ retentionDays: 3 }, [3, 3, 3]],
  [{ retentionDays: 0.5 }, [1, 1, 1]],
  [{ retentionDays: 3, retention: { minutes: 5.9, days: 8 } }, [5, 3, 8]],
])('keeps minutes, hours and days as %j says', (given, [minutes, hours, days]) => {
  expect(resolveRetention(given)).toEqual({ minutes, hours, days });
});
