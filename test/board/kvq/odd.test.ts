/** Unusual names, ids, sizes and times in a queue. */

import * as bullmq from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { QueueAdapter, bullmqQueue, customQueue } from '../../../src/board/kvq/index.ts';
import { pathStep } from '../../../src/dashboard/api/path-name.ts';
import { writeCursor } from '../../../src/board/core/values/position-cursor.ts';
import { findRedis } from '../../services/index.ts';
import type { Service } from '../../services/index.ts';
import type { TestQueue } from './cell.ts';
import { cells } from './cells.ts';
import { keyOf } from './suite.ts';
import { serveBoard } from './http-board.ts';
import type { ServedBoard } from './http-board.ts';
import { forgetKeys } from '../../forget-keys.ts';

const boards: ServedBoard[] = [];

afterEach(async () => {
  await Promise.all(boards.splice(0).map((board) => board.close()));
});

async function boardOf(...queues: TestQueue[]): Promise<ServedBoard> {
  const board = await serveBoard(queues.map((queue) => queue.boardQueue()));
  boards.push(board);
  return board;
}

describe.each(cells.map((cell) => [cell.name, cell] as const))('%s', (_name, cell) => {
  let world: Awaited<ReturnType<typeof cell.open>>;

  beforeAll(async () => {
    world = await cell.open();
  });

  afterAll(async () => {
    if (world && 'queue' in world) await world.close();
  });

  const queueOf = async (name: string): Promise<TestQueue | null> =>
    'missing' in world ? null : world.queue(name);

  const names = ['100% sure', 'a/b', 'prix élevé 価格', 'a%2Fb', '{tag}', "it's;--", 'a?b#c'];
  it.each([...names, '.', '..', '%2E', '%252e'])('serves a queue named %s', async (name) => {
    const queue = await queueOf(name);
    if (!queue) return;
    const board = await boardOf(queue);
    const path = `/api/queues/${pathStep(name)}`;
    await queue.add('first', { name });
    const { body } = await board.get(`/api/queues?activeQueue=${encodeURIComponent(name)}`);
    expect(body.queues[0]).toMatchObject({
      name,
      counts: { waiting: 1 },
      jobs: [{ data: { name } }],
    });
    expect((await board.get(`${path}/metrics`)).status).toBe(200);
    const ids = ['a b', '50%', 'x/y', 'ключ', 'a%2Fb', '.', '..', '%2e'];
    if (cell.library === 'legacy') ids.push('a:b');
    for (const id of ids) {
      await queue.add('odd', { id }, { jobId: id });
      const job = `${path}/${pathStep(id)}`;
      expect((await board.get(job)).body.job).toMatchObject({ id, data: { id } });
      expect((await board.send('PATCH', `${job}/update-data`, { jobData: { id: 1 } })).status).toBe(
        200,
      );
      expect((await board.send('PUT', `${job}/clean`)).status).toBe(204);
      expect(keyOf(await board.get(job))).toBe('404 JOB_NOT_FOUND');
    }
    expect(board.errors).toEqual([]);
  });

  it('carries five megabytes of data', async () => {
    const queue = await queueOf('large');
    if (!queue) return;
    const board = await boardOf(queue);
    const text = 'ü'.repeat(2_600_000);
    const added = await board.send('POST', '/api/queues/large/add', {
      name: 'large',
      data: { text },
    });
    expect(added.status).toBe(200);
    const { job } = (await board.get(`/api/queues/large/${added.body.job.id}`)).body;
    expect(job.data.text).toBe(text);
    const found = await board.get('/api/queues/large/search?path=text&limit=1');
    expect(found.body.jobs).toHaveLength(1);
  });

  it('stores values or refuses those that the store cannot hold', async () => {
    const queue = await queueOf('values');
    if (!queue) return;
    const board = await boardOf(queue);
    const send = (data: unknown) =>
      board.send('POST', '/api/queues/values/add', { name: 'v', data });
    for (const data of [
      null,
      0,
      false,
      '',
      [],
      [null],
      'text',
      { deep: { a: [1, { b: null }] } },
    ]) {
      const answer = await send(data);
      expect(answer.status).toBe(200);
      if (data !== null && data !== 0 && data !== false && data !== '') {
        expect(answer.body.job.data).toEqual(data);
      }
    }
    const nul = await send({ text: 'a\0b' });
    if (cell.datastore === 'sql') expect(keyOf(nul)).toBe('400 INVALID_REQUEST_BODY');
    else expect(nul.body.job.data).toEqual({ text: 'a\0b' });
    const { id } = (await send({})).body.job;
    const update = await board.send('PATCH', `/api/queues/values/${id}/update-data`, {
      jobData: { text: 'a\0b' },
    });
    if (cell.datastore === 'sql') expect(keyOf(update)).toBe('400 INVALID_REQUEST_BODY');
    else expect(update.status).toBe(200);
    expect(board.errors).toEqual([]);
  });

  it('handles jobs that finish while they are edited', async () => {
    const queue = await queueOf('racing');
    if (!queue) return;
    const board = await boardOf(queue);
    const ids: string[] = [];
    for (let index = 0; index < 40; index += 1) {
      ids.push(await queue.add('race', { index }, { removeOnComplete: index % 2 === 0 }));
    }
    const stop = await queue.work(async () => 1);
    const answers = await Promise.all(
      ids.flatMap((id) => {
        const job = `/api/queues/racing/${id}`;
        return [
          board.get(job),
          board.send('PATCH', `${job}/update-data`, { jobData: { edited: true } }),
          board.send('PATCH', `${job}/priority`, { priority: 5 }),
          board.send('PATCH', `${job}/delay`, { runAt: Date.now() + 1_000 }),
          board.send('PUT', `${job}/promote`),
          board.send('PUT', `${job}/retry`),
          board.send('PUT', `${job}/clean`),
        ];
      }),
    );
    await stop();
    expect(
      [...new Set(answers.map(({ status }) => status))].filter((status) => status >= 500),
    ).toEqual([]);
    expect(board.errors).toEqual([]);
  });

  it('handles schedulers that are removed in between', async () => {
    const queue = await queueOf('schedules');
    if (!queue) return;
    const board = await boardOf(queue);
    for (let round = 0; round < 10; round += 1) {
      await queue.schedule('tick', { every: 600_000 });
      const [scheduler] = (await board.get('/api/job-schedulers')).body.schedulers;
      const path = `/api/queues/schedules/job-schedulers/${encodeURIComponent(scheduler.id)}`;
      const answers = await Promise.all([
        board.send('PUT', `${path}/remove`),
        board.send('PUT', `${path}/remove`),
        board.send('PUT', `${path}/run`),
        board.get('/api/job-schedulers'),
      ]);
      for (const { status } of answers) expect(status).toBeLessThan(500);
    }
    expect(board.errors).toEqual([]);
  });
});

