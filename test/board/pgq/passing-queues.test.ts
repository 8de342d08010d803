/** Commands on a queue deleted outside the board, and through an instance that lacks a method. */

import { afterEach, expect, it } from 'vitest';
import type { PgBossInstance } from '../../../src/board/pgq/index.ts';
import { newestLibrary } from './libraries.ts';
import { type World, makeWorld } from './world.ts';

let world: World | undefined;

afterEach(async () => {
  await world?.close();
  world = undefined;
});

const id = '00000000-0000-4000-8000-000000000000';
const commands: readonly (readonly [string, string, unknown?])[] = [
  ['POST', 'jobs', {}],
  ['PUT', 'jobs/cancel', { ids: [id] }],
  ['PUT', 'delete-queued'],
  ['PUT', 'delete-stored'],
];

it.each(['partitioned', 'plain'])(
  'a %s queue cached by the instance responds as a missing one',
  async (kind) => {
    world = await makeWorld(newestLibrary, 'pgq_passing');
    const board = await world.board({ connection: undefined, instance: world.boss });
    for (const [method, path, body] of commands) {
      await world.boss.createQueue('gone', { partition: kind === 'partitioned' });
      await world.boss.send('gone', {});
      expect((await board.get('/api/pgq/queues/gone/jobs')).status).toBe(200);
      await world.admin.query(`select pgboss.delete_queue('gone')`);
      const answer = await board.send(method, `/api/pgq/queues/gone/${path}`, body);
      expect([path, answer.status, answer.body]).toEqual([
        path,
        404,
        { error: { key: 'ERRORS.QUEUE_NOT_FOUND' }, code: 'QUEUE_NOT_FOUND' },
      ]);
    }
    expect(board.log.filter((line) => !line.startsWith('Listings of jobs'))).toEqual([]);
  },
);

it('reports that it cannot write when the instance lacks the method of a command', async () => {
  world = await makeWorld(newestLibrary, 'pgq_lacking');
  const { boss } = world;
  await boss.createQueue('a');
  await boss.send('a', {});
  const lacking: PgBossInstance = { getDb: () => boss.getDb() };
  const board = await world.board({ instance: lacking });
  for (const [method, path, body] of [
    ...commands,
    ['PUT', 'retry-failed'],
    ['PUT', 'schedules', { cron: '* * * * *' }],
    ['PUT', 'schedules/remove', {}],
  ] as const) {
    const answer = await board.send(method, `/api/pgq/queues/a/${path}`, body);
    expect([path, answer.status, answer.body]).toEqual([
      path,
      409,
      {
        error: { key: 'ERRORS.PGQ_WRITES_DISABLED' },
        code: 'PGQ_WRITES_DISABLED',
        message: { key: 'ERRORS.PGQ_WRITER_UNAVAILABLE' },
      },
    ]);
  }
  const { body } = await board.get('/api/pgq/info');
  expect(body['capabilities']).toMatchObject({ send: false, delete: false, bulk: false });
  const { rows } = await world.admin.query(`select 1 from pgboss.job where name = 'a'`);
  expect(rows).toHaveLength(1);
});
