/**
 * The metrics history: storage of a queue-day, reads of 90 days, a tick over 300 queues, and what recording costs workers.
 * Beside it the snapshots of pg-boss; bull-board 9 has the interface of a history provider without a store.
 */

import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { bullmqQueue } from '../../src/board/index.ts';
import type { MetricsStore } from '../../src/metrics/index.ts';
import {
  metricsHistoryProvider,
  metricsMigration,
  MetricsRecorder,
  redisMetricsStore,
  sqlMetricsStore,
} from '../../src/metrics/index.ts';
import { emptyHistogram } from '../../src/metrics/model/histogram.ts';
import { dayOf } from '../../src/metrics/model/time.ts';
import { findRedis, scratchDatabase } from '../../test/services/index.ts';
import { figure, table } from '../markdown.ts';
import { benchDay } from './day.ts';
import { benchPeer } from './peer.ts';
import { benchWorkers } from './workers.ts';

const days = 90;
const queueCount = 300;
const prefix = `bench${process.pid}`;

/** A store under measurement. */
interface Measured {
  readonly name: string;
  readonly store: MetricsStore;
  /** Round trips so far. */
  trips(): number;
  /** Before sizes are read. */
  settle(): Promise<void>;
  /** Further figures of its storage. */
  storage?(): Promise<string[][]>;
  /** Milliseconds of processor time that the server has used for scripts; absent where it does not tell. */
  serverMs?(): Promise<number>;
  close(): Promise<void>;
}

const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;

async function onRedis(url: string): Promise<Measured> {
  const client = new Redis(url);
  let trips = 0;
  const pipeline = client.pipeline.bind(client);
  Reflect.set(client, 'pipeline', (...given: Parameters<typeof pipeline>) => {
    trips += 1;
    return pipeline(...given);
  });
  return {
    name: 'Redis',
    store: redisMetricsStore(client, { prefix }),
    trips: () => trips,
    settle: async () => undefined,
    async serverMs() {
      const stats = await client.info('commandstats');
      return Number(/cmdstat_evalsha:calls=\d+,usec=(\d+)/.exec(stats)?.[1] ?? 0) / 1_000;
    },
    async close() {
      const keys = await client.keys(`{${prefix}}:*`);
      if (keys.length > 0) await client.unlink(...keys);
      client.disconnect();
    },
  };
}

async function onPostgresql(): Promise<Measured | null> {
  const database = await scratchDatabase('postgresql', 'history');
  if ('missing' in database) return null;
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  await pool.query(metricsMigration());
  let trips = 0;
  return {
    name: 'PostgreSQL',
    store: sqlMetricsStore({
      query: (text, values) => {
        trips += 1;
        return pool.query(text, values);
      },
    }),
    trips: () => trips,
    // The fill writes ninety days at once; the space of old row versions would otherwise count.
    settle: async () => void (await pool.query('vacuum (full, analyze)')),
    storage: async () => [...(await benchDay(database.url)), ...(await benchPeer(database.url))],
    async close() {
      await pool.end();
      await database.drop();
    },
  };
}

/** Ninety days of a queue that finishes about a hundred jobs a minute, of which 2 percent fail. */
async function fill(store: MetricsStore): Promise<void> {
  const first = dayOf(Date.now()) - days + 1;
  const retention = { minutes: days + 1, hours: days + 1, days: days + 1 };
  let sampledTo: number | null = null;
  for (let hour = first * 24; hour < (first + days) * 24; hour += 1) {
    const minutes = Array.from({ length: 60 }, (_none, index) => hour * 60 + index);
    const counts = minutes.map((minute) => [minute, 60 + ((minute * 37) % 90)] as const);
    const histogram = emptyHistogram();
    for (const [place, count] of [40, 900, 3_000, 1_500, 400, 90, 12, 3].entries()) {
      histogram[place + 1] = count + (hour % 7);
    }
    const to = (hour + 1) * 3_600_000;
    await store.commit({
      holder: 'bench',
      leaseMs: 60_000,
      instance: undefined,
      retention,
      writes: [
        {
          queue: 'busy',
          completed: counts,
          failed: counts.filter(([minute]) => minute % 3 === 0).map(([minute]) => [minute, 5]),
          age: { at: to - 1, value: 400 + (hour % 90) * 1_000 },
          samples: {
            from: sampledTo,
            to,
            hours: [
              {
                hour,
                runtime: { counts: histogram, ms: 2_400_000 },
                waittime: { counts: histogram.toReversed(), ms: 80_000_000 },
              },
            ],
          },
        },
      ],
    });
    sampledTo = to;
  }
}