describe('flows that libraries do not create', () => {
  let service: Service | undefined;
  let client: Redis;
  let queue: bullmq.Queue;

  beforeAll(async () => {
    const found = await findRedis();
    if ('missing' in found) return;
    service = found;
    client = new Redis(found.url, { maxRetriesPerRequest: null });
    queue = new bullmq.Queue('circles', {
      connection: client as unknown as bullmq.ConnectionOptions,
      prefix: `odd${process.pid}`,
    });
    await queue.waitUntilReady();
  });

  afterAll(async () => {
    if (!service) return;
    await queue.close();
    await forgetKeys(client, `odd${process.pid}:`);
    client.disconnect();
    await service.dispose();
  });

  it('terminate in a cycle', async () => {
    if (!service) return;
    const board = await serveBoard([bullmqQueue(queue)]);
    boards.push(board);
    const [first, second] = [await queue.add('a', {}), await queue.add('b', {})];
    const [one, two] = [queue.toKey(String(first.id)), queue.toKey(String(second.id))];
    await client.hset(one, 'parentKey', two);
    await client.hset(two, 'parentKey', one);
    await client.sadd(`${one}:dependencies`, two);
    await client.sadd(`${two}:dependencies`, one, `${queue.toKey('gone')}`);
    const { status, body } = await board.get(`/api/queues/circles/${String(first.id)}/flow`);
    expect(status).toBe(200);
    expect(body.isFlowNode).toBe(true);
    expect(JSON.stringify(body).match(/"queueName"/g)).toHaveLength(2);
  });

  it('stay within 200 jobs, or their width where they are shallow', async () => {
    if (!service) return;
    const board = await serveBoard([bullmqQueue(queue)]);
    boards.push(board);
    const flows = new bullmq.FlowProducer({
      connection: client as unknown as bullmq.ConnectionOptions,
      prefix: `odd${process.pid}`,
    });
    const children = Array.from({ length: 300 }, (_, index) => ({
      name: `c${index}`,
      queueName: 'circles',
    }));
    const { job } = await flows.add({ name: 'wide', queueName: 'circles', children });
    const flow = async (query: string) =>
      (await board.get(`/api/queues/circles/${String(job.id)}/flow?${query}`)).body.flowRoot;
    expect((await flow('maxChildren=1000')).children).toHaveLength(199);
    expect((await flow('maxChildren=1000&depth=2')).children).toHaveLength(300);
    expect((await flow('maxChildren=1000&depth=2')).truncated).toBeUndefined();
    expect((await flow('')).children).toHaveLength(20);
    expect((await flow('depth=-5&maxChildren=x')).children).toHaveLength(0);
    await flows.close();
  });

  it('hide parents that the sender may not see', async () => {
    if (!service) return;
    const connection = client as unknown as bullmq.ConnectionOptions;
    const hidden = new bullmq.Queue('hidden', { connection, prefix: `odd${process.pid}` });
    const board = await serveBoard([
      bullmqQueue(queue),
      bullmqQueue(hidden, { visibilityGuard: () => false }),
    ]);
    boards.push(board);
    const flows = new bullmq.FlowProducer({ connection, prefix: `odd${process.pid}` });
    const made = await flows.add({
      name: 'secret parent',
      queueName: 'hidden',
      children: [{ name: 'child', queueName: 'circles' }],
    });
    const child = made.children?.[0]?.job.id;
    expect((await board.get(`/api/queues/circles/${String(child)}/flow`)).body).toEqual({
      nodeId: child,
      isFlowNode: false,
      flowRoot: expect.objectContaining({ id: child, children: [] }),
    });
    await hidden.close();
    await flows.close();
  });
});

