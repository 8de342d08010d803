/** The server process: a board of many queues on one connection. Tells its heap when asked. Arguments: port, number of queues. */

import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Queue } from 'bullmq';
import type { ConnectionOptions } from 'bullmq';
import express from 'express';
import { Redis } from 'ioredis';
import { openBoard } from '../../src/board/core/index.ts';
import { bullmqQueue, kvqEngine } from '../../src/board/kvq/index.ts';
import { ExpressAdapter } from '../../src/http/express/board.ts';

const [redisPort = 6379, count = 300] = process.argv.slice(2).map(Number);
const client = new Redis({ port: redisPort, host: '127.0.0.1', maxRetriesPerRequest: null });
const queues = Array.from({ length: count }, (_, at) =>
  bullmqQueue(
    new Queue(`queue-${at}`, {
      connection: client as unknown as ConnectionOptions,
      skipMetasUpdate: true,
    }),
  ),
);
const adapter = new ExpressAdapter();
openBoard(kvqEngine({ queues }), adapter, {}, false);
const server: Server = express().use(adapter.getRouter()).listen(0, '127.0.0.1');
await once(server, 'listening');
process.on('message', () => {
  globalThis.gc?.();
  globalThis.gc?.();
  process.send?.({ heap: process.memoryUsage().heapUsed });
});
process.send?.({ port: (server.address() as AddressInfo).port });
