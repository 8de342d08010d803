/** Records of pg-boss since 12.38: instances, how long jobs wait and run, and jobs that are blocked. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newestLibrary, oldestLibrary } from './libraries.ts';
import { type Body, type World, makeWorld } from './world.ts';

let world: World;
let older: World;

beforeAll(async () => {
  world = await makeWorld(newestLibrary, 'pgq_newest');
  older = await makeWorld(oldestLibrary, 'pgq_oldest');
});
afterAll(async () => {
  await world?.close();
  await older?.close();
});

const instancesOf = (body: Body) =>
  body['instances'] as unknown as {
    id: string;
    live: boolean;
    pid: number;
    stoppedOn: string | null;
    pool: { max: number } | null;
    workers: { queueName: string; active: number }[];
  }[];

describe('pg-boss 12.38', () => {
  it('tells which processes run it, and which of them are gone', async () => {
    const { boss, admin } = world;
    await boss.createQueue('letters');
    await boss.createQueue('hidden');
    await boss.work('letters', async () => undefined);
    await boss.work('hidden', async () => undefined);
    await admin.query(`update pgboss.instance set workers = (
      select jsonb_agg(jsonb_build_object('id', name, 'queue', name, 'active', 2, 'batchSize', 1, 'localConcurrency', 1))
      from pgboss.queue where name in ('letters', 'hidden'))`);
    await admin.query(`insert into pgboss.instance (id, host, pid, version, node_version, heartbeat_seconds,
        supervise, schedule, migrate, persist_queue_stats, persist_warnings, started_on, heartbeat_on)
      values (gen_random_uuid(), 'lost', 7, '12.38.0', '24', 60, true, true, true, false, false,
        now() - interval '1 hour', now() - interval '4 minutes')`);
    const board = await world.board({ visibilityGuard: (_request, name) => name !== 'hidden' });
    const { status, body, text } = await board.get('/api/pgq/instances');
    expect(status).toBe(200);
    expect(text).not.toContain('hidden');
    expect(instancesOf(body)).toMatchObject([
      {
        live: true,
        pid: process.pid,
        stoppedOn: null,
        pool: { max: 4 },
        workers: [{ queueName: 'letters', active: 2 }],
      },
      { live: false, pid: 7, stoppedOn: null, pool: null, workers: [] },
    ]);
    const blind = await world.board({ visibilityGuard: () => false });
    const { body: unseen } = await blind.get('/api/pgq/instances');
    expect(instancesOf(unseen).map(({ workers }) => workers)).toEqual([[], []]);
    const shy = await world.board({}, { showWorkers: false });
    const refused = await shy.get('/api/pgq/instances');
    expect([refused.status, refused.body['error']?.['key']]).toEqual([
      403,
      'ERRORS.WORKERS_DISABLED',
    ]);
  });

  it('tells how long jobs wait and run, and how many are blocked', async () => {
    const { boss, admin } = world;
    await boss.createQueue('measured');
    const board = await world.board();
    const queue = async () => (await board.get('/api/pgq/queues/measured')).body['queue'];
    expect(await queue()).toMatchObject({
      counts: { blocked: 0 },
      readyOldestSeconds: null,
      waitSeconds: null,
      runSeconds: null,
    });
    // 90 waits under 10 ms, 10 between 0.905 and 1.28 s; runs beyond the last slot.
    await admin.query(`update pgboss.queue set blocked_count = 4, ready_oldest_seconds = 61,
      wait_bins = array_fill(null::int, array[48]), run_bins = array_fill(null::int, array[48]) where name = 'measured'`);
    await admin.query(`update pgboss.queue set wait_bins[1] = 90, wait_bins[15] = 10, run_bins[48] = 3
      where name = 'measured'`);
    expect(await queue()).toMatchObject({
      counts: { blocked: 4 },
      readyOldestSeconds: 61,
      waitSeconds: { count: 100, p50: 0.01, p95: 1.28, p99: 1.28 },
      runSeconds: { count: 3, p50: 83900 },
    });
  });
});

it('an earlier release has none of this', async () => {
  await older.boss.createQueue('plain');
  const board = await older.board();
  expect((await board.get('/api/pgq/instances')).body).toEqual({ instances: null });
  const { queue } = (await board.get('/api/pgq/queues/plain')).body;
  for (const name of ['readyOldestSeconds', 'waitSeconds', 'runSeconds']) {
    expect(queue).not.toHaveProperty(name);
  }
  expect(queue?.['counts']).not.toHaveProperty('blocked');
});

describe('pollers', () => {
  it('share one read of all queues, until a change through the board', async () => {
    const { boss } = world;
    await boss.createQueue('polled');
    const board = await world.board({ snapshotMs: 600_000 });
    const count = async () => {
      const { body } = await board.get('/api/pgq/queues');
      const queues = body['queues'] as unknown as { name: string; scheduleCount: number }[];
      return queues.find(({ name }) => name === 'polled')?.scheduleCount;
    };
    expect(await Promise.all(Array.from({ length: 20 }, count))).toEqual(Array(20).fill(0));
    await boss.schedule('polled', '* * * * *', null, { key: 'beside' });
    expect(await Promise.all(Array.from({ length: 20 }, count))).toEqual(Array(20).fill(0));
    const made = await board.send('PUT', '/api/pgq/queues/polled/schedules', {
      key: 'mine',
      cron: '* * * * *',
      tz: 'UTC',
    });
    expect(made.status).toBe(200);
    expect(await count()).toBe(2);
  });
});

it('the information advises an index for the listing of all queues', async () => {
  const board = await world.board();
  const advice = async () =>
    ((await board.get('/api/pgq/info')).body['indexAdvice'] ?? []) as unknown as { ddl: string }[];
  const byTime = (await advice()).find(({ ddl }) => ddl.includes('(created_on DESC, id DESC)'));
  expect(byTime?.ddl).toContain('"job_common_by_time"');
  await world.admin.query((byTime?.ddl ?? '').replace('CONCURRENTLY ', ''));
  const other = await world.board();
  const { body } = await other.get('/api/pgq/info');
  expect(JSON.stringify(body['indexAdvice'])).not.toContain('by_time');
});
