/** Redis round trips of the listing, counted at the socket: 300 queues in one write, and large pages in short scripts. */

import * as bullmq from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bullmqQueue } from '../../../src/board/kvq/index.ts';
import type pg from 'pg';
import { findRedis, scratchDatabase } from '../../services/index.ts';
import type { Service } from '../../services/index.ts';
import { openWire } from './counting-proxy.ts';
import type { Wire } from './counting-proxy.ts';
import { isOfRuns } from '../pgq/statements.ts';
import { serveBoard } from './http-board.ts';
import type { ServedBoard } from './http-board.ts';

/**
 * On a busy machine, replies come less often than the board asks whether a server is up, and a read whose time has passed
 * goes on beside the next one.
 */
const timeouts = {
  freshMs: 600_000,
  commandMs: 600_000,
  firstMs: 600_000,
  othersMs: 600_000,
};

const queueCount = 300;
const prefix = `trips${process.pid}`;

let service: Service | undefined;
let wire: Wire;
let queues: bullmq.Queue[] = [];
let clients: Redis[] = [];

beforeAll(async () => {
  const found = await findRedis();
  if ('missing' in found) return;
  service = found;
  wire = await openWire(found.url);
  clients = Array.from(
    { length: queueCount },
    () => new Redis({ port: wire.port, host: '127.0.0.1', maxRetriesPerRequest: null }),
  );
  queues = clients.map(
    (client, index) =>
      new bullmq.Queue(`q${index}`, {
        connection: client as unknown as bullmq.ConnectionOptions,
        prefix,
        skipMetasUpdate: true,
      }),
  );
  await Promise.all(queues.map((queue) => queue.waitUntilReady()));
  const jobs = Array.from({ length: 20 }, (_, index) => ({
    name: `job ${index}`,
    data: { index },
  }));
  await Promise.all(queues.map((queue) => queue.addBulk(jobs)));
});

afterAll(async () => {
  if (!service) return;
  for (const queue of queues) await queue.obliterate({ force: true });
  await Promise.all(queues.map((queue) => queue.close()));
  for (const client of clients) client.disconnect();
  await wire.close();
  await service.dispose();
});

/** Runs work and returns the chunks that clients sent meanwhile. */
async function writesOf(work: () => Promise<unknown>): Promise<Buffer[]> {
  wire.writes.length = 0;
  wire.largestAnswer = 0;
  await work();
  return [...wire.writes];
}

const occurrences = (text: string, part: string): number => text.split(part).length - 1;

