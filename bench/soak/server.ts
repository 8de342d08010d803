/** The process under test: a board on a pg-boss with active queues. It reports its memory on request. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { openBoard } from '../../src/board/core/index.ts';
import { pgqEngine } from '../../src/board/pgq/index.ts';
import { ExpressAdapter } from '../../src/http/express/board.ts';

const [url] = process.argv.slice(2);
if (!url || !process.send) throw new Error('Run this process through `bench/run.ts soak`.');

const adapter = new ExpressAdapter();
const board = openBoard(pgqEngine({ connection: url }), adapter);
const app = express();
app.use('/', adapter.getRouter());
const server = createServer(app).listen(0, '127.0.0.1');
await once(server, 'listening');
process.send({ port: (server.address() as AddressInfo).port });

process.on('message', (message) => {
  if (message === 'memory') {
    // Twice, because some objects are released by the first collection and freed by the second.
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
