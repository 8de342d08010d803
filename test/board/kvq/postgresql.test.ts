/** Behaviour specific to BullMQ's PostgreSQL tables. */

import * as bullmq from 'bullmq';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bullmqQueue } from '../../../src/board/kvq/index.ts';
import { scratchDatabase } from '../../services/index.ts';
import { serveBoard } from './http-board.ts';
import type { ServedBoard } from './http-board.ts';

describe('a queue in PostgreSQL', () => {
  let queue: bullmq.Queue | undefined;
  let board: ServedBoard;
  let pool: pg.Pool;
  let url: string;
  const undo: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    const database = await scratchDatabase('postgresql', 'kvqrows');
    if ('missing' in database) return;
    undo.push(() => database.drop());
    url = database.url;
    const made: bullmq.Queue = Reflect.construct(bullmq.Queue, [
      'rows',
      { connection: { connectionString: database.url, migrate: true, max: 2 } },
      bullmq.createPostgresBackend,
    ]);
    await made.waitUntilReady();
    undo.push(() => made.close());
    pool = Reflect.get(Reflect.get(made.getBackend(), 'connection'), 'pool');
    board = await serveBoard([bullmqQueue(made as never)]);
    undo.push(() => board.close());
    queue = made;
  });

  afterAll(async () => {
    for (const step of undo.toReversed()) await step();
  });

  it('shows the metrics per minute, and the time of the last one', async (context) => {
    if (!queue) return context.skip();
    await pool.query(
      `insert into metrics values ('rows', 'completed', 12, 1700000000000, 7, '{5,0,7}')`,
    );
    const { body } = await board.get('/api/queues/rows/metrics');
    expect(body).toEqual({
      completed: {
        meta: { count: 12, prevTS: 1_700_000_000_000, prevCount: 7 },
        data: [5, 0, 7],
        count: 3,
      },
      failed: { meta: { count: 0, prevTS: 0, prevCount: 0 }, data: [], count: 0 },
    });
    const { data, count } = await queue.getMetrics('completed');
    expect([data, count]).toEqual([body.completed.data, body.completed.count]);
  });

  it('shows the last lines of a long log', async (context) => {
    if (!queue) return context.skip();
    await queue.add('talks', {}, { jobId: 'talks' });
    await pool.query(
      `insert into job_log select 'rows', 'talks', n, 'line ' || n from generate_series(0, 19999) as n`,
    );
    const { body } = await board.get('/api/queues/rows/talks/logs');
    expect(body).toHaveLength(10_000);
    expect([body[0], body.at(-1)]).toEqual(['line 10000', 'line 19999']);
  });

  it('counts the jobs of a paused queue as waiting, as on Redis', async (context) => {
    if (!queue) return context.skip();
    await queue.add('job', {});
    await queue.pause();
    const before = await queue.getJobs(['waiting'], 0, 99);
    const page = await board.get('/api/queues?activeQueue=rows&status=waiting');
    expect(page.body.queues[0]).toMatchObject({
      isPaused: true,
      counts: { waiting: before.length },
      jobs: before.map(({ name }) => ({ name })),
    });
    expect(page.body.queues[0].statuses).not.toContain('paused');
    expect(board.errors).toEqual([]);
  });

  it('is shown while another queue of its database is closed', async (context) => {
    if (!queue) return context.skip();
    const make = (name: string): bullmq.Queue => {
      const connection = { connectionString: url, max: 1 };
      return Reflect.construct(bullmq.Queue, [name, { connection }, bullmq.createPostgresBackend]);
    };
    const [closed, open] = [make('closed'), make('open')];
    undo.push(() => open.close());
    await Promise.all([closed.add('job', {}), open.add('job', {})]);
    const both = await serveBoard([bullmqQueue(closed as never), bullmqQueue(open as never)]);
    undo.push(() => both.close());
    await closed.close();
    const { queues } = (await both.get('/api/queues?activeQueue=open')).body;
    expect(queues).toMatchObject([
      { name: 'closed', counts: { waiting: 1 } },
      { name: 'open', counts: { waiting: 1 }, jobs: [{ name: 'job' }] },
    ]);
    for (const shown of queues) expect(shown).not.toHaveProperty('problem');
    expect((await both.get('/api/queues/closed/1')).status).toBe(503);
  });
});
