/** Searches over many pages while jobs are added, removed and moved, and while queues are broken or hang. */

import Bull from 'bull';
import * as bullmq6 from 'bullmq';
import * as bullmq5 from 'bullmq-5';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { QueueAdapter, bullmqQueue, bullQueue, customQueue } from '../../../src/board/kvq/index.ts';
import type { BoardQueue, QueueOptions } from '../../../src/board/kvq/index.ts';
import { openWire } from './counting-proxy.ts';
import type { Wire } from './counting-proxy.ts';
import { serveBoard } from './http-board.ts';
import type { Answer, ServedBoard } from './http-board.ts';
import { ownRedis } from './own-redis.ts';
import type { OwnRedis } from './own-redis.ts';
import { keyOf } from './suite.ts';

let redis: OwnRedis | null;
let admin: Redis;
let wire: Wire;
const undo: (() => unknown)[] = [];

beforeAll(async () => {
  redis = await ownRedis();
  if (!redis) return;
  await redis.start();
  admin = new Redis({ port: redis.port, host: '127.0.0.1' });
  wire = await openWire(`redis://127.0.0.1:${redis.port}`);
});

beforeEach(async (context) => {
  if (!redis) context.skip();
  await admin.flushall();
});

afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

afterAll(async () => {
  await wire?.close();
  admin?.disconnect();
  await redis?.stop();
});

/** A queue of any library. */
interface Subject {
  readonly base: string;
  board(options?: QueueOptions): BoardQueue;
  ready(): Promise<unknown>;
  addAll(names: readonly string[]): Promise<void>;
  /** Processes the oldest jobs. */
  finish(count: number): Promise<void>;
  remove(id: string): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
}

