/** The recorder over pg-boss, and the history that pg-boss keeps itself, on each version. */

import pg from 'pg';
import type { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  metricsHistoryProvider,
  MetricsRecorder,
  pgqLibraryHistoryProvider,
  pgqMetricsSources,
} from '../../src/metrics/index.ts';
import { middleLibrary, newestLibrary, oldestLibrary } from '../board/pgq/libraries.ts';
import type { Library } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import type { World } from '../board/pgq/world.ts';
import { newestOf } from '../setup/left-to-ci.ts';
import { redisWorld } from './worlds.ts';
import type { StoreWorld } from './worlds.ts';

/** Finishes jobs of a queue, of which every fifth fails, some minutes ago by the clock of the database. */
async function finish(
  world: World,
  queue: string,
  jobs: number,
  minutesAgo: number,
): Promise<void> {
  const { boss, admin } = world;
  for (let n = 0; n < jobs; n += 1) await boss.send(queue, { n }, { retryLimit: 0 });
  const fetched = await boss.fetch(queue, { batchSize: jobs });
  for (const [index, { id }] of fetched.entries()) {
    await (index % 5 === 4 ? boss.fail(queue, id) : boss.complete(queue, id));
  }
  await admin.query(
    `update pgboss.job set completed_on = completed_on - $1 * interval '1 minute',
        started_on = started_on - $1 * interval '1 minute' - interval '2 seconds',
        start_after = start_after - $1 * interval '1 minute' - interval '3 seconds',
        created_on = created_on - $1 * interval '1 minute' - interval '4 seconds'
      where id = any($2)`,
    [minutesAgo, fetched.map(({ id }) => id)],
  );
}

const libraries = newestOf(
  [oldestLibrary, middleLibrary, newestLibrary],
  (library) => library !== newestLibrary,
);
const day = { from: Date.now() - 86_400_000, to: Date.now() + 86_400_000 };
const byDay = { ...day, granularity: 'day' } as const;

describe.each(libraries)('the recorder of $name', (library) => {
  let world: World;
  let stores: StoreWorld | null;
  let pool: pg.Pool;

  beforeAll(async () => {
    [world, stores] = await Promise.all([makeWorld(library, 'pgqmetrics'), redisWorld()]);
    pool = new pg.Pool({ connectionString: world.url, max: 2 });
    for (const name of ['mail', 'idle']) await world.boss.createQueue(name);
  });
  afterAll(async () => {
    await pool.end();
    await world.close();
    await stores?.close();
  });

  it('counts and measures jobs by their completion', async () => {
    if (!stores) return;
    const { store } = stores;
    const warnings: string[] = [];
    const sources = () =>
      pgqMetricsSources({ pool, onWarning: (message) => void warnings.push(message) });
    const errors: Error[] = [];
    const recorderOf = (): MetricsRecorder =>
      new MetricsRecorder({
        store,
        sources,
        snapshotIntervalMs: 600_000,
        onSnapshotError: (error) => void errors.push(error),
      });
    const isIndexed = library === newestLibrary;
    if (!isIndexed) {
      const early = recorderOf();
      await early.tick();
      await early.stop();
      expect(errors).toEqual([]);
      expect(warnings[0]).toContain('(name, completed_on);');
      for (const statement of warnings[0]?.match(/CREATE INDEX[^;]*;/g) ?? []) {
        await pool.query(statement);
      }
    }
    await finish(world, 'mail', 10, 3);
    // It may be fetched in any place of the next jobs.
    await world.boss.send('mail', {}, { retryLimit: 0 });
    const recorder = recorderOf();
    await recorder.tick();
    await recorder.tick();
    expect(errors).toEqual([]);
    if (isIndexed) expect(warnings).toEqual([]);
    const provider = metricsHistoryProvider(store);
    const sum = async (metric: 'completed' | 'failed'): Promise<number> =>
      (await provider.getHistory({ ...byDay, metric })).reduce((all, { value }) => all + value, 0);
    expect([await sum('completed'), await sum('failed')]).toEqual([8, 2]);
    const range = { ...day, granularity: 'range', percentiles: [50] } as const;
    expect(await provider.getLatency({ ...range, metric: 'runtime', queue: 'mail' })).toMatchObject(
      [{ count: 10 }],
    );
    // A transaction that commits late is counted, and a deleted job stays counted.
    await finish(world, 'mail', 5, 5);
    await pool.query(`delete from pgboss.job where completed_on > now() - interval '4 minutes'`);
    await recorder.tick();
    expect([await sum('completed'), await sum('failed')]).toEqual([12, 3]);
    await expect
      .poll(async () => {
        await recorder.tick();
        const query = { ...day, metric: 'queueage', granularity: 'hour', queue: 'mail' } as const;
        return (await provider.getHistory(query)).at(-1)?.value;
      })
      .toBeGreaterThan(0);
    await recorder.stop();
  });
});

