/** The BullMQ queues, on the demo's PostgreSQL or on a Redis, and their board. */

import { ExpressAdapter, createBoard } from '../../../src/http/board/index.ts';
import type { Closer, Databases } from '../../databases.ts';
import type { MountedBoard } from '../../server.ts';
import { startHistory, thresholds } from '../history.ts';
import { demoBoards, demoLinks } from '../links.ts';
import { boardQueues, makeQueues } from './queues.ts';
import { startSending } from './sending.ts';
import { openStore } from './store.ts';
import { startWorkers } from './workers.ts';

const [{ basePath: path }] = demoBoards;

/**
 * Starts the queues, their workers and the board.
 *
 * @param closers receives a closer after each step
 */
export async function startBullmqBoard(
  databases: Databases,
  redisUrl: string | undefined,
  closers: Closer[],
): Promise<MountedBoard> {
  const store = await openStore(databases, redisUrl, closers);
  const queues = await makeQueues(store);
  const workers = startWorkers(store);
  closers.push(startSending(store, queues));
  const shown = boardQueues(queues);
  const { recorder, provider } = await startHistory(
    databases,
    'bullmq_',
    { queues: shown, past: ['images', 'mails', 'orders', 'orders.parcels', 'orders.payments'] },
    closers,
  );
  for (const worker of workers) recorder.watch(worker);
  const serverAdapter = new ExpressAdapter().setBasePath(path);
  const board = createBoard({
    queues: shown,
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
  const datastore = redisUrl === undefined ? 'PostgreSQL' : 'Redis';
  return { title: `BullMQ on ${datastore}`, path, router: serverAdapter.getRouter() };
}