async function benchStore({ name, store, settle, serverMs: told }: Measured): Promise<string[][]> {
  await fill(store);
  await settle();
  const usage = await store.usage();
  const { tiers } = usage.queues.find(({ queue }) => queue === 'busy') ?? usage;
  const perDay = (tier: 'minute' | 'hour' | 'day'): number => tiers[tier].bytes / days;
  const mean = (perDay('minute') * 7) / days + perDay('hour') + perDay('day');
  const provider = metricsHistoryProvider(store, { retentionDays: days });
  const to = Date.now();
  const range = { queue: 'busy', from: to - days * 86_400_000, to };
  const reads = {
    'hours of 90 days': () =>
      provider.getHistory({ ...range, metric: 'completed', granularity: 'hour' }),
    'days of 90 days': () =>
      provider.getHistory({ ...range, metric: 'completed', granularity: 'day' }),
    'percentiles of 90 days': () =>
      provider.getLatency({
        ...range,
        metric: 'runtime',
        granularity: 'range',
        percentiles: [50, 95, 99],
      }),
  };
  const rows = [
    [`${name}: minutes of a queue-day (kept 7 days), kB`, figure(perDay('minute') / 1_000)],
    [
      `${name}: hours and day of a queue-day (kept 90 days), kB`,
      figure((perDay('hour') + perDay('day')) / 1_000),
    ],
    [`${name}: mean of a queue-day over 90 days, kB`, figure(mean / 1_000)],
  ];
  for (const [what, read] of Object.entries(reads)) {
    const times: number[] = [];
    for (let round = 0; round < 10; round += 1) await read();
    const [used, server] = [process.cpuUsage(), await told?.()];
    for (let round = 0; round < 50; round += 1) {
      const start = performance.now();
      await read();
      times.push(performance.now() - start);
    }
    const { user, system } = process.cpuUsage(used);
    rows.push(
      [`${name}: ${what}, ms`, figure(median(times))],
      [`${name}: of these, processor time of Node.js, ms`, figure((user + system) / 50_000)],
    );
    if (told && server !== undefined) {
      const ms = ((await told()) - server) / 50;
      rows.push([`${name}: and time of the script in Redis, ms`, figure(ms)]);
    }
  }
  return rows;
}

/** Queues on one counted connection. */
function benchQueues(url: string) {
  const client = new Redis(url, { maxRetriesPerRequest: null });
  let trips = 0;
  const pipeline = client.pipeline.bind(client);
  Reflect.set(client, 'pipeline', (...given: Parameters<typeof pipeline>) => {
    trips += 1;
    return pipeline(...given);
  });
  const queues = Array.from(
    { length: queueCount },
    (_none, index) =>
      new Queue(`q${index}`, { connection: client as never, prefix, skipMetasUpdate: true }),
  );
  return { client, queues, trips: () => trips };
}

/** Milliseconds of processor time that the server has used. */
async function serverMs(client: Redis): Promise<number> {
  const info = await client.info('cpu');
  const used = (name: string): number => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1]);
  return (used('used_cpu_user') + used('used_cpu_sys')) * 1_000;
}

async function benchTick(url: string, measured: Measured): Promise<string[][]> {
  const { client, queues, trips } = benchQueues(url);
  const worker = new Worker('q0', async () => undefined, {
    connection: client as never,
    prefix,
    concurrency: 50,
    metrics: { maxDataPoints: 1_440 },
  });

  await queues[0]?.addBulk(Array.from({ length: 2_000 }, () => ({ name: 'job', data: {} })));
  while ((await queues[0]?.getCompletedCount()) !== 2_000) await pause(20);
  const recorder = new MetricsRecorder({
    store: measured.store,
    queues: queues.map((queue) => bullmqQueue(queue)),
    latencySafetyMarginMs: 0,
  });
  await recorder.tick();
  const times: number[] = [];
  const before = { source: trips(), store: measured.trips(), server: await serverMs(client) };
  const ticks = 20;
  for (let tick = 0; tick < ticks; tick += 1) {
    const start = performance.now();
    await recorder.tick();
    times.push(performance.now() - start);
  }
  const used = ((await serverMs(client)) - before.server) / ticks;
  const rows = [
    [`${measured.name}: a tick over ${queueCount} queues, ms`, figure(median(times))],
    [`${measured.name}: its round trips to the source`, figure((trips() - before.source) / ticks)],
    [
      `${measured.name}: its round trips to the store`,
      figure((measured.trips() - before.store) / ticks),
    ],
    [`${measured.name}: processor time of Redis per tick, ms`, figure(used)],
    [
      `${measured.name}: share of a processor of Redis at one tick a minute, %`,
      (used / 600).toFixed(4),
    ],
  ];
  await recorder.stop();
  await worker.close();
  await queues[0]?.obliterate({ force: true });
  await Promise.all(queues.map((queue) => queue.close()));
  client.disconnect();
  return rows;
}

/** Prints the figures of both stores. */
export async function runHistory(): Promise<void> {
  const found = await findRedis();
  if ('missing' in found) throw new Error('The bench of the history needs Redis.');
  const rows: string[][] = [];
  const add = (more: string[][]): void => {
    for (const row of more) console.log(row.join(': '));
    rows.push(...more);
  };
  for (const measured of [await onRedis(found.url), await onPostgresql()]) {
    if (!measured) continue;
    add(await benchStore(measured));
    add((await measured.storage?.()) ?? []);
    add(await benchTick(found.url, measured));
    await measured.close();
  }
  add(await benchWorkers());
  console.log(`## Metrics history\n\n${table(['figure', 'value'], rows)}\n`);
}
