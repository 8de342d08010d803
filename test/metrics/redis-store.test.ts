/** The Redis store. */

import { Redis } from 'ioredis';
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { redisMetricsStore } from '../../src/metrics/index.ts';
import type { MetricsStore } from '../../src/metrics/index.ts';
import type { HistoryUsage } from '../../src/board/core/index.ts';
import { bucketCount, emptyHistogram } from '../../src/metrics/model/histogram.ts';
import type { Commit } from '../../src/metrics/model/store.ts';
import { dayOf, hourMs, minuteMs, minuteOf } from '../../src/metrics/model/time.ts';
import { layout } from '../../src/metrics/redis/layout.ts';
import { ownRedis } from '../board/kvq/own-redis.ts';
import { findRedis } from '../services/index.ts';
import { openGate } from './gate.ts';
import { storeSuite } from './store-suite.ts';
import { redisWorld } from './worlds.ts';
import { forgetKeys } from '../forget-keys.ts';

await storeSuite('Redis', redisWorld);

it('neither reads nor writes keys of another version', async (context) => {
  const found = await findRedis();
  if ('missing' in found) return context.skip(found.missing);
  const client = new Redis(found.url);
  const prefix = `metrics-${randomBytes(4).toString('hex')}`;
  const store = redisMetricsStore(client, { prefix });
  const write = { queue: 'q', completed: [], failed: [] };
  const retention = { minutes: 7, hours: 90, days: 90 };
  for (const version of [layout - 1, layout + 1]) {
    await client.hset(`{${prefix}}:meta`, { instance: 'one', layout: version });
    const refusal = expect.objectContaining({
      code: 'HISTORY_UNAVAILABLE',
      message: expect.stringMatching(
        `^the keys .* have version ${version}.* or choose another prefix`,
      ),
    });
    const commit = { holder: 'one', leaseMs: 1_000, instance: undefined, retention };
    await expect(store.commit({ ...commit, writes: [write] })).rejects.toEqual(refusal);
    await expect(store.usage()).rejects.toEqual(refusal);
  }
  expect(await client.keys(`{${prefix}}:*`)).toEqual([`{${prefix}}:meta`]);
  await client.unlink(`{${prefix}}:meta`);
  client.disconnect();
});

it('tells the usage in few scripts, and of all keys', async (context) => {
  const found = await findRedis();
  if ('missing' in found) return context.skip(found.missing);
  const gate = await openGate(found.url);
  const client = new Redis(gate.url);
  const prefix = `metrics-${randomBytes(4).toString('hex')}`;
  const store = redisMetricsStore(client, { prefix });
  const minute = minuteOf(Date.now());
  const counts = emptyHistogram();
  counts[3] = 1;
  const durations = { counts, ms: 5 };
  const writes = Array.from({ length: 100 }, (_none, index) => ({
    queue: `q${index}`,
    completed: [[minute, index + 1] as const],
    failed: [],
    samples: {
      from: null,
      to: minute * minuteMs,
      hours: [{ hour: Math.floor(minute / 60), runtime: durations, waittime: durations }],
    },
  }));
  const retention = { minutes: 7, hours: 3_650, days: 1 };
  await store.commit({ holder: 'one', leaseMs: 1, instance: undefined, retention, writes });
  // The first read sends the scripts.
  await store.usage();
  const before = gate.commands;
  const usage = await store.usage();
  expect(gate.commands - before).toBe(1 + Math.ceil(101 / 5));
  expect(usage.queues).toHaveLength(101);
  const keys = { hours: 1, totals: 3, others: 2 };
  for (const queue of usage.queues) {
    expect(queue).toMatchObject({ minutes: 1, keys: keys.hours + keys.totals + keys.others });
  }
  // Days differ from hours in their retention, and so may their fields.
  const named = await client.keys(`{${prefix}}:q7:*:totals`);
  await client.unlink(...named, `{${prefix}}:q7:completed:hours`);
  const after = await store.usage();
  const one = (from: HistoryUsage) => from.queues.find(({ queue }) => queue === 'q7');
  expect(one(after)).toEqual({
    ...one(usage),
    keys: keys.others,
    bytes: expect.any(Number),
    tiers: {
      ...one(usage)?.tiers,
      hour: expect.objectContaining({ keys: 1 }),
      day: { keys: 0, bytes: 0 },
    },
  });
  await forgetKeys(client, prefix);
  client.disconnect();
  await gate.close();
});

