/** Hostile bodies on every route of a board of BullMQ queues. */

import * as bullmq from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bullmqQueue } from '../../../src/board/kvq/index.ts';
import { findRedis } from '../../services/index.ts';
import type { Service } from '../../services/index.ts';
import { routesWithBody, survives } from '../hostile-bodies.ts';
import { serveBoard } from './http-board.ts';
import type { ServedBoard } from './http-board.ts';

let service: Service | undefined;
let client: Redis;
let queue: bullmq.Queue;
let board: ServedBoard;

beforeAll(async () => {
  const found = await findRedis();
  if ('missing' in found) return;
  service = found;
  client = new Redis(found.url, { maxRetriesPerRequest: null });
  queue = new bullmq.Queue('q', {
    connection: client as unknown as bullmq.ConnectionOptions,
    prefix: `hostile${process.pid}`,
  });
  await queue.waitUntilReady();
  board = await serveBoard([bullmqQueue(queue)]);
});

afterAll(async () => {
  if (!service) return;
  await board.close();
  await queue.obliterate({ force: true });
  await queue.close();
  client.disconnect();
  await service.dispose();
});

it.for(routesWithBody('kvq'))('%s', async ([, route], context) => {
  if (!service) context.skip();
  await queue.add('job', { index: 1 }, { jobId: 'one-job' });
  await queue.add('job', { index: 1 }, { jobId: 'later-job', delay: 3_600_000 });
  await queue.upsertJobScheduler('tick', { every: 3_600_000 });
  const jobId = route.path.endsWith('/delay') ? 'later-job' : 'one-job';
  const params = { queueName: 'q', jobId, schedulerId: 'tick', runId: 'none' };
  await survives(board.url, route, params, () => board.errors);
  expect((await board.get('/api/queues')).status).toBe(200);
});
