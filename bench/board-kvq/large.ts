/** The `kvq` board on one queue of BullMQ's PostgreSQL tables with millions of jobs: each of its reads, one after the other. */

import * as bullmq from 'bullmq';
import pg from 'pg';
import { bullmqQueue } from '../../src/board/kvq/index.ts';
import { figure, table } from '../markdown.ts';
import { quantile } from '../measure.ts';
import { boardOn } from './heavy.ts';
import { freshDatabase } from './run-stores.ts';

/** How often each request is sent, and the milliseconds after which it is not sent again. */
const [rounds, budget] = [20, 6_000];

/** Of a hundred jobs, sixty are completed, twenty failed, ten waiting, five prioritized, four delayed, one active. */
const fill = `
  insert into job (queue, id, seq, name, state, data, opts, priority, added_at_ms, process_at_ms, processed_at_ms,
    finished_at_ms, failed_reason, stacktrace, locked_until_ms)
  select 'large', n::text, n, 'task' || n % 50, state::job_state,
    jsonb_build_object('order', n, 'customer', 'c' || n % 1000, 'text', repeat('x', 200)), '{"attempts": 3}',
    case when n % 100 between 90 and 94 then 1 + n % 7 else 0 end, $1::bigint + n,
    case when state = 'delayed' then $1::bigint + n + 3600000 end,
    case when state in ('completed', 'failed', 'active') then $1::bigint + n + 10 end,
    case when state in ('completed', 'failed') then $1::bigint + n + 20 end,
    case when state = 'failed' then 'Order ' || n || ' failed in step ' || chr(97 + n % 20) end,
    case when state = 'failed' then '["Error: it failed"]'::jsonb end,
    case when state = 'active' then $1::bigint + n + 30000 end
  from generate_series($2::int, $3::int) as n, lateral (select case when n % 100 < 60 then 'completed'
    when n % 100 < 80 then 'failed' when n % 100 < 95 then 'waiting' when n % 100 < 99 then 'delayed'
    else 'active' end as state) as its`;

/** The requests by name: path and query. */
const requests = {
  'queues with counts': ['/api/queues', ''],
  'activity of the queues': ['/api/activity', ''],
  'completed: first page': ['/api/queues/large/jobs', 'status=completed&limit=50'],
  'failed: first page': ['/api/queues/large/jobs', 'status=failed&limit=50'],
  'waiting: first page': ['/api/queues/large/jobs', 'status=waiting&limit=50'],
  'prioritized: first page': ['/api/queues/large/jobs', 'status=prioritized&limit=50'],
  'delayed: first page': ['/api/queues/large/jobs', 'status=delayed&limit=50'],
  'active: first page': ['/api/queues/large/jobs', 'status=active&limit=50'],
  'newest of all states': ['/api/queues/large/jobs', 'status=latest&limit=50'],
  'one job': ['/api/queues/large/4711', ''],
  'search: a name of a fiftieth': ['/api/search', 'status=completed&name=task7'],
  'search: a name of no job': ['/api/search', 'status=completed&name=nothing'],
  'search: a value in the data': ['/api/search', 'status=completed&path=order&value=4711'],
  'search: a reason': ['/api/search', 'status=failed&error=step+c'],
  'errors of an hour': ['/api/errors', ''],
} as const;

/** The page of jobs behind the first one. */
async function following(
  { get }: ReturnType<typeof boardOn>,
  query: string,
): Promise<readonly [path: string, query: string]> {
  const path = '/api/queues/large/jobs';
  const { nextCursor }: { nextCursor: string } = JSON.parse(await get(path, query));
  return [path, `${query}&cursor=${encodeURIComponent(nextCursor)}`];
}

/** Prints the table. */
export async function benchLarge(jobs: number, isKept: boolean): Promise<void> {
  const { url, drop } = await freshDatabase('sluice_bench_kvq_large', isKept);
  const make = (connection: unknown): bullmq.Queue =>
    Reflect.construct(bullmq.Queue, ['large', { connection }, bullmq.createPostgresBackend]);
  const first = make({ connectionString: url, migrate: true });
  await first.waitUntilReady();
  await first.close();
  const pool = new pg.Pool({ connectionString: url, options: '-c search_path=bullmq', max: 4 });
  const queue = make(pool);
  await queue.waitUntilReady();
  const board = boardOn(bullmqQueue(queue));
  try {
    const { rowCount } = await pool.query('select from job where queue = $1 and id = $2', [
      'large',
      String(jobs),
    ]);
    const began = Date.now() - jobs;
    for (let at = 1; at <= jobs && !rowCount; at += 500_000) {
      await pool.query(fill, [began, at, Math.min(jobs, at + 499_999)]);
    }
    if (!rowCount) await pool.query('vacuum analyze job');
    const rows: string[][] = [];
    const now = Date.now();
    const more = {
      'completed: next page': await following(board, 'status=completed&limit=50'),
      'failed: next page': await following(board, 'status=failed&limit=50'),
      timeline: ['/api/timeline', `queueName=large&from=${now - 7_200_000}&to=${now}`],
    } as const;
    for (const [name, [path, query]] of Object.entries({ ...requests, ...more })) {
      const times: number[] = [];
      const until = performance.now() + budget;
      while (times.length < rounds && (times.length < 3 || performance.now() < until)) {
        const from = performance.now();
        // Beyond the time limit of a statement, the answer is 503.
        const isAnswered = await board.get(path, query).then(
          () => true,
          () => false,
        );
        times.push(isAnswered ? performance.now() - from : Number.POSITIVE_INFINITY);
      }
      rows.push([name, figure(quantile(times, 0.5)), figure(Math.max(...times))]);
      console.error(rows.at(-1)?.join(' | '));
    }
    console.log(`${table([`kvq on PostgreSQL, ${jobs} jobs`, 'median ms', 'longest ms'], rows)}\n`);
  } finally {
    await board.close();
    await queue.close();
    await pool.end();
    if (!isKept) await drop();
  }
}
