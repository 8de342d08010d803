/** The BullMQ queues, on the demo's PostgreSQL or on a Redis, and their board. */

import { ExpressAdapter, createBoard } from '../../../src/board/index.ts';
import type { Closer, Databases } from '../../databases.ts';
import type { MountedBoard } from '../../server.ts';
import { boardQueues, makeQueues } from './queues.ts';
import { startSending } from './sending.ts';
import { openStore } from './store.ts';
import { startWorkers } from './workers.ts';

const path = '/bullmq';

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
  startWorkers(store);
  closers.push(startSending(store, queues));
  const serverAdapter = new ExpressAdapter().setBasePath(path);
  const board = createBoard({
    queues: boardQueues(queues),
    serverAdapter,
    // The demo listens on this machine only.
    auth: false,
    options: { ui: { boardTitle: 'Sluice demo: BullMQ' } },
  });
  closers.push(() => board.close());
  const datastore = redisUrl === undefined ? 'PostgreSQL' : 'Redis';
  return { title: `BullMQ on ${datastore}`, path, router: serverAdapter.getRouter() };
}
