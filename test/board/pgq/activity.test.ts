/** Activity in queues of pg-boss, from the statistics of the library. */

import { afterEach, expect, it } from 'vitest';
import { middleLibrary, newestLibrary, oldestLibrary } from './libraries.ts';
import type { Library } from './libraries.ts';
import { type World, makeWorld } from './world.ts';

let world: World | undefined;

afterEach(() => world?.close());

async function activity(library: Library, statement: string) {
  world = await makeWorld(library, 'pgq_activity');
  await world.boss.createQueue('mail');
  await world.boss.createQueue('push');
  await world.admin.query(statement);
  const board = await world.board();
  const { status, body } = await board.get('/api/activity?minutes=3');
  expect(status).toBe(200);
  return body['queues'] as unknown as readonly object[];
}

const deltas = `completed_delta = 30, failed_delta = 6, delta_seconds = 120, delta_on = now()`;
const passes = `insert into pgboss.queue_stats (name, completed_delta, failed_delta, delta_seconds, delta_on)
  select 'mail', 5, 1, 60, date_trunc('minute', now()) - make_interval(mins => n) + interval '30 s'
  from generate_series(1, 2) n`;

it('are those of the latest passes, with workers and waiting jobs', async () => {
  const queues = await activity(
    newestLibrary,
    `update pgboss.queue set ${deltas}, ready_oldest_seconds = 90 where name = 'mail'; ${passes}`,
  );
  expect(queues).toEqual([
    {
      queueName: 'mail',
      workers: 0,
      oldestWaiting: 90_000,
      perMinute: { completed: 15, failed: 3, source: 'metrics' },
      minutes: { completed: [5, 5, 0], failed: [1, 1, 0] },
    },
    {
      queueName: 'push',
      workers: 0,
      oldestWaiting: null,
      perMinute: null,
      minutes: { completed: [0, 0, 0], failed: [0, 0, 0] },
    },
  ]);
});

it('lack what an older library does not keep', async () => {
  const some = { queueName: 'mail', workers: null, oldestWaiting: null };
  const [mail] = await activity(middleLibrary, `update pgboss.queue set ${deltas}; ${passes}`);
  expect(mail).toMatchObject({ ...some, perMinute: { completed: 15, failed: 3 } });
  await world?.close();
  const [old] = await activity(oldestLibrary, 'select 1');
  expect(old).toEqual({ ...some, perMinute: null, minutes: null });
});
