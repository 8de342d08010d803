/** Thresholds on both engines, failed attempts of workers, and errors grouped. */

import { Queue, Worker } from 'bullmq';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createBoard } from '../../src/board/index.ts';
import type { AttentionChange, HistoryProvider } from '../../src/board/index.ts';
import { Attention } from '../../src/board/core/history/attention.ts';
import { bullmqQueue } from '../../src/board/kvq/index.ts';
import { metricsHistoryProvider, MetricsRecorder } from '../../src/metrics/index.ts';
import { groupErrors } from '../../src/metrics/model/errors.ts';
import { normalizedError } from '../../src/lib/index.ts';
import { hoursOf } from '../../src/metrics/model/samples.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import { findRedis } from '../services/index.ts';
import { redisWorld, sqlWorld } from './worlds.ts';
import type { StoreWorld } from './worlds.ts';

it('takes digits, ids and paths out of an error', () => {
  const same = [
    [
      'Order 17 of 3f2a77b0-9a4e-4b57-8a3e-0f6bb1a4c111 failed after 12.5 s',
      'Order <n> of <id> failed after <n> s',
    ],
    [
      "ENOENT: no such file, open '/var/lib/app/a-1.txt'\n at x",
      "ENOENT: no such file, open '<path>'",
    ],
    ['GET https://api.example.com/v1/users/9 answered 503', 'GET <url> answered <n>'],
    ['document 507f1f77bcf86cd799439011 is missing', 'document <id> is missing'],
    ['cannot open C:\\data\\in.csv', 'cannot open <path>'],
    ['deadbeef is a word', 'deadbeef is a word'],
    ['', ''],
  ];
  for (const [reason = '', error] of same) expect(normalizedError(reason)).toBe(error);
  const slow = `${'/a'.repeat(100_000)} ${'x:'.repeat(100_000)}`;
  expect(normalizedError(slow).length).toBeLessThan(600);
});

it('groups attempts by error and hour', () => {
  const attempt = (reason: string, at: number, queue = 'mail') => ({
    queue,
    job: '1',
    attempt: 1,
    at,
    ms: 5,
    reason,
  });
  const attempts = [
    attempt('timeout of 5 s', 3_600_000),
    attempt('timeout of 9 s', 3_600_001, 'other'),
    attempt('timeout of 7 s', 7_200_000),
    attempt('refused', 7_200_001),
    attempt('refused', 9_999_999),
  ];
  expect(groupErrors(attempts, 0, 8_000_000)).toEqual([
    {
      error: 'timeout of <n> s',
      example: 'timeout of 7 s',
      queues: ['mail', 'other'],
      count: 3,
      firstAt: 3_600_000,
      lastAt: 7_200_000,
      hours: [
        { ts: 3_600_000, value: 2 },
        { ts: 7_200_000, value: 1 },
      ],
    },
    expect.objectContaining({ error: 'refused', count: 1 }),
  ]);
});

it('tells what needs no history while the history cannot be read, and keeps what it knew', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let isAway = false;
  const read = <Value>(value: Value) => {
    if (isAway) throw new Error('the history is away');
    return Promise.resolve(value);
  };
  const errors: unknown[] = [];
  const facts = { finished: null, waiting: 1, hasWorkers: null };
  const oldestMs = new Map([['mail', 0]]);
  const attention = new Attention({
    options: { failureShare: 0.5, oldestJobMs: 1_000, recorderSilentMs: 60_000 },
    provider: {
      getHistory: async () => [],
      getRecent: async () => read(new Map([['mail', { completed: 0, failed: 20 }]])),
      lastRecorded: async () => read(null),
    },
    onAttention: undefined,
    read: async () => [
      { ...facts, queue: 'mail', oldestMs: oldestMs.get('mail') ?? null },
      { ...facts, queue: 'other', oldestMs: 0 },
    ],
    onError: (error) => errors.push(error),
  });
  const begun = Date.now();
  const check = async () =>
    (await attention.check()).map(({ kind, queue = null, since }) => [kind, queue, since]);
  const known = [
    ['failureShare', 'mail', begun],
    ['recorderSilent', null, begun],
  ];
  expect(await check()).toEqual(known);
  // A recorder that has never written is not silent since 1970.
  const [, silent] = await attention.check();
  expect(silent).toMatchObject({ value: 60_000 });
  isAway = true;
  oldestMs.set('mail', 2_000);
  vi.advanceTimersByTime(5_000);
  expect(await check()).toEqual([...known, ['oldestJob', 'mail', begun + 4_000]]);
  expect(errors).toHaveLength(2);
});

