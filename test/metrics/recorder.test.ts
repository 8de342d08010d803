/** A recorder whose host or sources misbehave: it goes on recording, and ends. */

import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { MetricsRecorder } from '../../src/metrics/index.ts';
import type { MetricsSource } from '../../src/metrics/index.ts';
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
