/** A busy database: waiting requests time out, leave connections for the host, and leak nothing. */

import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newestLibrary } from './libraries.ts';
import { type Answer, type World, makeWorld } from './world.ts';

let world: World;
let locker: pg.PoolClient;

beforeAll(async () => {
  world = await makeWorld(newestLibrary, 'pgq_busy');
  await world.boss.createQueue('a');
  await world.boss.send('a', {});
});
afterAll(() => world?.close());

/** Blocks all access to jobs. */
async function lockJobs(): Promise<void> {
  await locker.query('begin; lock table pgboss.job in access exclusive mode');
}

beforeEach(async () => {
  locker = await world.admin.connect();
});
afterEach(async () => {
  await locker.query('rollback');
  locker.release();
});

const key = ({ body }: Answer) => body['error']?.['key'];
const none = { count: null, capped: false };
const uncounted = {
  created: none,
  retry: none,
  active: none,
  completed: none,
  cancelled: none,
  failed: none,
};

describe('on a pool owned by the board', () => {
  it.each([
    { name: 'by default', connectionTimeoutMillis: undefined, queryTimeoutMs: undefined },
    { name: 'with little time', connectionTimeoutMillis: 300, queryTimeoutMs: 500 },
  ])(
    'states that wait behind others are uncounted, too: $name',
    async ({ queryTimeoutMs, ...limits }) => {
      const connection = { connectionString: world.url, ...limits };
      const board = await world.board({ connection, queryTimeoutMs });
      await expect
        .poll(async () => (await board.get('/api/pgq/queues/a/counts')).body['counts'])
        .toMatchObject({ active: { count: expect.any(Number) as number } });
      await lockJobs();
      const { status, body } = await board.get('/api/pgq/queues/a/counts');
      expect(status).toBe(200);
      expect(body['counts']).toEqual(uncounted);
    },
  );

  it('all counts of an answer share one time limit, and none starts after it', async () => {
    const board = await world.board({ connection: world.url, queryTimeoutMs: 5_000 });
    expect((await board.get('/api/pgq/queues/a/counts')).status).toBe(200);
    await lockJobs();
    const began = performance.now();
    const { body } = await board.get('/api/pgq/queues/a/counts');
    expect(body['counts']).toEqual(uncounted);
    expect(performance.now() - began).toBeLessThan(9_500);
    const running = async (): Promise<unknown> => {
      const { rows } = await world.admin.query(
        `select count(*)::int as running from pg_stat_activity
         where application_name = 'sluice-board' and state = 'active' and datname = current_database()`,
      );
      return rows[0];
    };
    // A statement that started at the end of the limit would run for as long again.
    await expect.poll(running, { timeout: 4_000 }).toEqual({ running: 0 });
  });

  it('requests that wait behind others time out, and the server is not reported as down', async () => {
    const connection = { connectionString: world.url, connectionTimeoutMillis: 1_500 };
    const board = await world.board({ connection, queryTimeoutMs: 2_500 });
    // Opens all connections first: on a busy machine, that takes longer than the timeout.
    const warm = () => Promise.all(Array.from({ length: 6 }, () => board.get('/api/pgq/queues/a')));
    await expect
      .poll(async () => new Set((await warm()).map(({ status }) => status)))
      .toEqual(new Set([200]));
    await lockJobs();
    const answers = await Promise.all(
      Array.from({ length: 15 }, () => board.get('/api/pgq/queues/a/jobs')),
    );
    for (const answer of answers) {
      expect([answer.status, key(answer)]).toEqual([504, 'ERRORS.PGQ_QUERY_TIMEOUT']);
    }
    await locker.query('rollback');
    await expect.poll(async () => (await board.get('/api/pgq/queues/a/jobs')).status).toBe(200);
  });

  it('a lock_timeout of the role counts as a timeout', async () => {
    const url = new URL(world.url);
    url.searchParams.set('options', '-c lock_timeout=100');
    const board = await world.board({ connection: url.href });
    await expect.poll(async () => (await board.get('/api/pgq/queues/a')).status).toBe(200);
    await lockJobs();
    const listed = await board.get('/api/pgq/queues/a/jobs');
    expect([listed.status, key(listed)]).toEqual([504, 'ERRORS.PGQ_QUERY_TIMEOUT']);
    const counted = await board.get('/api/pgq/queues/a/counts');
    expect(counted.body['counts']).toEqual(uncounted);
    const sent = await board.send('POST', '/api/pgq/queues/a/jobs', {});
    expect([sent.status, key(sent)]).toEqual([504, 'ERRORS.PGQ_QUERY_TIMEOUT']);
  });
});

describe('on connections of the host', () => {
  it('a pool has at most three of its connections in use, and no waiting clients', async () => {
    const pool = new pg.Pool({ connectionString: world.url, max: 5 });
    try {
      const board = await world.board({ connection: pool, queryTimeoutMs: 500 });
      await expect.poll(async () => (await board.get('/api/pgq/queues/a')).status).toBe(200);
      await lockJobs();
      const polling = Promise.all(
        Array.from({ length: 20 }, () => board.get('/api/pgq/queues/a/jobs')),
      );
      let answered = false;
      void polling.then(() => (answered = true));
      await pool.query('select 1');
      expect(answered).toBe(false);
      for (const answer of await polling) {
        expect([answer.status, key(answer)]).toEqual([504, 'ERRORS.PGQ_QUERY_TIMEOUT']);
      }
      expect(pool.waitingCount).toBe(0);
      expect(pool.totalCount - pool.idleCount).toBeLessThanOrEqual(3);
      expect(pool.totalCount).toBeLessThanOrEqual(4);
    } finally {
      await pool.end();
    }
  });

  it('an instance has few statements of the board to finish, however many were requested', async () => {
    let running = 0;
    let most = 0;
    const pool = new pg.Pool({ connectionString: world.url, max: 10 });
    const boss = new newestLibrary.module.PgBoss({
      db: {
        executeSql: async (text: string, values?: unknown[]) => {
          running += 1;
          most = Math.max(most, running);
          try {
            return await pool.query(text, values);
          } finally {
            running -= 1;
          }
        },
      },
      migrate: false,
      supervise: false,
      schedule: false,
    });
    try {
      const board = await world.board({
        connection: undefined,
        instance: boss,
        queryTimeoutMs: 300,
      });
      await expect.poll(async () => (await board.get('/api/pgq/queues/a')).status).toBe(200);
      await expect.poll(() => running).toBe(0);
      await lockJobs();
      for (let round = 0; round < 3; round += 1) {
        const answers = await Promise.all(
          Array.from({ length: 10 }, () => board.get('/api/pgq/queues/a/jobs')),
        );
        for (const { status } of answers) expect(status).toBe(504);
      }
      expect(running).toBe(5);
      await locker.query('rollback');
      await expect.poll(async () => (await board.get('/api/pgq/queues/a/jobs')).status).toBe(200);
      await expect.poll(() => running).toBe(0);
      expect(most).toBe(5);
    } finally {
      await pool.end();
    }
  });
});
