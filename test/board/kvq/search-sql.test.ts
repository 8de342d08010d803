/** Searches of queues on PostgreSQL: sorted while that is fast, otherwise in id order, one chunk at a time. */

import * as bullmq from 'bullmq';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bullmqQueue } from '../../../src/board/kvq/index.ts';
import { writeCursor } from '../../../src/board/core/values/position-cursor.ts';
import { scratchDatabase } from '../../services/index.ts';
import type { Answer, ServedBoard } from './http-board.ts';
import { serveBoard } from './http-board.ts';

let database: Awaited<ReturnType<typeof scratchDatabase>>;
let client: pg.Client;
let pool: pg.Pool;
let queue: bullmq.Queue;
let board: ServedBoard;
let number = 0;

beforeAll(async () => {
  database = await scratchDatabase('postgresql', 'kvqsearch');
  if ('missing' in database) return;
  const connection = { connectionString: database.url, migrate: true };
  const first: bullmq.Queue = Reflect.construct(bullmq.Queue, [
    'first',
    { connection },
    bullmq.createPostgresBackend,
  ]);
  await first.waitUntilReady();
  await first.close();
  client = new pg.Client(database.url);
  await client.connect();
  await client.query('set search_path = bullmq');
  pool = new pg.Pool({ connectionString: database.url, options: '-c search_path=bullmq', max: 4 });
});

beforeEach(async (context) => {
  if ('missing' in database) return context.skip();
  number += 1;
  queue = Reflect.construct(bullmq.Queue, [
    `queue${number}`,
    { connection: pool },
    bullmq.createPostgresBackend,
  ]);
  await queue.waitUntilReady();
  board = await serveBoard([bullmqQueue(queue)]);
});

afterEach(async () => {
  await board?.close();
  await queue?.close();
});

afterAll(async () => {
  await client?.end();
  await pool?.end();
  if (!('missing' in database)) await database.drop();
});

const addAll = async (count: number): Promise<void> => {
  const jobs = Array.from({ length: count }, (_, index) => ({
    name: 'old',
    data: { index, nothing: null },
  }));
  await queue.addBulk(jobs);
};

/** The first cursor of a scan in id order; that of a filter as text has the moment from which it tells times. */
const walkCursor = (asked: Readonly<Record<string, unknown>>): string => {
  const place = { queue: queue.name, after: 'id:' };
  const cursor = writeCursor(JSON.stringify([queue.name, asked]), place);
  const { where } = asked;
  if (typeof where !== 'string') return cursor;
  return writeCursor(where, { queue: String(Date.now()), after: cursor });
};

