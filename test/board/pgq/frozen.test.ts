/** A server that keeps its connections and is silent: every route answers, closing ends, and work goes on afterwards. */

import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newestLibrary } from './libraries.ts';
import { type RestartablePostgres, restartablePostgres } from './restartable-postgres.ts';
import { type BoardUnderTest, type World, makeWorld } from './world.ts';

let server: RestartablePostgres;
let world: World;
let pool: pg.Pool;

beforeAll(async () => {
  server = await restartablePostgres();
  world = await makeWorld(newestLibrary, 'frozen', server);
  await world.boss.createQueue('a');
  pool = new pg.Pool({ connectionString: server.url, max: 4 });
  pool.on('error', () => undefined);
});
afterAll(async () => {
  await server?.thaw();
  await world?.close();
  await pool?.end();
  await server?.dispose();
});

const id = '00000000-0000-4000-8000-000000000000';
const requests: readonly (readonly [string, string, unknown?])[] = [
  ...[
    'info',
    'queues',
    'queues/a',
    'queues/a/counts',
    'queues/a/depth',
    'queues/a/jobs',
    `queues/a/jobs/${id}`,
    `jobs/${id}`,
    'warnings',
    'schedules',
  ].map((path) => ['GET', path] as const),
  ['POST', 'queues/a/jobs', {}],
  ['PUT', `queues/a/jobs/${id}/remove`],
  ['PUT', 'queues/a/jobs/cancel', { ids: [id] }],
  ['PUT', 'queues/a/retry-failed'],
  ['PUT', 'queues/a/delete-queued'],
  ['PUT', 'queues/a/schedules', { cron: '0 3 * * *' }],
];

const limits = { queryTimeoutMs: 300, writeTimeoutMs: 1_000 };

it.each(['a connection', 'a pool', 'an instance', 'both'])(
  'answers, closes and recovers through %s',
  async (way) => {
    const options = {
      'a connection': { connection: server.url },
      'a pool': { connection: pool },
      'an instance': { connection: undefined, instance: world.boss },
      both: { connection: server.url, instance: world.boss },
    }[way];
    const make = (): Promise<BoardUnderTest> =>
      world.board({ ...options, ...limits }, { closeGraceMs: 500 });
    const board = await make();
    const works = async (): Promise<number> =>
      (await board.send('POST', '/api/pgq/queues/a/jobs', {})).status;
    // Connections are opened first: on a busy machine, that takes longer than the limit.
    await expect.poll(works).toBe(200);
    const closing = await make();
    await expect.poll(async () => (await closing.get('/api/pgq/queues')).status).toBe(200);
    await server.freeze();
    try {
      const began = performance.now();
      const statuses = await Promise.all(
        requests.map(async ([method, path, body]) => {
          const { status } = await board.send(method, `/api/pgq/${path}`, body);
          return { path, status, seconds: Math.floor((performance.now() - began) / 1_000) };
        }),
      );
      for (const { path, status, seconds } of statuses) {
        expect([path, status]).toEqual([path, expect.toBeOneOf([200, 503, 504])]);
        // A route reads the state of the schema, and then its rows.
        expect([path, seconds]).toEqual([path, expect.toBeOneOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])]);
      }
      const pending = closing.send('POST', '/api/pgq/queues/a/jobs', {});
      const start = performance.now();
      await closing.close();
      // The write by itself would be given up after 30 seconds.
      expect(performance.now() - start).toBeLessThan(5_000);
      await pending.catch(() => undefined);
    } finally {
      await server.thaw();
    }
    await expect.poll(works).toBe(200);
    await expect.poll(async () => (await board.get('/api/pgq/queues')).status).toBe(200);
  },
);
