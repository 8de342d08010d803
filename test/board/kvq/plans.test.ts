/** The listings of BullMQ's PostgreSQL tables are read by the indexes of the library. */

import * as bullmq from 'bullmq';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bullmqQueue } from '../../../src/board/kvq/index.ts';
import { everyServiceRequired, scratchDatabase } from '../../services/index.ts';
import { type PlanNode, type Sent, explained } from '../../sql/heard.ts';
import { type ServedBoard, serveBoard } from './http-board.ts';

const [jobs, limit] = [100_000, 20];

/** Rows that nodes have given in all. */
const rowsGiven = (nodes: readonly PlanNode[]): number =>
  nodes.reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0);

const within = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(within)];

const database = await scratchDatabase('postgresql', 'kvqplans');

describe.skipIf('missing' in database && !everyServiceRequired())('plans of listings', () => {
  if ('missing' in database) throw new Error(database.advice);
  const client = new pg.Client(database.url);
  const sent: Sent[] = [];
  let pool: pg.Pool;
  let queue: bullmq.Queue;
  let board: ServedBoard;

  beforeAll(async () => {
    const connection = { connectionString: database.url, migrate: true };
    const first: bullmq.Queue = Reflect.construct(bullmq.Queue, [
      'first',
      { connection },
      bullmq.createPostgresBackend,
    ]);
    await first.waitUntilReady();
    await first.close();
    await client.connect();
    await client.query('set search_path = bullmq');
    pool = new pg.Pool({
      connectionString: database.url,
      options: '-c search_path=bullmq',
      max: 4,
    });
    queue = Reflect.construct(bullmq.Queue, [
      'big',
      { connection: pool },
      bullmq.createPostgresBackend,
    ]);
    await queue.waitUntilReady();
    // Of a hundred jobs, sixty are completed, twenty failed, ten waiting, five prioritized, four delayed, one active.
    await client.query(
      `insert into job (queue, id, seq, name, state, data, priority, added_at_ms, process_at_ms, finished_at_ms, locked_until_ms)
       select 'big', 'j' || n, n, 'job', state::job_state, jsonb_build_object('text', repeat('x', 300)), case when n % 100 between 90 and 94 then 1 + n % 7 else 0 end,
         n, case when state = 'delayed' then n end, case when state in ('completed', 'failed') then n / 3 end,
         case when state = 'active' then n end
       from generate_series(1, ${jobs}) as n, lateral (select case when n % 100 < 60 then 'completed'
         when n % 100 < 80 then 'failed' when n % 100 < 95 then 'waiting' when n % 100 < 99 then 'delayed'
         else 'active' end as state) as its`,
    );
    await client.query('vacuum analyze job');
    board = await serveBoard([bullmqQueue(queue)]);
    const query = pool.query.bind(pool);
    Reflect.set(pool, 'query', (text: string | pg.QueryConfig, values?: unknown[]) => {
      if (typeof text === 'string') sent.push({ text, values: values ?? [] });
      return query(text, values);
    });
  });
  afterAll(async () => {
    await board?.close();
    await queue?.close();
    await pool?.end();
    await client.end();
    await database.drop();
  });

  const nodesOf = async (path: string, part: string) => {
    sent.length = 0;
    const { status, body } = await board.get(path);
    expect(status).toBe(200);
    const statement = sent.find(({ text }) => text.includes(part)) as Sent;
    const nodes = await explained(client, statement);
    // The total of a status is counted beside its page.
    const page = nodes.filter((node) => node['Node Type'] === 'Limit').flatMap(within);
    return { body, page };
  };

  it.each(['completed', 'failed', 'waiting', 'prioritized', 'delayed'])(
    'reads a page of the %s jobs',
    async (status) => {
      const { body, page } = await nodesOf(
        `/api/queues/big/jobs?status=${status}&limit=${limit}`,
        'counted.total',
      );
      expect(body.jobs).toHaveLength(limit);
      const types = page.map((node) => node['Node Type']);
      expect(types).toContain('Index Scan');
      expect(types).not.toContain('Seq Scan');
      for (const node of page) {
        const isSort = node['Node Type'].includes('Sort');
        const taken = isSort ? rowsGiven(node.Plans ?? []) : node['Actual Rows'];
        expect(taken).toBeLessThanOrEqual(limit + 10);
      }
    },
  );

  it('counts the jobs of each status along an index', async () => {
    sent.length = 0;
    const { body } = await board.get('/api/queues');
    expect(body.queues[0].counts).toMatchObject({
      completed: 60_000,
      failed: 20_000,
      waiting: 10_000,
      prioritized: 5_000,
      delayed: 4_000,
      active: 1_000,
    });
    const statement = sent.find(({ text }) => text.includes("'count' as fact")) as Sent;
    // A table of this size may be read whole as well, before a vacuum has seen its pages.
    await client.query('set enable_seqscan = off; set enable_bitmapscan = off');
    const nodes = await explained(client, statement);
    await client.query('reset enable_seqscan; reset enable_bitmapscan');
    const ofJobs = nodes.filter((node) => Reflect.get(node, 'Relation Name') === 'job');
    expect(ofJobs.length).toBeGreaterThan(5);
    expect(new Set(ofJobs.map((node) => node['Node Type']))).toEqual(new Set(['Index Only Scan']));
  });
});