it('keeps hours and days of a queue as long as each tier says', async (context) => {
  const found = await findRedis();
  if ('missing' in found) return context.skip(found.missing);
  const client = new Redis(found.url);
  const prefix = `metrics-${randomBytes(4).toString('hex')}`;
  const store = redisMetricsStore(client, { prefix });
  const today = dayOf(Date.now());
  const counts = emptyHistogram();
  counts[3] = 1;
  let sampledTo: number | null = null;
  const commit = async (ago: number, retention: Commit['retention']): Promise<void> => {
    const hour = (today - ago) * 24;
    const durations = { counts, ms: 5 };
    const samples = {
      from: sampledTo,
      to: 100 - ago,
      hours: [{ hour, runtime: durations, waittime: durations }],
    };
    const completed = [[hour * 60, 1] as const];
    const age = { at: hour * hourMs, value: 5 };
    const writes = [{ queue: 'q', completed, failed: [], age, samples }];
    const about = { holder: 'one', leaseMs: 1, instance: undefined, retention };
    sampledTo = (await store.commit({ ...about, writes })).states.get('q')?.sampledTo ?? null;
  };
  for (const ago of [6, 4, 2]) await commit(ago, { minutes: 7, hours: 7, days: 7 });
  // A key that is not written any more expires at the end of the last day of its retention.
  for (const key of ['completed', 'hour'].map((kind) => `{${prefix}}:q:${kind}:${today - 2}`)) {
    expect([key, await client.expiretime(key)]).toEqual([key, (today - 2 + 7 + 1) * 86_400]);
  }
  await commit(0, { minutes: 7, hours: 5, days: 3 });
  const agoOf = async (metric: 'completed' | 'queueage', granularity: 'hour' | 'day') => {
    const width = granularity === 'hour' ? 24 : 1;
    const range = { granularity, from: 0, to: (today + 1) * width };
    const series = await store.counters(metric, ['q', '__global__'], range);
    return series.map((points) => points.map(([at]) => today - Math.floor(at / width)));
  };
  const [hours, days] = [
    [4, 2, 0],
    [2, 0],
  ];
  for (const metric of ['completed', 'queueage'] as const) {
    expect(await agoOf(metric, 'hour')).toEqual([hours, hours]);
    expect(await agoOf(metric, 'day')).toEqual([days, days]);
  }
  await forgetKeys(client, prefix);
  client.disconnect();
});

it('sends few scripts at a time, so that the server answers others in between', async (context) => {
  const found = await findRedis();
  if ('missing' in found) return context.skip(found.missing);
  const client = new Redis(found.url);
  const sent: number[] = [];
  const pipeline = client.pipeline.bind(client);
  client.pipeline = (commands) => {
    sent.push(commands?.length ?? 0);
    return pipeline(commands);
  };
  const prefix = `metrics-${randomBytes(4).toString('hex')}`;
  const store = redisMetricsStore(client, { prefix });
  const names = Array.from({ length: 60 }, (_none, index) => `q${index}`);
  const attempt = { at: Date.now(), job: '1', attempt: 1, ms: null, reason: 'it broke' };
  const attempts = new Map(names.map((name) => [name, [attempt]]));
  // A queue of many attempts is written in parts.
  attempts.set(
    'long',
    Array.from({ length: 1_000 }, () => attempt),
  );
  const batches = async (work: () => Promise<unknown>): Promise<unknown> => {
    sent.length = 0;
    const result = await work();
    // At most twice as many as before, from four on.
    expect(Math.max(...sent)).toBeLessThanOrEqual(32);
    return result;
  };
  await batches(() => store.addAttempts(attempts, 900));
  expect(await batches(() => store.attempts(undefined))).toHaveLength(60 + 900);
  expect(await batches(() => store.purge({}))).toMatchObject({ keysDeleted: 61 });
  expect(await store.attempts(undefined)).toEqual([]);
  // A removal keeps what the next reading counts from.
  await forgetKeys(client, prefix);
  client.disconnect();
});

