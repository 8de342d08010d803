/**
 * The server process of the listing benchmark: all contenders on the same queues. Arguments: port of Redis, number of
 * queues.
 */

import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter as PeerAdapter } from '@bull-board/express';
import express from 'express';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openBoard } from '../../src/board/core/index.ts';
import { bullmqQueue, kvqEngine } from '../../src/board/kvq/index.ts';
import { ExpressAdapter } from '../../src/http/express/board.ts';
import { makeQueues } from './queues.ts';
import { referenceServer } from './reference.ts';

const [redisPort = 6379, count = 300] = process.argv.slice(2).map(Number);
const queues = await makeQueues(redisPort, count);
const app = express();

const peer = new PeerAdapter();
peer.setBasePath('/peer');
// The types of bull-board accept one version of the library only.
createBullBoard({
  queues: queues.map((queue) => new BullMQAdapter(queue as never)),
  serverAdapter: peer as never,
});
app.use('/peer', peer.getRouter());

for (const [path, snapshotMs] of [
  ['/fresh', 0],
  ['/shared', 500],
] as const) {
  const adapter = new ExpressAdapter().setBasePath(path);
  openBoard(kvqEngine({ queues: queues.map((queue) => bullmqQueue(queue)), snapshotMs }), adapter);
  app.use(path, adapter.getRouter());
}

async function portOf(server: Server): Promise<number> {
  if (!server.listening) await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const names = queues.map((queue) => queue.name);
const reference = referenceServer(redisPort, names, 'queue-0').listen(0, '127.0.0.1');
process.send?.({
  board: await portOf(app.listen(0, '127.0.0.1')),
  reference: await portOf(reference),
});