/** An attention whose only fact is the age of a job, checked every second of a clock that the test moves. */
function ageing(
  onAttention: (change: AttentionChange) => unknown,
  provider?: Partial<HistoryProvider>,
) {
  vi.useFakeTimers({
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'performance'],
  });
  const facts = { queue: 'mail', finished: null, waiting: 1, hasWorkers: null };
  const state = { oldestMs: 0, errors: [] as unknown[] };
  const attention = new Attention({
    options: { oldestJobMs: 1_000, recorderSilentMs: 60_000, failureShare: 0.5, intervalMs: 2_000 },
    provider: provider && { getHistory: async () => [], ...provider },
    onAttention,
    read: async () => [{ ...facts, oldestMs: state.oldestMs }],
    onError: (error) => state.errors.push(error),
  });
  onTestFinished(() => {
    attention.close();
    vi.useRealTimers();
  });
  const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
  return { attention, state, pass };
}

it('tells once in an interval, however often a value comes and goes', async () => {
  const told: AttentionChange[] = [];
  const { attention, state, pass } = ageing((change) => told.push(change));
  // A page asks every second, and sees each change at once.
  const seen: number[] = [];
  for (let at = 0; at < 20; at += 1) {
    state.oldestMs = at % 2 === 0 ? 5_000 : 0;
    seen.push((await attention.check()).length);
    await pass(1_001);
  }
  expect(seen).toEqual(Array.from({ length: 20 }, (_none, at) => (at % 2 === 0 ? 1 : 0)));
  expect(told.length).toBeLessThanOrEqual(10);
  // Each message follows from the one before.
  const raised = told.map((change) => change.raised.length - change.cleared.length);
  expect(raised).toEqual(raised.map((_change, index) => (index % 2 === 0 ? 1 : -1)));
});

it('lets no message overtake another one, and waits for none for ever', async () => {
  const told: AttentionChange[] = [];
  const answers: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const { attention, state, pass } = ageing((change) => {
    told.push(change);
    return new Promise<void>((resolve, reject) => {
      answers.push({ resolve, reject });
    });
  });
  state.oldestMs = 5_000;
  await pass(2_000);
  state.oldestMs = 0;
  await pass(4_000);
  expect(told).toMatchObject([{ raised: [{ kind: 'oldestJob' }], cleared: [] }]);
  answers[0]?.resolve();
  await pass(2_000);
  expect(told).toMatchObject([{}, { raised: [], cleared: [{ kind: 'oldestJob' }] }]);
  // The second message never ends, and the third one is told nevertheless.
  state.oldestMs = 5_000;
  await pass(20_000);
  expect(told).toHaveLength(2);
  await pass(20_000);
  expect(told).toHaveLength(3);
  answers[1]?.reject(new Error('too late'));
  await pass(0);
  expect(state.errors).toEqual([new Error('too late')]);
  state.oldestMs = 0;
  attention.close();
  await pass(60_000);
  expect(told).toHaveLength(3);
});

it('tells what needs no history while the history gives no answer', async () => {
  const never = () => new Promise<never>(() => undefined);
  const { attention, state, pass } = ageing(() => undefined, {
    getRecent: never,
    lastRecorded: never,
  });
  state.oldestMs = 5_000;
  const checked = attention.check();
  await pass(5_000);
  await pass(5_000);
  expect(await checked).toMatchObject([{ kind: 'oldestJob' }]);
  expect(state.errors).toHaveLength(2);
});

it('needs thresholds to tell of', () => {
  expect(() => createBoard({ options: { onAttention: () => undefined } } as never)).toThrow(
    /attention/,
  );
  const wrong = { options: { attention: { failureShare: 2 } } };
  expect(() => createBoard(wrong as never)).toThrow('"attention.failureShare" must be');
});

