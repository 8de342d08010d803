/** pg-boss with active queues on the demo's PostgreSQL, and its board. */

import { PgBoss } from 'pg-boss';

import { ExpressAdapter, createBoard } from '../../../src/http/board/index.ts';
import type { Closer, Databases } from '../../databases.ts';
import type { MountedBoard } from '../../server.ts';
import { pgqMetricsSources } from '../../../src/metrics/index.ts';
import { startHistory, thresholds } from '../history.ts';
import { demoBoards, demoLinks } from '../links.ts';
import { makeQueues, startSending, startWorkers } from './queues.ts';

const [, { basePath: path }] = demoBoards;

/** The indexes that the board recommends for its listings, and the recorder for its counts; the host creates them. */
const listingIndexes = `do $$ declare part oid; begin
  for part in select inhrelid from pg_inherits where inhparent = 'pgboss.job'::regclass loop
    execute format('create index if not exists %I on %s (name, state, created_on desc, id desc)',
      'listing_' || part, part::regclass);
    execute format('create index if not exists %I on %s (created_on desc, id desc)',
      'by_time_' || part, part::regclass);
    execute format('create index if not exists %I on %s (name, completed_on)',
      'finished_' || part, part::regclass);
  end loop;
end $$`;

/**
 * Starts pg-boss, its workers and the board.
 *
 * @param closers receives a closer after each step
 */
export async function startPgBossBoard(
  databases: Databases,
  closers: Closer[],
): Promise<MountedBoard> {
  const { address, pool } = databases;
  const connection = { ...address, database: 'postgres' };
  const boss = new PgBoss({
    ...connection,
    max: 5,
    // Short intervals, so that counts and depth change visibly.
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    queueCacheIntervalSeconds: 5,
    persistQueueStats: true,
    persistWarnings: true,
  });
  // The board shows errors; during a shutdown they are expected.
  boss.on('error', () => undefined);
  await boss.start();
  closers.push(() => boss.stop({ graceful: false }));
  await makeQueues(boss);
  await pool.query(listingIndexes);
  await startWorkers(boss);
  closers.push(startSending(boss));
  const { provider } = await startHistory(
    databases,
    'pgboss_',
    { sources: pgqMetricsSources({ pool }), past: ['mails', 'orders', 'reports', 'thumbnails'] },
    closers,
  );
  const serverAdapter = new ExpressAdapter().setBasePath(path);
  const board = createBoard({
    engine: 'pgq',
    pgq: { instance: boss, connection, delimiter: '-' },
    serverAdapter,
    // The demo listens on this machine only.
    auth: false,
    options: {
      ui: { boardTitle: 'Sluice demo', boards: demoBoards, miscLinks: demoLinks },
      historyProvider: provider,
      attention: thresholds,
    },
  });
  closers.push(() => board.close());
  return { title: 'pg-boss', path, router: serverAdapter.getRouter() };
}
