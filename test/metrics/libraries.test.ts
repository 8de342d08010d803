/** The recorder over the queue libraries: BullMQ 5 and 6 on Redis, BullMQ 6 on PostgreSQL, Bull. */

import Bull from 'bull';
import * as bullmq6 from 'bullmq';
import * as bullmq5 from 'bullmq-5';
import { Redis } from 'ioredis';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bullmqQueue, bullQueue } from '../../src/board/kvq/index.ts';
import type { BoardQueue } from '../../src/board/kvq/index.ts';
import {
  kvqLibraryHistoryProvider,
  metricsHistoryProvider,
  MetricsRecorder,
} from '../../src/metrics/index.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import { findRedis, scratchDatabase } from '../services/index.ts';
import { redisWorld } from './worlds.ts';
import type { StoreWorld } from './worlds.ts';
import { forgetKeys } from '../forget-keys.ts';

/** A library under test. */
interface Library {
  queue(name: string): BoardQueue;
  add(name: string, jobs: number): Promise<void>;
  /** Processes jobs, of which every fifth fails, until `jobs` are finished. */
  work(name: string, jobs: number, counts: boolean): Promise<void>;
  /** Moves the minute that the library counts in into the past, for either kind of job. */
  backdate(name: string, minutes: number): Promise<void>;
  close(): Promise<void>;
}

type Closing = { close(): Promise<unknown>; on(event: string, act: () => void): unknown };

const newPrefix = (): string => `m${randomBytes(4).toString('hex')}`;

/** Removes the keys of a test. */
async function forgetAt(url: string, prefix: string): Promise<void> {
  const client = new Redis(url);
  await forgetKeys(client, prefix);
  client.disconnect();
}

async function backdateKeys(url: string, base: string, minutes: number): Promise<void> {
  const client = new Redis(url);
  for (const kind of ['completed', 'failed']) {
    const key = `${base}:metrics:${kind}`;
    const at = Number(await client.hget(key, 'prevTS'));
    if (at > 0) await client.hset(key, 'prevTS', at - minutes * 60_000);
  }
  client.disconnect();
}

async function process(job: { readonly data: { readonly n: number } }): Promise<void> {
  if (job.data.n % 5 === 4) throw new Error('fails');
}

const jobsOf = (count: number) =>
  Array.from({ length: count }, (_none, n) => ({ name: 'job', data: { n } }));

function bullmq(
  lib: typeof bullmq6,
  options: object,
  backend: readonly unknown[],
  backdate: Library['backdate'],
  dispose: () => Promise<void>,
): Library {
  const open: Closing[] = [];
  const make = <Made>(constructor: unknown, ...args: unknown[]): Made => {
    const made = Reflect.construct(constructor as new () => Closing, [...args, ...backend]);
    made.on('error', () => undefined);
    open.push(made);
    return made as Made;
  };
  const queues = new Map<string, bullmq6.Queue>();
  const queueOf = (name: string): bullmq6.Queue => {
    const queue = queues.get(name) ?? make<bullmq6.Queue>(lib.Queue, name, options);
    queues.set(name, queue);
    return queue;
  };
  return {
    queue: (name) => bullmqQueue(queueOf(name)),
    add: async (name, jobs) => void (await queueOf(name).addBulk(jobsOf(jobs))),
    async work(name, jobs, counts) {
      const worker = make<bullmq6.Worker>(lib.Worker, name, process, {
        ...options,
        concurrency: 5,
        ...(counts && { metrics: { maxDataPoints: 60 } }),
      });
      await finished(worker, jobs);
      await worker.close();
    },
    backdate,
    async close() {
      await Promise.all(open.map((each) => each.close()));
      await dispose();
    },
  };
}

/** Resolves after so many jobs have finished. */
function finished(
  worker: { on(event: 'completed' | 'failed', act: () => void): unknown },
  jobs: number,
): Promise<void> {
  return new Promise((resolve) => {
    let left = jobs;
    const count = (): void => {
      left -= 1;
      if (left === 0) resolve();
    };
    worker.on('completed', count);
    worker.on('failed', count);
  });
}