describe.each([
  ['Redis', redisWorld],
  ['PostgreSQL', sqlWorld],
])('failed attempts in %s', (_name, open) => {
  let world: StoreWorld | null = null;
  let queue: Queue;
  let worker: Worker;
  const prefix = `att${randomBytes(4).toString('hex')}`;

  beforeAll(async () => {
    const found = await findRedis();
    world = await open();
    if ('missing' in found || !world) return;
    const { hostname: host, port } = new URL(found.url);
    const connection = { host, port: Number(port || 6379), maxRetriesPerRequest: null };
    queue = new Queue('mail', { connection, prefix });
    worker = new Worker(
      'mail',
      async ({ data }) => {
        throw new Error(`order ${data.order} is unknown`);
      },
      { connection, prefix },
    );
  });
  afterAll(async () => {
    await worker?.close();
    await queue?.obliterate({ force: true });
    await queue?.close();
    await world?.close();
  });

  it('are kept, bounded, and served', async () => {
    if (!world || !queue) return;
    const { store } = world;
    await world.empty();
    const recorder = new MetricsRecorder({
      store,
      queues: [bullmqQueue(queue, { prefix: 'eu:' })],
      attempts: { perQueue: 5 },
    }).watch(worker, 'eu:mail');
    const jobs = [1, 2].map((order) => queue.add('send', { order }, { attempts: 3 }));
    const [first] = await Promise.all(jobs);
    const provider = metricsHistoryProvider(store);
    const hidden = bullmqQueue(queue, { prefix: 'hidden:', visibilityGuard: () => false });
    const board = await serveBoard([bullmqQueue(queue, { prefix: 'eu:' }), hidden], {
      historyProvider: provider,
    });
    await expect.poll(() => queue.getFailedCount()).toBe(2);
    await expect
      .poll(async () => {
        await recorder.tick();
        const { body } = await board.get('/api/metrics/errors');
        return body.errors[0]?.count;
      })
      .toBe(5);
    const { body } = await board.get('/api/metrics/errors?queue=eu:mail');
    expect(body.errors).toMatchObject([{ error: 'order <n> is unknown', queues: ['eu:mail'] }]);
    const shown = await board.get(`/api/metrics/attempts?queue=eu:mail&job=${first?.id}`);
    expect(shown.body.attempts.at(-1)).toMatchObject({
      job: first?.id,
      attempt: 3,
      ms: expect.any(Number),
      reason: 'order 1 is unknown',
    });
    const blind = bullmqQueue(queue, { prefix: 'eu:', visibilityGuard: () => false });
    const closed = await serveBoard([blind], { historyProvider: provider });
    const unseen = await closed.get(`/api/metrics/attempts?queue=eu:mail&job=${first?.id}`);
    expect(unseen.body).toEqual({ attempts: [] });
    await closed.close();
    expect((await board.get('/api/metrics/errors?queue=hidden:mail')).body).toEqual({ errors: [] });
    const attempts = '/api/metrics/attempts?queue=hidden:mail&job=1';
    expect((await board.get(attempts)).body).toEqual({ attempts: [] });
    expect((await board.get('/api/metrics/errors?from=x')).status).toBe(400);
    expect((await board.get('/api/metrics/attempts?queue=q')).status).toBe(400);
    expect((await board.get('/api/metrics/errors?from=9&to=1')).body).toEqual({ errors: [] });
    await store.purge({ queue: 'eu:mail' });
    expect((await board.get('/api/metrics/errors')).body).toEqual({ errors: [] });
    await recorder.stop();
    await board.close();
  });

  it('are refused where the recorder keeps none', () => {
    if (!world || !queue) return;
    const recorder = new MetricsRecorder({ store: world.store, queues: [] });
    expect(() => recorder.watch(worker)).toThrow('"watch" requires the option "attempts"');
    expect(worker.listenerCount('failed')).toBe(0);
  });
});

it('tells of a kvq board what is beyond its thresholds, and when it is within them again', async () => {
  const found = await findRedis();
  const world = await redisWorld();
  if ('missing' in found || !world) return;
  const { hostname: host, port } = new URL(found.url);
  const connection = { host, port: Number(port || 6379) };
  const prefix = `att${randomBytes(4).toString('hex')}`;
  const queue = new Queue('mail', { connection, prefix });
  const told: AttentionChange[] = [];
  const options = {
    historyProvider: metricsHistoryProvider(world.store),
    exporter: true,
    attention: {
      failureShare: 0.2,
      oldestJobMs: 1,
      backlogWithoutWorkers: 2,
      recorderSilentMs: 60_000,
      intervalMs: 50,
    },
  };
  const board = await serveBoard([bullmqQueue(queue)], {
    ...options,
    onAttention: (change) => {
      told.push(change);
      throw new Error('a host that fails');
    },
  });
  // Who sees another queue is told nothing of this one either.
  const calm = new Queue('calm', { connection, prefix });
  const guarded = await serveBoard(
    [bullmqQueue(queue, { visibilityGuard: () => false }), bullmqQueue(calm)],
    options,
  );
  const kinds = async (from = board): Promise<string[]> => {
    const { body } = await from.get('/api/attention');
    return body.items.map(({ kind }: { kind: string }) => kind).toSorted();
  };
  expect(await kinds()).toEqual(['recorderSilent']);
  await queue.addBulk([1, 2, 3].map((n) => ({ name: 'job', data: { n } })));
  await expect
    .poll(() => kinds())
    .toEqual(['backlogWithoutWorkers', 'oldestJob', 'recorderSilent']);
  expect(await kinds(guarded)).toEqual(['recorderSilent']);
  const { body } = await board.get('/api/attention');
  expect(body.items).toContainEqual({
    kind: 'backlogWithoutWorkers',
    queue: 'mail',
    since: expect.any(Number),
    value: 3,
    threshold: 2,
  });
  await world.store.commit({
    holder: 'one',
    leaseMs: 1,
    instance: undefined,
    retention: { minutes: 7, hours: 90, days: 90 },
    writes: [
      {
        queue: 'mail',
        completed: [[Math.floor(Date.now() / 60_000), 7]],
        failed: [],
        samples: {
          from: null,
          to: Date.now(),
          hours: hoursOf([{ finished: Date.now(), ran: 1_500, waited: null }], 2),
        },
      },
      { queue: 'other', completed: [[Math.floor(Date.now() / 60_000), 9]], failed: [] },
    ],
  });
  const scraped = await (await fetch(`${board.url}/metrics`)).text();
  expect(scraped).toContain('sluice_recorded_completed_total{queue="mail"} 7');
  expect(scraped).toContain('sluice_recorded_runtime_seconds_bucket{queue="mail",le="+Inf"} 2');
  expect(scraped).toContain('sluice_recorded_runtime_seconds_bucket{queue="mail",le="0.5"} 0');
  expect(scraped).toContain('sluice_recorded_runtime_seconds_bucket{queue="mail",le="5.0"} 2');
  expect(scraped).toContain('sluice_recorded_runtime_seconds_count{queue="mail"} 2');
  expect(scraped).toContain('sluice_recorded_runtime_seconds_sum{queue="mail"} 3');
  expect(scraped).toContain('sluice_recorded_waittime_seconds_sum{queue="mail"} 0');
  expect(scraped).not.toContain('"other"');
  expect(await (await fetch(`${guarded.url}/metrics`)).text()).not.toContain('"mail"');
  await Promise.all([queue, calm].map((each) => each.obliterate({ force: true })));
  const recorder = new MetricsRecorder({ store: world.store, queues: [bullmqQueue(queue)] });
  await recorder.tick();
  await recorder.stop();
  await expect.poll(() => kinds()).toEqual([]);
  await expect
    .poll(() => told.flatMap(({ cleared }) => cleared.map(({ kind }) => kind)).toSorted())
    .toEqual(['backlogWithoutWorkers', 'oldestJob', 'recorderSilent']);
  await Promise.all([board.close(), guarded.close()]);
  await Promise.all([queue.close(), calm.close()]);
  await world.close();
});

