/** Activity in queues of pg-boss, from the statistics of the library. */

import { afterEach, expect, it } from 'vitest';
import { middleLibrary, newestLibrary, oldestLibrary } from './libraries.ts';
import type { Library } from './libraries.ts';
import { type World, makeWorld } from './world.ts';

let world: World | undefined;

afterEach(() => world?.close());

/** The activity of two queues, after passes of the library in the last two minutes. */
async function activity(library: Library, statement = '') {
  world = await makeWorld(library, 'pgq_activity');
  await world.boss.createQueue('mail');
  await world.boss.createQueue('push');
  await world.admin.query(statement);
  const minute = Math.floor(Date.now() / 60_000);
  if (library !== oldestLibrary) await world.admin.query(passes, [minute]);
  const board = await world.board();
  const { status, body } = await board.get('/api/activity?minutes=3');
  expect(status).toBe(200);
  const { at, queues } = body as unknown as { at: number; queues: readonly object[] };
  // The answer may be of a later minute.
  const ago = [1, 2, 3].map((back) => minute - Math.floor(at / 60_000) + back);
  const counted = (count: number) => ago.map((back) => (back === 1 || back === 2 ? count : 0));
  return { queues, minutes: { completed: counted(5), failed: counted(1) } };
}

const deltas = `completed_delta = 30, failed_delta = 6, delta_seconds = 120, delta_on = now()`;
const passes = `insert into pgboss.queue_stats (name, completed_delta, failed_delta, delta_seconds, delta_on)
  select 'mail', 5, 1, 60, to_timestamp(($1 - n) * 60 + 30) from generate_series(1, 2) n`;

it('are those of the latest passes, with workers and waiting jobs', async () => {
  const { queues, minutes } = await activity(
    newestLibrary,
    `update pgboss.queue set ${deltas}, ready_oldest_seconds = 90 where name = 'mail'`,
  );
  expect(queues).toEqual([
    {
      queueName: 'mail',
      workers: 0,
      oldestWaiting: 90_000,
      perMinute: { completed: 15, failed: 3, source: 'metrics' },
      minutes,
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
  const { queues } = await activity(middleLibrary, `update pgboss.queue set ${deltas}`);
  const [mail] = queues;
  expect(mail).toMatchObject({ ...some, perMinute: { completed: 15, failed: 3 } });
  await world?.close();
  const { queues: ofOld } = await activity(oldestLibrary);
  expect(ofOld[0]).toEqual({ ...some, perMinute: null, minutes: null });
});