it('keeps the sums of all queues while everything is purged and another client writes', async (context) => {
  const server = await ownRedis();
  if (!server) return context.skip('redis-server is not available.');
  await server.start();
  const clients = [new Redis(server.port), new Redis(server.port)] as const;
  const [store, other] = clients.map((client) => redisMetricsStore(client)) as [
    MetricsStore,
    MetricsStore,
  ];
  const names = Array.from({ length: 600 }, (_none, index) => `q${index}`);
  const retention = { minutes: 7, hours: 90, days: 90 };
  const minute = Math.floor(Date.now() / 60_000) + 2;
  const hour = Math.floor(minute / 60);
  const durations = { counts: Array.from({ length: bucketCount }, (_none, at) => at % 3), ms: 60 };
  let states: Awaited<ReturnType<MetricsStore['commit']>>['states'] = new Map();
  let [count, purged] = [0, 0];
  const write = async (): Promise<void> => {
    count += 1;
    const writes = names.map((queue, index) => ({
      queue,
      completed: [[minute, count] as const],
      failed: [[minute, 1] as const],
      // These are purged first: what they record after that is in the sums when the purge reaches these.
      ...(index < 20 && {
        age: { at: minute * 60_000, value: count * 1_000 + index },
        samples: {
          from: states.get(queue)?.sampledTo ?? null,
          to: Date.now() + count,
          hours: [{ hour, runtime: durations, waittime: durations }],
        },
      }),
    }));
    ({ states } = await other.commit({
      holder: 'one',
      leaseMs: 1,
      instance: undefined,
      retention,
      writes,
    }));
  };
  await write();
  const purging = (async () => {
    for (; purged < 5; purged += 1) await store.purge({});
  })();
  while (purged < 5) await write();
  await purging;
  await write();
  const all = [...names, '__global__'];
  for (const metric of ['completed', 'failed'] as const) {
    for (const granularity of ['hour', 'day'] as const) {
      const series = await store.counters(metric, all, { granularity, from: 0, to: 1e6 });
      const sums = series.map((points) => points.reduce((sum, [, value]) => sum + value, 0));
      expect(sums.pop()).toBe(sums.reduce((sum, each) => sum + each, 0));
    }
    const minutes = await store.minutes(metric, all, minute, minute);
    const sums = minutes.map((points) => points.reduce((sum, [, value]) => sum + value, 0));
    expect(sums).toEqual([...names.map(() => (metric === 'completed' ? count : 1)), sums.at(-1)]);
    expect(sums.pop()).toBe(sums.reduce((sum, each) => sum + each, 0));
  }
  for (const granularity of ['hour', 'day'] as const) {
    const at = granularity === 'hour' ? hour : Math.floor(hour / 24);
    const range = { granularity, from: at, to: at };
    for (const metric of ['runtime', 'waittime'] as const) {
      const series = await store.histograms(metric, all, range);
      const sums = series.map((points) => points.reduce((sum, [, { ms }]) => sum + ms, 0));
      const total = sums.pop();
      expect(total).toBeGreaterThan(0);
      expect(total).toBe(sums.reduce((sum, each) => sum + each, 0));
    }
    const ages = await store.counters('queueage', all, range);
    const oldest = ages.map((points) => Math.max(...points.map(([, value]) => value)));
    expect(oldest.pop()).toBe(Math.max(...oldest));
  }
  await store.purge({});
  expect(await store.usage()).toMatchObject({ keys: 0 });
  for (const client of clients) client.disconnect();
  await server.stop();
});

it('purges and measures a queue with few commands, however long the history is kept', async (context) => {
  const server = await ownRedis();
  if (!server) return context.skip('redis-server is not available.');
  await server.start();
  const client = new Redis(server.port);
  const store = redisMetricsStore(client);
  const writes = ['mail', 'other'].map((queue) => ({
    queue,
    completed: [[Math.floor(Date.now() / 60_000), 5] as const],
    failed: [],
  }));
  const retention = { minutes: 7, hours: 365, days: 365 };
  await store.commit({ holder: 'one', leaseMs: 1, instance: undefined, retention, writes });
  const commandsOf = async (work: () => Promise<unknown>): Promise<number> => {
    await client.config('RESETSTAT');
    await work();
    const stats = await client.info('commandstats');
    return [...stats.matchAll(/:calls=(\d+)/g)].reduce((sum, [, calls]) => sum + Number(calls), 0);
  };
  expect(await commandsOf(() => store.purge({ queue: 'mail' }))).toBeLessThan(60);
  // The queue that is left, and all queues together: a command for each day.
  expect(await commandsOf(() => store.usage())).toBeLessThan(2 * 365 + 100);
  client.disconnect();
  await server.stop();
});