/** A pg-boss that keeps snapshots. */
async function keeping({ module }: Library, url: string): Promise<PgBoss> {
  const boss = new module.PgBoss({
    connectionString: url,
    supervise: false,
    schedule: false,
    persistQueueStats: true,
    monitorIntervalSeconds: 1,
    max: 2,
  });
  boss.on('error', () => undefined);
  return boss.start();
}

describe.each(libraries)('the history of $name', (library) => {
  let world: World;
  let pool: pg.Pool;
  let boss: PgBoss;

  beforeAll(async () => {
    world = await makeWorld(library, 'pgqmetrics');
    pool = new pg.Pool({ connectionString: world.url, max: 2 });
    boss = await keeping(library, world.url);
    await boss.createQueue('mail');
  });
  afterAll(async () => {
    await boss.stop({ graceful: false });
    await pool.end();
    await world.close();
  });

  it('is served without a recorder', async () => {
    const provider = pgqLibraryHistoryProvider({ pool });
    const sum = async (queue?: string, metric: 'completed' | 'failed' = 'completed') => {
      const query = { ...byDay, metric, ...(queue !== undefined && { queue }) } as const;
      return (await provider.getHistory(query)).reduce((all, { value }) => all + value, 0);
    };
    await boss.supervise('mail');
    await finish(world, 'mail', 10, 0);
    const hasCounts = library !== oldestLibrary;
    if (hasCounts) {
      await expect
        .poll(
          async () => {
            await boss.supervise('mail');
            // The window of a pass may end between two of the jobs.
            return [await sum('mail'), await sum('mail', 'failed')];
          },
          { interval: 1_000 },
        )
        .toEqual([8, 2]);
    }
    expect(await sum()).toBe(hasCounts ? 8 : 0);
    expect(await sum('none')).toBe(0);
    const query = { ...day, metric: 'failed', granularity: 'hour', queues: ['mail', 'x'] } as const;
    const grouped = await provider.getHistoryByQueue(query);
    expect(grouped.get('x')).toEqual([]);
    expect(
      grouped
        .get('mail')
        ?.map(({ value }) => value)
        .filter(Boolean),
    ).toEqual(hasCounts ? [2] : []);
    const latency = {
      ...day,
      metric: 'runtime',
      granularity: 'day',
      percentiles: [50, 99],
    } as const;
    const points = await provider.getLatency(latency);
    const age = await provider.getHistory({ ...day, metric: 'queueage', granularity: 'hour' });
    if (library === newestLibrary) {
      expect(points.reduce((all, { count }) => all + count, 0)).toBe(10);
      expect(age.length).toBeGreaterThan(0);
      const [whole] = await provider.getLatency({ ...latency, granularity: 'range' });
      expect(whole).toMatchObject({ ts: day.from, count: 10 });
    } else {
      expect([points, age]).toEqual([[], []]);
    }
    const board = await world.board({}, { historyProvider: provider });
    const answer = await board.get(
      `/api/metrics/history?from=${day.from}&to=${day.to}&groupBy=queue&granularity=hour`,
    );
    expect(answer.body).toMatchObject({ source: 'library', queues: [{ queue: 'mail' }] });
    expect((await board.get('/api/metrics/history/usage')).status).toBe(404);
  });

  it('answers for PostgreSQL where its server is away', async () => {
    const away = new pg.Pool({ connectionString: 'postgresql://127.0.0.1:1/none' });
    const historyProvider = pgqLibraryHistoryProvider({ pool: away });
    const board = await world.board({}, { historyProvider });
    const answer = await board.get(`/api/metrics/history?from=${day.from}&to=${day.to}`);
    expect(answer).toMatchObject({
      status: 503,
      body: { error: { key: 'ERRORS.SQL_UNAVAILABLE' } },
    });
    await away.end();
  });
});