describe('the listing of 300 queues, each with its own connection', () => {
  const withBoard = async (
    snapshotMs: number,
    run: (board: ServedBoard) => Promise<void>,
  ): Promise<void> => {
    const board = await serveBoard(
      queues.map((queue) => bullmqQueue(queue)),
      { snapshotMs, timeouts },
    );
    try {
      // The first request loads the scripts into the server.
      await board.get('/api/queues?activeQueue=q7&status=waiting');
      await run(board);
    } finally {
      await board.close();
    }
  };

  it('takes two writes: one for all counts and the clients, one for the page', async (context) => {
    if (!service) context.skip();
    await withBoard(0, async (board) => {
      const writes = await writesOf(async () => {
        const { body } = await board.get('/api/queues?activeQueue=q7&status=waiting');
        expect(body.queues).toHaveLength(queueCount);
        expect(body.queues[7].jobs).toHaveLength(10);
        expect(body.queues.every((queue: { counts: object }) => queue.counts)).toBe(true);
      });
      expect(writes).toHaveLength(2);
      const text = Buffer.concat(writes).toString();
      expect(occurrences(text, 'LIST')).toBe(1);
      expect(occurrences(text, 'evalsha')).toBe(2);
    });
  });

  it('takes two writes where the host has one connection: jobs may be large', async (context) => {
    if (!service) context.skip();
    await withBoard(0, async (board) => {
      await board.get('/api/queues?activeQueue=q0&status=waiting');
      const writes = await writesOf(async () => {
        const { body } = await board.get('/api/queues?activeQueue=q0&status=waiting');
        expect(body.queues[0].jobs).toHaveLength(10);
      });
      expect(writes).toHaveLength(2);
      expect(occurrences(Buffer.concat(writes).toString(), 'evalsha')).toBe(2);
    });
  });

  it('takes one write without an active queue', async (context) => {
    if (!service) context.skip();
    await withBoard(0, async (board) => {
      expect(await writesOf(() => board.get('/api/queues'))).toHaveLength(1);
    });
  });

  it('takes one write for the workers of all queues', async (context) => {
    if (!service) context.skip();
    await withBoard(0, async (board) => {
      const writes = await writesOf(async () => {
        const { body } = await board.get('/api/workers');
        expect(body.queues).toHaveLength(queues.length);
      });
      expect(writes).toHaveLength(1);
    });
  });

  it('takes three scripts for what holds a job back, and two for a short course', async (context) => {
    if (!service) context.skip();
    await withBoard(0, async (board) => {
      for (const [part, scripts] of [
        ['holds', 3],
        ['course', 2],
      ] as const) {
        const path = `/api/queues/q7/1/${part}`;
        expect((await board.get(path)).status).toBe(200);
        const writes = await writesOf(() => board.get(path));
        expect(occurrences(Buffer.concat(writes).toString(), 'evalsha')).toBe(scripts);
      }
      // However many events the queue has, one script reads a thousand, and ten are read.
      const events = clients[7]?.pipeline();
      for (let at = 0; at < 12_000; at += 1) {
        events?.xadd(`${prefix}:q7:events`, '*', 'event', 'waiting', 'jobId', 'other');
      }
      await events?.exec();
      const writes = await writesOf(() => board.get('/api/queues/q7/1/course'));
      expect(occurrences(Buffer.concat(writes).toString(), 'evalsha')).toBe(1 + 10);
    });
  });

  it('costs the same for 50 dashboards as for one', async (context) => {
    if (!service) context.skip();
    await withBoard(60_000, async (board) => {
      // A change invalidates the cache of the board.
      await board.send('PUT', '/api/queues/q0/resume');
      const arrivedBefore = board.arrived;
      const writes = await writesOf(async () => {
        // No answer comes before the last request.
        let open = (): void => undefined;
        wire.gate = new Promise<void>((resolve) => (open = resolve));
        const answers = Array.from({ length: 50 }, () =>
          board.get('/api/queues?activeQueue=q7&status=waiting'),
        );
        await expect.poll(() => board.arrived - arrivedBefore).toBe(50);
        wire.gate = undefined;
        open();
        await Promise.all(answers);
      });
      expect(writes.length).toBeLessThanOrEqual(2);
    });
  });

  it('shows a change made through the board at once', async (context) => {
    if (!service) context.skip();
    await withBoard(60_000, async (board) => {
      await board.send('PUT', '/api/queues/q3/pause');
      const { body } = await board.get('/api/queues');
      expect(body.queues[3].isPaused).toBe(true);
      await board.send('PUT', '/api/queues/q3/resume');
      expect((await board.get('/api/queues')).body.queues[3].isPaused).toBe(false);
    });
  });

  it('leaves the clients out when workers are not shown', async (context) => {
    if (!service) context.skip();
    const board = await serveBoard(
      queues.map((queue) => bullmqQueue(queue)),
      { showWorkers: false },
    );
    const writes = await writesOf(async () => {
      const { body } = await board.get('/api/queues');
      expect(body.queues[0]).toMatchObject({ hasWorkers: null, capabilities: { workers: false } });
    });
    expect(Buffer.concat(writes).toString()).not.toContain('LIST');
    const answer = await board.get('/api/queues/q0/workers');
    expect([answer.status, answer.body.error.key]).toEqual([403, 'ERRORS.WORKERS_DISABLED']);
    await board.close();
  });
});