function onBullMq(lib: typeof bullmq6, name = 'mails', port = redis?.port ?? 0): Subject {
  const client = new Redis({ port, host: '127.0.0.1', maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  const connection = client as unknown as bullmq6.ConnectionOptions;
  const options = { connection, prefix: 'search' };
  const queue = new lib.Queue(name, { ...options, skipMetasUpdate: true });
  queue.on('error', () => undefined);
  undo.push(() => client.disconnect());
  return {
    base: `search:${name}:`,
    board: (given) => bullmqQueue(queue, given),
    ready: () => queue.waitUntilReady(),
    addAll: async (names) =>
      void (await queue.addBulk(names.map((job) => ({ name: job, data: {} })))),
    async finish(count) {
      const worker = new lib.Worker(name, null, { ...options, autorun: false });
      for (let done = 0; done < count; done += 1) {
        const job = await worker.getNextJob('token', { block: false });
        await job?.moveToCompleted(1, 'token', false);
      }
      await worker.close(true);
    },
    remove: async (id) => void (await queue.remove(id)),
    pause: () => queue.pause(),
    resume: () => queue.resume(),
  };
}

function onBull(): Subject {
  const queue = new Bull('mails', { redis: { port: redis?.port ?? 0 }, prefix: 'search' });
  queue.on('error', () => undefined);
  undo.push(() => queue.close());
  return {
    base: 'search:mails:',
    board: (given) => bullQueue(queue, given),
    ready: () => queue.isReady(),
    addAll: async (names) => void (await queue.addBulk(names.map((name) => ({ name, data: {} })))),
    async finish(count) {
      const there = Math.min(count, await queue.getWaitingCount());
      for (let done = 0; done < there; done += 1) {
        const job = await queue.getNextJob();
        await job?.moveToCompleted('1', true, true);
      }
    },
    // Its locks remain on jobs that have no worker.
    async remove(id) {
      await admin.del(`search:mails:${id}:lock`);
      await (await queue.getJob(id))?.remove();
    },
    pause: () => queue.pause(),
    resume: () => queue.resume(),
  };
}

const libraries: readonly [string, () => Subject][] = [
  ['BullMQ 6', () => onBullMq(bullmq6)],
  ['BullMQ 5', () => onBullMq(bullmq5 as unknown as typeof bullmq6)],
  ['Bull', onBull],
];

async function boardOf(...queues: BoardQueue[]): Promise<ServedBoard> {
  const board = await serveBoard(queues);
  undo.push(() => board.close());
  return board;
}

type Found = { queueName: string; status: string; job: { id: string; name: string } };

/** Reads all pages of a search; `between` runs between them. */
async function searchAll(
  board: ServedBoard,
  path: string,
  between: (page: number, found: readonly Found[]) => Promise<unknown> = async () => undefined,
): Promise<{ found: Found[]; answers: Answer[] }> {
  const found: Found[] = [];
  const answers: Answer[] = [];
  let cursor: string | null = null;
  do {
    const answer: Answer = await board.get(cursor === null ? path : `${path}&cursor=${cursor}`);
    expect(answer.status).toBe(200);
    answers.push(answer);
    found.push(...answer.body.jobs);
    cursor = answer.body.nextCursor;
    await between(answers.length, answer.body.jobs);
  } while (cursor !== null);
  return { found, answers };
}

const idsOf = (found: readonly Found[]): string[] => found.map(({ job }) => job.id);
const sorted = (ids: Iterable<string>): string[] =>
  [...ids].toSorted((left, right) => Number(left) - Number(right));
const names = (count: number, name: string): string[] => Array.from({ length: count }, () => name);
const numbers = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => String(index + 1));

describe.each(libraries)('%s: a search that is continued', (_name, make) => {
  const path = '/api/queues/mails/search?name=old&limit=40';

  it('finds every job once while others are added and the last ones are removed', async () => {
    const queue = make();
    await queue.addAll(names(300, 'old'));
    const board = await boardOf(queue.board());
    const removed: string[] = [];
    const { found } = await searchAll(board, path, async (page, jobs) => {
      await queue.addAll(names(30, 'new'));
      const last = idsOf(jobs).at(-1);
      if (page % 2 === 0 && last !== undefined) {
        await queue.remove(last);
        removed.push(last);
      }
    });
    expect(removed.length).toBeGreaterThan(2);
    expect(sorted(idsOf(found))).toEqual(numbers(300));
  });

  it('loses no job while jobs are processed, and repeats only jobs that moved', async () => {
    const queue = make();
    await queue.addAll(names(300, 'old'));
    const board = await boardOf(queue.board());
    const { found } = await searchAll(board, path, async () => {
      await queue.addAll(names(20, 'new'));
      await queue.finish(45);
    });
    expect(sorted(new Set(idsOf(found)))).toEqual(numbers(300));
    for (const { job } of found) {
      const states = found.filter((other) => other.job.id === job.id).map(({ status }) => status);
      expect(new Set(states).size).toBe(states.length);
    }
  });

  it('finds every job once although the queue is paused and resumed', async () => {
    const queue = make();
    await queue.addAll(names(300, 'old'));
    const board = await boardOf(queue.board());
    const { found } = await searchAll(board, path, (page) =>
      page % 2 === 1 ? queue.pause() : queue.resume(),
    );
    expect(sorted(idsOf(found))).toEqual(numbers(300));
  });

  it('finds every job once among those that finished in one millisecond', async () => {
    const queue = make();
    await queue.addAll(names(300, 'old'));
    await queue.finish(300);
    const moment = Date.now();
    await admin.zadd(`${queue.base}completed`, ...numbers(300).flatMap((id) => [moment, id]));
    const board = await boardOf(queue.board());
    const gone: string[] = [];
    const { found } = await searchAll(board, path, async (page, jobs) => {
      // The jobs shown last are removed, and some before them.
      for (const id of page % 2 === 0 ? idsOf(jobs).slice(-7) : []) {
        await queue.remove(id);
        gone.push(id);
      }
    });
    expect(gone.length).toBeGreaterThan(14);
    expect(sorted(idsOf(found))).toEqual(numbers(300));
    expect(new Set(found.map(({ status }) => status))).toEqual(new Set(['completed']));
  });

  it('returns only jobs of the requested state', async () => {
    const queue = make();
    await queue.addAll(names(100, 'old'));
    await queue.finish(50);
    const board = await boardOf(queue.board());
    for (const status of ['waiting', 'completed']) {
      const { found } = await searchAll(board, `${path}&status=${status}`);
      expect(found).toHaveLength(50);
      expect(new Set(found.map((each) => each.status))).toEqual(new Set([status]));
    }
    const none = await board.get(`${path}&status=failed`);
    expect(none.body).toEqual({ jobs: [], examined: 0, nextCursor: null });
  });

  it('examines a bounded number of jobs, and reports it', async () => {
    const queue = make();
    await queue.addAll(names(12_000, 'old'));
    const board = await boardOf(queue.board());
    const { found, answers } = await searchAll(board, '/api/queues/mails/search?name=none');
    expect(found).toEqual([]);
    const examined = answers.map(({ body }) => Number(body.examined));
    expect(examined.reduce((sum, each) => sum + each, 0)).toBe(12_000);
    expect(Math.max(...examined)).toBeLessThanOrEqual(5_000);
  });
});

describe('a search', () => {
  it('returns a bounded number of bytes, and continues with the rest', async () => {
    const subject = onBullMq(bullmq6);
    await subject.addAll(names(16, 'old'));
    for (const id of numbers(16)) {
      await admin.hset(
        `${subject.base}${id}`,
        'data',
        JSON.stringify({ id, text: 'x'.repeat(2e6) }),
      );
    }
    const board = await boardOf(subject.board());
    for (const query of ['name=old', 'path=id&value=7']) {
      const { found, answers } = await searchAll(
        board,
        `/api/queues/mails/search?${query}&limit=100`,
      );
      expect(sorted(idsOf(found))).toEqual(query.endsWith('7') ? ['7'] : numbers(16));
      for (const { body } of answers) expect(JSON.stringify(body).length).toBeLessThan(20e6);
    }
  });

  it('follows paths through lists and odd names, and compares what is stored', async () => {
    const subject = onBullMq(bullmq6);
    await subject.addAll(names(1, 'old'));
    const data = {
      items: [{ sku: 'a' }],
      'a b%_': { '': 1 },
      nothing: null,
      big: 12_345_678_901,
      flag: false,
      text: '\\"%',
    };
    await admin.hset(`${subject.base}1`, 'data', JSON.stringify(data));
    const board = await boardOf(subject.board());
    const count = async (query: Record<string, string>): Promise<number> => {
      const answer = await board.get(`/api/queues/mails/search?${new URLSearchParams(query)}`);
      expect(answer.status).toBe(200);
      return answer.body.jobs.length;
    };
    for (const query of [
      { path: 'items.0.sku', value: 'a' },
      { path: 'a b%_' },
      { path: 'nothing', value: 'null' },
      { path: 'big', value: '12345678901' },
      { path: 'flag', value: 'false' },
      { path: 'text', value: '\\"%' },
    ]) {
      expect([query, await count(query)]).toEqual([query, 1]);
    }
    for (const path of [
      'items.length',
      'items.1',
      'items.-1',
      'text.0',
      'constructor',
      '__proto__',
    ]) {
      expect([path, await count({ path })]).toEqual([path, 0]);
    }
  });

  it('continues without broken queues, in any position, and names them', async () => {
    const [first, sound, last] = ['a', 'b', 'c'].map((name) => onBullMq(bullmq6, name));
    await sound?.addAll(names(3, 'old'));
    for (const broken of [first, last]) await admin.set(`${broken?.base}wait`, 'no list');
    const queues = [first, sound, last].flatMap((subject) => subject?.board() ?? []);
    const board = await boardOf(...queues);
    const { body } = await board.get('/api/search?name=old');
    expect(body.jobs).toHaveLength(3);
    expect(body.problems).toEqual(
      ['a', 'c'].map((queueName) => ({
        queueName,
        problem: { key: 'ERRORS.INTERNAL_SERVER_ERROR' },
      })),
    );
    expect((await board.get('/api/queues/b/search?name=old')).body).not.toHaveProperty('problems');
    expect(keyOf(await board.get('/api/queues/a/search?name=old'))).toBe(
      '500 INTERNAL_SERVER_ERROR',
    );
  });

  it('continues without a datastore that hangs, and names its queues', async () => {
    const hanging = await openWire(`redis://127.0.0.1:${redis?.port ?? 0}`);
    undo.push(() => hanging.close());
    const [first, last] = ['a', 'z'].map((name) => onBullMq(bullmq6, name, hanging.port));
    const sound = onBullMq(bullmq6, 'm');
    await sound.addAll(names(3, 'old'));
    const queues = [first, sound, last].flatMap((subject) => subject?.board() ?? []);
    // Only `othersMs` is waited for.
    const endless = { commandMs: 600_000, firstMs: 600_000, changeMs: 600_000 };
    const board = await serveBoard(queues, { timeouts: { ...endless, othersMs: 400 } });
    undo.push(() => board.close());
    expect((await board.get('/api/search?name=old')).body).not.toHaveProperty('problems');
    hanging.hold = true;
    const problems = ['a', 'z'].map((queueName) => ({
      queueName,
      problem: { key: 'ERRORS.KV_UNAVAILABLE' },
    }));
    const found = await board.get('/api/search?name=old');
    expect(found.body.jobs).toHaveLength(3);
    expect(found.body.problems).toEqual(problems);
    const byId = await board.get('/api/search?id=1');
    expect(byId.body.jobs).toMatchObject([{ queueName: 'm' }]);
    expect(byId.body.problems).toHaveLength(2);
  });

  it('sends no request for empty queues', async () => {
    const subjects = Array.from({ length: 60 }, (_, index) =>
      onBullMq(bullmq6, `many${index}`, wire.port),
    );
    await Promise.all(subjects.map((subject) => subject.ready()));
    await subjects[30]?.addAll(names(3, 'old'));
    const board = await boardOf(...subjects.map((subject) => subject.board()));
    await board.get('/api/search?name=old');
    wire.writes.length = 0;
    const { body } = await board.get('/api/search?name=old');
    expect(body).toMatchObject({ examined: 3, nextCursor: null });
    expect(body.jobs).toHaveLength(3);
    // One write for all counts, one for the scan, and one for the jobs.
    expect(wire.writes).toHaveLength(3);
  });

  it('accepts no cursor of another queue of its name', async () => {
    class Adapter extends QueueAdapter {
      readonly name = 'a';
      override readonly statuses = ['waiting'] as const;
      counts = async () => ({ waiting: 3 });
      jobs = async (_status: string, start: number, end: number) =>
        ['1', '2', '3'].slice(start, end + 1).map((id) => ({ id, name: 'old', timestamp: 1 }));
      job = async () => null;
    }
    const [subject, other] = [onBullMq(bullmq6, 'a'), onBullMq(bullmq6, 'b')];
    for (const { addAll } of [subject, other]) await addAll(names(3, 'old'));
    const pairs = [
      [subject.board(), customQueue(new Adapter())],
      [customQueue(new Adapter()), subject.board()],
    ];
    for (const path of ['/api/queues/a/search?name=old&limit=1', '/api/search?name=old&limit=1']) {
      for (const [before, after] of pairs) {
        const board = await boardOf(before as BoardQueue, other.board());
        const cursor = String((await board.get(path)).body.nextCursor);
        expect((await board.get(`${path}&cursor=${cursor}`)).status).toBe(200);
        board.registry.replace([after as BoardQueue, other.board()]);
        const answer = await board.get(`${path}&cursor=${cursor}`);
        expect([path, keyOf(answer)]).toEqual([path, '400 INVALID_QUERY_PARAM']);
        expect(answer.body.error.options).toEqual({ field: 'cursor' });
        expect(board.errors).toEqual([]);
      }
    }
  });

  it('accepts only its own cursors, and never reads a hidden queue', async () => {
    let hidden = false;
    const subjects = ['a', 'b', 'c'].map((name) => onBullMq(bullmq6, name));
    for (const subject of subjects) await subject.addAll(names(3, 'old'));
    const board = await boardOf(
      ...subjects.map((subject, index) =>
        subject.board(index === 1 ? { visibilityGuard: () => !hidden } : {}),
      ),
    );
    const path = '/api/search?name=old';
    const { nextCursor: inB } = (await board.get(`${path}&limit=4`)).body;
    const refused = async (route: string, cursor: string): Promise<void> => {
      const answer = await board.get(`${route}&cursor=${cursor}`);
      expect([route, keyOf(answer)]).toEqual([route, '400 INVALID_QUERY_PARAM']);
      expect(answer.body.error.options).toEqual({ field: 'cursor' });
    };
    await refused(path, `${inB}A`);
    await refused(path, `${inB}!`);
    await refused(path, inB.slice(0, -2));
    await refused('/api/search?name=other', inB);
    await refused('/api/search?name=new', inB);
    await refused(`${path}&status=waiting`, inB);
    await refused('/api/queues/b/search?name=old', inB);
    // A page of another size continues from the same position.
    const rest = (await board.get(`${path}&limit=3&cursor=${inB}`)).body.jobs;
    expect(rest.map(({ queueName }: Found) => queueName)).toEqual(['b', 'b', 'c']);
    hidden = true;
    const { body } = await board.get(`${path}&cursor=${inB}`);
    expect(body.jobs.map(({ queueName }: Found) => queueName)).toEqual(['c', 'c', 'c']);
    expect((await board.get(path)).body.jobs).toHaveLength(6);
    expect((await board.get('/api/search?id=1')).body.jobs).toHaveLength(2);
  });
});
