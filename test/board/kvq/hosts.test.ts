/** Hosts add queues to a board, remove and close them while many clients poll it. */

import * as bullmq from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createBoard, ExpressAdapter } from '../../../src/http/board/index.ts';
import { bullmqQueue } from '../../../src/board/kvq/index.ts';
import type { BoardQueue, QueueOptions } from '../../../src/board/kvq/index.ts';
import { openWire } from './counting-proxy.ts';
import type { Wire } from './counting-proxy.ts';
import { serveBoard } from './http-board.ts';
import type { Answer, ServedBoard } from './http-board.ts';
import { ownRedis } from './own-redis.ts';
import type { OwnRedis } from './own-redis.ts';

let redis: OwnRedis | null;
let wire: Wire;
let client: Redis;
let admin: Redis;

const undo: (() => unknown)[] = [];

beforeAll(async () => {
  redis = await ownRedis();
  if (!redis) return;
  await redis.start();
  wire = await openWire(`redis://127.0.0.1:${redis.port}`);
  client = new Redis({ port: wire.port, host: '127.0.0.1', maxRetriesPerRequest: null });
  admin = new Redis({ port: redis.port, host: '127.0.0.1' });
});

afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

afterAll(async () => {
  client?.disconnect();
  admin?.disconnect();
  await wire?.close();
  await redis?.stop();
});

function queueOf(name: string, connection: bullmq.ConnectionOptions): bullmq.Queue {
  const queue = new bullmq.Queue(name, { connection, prefix: 'hosts', skipMetasUpdate: true });
  queue.on('error', () => undefined);
  return queue;
}

const shared = (name: string): bullmq.Queue =>
  queueOf(name, client as unknown as bullmq.ConnectionOptions);

async function boardOf(queues: readonly BoardQueue[], snapshotMs = 0): Promise<ServedBoard> {
  const board = await serveBoard(queues, { snapshotMs });
  undo.push(() => board.close());
  return board;
}

const namesOf = ({ body }: Answer): string[] =>
  body.queues.map((queue: { name: string }) => queue.name);

const problemsOf = ({ body }: Answer): unknown[] =>
  body.queues.flatMap((queue: { problem?: unknown }) => queue.problem ?? []);

