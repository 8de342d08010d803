/** The boards whose screens are looked at: one of BullMQ with a history and a worker, one of pg-boss with warnings. */

import { metricsHistoryProvider } from '../../../src/metrics/index.ts';
import type { Cell } from '../../board/kvq/cell.ts';
import { serveBoard } from '../../board/kvq/http-board.ts';
import { newestLibrary } from '../../board/pgq/libraries.ts';
import { makeWorld } from '../../board/pgq/world.ts';
import { redisWorld } from '../../metrics/worlds.ts';
import { failingQueues } from '../failing-queues.ts';
import { makePast } from './past.ts';

export interface ShownBoards {
  /** Addresses of the boards by engine. */
  readonly urls: { readonly kvq: string; readonly pgq: string };
  /** Ids of a failed and a delayed job of `mail` on the kvq board, and of a failed one on the pgq board. */
  readonly failed: string;
  readonly delayed: string;
  readonly pgqFailed: string;
  close(): Promise<void>;
}

async function ofBullmq(cell: Cell) {
  const [queues, history] = [await failingQueues(cell), await redisWorld()];
  if (!history) throw new Error('There is no Redis.');
  const { mail, parcels, failed } = queues;
  await makePast(history, mail.name);
  await mail.schedule('nightly', { pattern: '0 3 * * *' }, { scope: 'daily' });
  await mail.schedule('heartbeat', { every: 3_600_000 });
  // Its worker has nothing to do.
  const stop = await mail.work(async () => undefined);
  const delayed = await mail.add('invitation', { order: 8 }, { delay: 7_200_000 });
  const board = await serveBoard(
    [
      mail.boardQueue({ description: 'Letters to customers.' }),
      parcels.boardQueue({ delimiter: '-' }),
    ],
    { historyProvider: metricsHistoryProvider(history.store) },
  );
  return {
    url: board.url,
    failed: failed[0] ?? '',
    delayed,
    async close() {
      await stop();
      await board.close();
      await history.close();
      await queues.close();
    },
  };
}

async function ofPgBoss() {
  const world = await makeWorld(newestLibrary, 'dashboard_screens');
  const { boss, admin } = world;
  await boss.createQueue('letters', { retryLimit: 0 });
  await boss.createQueue('reports');
  await boss.schedule('letters', '0 3 * * *', { to: 'ada' }, { key: 'nightly' });
  const failed = (await boss.send('letters', { to: 'ada' })) ?? '';
  const [fetched] = await boss.fetch('letters');
  await boss.fail('letters', fetched?.id ?? '', { message: 'The ink ran out.' });
  for (const to of ['bob', 'eve', 'kim']) await boss.send('letters', { to });
  await admin.query(`insert into pgboss.warning (type, message, data, created_on)
    select kind, text, data::jsonb, now() - minutes * interval '1 minute'
    from (values
      ('slow_query', 'Warning: slow query. Your queues and/or database server should be reviewed',
        '{"elapsed": 1.52, "sql": "SELECT * FROM pgboss.job WHERE name = $1"}', 4),
      ('queue_backlog', 'Warning: large queue backlog. Your queue should be reviewed',
        '{"name": "letters", "queuedCount": 12000}', 9),
      ('clock_skew', 'The clocks of the host and of the database differ', '{"seconds": 72}', 90),
      ('slow_query', 'Warning: slow query. Your queues and/or database server should be reviewed',
        '{"elapsed": 0.91}', 200)
    ) as warning (kind, text, data, minutes)`);
  const instance = `insert into pgboss.instance (id, host, pid, version, node_version,
      heartbeat_seconds, supervise, schedule, migrate, persist_queue_stats, persist_warnings,
      started_on, heartbeat_on, workers)
    values (gen_random_uuid(), $1, $2, '12.38.0', '24.21.0', 60, true, true, true, false, true,
      now() - interval '3 hours', now() - $3 * interval '1 second', $4)`;
  const worker = (id: string, queue: string, active: number) => ({
    id,
    queue,
    active,
    batchSize: 5,
    localConcurrency: 1,
  });
  const workers = JSON.stringify([worker('w1', 'letters', 2), worker('w2', 'reports', 0)]);
  await admin.query(instance, ['web-1.eu-central.example.com', 4_120, 2, workers]);
  await admin.query(instance, ['web-2.eu-central.example.com', 977, 240, '[]']);
  const board = await world.board();
  return { url: board.origin, failed, close: () => world.close() };
}

export async function shownBoards(cell: Cell): Promise<ShownBoards> {
  const [kvq, pgq] = [await ofBullmq(cell), await ofPgBoss()];
  return {
    urls: { kvq: kvq.url, pgq: pgq.url },
    failed: kvq.failed,
    delayed: kvq.delayed,
    pgqFailed: pgq.failed,
    async close() {
      await kvq.close();
      await pgq.close();
    },
  };
}
