/** bull-board on Express, with its defaults. Argument: number of queues. */

import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { Queue } from 'bullmq';
import express from 'express';
import { redisPort, serve } from './serve.ts';

const connection = { port: redisPort, host: '127.0.0.1' };
const names = Array.from({ length: Number(process.argv[2]) }, (_, index) => `queue-${index}`);
const queues = names.map((name) => new BullMQAdapter(new Queue(name, { connection })));
const serverAdapter = new ExpressAdapter();
createBullBoard({ queues, serverAdapter });
await serve(express().use(serverAdapter.getRouter()));