describe('queues that are added and removed', () => {
  it('must have names of their own in each list that the host gives', async (context) => {
    if (!redis) return context.skip();
    const one = bullmqQueue(shared('twice'), { readOnly: true });
    const two = bullmqQueue(shared('twice'));
    const start = (queues: readonly BoardQueue[]) =>
      createBoard({ queues, serverAdapter: new ExpressAdapter(), auth: false });
    expect(() => start([one, two])).toThrow(
      new TypeError('"queues" must have one queue per name; "twice" occurs more than once'),
    );
    expect(() => start([one, bullmqQueue(shared('ice'), { prefix: 'tw' })])).toThrow('"twice"');
    const board = start([one, bullmqQueue(shared('twice'), { prefix: 'other:' })]);
    expect(() => board.setQueues([one, two])).toThrow('"twice" occurs more than once');
    expect(() => board.replaceQueues([one, two])).toThrow('"twice" occurs more than once');
    // A later call replaces the queue that has the name.
    board.setQueues([two]);
    await board.close();
    const served = await boardOf([one]);
    expect(() => served.registry.replace([two, one])).toThrow('"twice"');
    expect(namesOf(await served.get('/api/queues'))).toEqual(['twice']);
  });

  it('come and go by the calls of a board', async (context) => {
    if (!redis) return context.skip();
    const [one, two] = [bullmqQueue(shared('one')), bullmqQueue(shared('two'))];
    const serverAdapter = new ExpressAdapter();
    const board = createBoard({ queues: [one], serverAdapter, auth: false });
    undo.push(() => board.close());
    const names = async () => {
      const answer = await board.fetch(new Request('http://localhost/api/queues'));
      return namesOf({ status: answer.status, headers: answer.headers, body: await answer.json() });
    };
    expect(await names()).toEqual(['one']);
    board.addQueue(two);
    expect(await names()).toEqual(['one', 'two']);
    board.removeQueue('one');
    expect(await names()).toEqual(['two']);
    board.removeQueue(two);
    expect(await names()).toEqual([]);
  });

  it('are read although a read of the others is pending', async (context) => {
    if (!redis) return context.skip();
    const board = await boardOf([bullmqQueue(shared('first'))]);
    await board.get('/api/queues');
    await admin.client('PAUSE', 500, 'ALL');
    const before = board.get('/api/queues');
    await new Promise((resolve) => setTimeout(resolve, 100));
    board.registry.add(bullmqQueue(shared('second')));
    const [one, two] = [await before, await board.get('/api/queues')];
    expect(namesOf(one)).toEqual(['first']);
    expect(namesOf(two)).toEqual(['first', 'second']);
    expect([...problemsOf(one), ...problemsOf(two)]).toEqual([]);
  });

  it('are omitted when they are removed during the listing', async (context) => {
    if (!redis) return context.skip();
    const board = await boardOf([
      bullmqQueue(shared('gone')),
      bullmqQueue(shared('stays'), {
        visibilityGuard: async () => {
          await Promise.resolve();
          board.registry.remove('gone');
          return true;
        },
      }),
    ]);
    const listed = await board.get('/api/queues?activeQueue=gone');
    expect(listed.status).toBe(200);
    expect(namesOf(listed)).toEqual(['stays']);
    expect(problemsOf(listed)).toEqual([]);
  });

  it('may be hundreds, under load', async (context) => {
    if (!redis) return context.skip();
    const queues = Array.from({ length: 300 }, (_, index) => bullmqQueue(shared(`many${index}`)));
    const board = await boardOf(queues.slice(0, 1));
    let stopped = false;
    const answers: Answer[] = [];
    const poll = async (): Promise<void> => {
      while (!stopped) answers.push(await board.get('/api/queues?activeQueue=many0'));
    };
    const pollers = [poll(), poll(), poll(), poll()];
    for (const queue of queues) {
      board.registry.add(queue);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(namesOf(await board.get('/api/queues'))).toHaveLength(300);
    board.registry.replace(queues.slice(0, 200));
    for (const queue of queues.slice(100, 200)) {
      board.registry.remove(queue);
      await new Promise((resolve) => setImmediate(resolve));
    }
    stopped = true;
    await Promise.all(pollers);
    expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
    expect(answers.flatMap(problemsOf)).toEqual([]);
    expect(namesOf(await board.get('/api/queues'))).toHaveLength(100);
    expect(board.errors).toEqual([]);
  });

  it('must be queues, or nothing changes', async (context) => {
    if (!redis) return context.skip();
    const board = await boardOf([bullmqQueue(shared('first'))]);
    const none = {} as unknown as BoardQueue;
    const second = bullmqQueue(shared('second'));
    for (const change of [
      () => board.registry.add(none),
      () => board.registry.set([second, none]),
      () => board.registry.replace([second, none]),
    ]) {
      expect(change).toThrow(TypeError);
    }
    expect(namesOf(await board.get('/api/queues'))).toEqual(['first']);
  });

  it('may lie in different databases of one server', async (context) => {
    if (!redis) return context.skip();
    const at = (name: string, db: number) =>
      queueOf(name, { port: redis?.port ?? 0, host: '127.0.0.1', db });
    const queues = [at('first', 0), at('second', 1)];
    undo.push(...queues.map((queue) => () => queue.close()));
    await queues[0]?.add('job', {});
    await queues[1]?.addBulk([
      { name: 'job', data: {} },
      { name: 'job', data: {} },
    ]);
    const board = await boardOf(queues.map((queue) => bullmqQueue(queue)));
    const { body } = await board.get('/api/queues');
    const counts = body.queues.map(
      (queue: { counts: { waiting: number } }) => queue.counts.waiting,
    );
    expect(counts).toEqual([1, 2]);
  });

  it('may be closed while they are polled, without affecting others', async (context) => {
    if (!redis) return context.skip();
    const { port } = redis;
    const own = queueOf('own', { port, host: '127.0.0.1' });
    const other = queueOf('other', { port, host: '127.0.0.1' });
    // No response may wait for one of these timeouts.
    const timeouts = {
      connectMs: 600_000,
      commandMs: 600_000,
      firstMs: 600_000,
      othersMs: 600_000,
    };
    const board = await serveBoard([bullmqQueue(own), bullmqQueue(other)], { timeouts });
    undo.push(() => board.close());
    expect(problemsOf(await board.get('/api/queues'))).toEqual([]);
    const polled = Promise.all(
      Array.from({ length: 20 }, () => board.get('/api/queues?activeQueue=own')),
    );
    await own.close();
    expect(new Set((await polled).map(({ status }) => status))).toEqual(new Set([200]));
    // The other queue's connection leads to the same server.
    expect(problemsOf(await board.get('/api/queues'))).toEqual([]);
    await other.close();
    const closed = await board.get('/api/queues');
    expect([closed.status, closed.body.error.key]).toEqual([503, 'ERRORS.KV_UNAVAILABLE']);
    expect(board.errors).toEqual([]);
  });
});

describe('dashboards of many users', () => {
  const users = ['anna', 'bert', 'chloe'];
  /** A queue that is visible to one user only. */
  const ownOf = (user: string): QueueOptions => ({
    visibilityGuard: async ({ headers }) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
      return headers['x-user'] === user;
    },
  });

  it('cost the datastore as much as one, and show each user their queues', async (context) => {
    if (!redis) return context.skip();
    const queues = users.map((user) => shared(`of-${user}`));
    const common = shared('common');
    for (const queue of [...queues, common]) {
      await queue.add('job', { of: queue.name });
      undo.push(() => queue.obliterate({ force: true }));
    }
    const board = await boardOf(
      [
        bullmqQueue(common),
        ...queues.map((queue, index) => bullmqQueue(queue, ownOf(users[index] ?? ''))),
      ],
      60_000,
    );
    const look = async (user: string, active: string, page: number): Promise<Answer> => {
      const path = `/api/queues?activeQueue=${active}&status=waiting&page=${page}`;
      const response = await fetch(`${board.url}${path}`, { headers: { 'x-user': user } });
      return { status: response.status, headers: response.headers, body: await response.json() };
    };
    await board.get('/api/queues?activeQueue=common&status=waiting');
    await board.send('PUT', '/api/queues/common/resume');
    wire.writes.length = 0;
    const dashboards = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const user = users[index % users.length] ?? '';
        const owner = users[Math.floor(index / users.length) % users.length] ?? '';
        const active = index % 4 === 0 ? 'common' : `of-${owner}`;
        return { user, active, answer: await look(user, active, 1 + (index % 2)) };
      }),
    );
    for (const { user, active, answer } of dashboards) {
      expect(namesOf(answer)).toEqual(['common', `of-${user}`]);
      const shown: { name: string; jobs: { data: { of: string } }[] }[] = answer.body.queues;
      for (const queue of shown) {
        if (queue.name !== active) expect(queue.jobs).toEqual([]);
        for (const job of queue.jobs) expect(job.data.of).toBe(queue.name);
      }
    }
    // One write for all counts, and one per visible page: of four queues, the first and the second.
    expect(wire.writes.length).toBeLessThanOrEqual(1 + 4 * 2);
    const lists = Buffer.concat(wire.writes).toString().split('LIST').length - 1;
    expect(lists).toBe(1);
  });

  it('see their own changes despite concurrent reads', async (context) => {
    if (!redis) return context.skip();
    const queue = shared('written');
    undo.push(() => queue.obliterate({ force: true }));
    const board = await boardOf([bullmqQueue(queue)], 60_000);
    let stopped = false;
    const poll = async (): Promise<void> => {
      while (!stopped) await board.get('/api/queues?activeQueue=written');
    };
    const pollers = [poll(), poll(), poll()];
    for (let count = 1; count <= 60; count += 1) {
      await board.send('POST', '/api/queues/written/add', { name: 'job' });
      const { body } = await board.get('/api/queues?activeQueue=written&status=waiting');
      expect(body.queues[0].counts.waiting).toBe(count);
      expect(body.queues[0].jobs).toHaveLength(Math.min(count, 10));
    }
    stopped = true;
    await Promise.all(pollers);
  });
});

describe('options of the engine', () => {
  it('limit what a page reads', async (context) => {
    if (!redis) return context.skip();
    const queue = shared('limited');
    await queue.add('large', { text: 'x'.repeat(2_000) });
    const board = createBoard({
      queues: [bullmqQueue(queue)],
      options: { maxReadBytes: 1_000, snapshotMs: 0, timeouts: { commandMs: 4_000 } },
      auth: false,
    });
    const page = new Request('http://board/api/queues?activeQueue=limited&status=waiting');
    const { queues } = (await (await board.fetch(page)).json()) as {
      queues: readonly { readonly jobs: readonly object[] }[];
    };
    expect(queues[0]?.jobs).toMatchObject([{ truncated: ['data'] }]);
    await board.close();
  });
});
