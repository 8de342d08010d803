/** Queues of which the key of one begins with that of another: their jobs are told apart, also where one is hidden. */

import * as bullmq from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bullmqQueue } from '../../../src/board/kvq/index.ts';
import type { QueueOptions } from '../../../src/board/kvq/index.ts';
import { everyServiceRequired, findRedis } from '../../services/index.ts';
import type { Service } from '../../services/index.ts';
import { serveBoard } from './http-board.ts';
import { forgetKeys } from '../../forget-keys.ts';

const prefix = `nested-${process.pid}`;

let service: Service | undefined;
let client: Redis;
let outer: bullmq.Queue;
let inner: bullmq.Queue;

beforeAll(async () => {
  const found = await findRedis();
  if ('missing' in found) {
    if (everyServiceRequired()) throw new Error(found.advice);
    return;
  }
  service = found;
  client = new Redis(found.url, { maxRetriesPerRequest: null });
  const connection = client as unknown as bullmq.ConnectionOptions;
  outer = new bullmq.Queue('mail', { connection, prefix });
  inner = new bullmq.Queue('urgent', { connection, prefix: `${prefix}:mail` });
  await Promise.all([outer.waitUntilReady(), inner.waitUntilReady()]);
});

afterAll(async () => {
  if (!service) return;
  for (const queue of [outer, inner]) await queue.close();
  await forgetKeys(client, `${prefix}:`);
  client.disconnect();
  await service.dispose();
});

it('are found by the longer name, and show nothing of a hidden one', async (context) => {
  if (!service) return context.skip();
  const child = { name: 'child', queueName: 'urgent', prefix: inner.opts.prefix };
  const connection = client as unknown as bullmq.ConnectionOptions;
  const flows = new bullmq.FlowProducer({ connection, prefix });
  const flow = await flows.add({
    name: 'parent',
    queueName: 'mail',
    prefix,
    children: [child as bullmq.FlowJob],
  });
  await flows.close();
  const id = String(flow.job.id);
  const reason = `child ${inner.toKey(String(flow.children?.[0]?.job.id))} failed`;
  await client.hset(outer.toKey(id), 'failedReason', reason);
  const shown = async (options: QueueOptions = {}) => {
    const board = await serveBoard([bullmqQueue(outer), bullmqQueue(inner, options)]);
    try {
      const { job } = (await board.get(`/api/queues/mail/${id}`)).body;
      const { flowRoot } = (await board.get(`/api/queues/mail/${id}/flow`)).body;
      expect(board.errors).toEqual([]);
      return [
        job.failedReason,
        flowRoot.children.map(({ queueName }: { queueName: string }) => queueName),
      ];
    } finally {
      await board.close();
    }
  };
  expect(await shown()).toEqual([reason, ['urgent']]);
  expect(await shown({ visibilityGuard: () => false })).toEqual(['child failed', []]);
});

it('a child is taken from a run of a scheduler, whose id has colons', async (context) => {
  if (!service) return context.skip();
  const connection = client as unknown as bullmq.ConnectionOptions;
  const worker = new bullmq.Worker('mail', null, { connection, prefix, autorun: false });
  const board = await serveBoard([bullmqQueue(outer)]);
  try {
    await outer.upsertJobScheduler('tick', { every: 3_600_000 });
    const run = await worker.getNextJob('the token');
    expect(run?.id).toMatch(/^repeat:tick:\d+$/);
    const parent = { id: String(run?.id), queue: outer.qualifiedName };
    const child = await outer.add('child', {}, { parent });
    expect(await run?.moveToWaitingChildren('the token')).toBe(true);
    const { status } = await board.send('PUT', `/api/queues/mail/${child.id}/clean`);
    expect(status).toBe(204);
    expect(await outer.getJobState(parent.id)).toBe('waiting');
  } finally {
    await worker.close(true);
    await board.close();
  }
});
