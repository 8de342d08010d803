/**
 * The server process of the listing benchmark: all contenders on the same queues. Arguments: port of Redis, number of
 * queues.
 */

import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter as PeerAdapter } from '@bull-board/express';
import express from 'express';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openBoard } from '../../src/board/core/index.ts';
import { bullmqQueue, kvqEngine } from '../../src/board/kvq/index.ts';
import { NodeAdapter } from '../../src/http/node/board.ts';
import { listingQuery } from './query.ts';
import { makeQueues } from './queues.ts';
import { type Template, equalServer, minimalServer } from './reference.ts';

/** Ports of the contenders. */
export interface Ports {
  readonly fresh: number;
  readonly shared: number;
  readonly peer: number;
  readonly equal: number;
  readonly minimal: number;
}

const [redisPort = 6379, count = 300] = process.argv.slice(2).map(Number);
const queues = await makeQueues(redisPort, count);
const names = queues.map((queue) => queue.name);

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** bull-board on its own server, through Express. */
function peerListener(): RequestListener {
  const app = express();
  const peer = new PeerAdapter();
  // The types of bull-board accept one version of the library only.
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue as never)),
    serverAdapter: peer as never,
  });
  return app.use(peer.getRouter());
}

/** The board on `node:http`, as the references are. */
function boardListener(snapshotMs: number): RequestListener {
  const adapter = new NodeAdapter();
  const engine = kvqEngine({ queues: queues.map((queue) => bullmqQueue(queue)), snapshotMs });
  openBoard(engine, adapter, {}, false);
  return adapter.getListener();
}

/** The fixed parts of the board's answer: an author of such a server would write them down. */
async function templateOf(port: number): Promise<Template> {
  const answer = await fetch(`http://127.0.0.1:${port}${listingQuery}`, {
    headers: { 'accept-encoding': 'identity' },
  });
  const computed = new Set(['etag', 'content-length', 'date', 'connection', 'keep-alive']);
  const {
    queues: [queue = {}],
  } = (await answer.json()) as { queues: object[] };
  return { headers: [...answer.headers].filter(([name]) => !computed.has(name)), queue };
}

const fresh = await portOf(createServer(boardListener(0)));
const ports: Ports = {
  fresh,
  shared: await portOf(createServer(boardListener(500))),
  peer: await portOf(createServer(peerListener())),
  equal: await portOf(equalServer(redisPort, names, 'queue-0', await templateOf(fresh))),
  minimal: await portOf(minimalServer(redisPort, names, 'queue-0')),
};
process.send?.(ports);