it('tells of the failures and waiting jobs of a pgq board', async () => {
  const library = newestLibrary;
  const world = await makeWorld(library, 'attention');
  const boss = new library.module.PgBoss({
    connectionString: world.url,
    supervise: false,
    schedule: false,
    persistQueueStats: true,
    monitorIntervalSeconds: 1,
    max: 2,
  });
  boss.on('error', () => undefined);
  await boss.start();
  await boss.createQueue('mail');
  await boss.supervise('mail');
  for (let n = 0; n < 20; n += 1) await boss.send('mail', {}, { retryLimit: 0 });
  const jobs = await boss.fetch('mail', { batchSize: 15 });
  for (const { id } of jobs) await boss.fail('mail', id);
  const thresholds = { failureShare: 0.5, oldestJobMs: 100, backlogWithoutWorkers: 2 };
  const board = await world.board({}, { attention: thresholds });
  const guarded = await world.board({ visibilityGuard: () => false }, { attention: thresholds });
  const kinds = async (): Promise<string[][]> => {
    const { body } = await board.get('/api/attention');
    const items = body['items'] as unknown as { kind: string; queue: string }[];
    return items.map(({ kind, queue }) => [kind, queue]).toSorted();
  };
  await expect
    .poll(
      async () => {
        await boss.supervise('mail');
        // The library counts the jobs of a minute once it is over; its snapshots tell of them by their time.
        await world.admin.query(
          `update pgboss.queue_stats set delta_on = delta_on - interval '1 minute'
            where delta_on >= date_trunc('minute', now()) and failed_delta > 0`,
        );
        return kinds();
      },
      { interval: 500 },
    )
    .toEqual([
      ['backlogWithoutWorkers', 'mail'],
      ['failureShare', 'mail'],
      ['oldestJob', 'mail'],
    ]);
  // Instances tell their workers with each heartbeat, which would undo a single change.
  const without = async (change: string): Promise<boolean> => {
    await world.admin.query(change);
    return (await kinds())[0]?.[0] === 'backlogWithoutWorkers';
  };
  const beating = `update pgboss.instance set workers = '[{"id": "1", "queue": "mail"}]', heartbeat_on = now()`;
  await expect.poll(() => without(beating)).toBe(false);
  // One that is gone has no workers.
  const silent = `update pgboss.instance set heartbeat_on = now() - interval '1 hour'`;
  await expect.poll(() => without(silent)).toBe(true);
  // Where no instance registers, nothing is known of workers.
  await expect.poll(() => without('delete from pgboss.instance')).toBe(false);
  expect((await guarded.get('/api/attention')).body).toEqual({ items: [] });
  await boss.stop({ graceful: false });
  await world.close();
});
