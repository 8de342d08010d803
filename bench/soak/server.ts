/** The process that is soaked: a board on a pg-boss whose queues keep moving. Tells its memory when asked. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { openBoard } from '../../src/board/core/index.ts';
import { pgqEngine } from '../../src/board/pgq/index.ts';
import { ExpressAdapter } from '../../src/http/express/board.ts';

const [url] = process.argv.slice(2);
if (!url || !process.send) throw new Error('This process is started by the soak.');

const adapter = new ExpressAdapter();
const board = openBoard(pgqEngine({ connection: url }), adapter);
const app = express();
app.use('/', adapter.getRouter());
const server = createServer(app).listen(0, '127.0.0.1');
await once(server, 'listening');
process.send({ port: (server.address() as AddressInfo).port });

process.on('message', (message) => {
  if (message === 'memory') {
    // Twice: what the first collection lets go, the second frees.
    globalThis.gc?.();
    globalThis.gc?.();
    const { heapUsed, rss } = process.memoryUsage();
    process.send?.({ heapUsed, rss });
    return;
  }
  server.close();
  server.closeAllConnections();
  void board.close().then(() => process.exit(0));
});
