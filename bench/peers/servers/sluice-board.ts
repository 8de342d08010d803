/** Sluice's board on Express, with its defaults. Argument: number of queues of BullMQ, or none for the board of pg-boss. */

import { type ConnectionOptions, Queue } from 'bullmq';
import express from 'express';
import { openBoard } from '../../../src/board/core/index.ts';
import { bullmqQueue, kvqEngine } from '../../../src/board/kvq/index.ts';
import { pgqEngine } from '../../../src/board/pgq/index.ts';
import { ExpressAdapter } from '../../../src/http/express/board.ts';
import { databaseUrl, redisPort, serve } from './serve.ts';

const count = Number(process.argv[2] ?? 0);
const connection: ConnectionOptions = { port: redisPort, host: '127.0.0.1' };
const names = Array.from({ length: count }, (_, index) => `queue-${index}`);
const queues = names.map((name) => bullmqQueue(new Queue(name, { connection })));
const application_name = process.env['PGAPPNAME'];
const engine =
  count > 0
    ? kvqEngine({ queues })
    : pgqEngine({ connection: { connectionString: databaseUrl, application_name } });
const adapter = new ExpressAdapter();
openBoard(engine, adapter);
await serve(express().use('/', adapter.getRouter()));