describe('a forged cursor', () => {
  it.each(cells.map((cell) => [cell.name, cell] as const))(
    '%s: is refused',
    async (_name, cell) => {
      const world = await cell.open();
      if ('missing' in world) return;
      const queue = await world.queue('forged');
      const board = await boardOf(queue);
      const search = JSON.stringify(['forged', { name: 'x' }]);
      for (const after of ['x', '0|0|x', '4|0|(1', '0|0|+inf', '0|0|-1', '0|1e9|0', 'a|b|c|d']) {
        const cursor = writeCursor(search, { queue: 'forged', after });
        const answer = await board.get(`/api/queues/forged/search?name=x&cursor=${cursor}`);
        expect([after, keyOf(answer)]).toEqual([after, '400 INVALID_QUERY_PARAM']);
      }
      expect(board.errors).toEqual([]);
      await world.close();
    },
  );
});

describe('a zod schema', () => {
  it('is shown as JSON Schema, and validates added jobs', async () => {
    const [cell] = cells;
    const world = await cell?.open();
    if (!world || 'missing' in world) return;
    const queue = await world.queue('typed');
    const schema = z.object({ to: z.email() });
    const board = await serveBoard([queue.boardQueue({ jobDataSchema: schema })]);
    boards.push(board);
    const { body } = await board.get('/api/queues/typed/job-data-schema');
    expect(body).toMatchObject({ type: 'object', properties: { to: { type: 'string' } } });
    const add = (data: unknown) => board.send('POST', '/api/queues/typed/add', { data });
    expect(keyOf(await add({ to: 'nobody' }))).toBe('400 INVALID_REQUEST_BODY');
    expect((await add({ to: 'a@example.org' })).status).toBe(200);
    await world.close();
  });
});

it.each(['', 'a\0b', '\ud800'])('refuses a queue named %j, which no address holds', (name) => {
  const given = { name, statuses: [] };
  const adapter = Object.assign(Object.create(QueueAdapter.prototype) as QueueAdapter, given);
  expect(() => customQueue(adapter)).toThrow(
    new TypeError('The name of a queue must not be empty, and must be text without NUL'),
  );
});
