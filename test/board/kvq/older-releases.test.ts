/** Early releases of BullMQ 5 without some of its methods: operations that are a single command still work. */

import * as bullmq5 from 'bullmq-5';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bullmqQueue } from '../../../src/board/kvq/index.ts';
import { findRedis } from '../../services/index.ts';
import type { Service } from '../../services/index.ts';
import type { ServedBoard } from './http-board.ts';
import { serveBoard } from './http-board.ts';
import { keyOf } from './suite.ts';

/** The same object without some of its methods. */
function without<Whole extends object>(whole: Whole, ...names: string[]): Whole {
  return Object.create(
    whole,
    Object.fromEntries(names.map((name) => [name, { value: undefined }])),
  ) as Whole;
}

describe('an early release', () => {
  let service: Service | undefined;
  let client: Redis;
  let queue: bullmq5.Queue;
  let board: ServedBoard;
  const path = '/api/queues/old';

  beforeAll(async () => {
    const found = await findRedis();
    if ('missing' in found) return;
    service = found;
    client = new Redis(found.url, { maxRetriesPerRequest: null });
    const connection = client as unknown as bullmq5.ConnectionOptions;
    queue = new bullmq5.Queue('old', { connection, prefix: `older${process.pid}` });
    await queue.waitUntilReady();
    const older = without(queue, 'removeGlobalConcurrency', 'removeRateLimitKey');
    older.getJob = async (id) => {
      const job = await queue.getJob(id);
      return job && without(job, 'removeUnprocessedChildren');
    };
    board = await serveBoard([bullmqQueue(older)]);
  });

  afterAll(async () => {
    if (!service) return;
    await board.close();
    await queue.obliterate({ force: true });
    await queue.close();
    client.disconnect();
    await service.dispose();
  });

  it('names the least version where the queue has no schedulers', (context) => {
    if (!service) context.skip();
    const older = without(queue, 'upsertJobScheduler');
    expect(() => bullmqQueue(older)).toThrow('"queue" must be a queue of BullMQ 5.16 or later');
  });

  it('removes the concurrency limit, and does not stop all jobs', async (context) => {
    if (!service) context.skip();
    await board.send('PUT', `${path}/concurrency`, { concurrency: 2 });
    expect(await queue.getGlobalConcurrency()).toBe(2);
    expect((await board.send('PUT', `${path}/concurrency`, { concurrency: 0 })).status).toBe(200);
    expect(await queue.getGlobalConcurrency()).toBe(null);
  });

  it('releases a rate limit', async (context) => {
    if (!service) context.skip();
    await queue.rateLimit(60_000);
    expect(await queue.getRateLimitTtl()).toBeGreaterThan(0);
    expect((await board.send('PUT', `${path}/rate-limit/release`)).status).toBe(200);
    expect(await queue.getRateLimitTtl()).toBeLessThan(0);
  });

  it('reports that it cannot remove unprocessed children', async (context) => {
    if (!service) context.skip();
    const connection = client as unknown as bullmq5.ConnectionOptions;
    const flows = new bullmq5.FlowProducer({ connection, prefix: `older${process.pid}` });
    const children = [{ name: 'child', queueName: 'old' }];
    const { job } = await flows.add({ name: 'parent', queueName: 'old', children });
    const answer = await board.send('PUT', `${path}/${job.id}/remove-unprocessed-children`);
    expect(keyOf(answer)).toBe('400 JOB_UNPROCESSED_CHILDREN_NOT_SUPPORTED');
    expect(board.errors).toEqual([]);
    await flows.close();
  });
});
