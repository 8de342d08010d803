/** PostgreSQL stopped and started under load: 503 while it is down, and recovery without a restart of the board. */

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newestLibrary } from './libraries.ts';
import { type RestartablePostgres, restartablePostgres } from './restartable-postgres.ts';
import { type BoardUnderTest, serveBoard } from './world.ts';

let server: RestartablePostgres;

function makeBoss(url: string) {
  const boss = new newestLibrary.module.PgBoss({
    connectionString: url,
    supervise: false,
    schedule: false,
  });
  boss.on('error', () => undefined);
  return boss;
}

beforeAll(async () => {
  server = await restartablePostgres();
  const boss = makeBoss(server.url);
  await boss.start();
  await boss.createQueue('a');
  for (let n = 0; n < 30; n += 1) await boss.send('a', { n });
  await boss.stop({ graceful: false });
});
afterAll(() => server?.dispose());

const paths = [
  '/api/pgq/queues',
  '/api/pgq/queues/a',
  '/api/pgq/queues/a/jobs',
  '/api/pgq/queues/a/counts',
  '/api/pgq/queues/a/depth',
  '/api/pgq/warnings',
  '/api/pgq/schedules',
];

interface Load {
  /** Distinct statuses of the requests that begin now or in this time, in milliseconds. */
  during(time: number): Promise<number[]>;
  stop(): Promise<void>;
}

/** Clients that poll without pause. */
function load(board: BoardUnderTest, pollers: number): Load {
  let begun = new Set<number>();
  let stopped = false;
  const poll = async (first: number): Promise<void> => {
    for (let n = first; !stopped; n += 1) {
      const seen = begun;
      const { status } = await board.get(paths[n % paths.length] ?? '');
      seen.add(status);
      await sleep(5);
    }
  };
  const polling = Promise.all(Array.from({ length: pollers }, (_none, index) => poll(index)));
  return {
    async during(time) {
      const seen = (begun = new Set());
      await sleep(time);
      while (seen.size === 0) await sleep(5);
      return [...seen].sort();
    },
    async stop() {
      stopped = true;
      await polling;
    },
  };
}

describe.each(['a connection', 'a pool of the host', 'an instance'])('by %s', (way) => {
  it('answers 503 while the server is down, and recovers by itself', async () => {
    const pool = new pg.Pool({
      connectionString: server.url,
      max: 3,
      connectionTimeoutMillis: 2_000,
    });
    pool.on('error', () => undefined);
    const boss = makeBoss(server.url);
    const byInstance = way === 'an instance';
    if (byInstance) await boss.start();
    const board = await serveBoard(
      byInstance
        ? { instance: boss }
        : { connection: way === 'a connection' ? server.url : pool, library: newestLibrary.module },
    );
    await board.get('/api/pgq/queues');
    const pollers = load(board, 8);
    try {
      for (let round = 0; round < 2; round += 1) {
        expect(await pollers.during(300)).toEqual([200]);
        await server.stop();
        expect(await pollers.during(700)).toEqual([503]);
        const down = await board.get('/api/pgq/queues');
        expect(down.headers.get('retry-after')).toBe('3');
        expect(down.text).toBe(
          JSON.stringify({ error: { key: 'ERRORS.SQL_UNAVAILABLE' }, code: 'SQL_UNAVAILABLE' }),
        );
        const command = await board.send('POST', '/api/pgq/queues/a/jobs', { data: {} });
        expect(command.status).toBe(503);
        const info = await board.get('/api/pgq/info');
        expect([200, 503]).toContain(info.status);
        await server.start();
        await expect.poll(() => pollers.during(300)).toEqual([200]);
        const sent = await board.send('POST', '/api/pgq/queues/a/jobs', { data: {} });
        expect(sent.status).toBe(200);
      }
    } finally {
      await pollers.stop();
      await board.close();
      await pool.end();
      if (byInstance) await boss.stop({ graceful: false });
    }
  });
});

describe('a server that never ran', () => {
  it('leads to 503 for every request', async () => {
    const board = await serveBoard({ connection: 'postgres://nobody@127.0.0.1:1/none' });
    for (const path of ['/api/pgq/info', ...paths]) {
      expect((await board.get(path)).status).toBe(503);
    }
    const preview = await board.send('POST', '/api/pgq/schedules/preview', {
      expression: '* * * * *',
    });
    expect(preview.status).toBe(200);
    await board.close();
  });
});