function bull(url: string): Library {
  const prefix = newPrefix();
  const open: Bull.Queue[] = [];
  const make = (name: string, counts = false): Bull.Queue => {
    const queue = new Bull(name, url, {
      prefix,
      ...(counts && { metrics: { maxDataPoints: 60 } }),
    });
    queue.on('error', () => undefined);
    open.push(queue);
    return queue;
  };
  const queues = new Map<string, Bull.Queue>();
  const queueOf = (name: string): Bull.Queue => {
    const queue = queues.get(name) ?? make(name);
    queues.set(name, queue);
    return queue;
  };
  return {
    queue: (name) => bullQueue(queueOf(name)),
    add: async (name, jobs) => void (await queueOf(name).addBulk(jobsOf(jobs))),
    async work(name, jobs, counts) {
      const worker = make(name, counts);
      const done = finished(worker, jobs);
      void worker.process('*', 5, process);
      await done;
      await worker.close();
    },
    backdate: (name, minutes) => backdateKeys(url, `${prefix}:${name}`, minutes),
    async close() {
      await Promise.all(open.map((each) => each.close()));
      await forgetAt(url, prefix);
    },
  };
}

async function onRedis(lib: typeof bullmq6): Promise<Library | null> {
  const found = await findRedis();
  if ('missing' in found) return null;
  const { hostname: host, port } = new URL(found.url);
  const prefix = newPrefix();
  return bullmq(
    lib,
    { connection: { host, port: Number(port || 6379) }, prefix },
    [],
    (name, minutes) => backdateKeys(found.url, `${prefix}:${name}`, minutes),
    async () => {
      await forgetAt(found.url, prefix);
      await found.dispose();
    },
  );
}

async function onPostgresql(): Promise<Library | null> {
  const database = await scratchDatabase('postgresql', 'metrics');
  if ('missing' in database) return null;
  const connection = { connectionString: database.url, migrate: true, max: 2 };
  const backdate = async (name: string, minutes: number): Promise<void> => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const change = 'update bullmq.metrics set prev_ts = prev_ts - $1 * 60000 where queue = $2';
    await client.query(change, [minutes, name]);
    await client.end();
  };
  return bullmq(bullmq6, { connection }, [bullmq6.createPostgresBackend], backdate, () =>
    database.drop(),
  );
}

async function ofBull(): Promise<Library | null> {
  const found = await findRedis();
  return 'missing' in found ? null : bull(found.url);
}

const libraries = {
  'BullMQ 6 on Redis': () => onRedis(bullmq6),
  'BullMQ 5 on Redis': () => onRedis(bullmq5 as unknown as typeof bullmq6),
  'BullMQ 6 on PostgreSQL': onPostgresql,
  'Bull on Redis': ofBull,
};