async function searchAll(
  query: string,
  first: string | null,
  between: () => Promise<unknown> = async () => undefined,
): Promise<{ ids: number[]; examined: (number | null)[] }> {
  const ids: number[] = [];
  const examined: (number | null)[] = [];
  let cursor = first;
  do {
    const path = `/api/queues/${queue.name}/search?${query}`;
    const answer: Answer = await board.get(cursor === null ? path : `${path}&cursor=${cursor}`);
    expect(answer.status).toBe(200);
    ids.push(...answer.body.jobs.map(({ job }: { job: { id: string } }) => Number(job.id)));
    examined.push(answer.body.examined);
    cursor = answer.body.nextCursor;
    await between();
  } while (cursor !== null);
  return { ids: ids.toSorted((left, right) => left - right), examined };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

const sum = (counts: readonly (number | null)[]): number =>
  counts.reduce<number>((total, count) => total + Number(count), 0);

describe('a search that is continued', () => {
  it.each([
    ['sorted', null],
    ['along the ids', { name: 'old' }],
  ])('%s: finds every job once while jobs are added and processed', async (_way, asked) => {
    await addAll(300);
    const worker: bullmq.Worker = Reflect.construct(bullmq.Worker, [
      queue.name,
      null,
      { connection: pool, autorun: false },
      bullmq.createPostgresBackend,
    ]);
    try {
      const { ids } = await searchAll('name=old&limit=40', asked && walkCursor(asked), async () => {
        await queue.add('new', {});
        for (let done = 0; done < 40; done += 1) {
          const job = await worker.getNextJob('token', { block: false });
          await job?.moveToCompleted(1, 'token', false);
        }
      });
      expect(ids.filter((id) => id <= 300)).toEqual(numbers(300));
    } finally {
      await worker.close(true);
    }
  });

  it('means the same in any case, in parts and in ranges, along the ids', async () => {
    await queue.addBulk([
      { name: 'Mail', data: { name: 'Anger 100%', n: 5 } },
      { name: 'mail', data: { name: 'anger 100x', n: 50 } },
      { name: 'MAIL', data: { name: 7, n: '5' } },
    ]);
    for (const [query, ids] of [
      [{ name: 'mAIL', ignoreCase: true }, [1, 2, 3]],
      [{ name: 'mail' }, [2]],
      [{ path: 'name', contains: 'ANGER 100%', ignoreCase: true }, [1]],
      [{ path: 'name', value: 'ANGER 100X', ignoreCase: true }, [2]],
      [{ path: 'n', min: '5', max: '49' }, [1]],
      [{ path: 'name', min: 'a' }, [2]],
    ] as const) {
      const text = new URLSearchParams(JSON.parse(JSON.stringify(query)));
      for (const first of [null, walkCursor(query)]) {
        expect([query, first, (await searchAll(`${text}`, first)).ids]).toEqual([
          query,
          first,
          ids,
        ]);
      }
    }
  });

  it('scans by primary key, and reports the number of examined jobs', async () => {
    await addAll(1);
    await client.query(
      `insert into job (queue, id, seq, name, state, data, opts, added_at_ms, finished_at_ms)
        select queue, 'j' || n, n + 10, 'job ' || n, 'completed', data, opts, added_at_ms + n, n
        from job, generate_series(1, 24000) as n where queue = $1`,
      [queue.name],
    );
    await client.query('analyze job');
    const statements: [string, unknown[]][] = [];
    const query = pool.query.bind(pool);
    Reflect.set(pool, 'query', (asked: string | pg.QueryConfig, given: unknown[]) => {
      if (typeof asked === 'string' && asked.includes('looked')) statements.push([asked, given]);
      return query(asked, given);
    });
    const none = await searchAll('name=none', walkCursor({ name: 'none' }));
    Reflect.deleteProperty(pool, 'query');
    expect(none.ids).toEqual([]);
    expect(sum(none.examined)).toBe(24_001);
    expect(statements).toHaveLength(5);
    const [text, values] = statements[2] ?? ['', []];
    const { rows } = await client.query(`explain ${text}`, values);
    expect(JSON.stringify(rows)).toMatch(/Index Scan using job_pkey/);
    const some = await searchAll('name=job 1&limit=100', walkCursor({ name: 'job 1' }));
    expect(some.ids).toHaveLength(11_111);
  });

  it('starts in id order when sorting takes too long', async () => {
    await addAll(30);
    const hurried = await serveBoard([bullmqQueue(queue)], { timeouts: { sortMs: 200 } });
    await client.query('begin; lock table job in access exclusive mode');
    const query = pool.query.bind(pool);
    const walks = new Promise<void>((resolve) => {
      Reflect.set(pool, 'query', (asked: string | pg.QueryConfig, values: unknown[]) => {
        if (typeof asked === 'string' && asked.includes('looked')) resolve();
        return query(asked, values);
      });
    });
    const answer = hurried.get(`/api/queues/${queue.name}/search?name=old&limit=20`);
    await Promise.race([walks, answer]);
    Reflect.deleteProperty(pool, 'query');
    await client.query('rollback');
    const { status, body } = await answer;
    await hurried.close();
    expect(status).toBe(200);
    expect(body.jobs).toHaveLength(20);
    expect(body.examined).toBe(20);
    const rest = await searchAll('name=old&limit=20', body.nextCursor);
    expect(rest).toMatchObject({ examined: [10] });
    expect(rest.ids).toHaveLength(10);
    expect(board.errors).toEqual([]);
  });

  it.each([null, 'id:'])('interprets all criteria alike (%s)', async (after) => {
    await addAll(5);
    await queue.add('late', { items: [{ sku: 'a' }] }, { delay: 60_000 });
    await queue.add('urgent', {}, { priority: 3 });
    const count = async (asked: Readonly<Record<string, string>>): Promise<number> => {
      const query = new URLSearchParams(asked).toString();
      return (await searchAll(query, after && walkCursor(asked))).ids.length;
    };
    expect(await count({ name: 'ol' })).toBe(5);
    expect(await count({ name: 'o%' })).toBe(0);
    expect(await count({ status: 'delayed' })).toBe(1);
    expect(await count({ status: 'prioritized' })).toBe(1);
    expect(await count({ status: 'waiting' })).toBe(5);
    expect(await count({ path: 'index', value: '3' })).toBe(1);
    expect(await count({ path: 'items.0.sku', value: 'a' })).toBe(1);
    expect(await count({ path: 'nothing', value: 'null' })).toBe(5);
    expect(await count({ path: 'items.length' })).toBe(0);
    expect(await count({ error: 'x' })).toBe(0);
    expect(await count({ where: 'state = delayed or state = prioritized' })).toBe(2);
    expect(await count({ name: 'ol', where: 'not data.index >= 3 and added < 1h' })).toBe(3);
    expect(await count({ path: 'index', where: 'data.items.0.sku = a or data.a-1 = 4' })).toBe(0);
    expect(await count({ where: 'data.items.0.sku = a or data.a-1 = 4' })).toBe(1);
    expect(await count({ where: 'finished is not null or worker ~ x' })).toBe(0);
  });

  it('accepts times of any size', async () => {
    await addAll(2);
    const get = async (query: string): Promise<number> => {
      const answer = await board.get(`/api/queues/${queue.name}/search?${query}`);
      expect([query, answer.status]).toEqual([query, 200]);
      return answer.body.jobs.length;
    };
    expect(await get('from=-1e300&to=1e300')).toBe(2);
    expect(await get('from=1e300')).toBe(0);
    expect(await get('from=0.5&to=99999999999999.5')).toBe(2);
  });
});