describe('jobs of a queue', () => {
  type Job = { name: string; data: object };

  const listing = '/api/queues?activeQueue=page&status=waiting&jobsPerPage=1000';
  const brief = '/api/queues/page/jobs?status=waiting&limit=100&fields=name';

  /** The jobs of an answer, with the scripts that read them and the largest answer of Redis. */
  const readOf = async (
    jobs: Job[],
    path: string,
    options: Parameters<typeof bullmqQueue>[1] = {},
  ) => {
    const client = new Redis({ port: wire.port, host: '127.0.0.1', maxRetriesPerRequest: null });
    const queue = new bullmq.Queue('page', {
      connection: client as unknown as bullmq.ConnectionOptions,
      prefix,
    });
    await queue.addBulk(jobs);
    const board = await serveBoard([bullmqQueue(queue, options)], {
      snapshotMs: 0,
      timeouts,
    });
    // The first request loads the scripts into the server.
    await board.get(path);
    let shown: Job[] = [];
    const writes = await writesOf(async () => {
      const { body } = await board.get(path);
      shown = path.startsWith(listing) ? body.queues[0].jobs : body.jobs;
    });
    const { largestAnswer } = wire;
    await board.close();
    await queue.obliterate({ force: true });
    await queue.close();
    client.disconnect();
    const scripts = occurrences(Buffer.concat(writes).toString(), 'evalsha');
    return { names: shown.map(({ name }) => name), shown, scripts, largestAnswer };
  };

  const text = 'x'.repeat(200_000);
  const large = Array.from({ length: 20 }, (_, index) => ({ name: `${index}`, data: { text } }));
  const many = Array.from({ length: 700 }, (_, index) => ({ name: `${index}`, data: {} }));
  const newestFirst = (jobs: Job[]): string[] => jobs.map(({ name }) => name).toReversed();
  const fewBytes = 300_000;

  it('are read until 128 kB per script', async (context) => {
    if (!service) context.skip();
    const { names, shown, scripts, largestAnswer } = await readOf(large, listing);
    expect(names).toEqual(newestFirst(large));
    expect(shown.every(({ data }) => Reflect.get(data, 'text') === text)).toBe(true);
    // One script reads the counts.
    expect(scripts).toBe(21);
    expect(largestAnswer).toBeLessThan(fewBytes);
  });

  it('are read in brief, until 128 kB of values per script', async (context) => {
    if (!service) context.skip();
    const { names, scripts } = await readOf(large, `${brief},data`);
    expect([names, scripts]).toEqual([newestFirst(large), 20]);
    const formatters = { data: (data: unknown) => String(data) };
    const whole = await readOf(large, `${brief},data`, { formatters });
    expect([whole.names, whole.scripts]).toEqual([newestFirst(large), 20]);
    expect(whole.largestAnswer).toBeLessThan(fewBytes);
  });

  it('are read 100 per script', async (context) => {
    if (!service) context.skip();
    const { names, scripts } = await readOf(many, `${listing}&data=false`);
    // One script reads the counts.
    expect([names, scripts]).toEqual([newestFirst(many), 8]);
  });

  it('are read in one script where they are few and small', async (context) => {
    if (!service) context.skip();
    const few = many.slice(0, 100);
    for (const path of [brief, `${brief},data`]) {
      const { names, scripts } = await readOf(few, path);
      expect([names, scripts]).toEqual([newestFirst(few), 1]);
    }
  });

  it('are found until 128 kB per script', async (context) => {
    if (!service) context.skip();
    const path = '/api/queues/page/search?name=1&limit=100';
    const { names, scripts, largestAnswer } = await readOf(large, path);
    expect(names).toHaveLength(11);
    // One script finds the jobs.
    expect(scripts).toBe(12);
    expect(largestAnswer).toBeLessThan(fewBytes);
  });
});

describe('the listing of 20 queues on PostgreSQL, each with its own pool', () => {
  it('takes one statement for all facts, and one for the page', async () => {
    const database = await scratchDatabase('postgresql', 'kvqtrips');
    if ('missing' in database) return;
    const make = (index: number, migrate: boolean): bullmq.Queue =>
      Reflect.construct(bullmq.Queue, [
        `q${index}`,
        { connection: { connectionString: database.url, migrate, max: 1 } },
        bullmq.createPostgresBackend,
      ]);
    const first = make(0, true);
    await first.waitUntilReady();
    const all = [first, ...Array.from({ length: 19 }, (_, index) => make(index + 1, false))];
    for (const queue of all) await queue.add('job', { name: queue.name });
    let statements = 0;
    for (const queue of all) {
      const pool: pg.Pool = Reflect.get(Reflect.get(queue.getBackend(), 'connection'), 'pool');
      const query = pool.query.bind(pool);
      Reflect.set(pool, 'query', (...args: Parameters<typeof query>) => {
        if (!isOfRuns(String(Reflect.get(Object(args[0]), 'text') ?? args[0]))) statements += 1;
        return query(...args);
      });
    }
    const board = await serveBoard(all.map((queue) => bullmqQueue(queue as never)));
    const { body } = await board.get('/api/queues?activeQueue=q5');
    expect(body.queues).toHaveLength(20);
    expect(body.queues[5]).toMatchObject({
      counts: { waiting: 1 },
      jobs: [{ data: { name: 'q5' } }],
    });
    expect(
      body.queues.every((queue: { counts: { waiting: number } }) => queue.counts.waiting === 1),
    ).toBe(true);
    expect(statements).toBe(2);
    await board.close();
    await Promise.all(all.map((queue) => queue.close()));
    await database.drop();
  });
});