describe.each(Object.entries(libraries))('the recorder of %s', (_name, open) => {
  let library: Library | null = null;
  let world: StoreWorld | null = null;
  const errors: unknown[] = [];

  beforeAll(async () => {
    [library, world] = await Promise.all([open(), redisWorld()]);
  });
  afterAll(async () => {
    await library?.close();
    await world?.close();
  });

  const day = { from: Date.now() - 86_400_000, to: Date.now() + 86_400_000 };
  it.each([
    ['counted by its workers', true],
    ['that its workers do not count', false],
  ])('stores jobs %s', async (_how, counts) => {
    if (!library || !world) return;
    await world.empty();
    const { store } = world;
    const provider = metricsHistoryProvider(store);
    const queue = library.queue(`jobs-${counts}`);
    const title = queue.name;
    const recorder = new MetricsRecorder({
      store,
      queues: () => [queue],
      latencySafetyMarginMs: 0,
      onSnapshotError: (error) => void errors.push(error),
    });
    await recorder.tick();
    await library.add(title, 20);
    await library.work(title, 20, counts);
    await library.add(title, 3);
    const sum = async (metric: 'completed' | 'failed', of?: string): Promise<number> => {
      const points = await provider.getHistory({
        ...day,
        metric,
        granularity: 'day',
        ...(of !== undefined && { queue: of }),
      });
      return points.reduce((total, { value }) => total + value, 0);
    };
    for (let times = 0; times < 3; times += 1) {
      await recorder.tick();
      expect(errors).toEqual([]);
      expect([await sum('completed', title), await sum('failed', title)]).toEqual([16, 4]);
      expect([await sum('completed'), await sum('failed')]).toEqual([16, 4]);
    }
    // Another recorder begins where the first one stands.
    const second = new MetricsRecorder({ store, queues: [queue] });
    await second.tick();
    expect(await sum('completed')).toBe(16);
    const range = { ...day, granularity: 'range', percentiles: [50, 99] } as const;
    const [ran] = await provider.getLatency({ ...range, metric: 'runtime', queue: title });
    expect(ran).toMatchObject({ count: 20, values: { 50: expect.any(Number) } });
    const [waited] = await provider.getLatency({ ...range, metric: 'waittime' });
    expect(waited?.count).toBe(20);
    await expect
      .poll(async () => {
        await recorder.tick();
        const query = { ...day, metric: 'queueage', granularity: 'hour' } as const;
        return (await provider.getHistory(query)).at(-1)?.value;
      })
      .toBeGreaterThan(0);
    await recorder.stop();
    await second.stop();
  });

  /** Works off jobs in batches; before each but the first, so many minutes pass without a job. */
  async function workWithPauses(of: Library, name: string, pauses: readonly number[]) {
    for (const pause of [0, ...pauses]) {
      if (pause > 0) await of.backdate(name, pause);
      await of.add(name, 5);
      await of.work(name, 5, true);
    }
  }

  it('counts the last minute before a pause once, however long the pause', async () => {
    if (!library || !world) return;
    await world.empty();
    const { store } = world;
    const queue = library.queue('pauses');
    const recorder = new MetricsRecorder({ store, queues: [queue] });
    await workWithPauses(library, 'pauses', []);
    await library.backdate('pauses', 300);
    await recorder.tick();
    // The library keeps an hour.
    await workWithPauses(library, 'pauses', []);
    await recorder.tick();
    await recorder.tick();
    const now = Math.floor(Date.now() / 60_000);
    const minutes = await Promise.all(
      (['completed', 'failed'] as const).map((each) =>
        store.minutes(each, [queue.name], now - 400, now),
      ),
    );
    const counts = minutes.map(([points = []]) => points.map(([, count]) => count));
    expect(counts).toEqual([
      [4, 4],
      [1, 1],
    ]);
    await recorder.stop();
  });

  it('is not needed for values that the library still has; a forgotten value is not a zero', async () => {
    if (!library) return;
    const started = Date.now();
    const name = 'remembered';
    const queue = library.queue(name);
    const provider = kvqLibraryHistoryProvider([queue]);
    const board = await serveBoard([queue], { historyProvider: provider });
    const history = async (granularity: string) => {
      const range = `from=${started - 10 * 3_600_000}&to=${Date.now()}`;
      const path = `/api/metrics/history?${range}&granularity=${granularity}`;
      const { body } = await board.get(path);
      expect(body.source).toBe('library');
      const grouped = await board.get(`${path}&groupBy=queue`);
      expect(grouped.body.queues).toEqual([
        { queue: queue.name, completed: body.completed, failed: body.failed },
      ]);
      return body as Record<'completed' | 'failed', { ts: number; value: number }[]>;
    };
    const sum = (points: readonly { value: number }[]) =>
      points.reduce((total, { value }) => total + value, 0);
    const minutesOf = async () =>
      (await board.get('/api/activity?minutes=600')).body.queues[0].minutes;

    // Nothing is forgotten: every hour since the first job is known.
    await workWithPauses(library, name, [30]);
    const whole = await history('hour');
    expect([sum(whole.completed), sum(whole.failed)]).toEqual([8, 2]);
    const hours = whole.completed.map(({ ts }) => ts / 3_600_000);
    expect(hours).toEqual(hours.map((_hour, index) => (hours[0] ?? 0) + index));
    expect((await minutesOf()).completed).toHaveLength(600);

    // Of two batches the second one is remembered, and before it only that nothing happened.
    await workWithPauses(library, name, [45]);
    const { completed, failed } = await minutesOf();
    expect(completed.length).toBe(failed.length);
    expect(completed.length).toBeGreaterThanOrEqual(59);
    expect(completed.length).toBeLessThan(75);
    const least = started - 61 * 60_000;
    const known = await history('hour');
    for (const { ts } of [...known.completed, ...known.failed]) {
      expect(ts).toBeGreaterThanOrEqual(least);
    }
    for (const { ts } of (await history('day')).completed) {
      expect(ts).toBeGreaterThanOrEqual(least);
    }
    const other = await board.get(`/api/metrics/history?from=0&to=${least - 7_200_000}`);
    expect(other.body).toEqual({ completed: [], failed: [], source: 'library' });
    expect((await board.get('/api/metrics/latency?metric=runtime')).status).toBe(404);
    expect((await board.get('/api/metrics/history/usage')).status).toBe(404);
    await board.close();
  });
});
