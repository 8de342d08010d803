/** The board over all queues: the list at any depth, a search by a path of data, and many queues for many pollers. */

import pg from 'pg';
import { openBoard } from '../../src/board/core/index.ts';
import { type PgqOptions, pgqEngine } from '../../src/board/pgq/index.ts';
import { figure, table } from '../markdown.ts';
import { type Measured, type Runner, measure } from '../measure.ts';
import { benchUrl, queueCount } from './seed.ts';

/** Pages of a hundred jobs before the deep page. */
const depth = 5_000;

/** Queues of the listing for pollers, and the pollers. */
const [manyQueues, pollers] = [2_000, 20];

function boardOn(options: Partial<PgqOptions> = {}) {
  const pgq = pgqEngine({ connection: benchUrl(), queryTimeoutMs: 60_000, ...options });
  const board = openBoard(pgq, { attach: () => undefined });
  const get = async (path: string, rawQuery = ''): Promise<Record<string, unknown>> => {
    const answer = await board.handle({
      method: 'GET',
      path: `/api/pgq/${path}`,
      rawQuery,
      headers: {},
      basePath: '',
      readBody: async () => ({ value: undefined }),
      signal: new AbortController().signal,
    });
    if (answer?.status !== 200) throw new Error(`${path}?${rawQuery}: ${answer?.status}`);
    return JSON.parse(String(answer.body)) as Record<string, unknown>;
  };
  return { get, close: () => board.close() };
}

const options = { rounds: 10, warmup: 3, budget: 30_000 };

function rowOf({ name, p50, p95 }: Measured): string[] {
  return [name, figure(p50), figure(p95)];
}

/** Prints the table. */
export async function benchSearch(iterations: number): Promise<void> {
  const pool = new pg.Pool({ connectionString: benchUrl(), max: 1 });
  const fresh = boardOn({ snapshotMs: 0 });
  const shared = boardOn();
  const rows: string[][] = [];
  const add = async (runners: Runner[], count = iterations): Promise<Measured[]> => {
    const measured = await measure(runners, { ...options, iterations: count });
    rows.push(...measured.map(rowOf));
    return measured;
  };
  const path = 'filter[data.n]=777777&limit=20';
  try {
    await pool.query(
      'create index if not exists bench_by_time on pgboss.job_common (created_on desc, id desc)',
    );
    let cursor = '';
    for (let page = 0; page < depth; page += 1) {
      const { nextCursor } = await fresh.get('jobs', `limit=100${cursor && `&cursor=${cursor}`}`);
      cursor = String(nextCursor);
    }
    const [first, deep] = await add([
      { name: 'jobs of all queues, first page', run: () => fresh.get('jobs', 'limit=50') },
      {
        name: `jobs of all queues, after ${depth * 100} jobs`,
        run: () => fresh.get('jobs', `limit=50&cursor=${cursor}`),
      },
    ]);
    const search = (name: string) => ({ name, run: () => fresh.get('search', path) });
    await add([search('search by path, without an index')], Math.min(iterations, 10));
    await pool.query(
      'create index if not exists bench_path on pgboss.job_common using gin (data jsonb_path_ops)',
    );
    await pool.query('analyze pgboss.job_common');
    await add([search('search by path, with the index on data')]);
    await pool.query(
      `insert into pgboss.queue (name, policy, retry_limit, retry_delay, retry_backoff, expire_seconds,
         retention_seconds, deletion_seconds, partition, table_name)
       select 'more' || n, 'standard', 2, 0, false, 900, 1209600, 604800, false, 'job_common'
       from generate_series(${queueCount}, ${manyQueues - 1}) n`,
    );
    const poll = (get: typeof fresh.get) => () =>
      Promise.all(Array.from({ length: pollers }, () => get('queues')));
    await add(
      [
        { name: `${manyQueues} queues`, run: () => fresh.get('queues') },
        { name: `${manyQueues} queues, ${pollers} pollers at once`, run: poll(fresh.get) },
        {
          name: `${manyQueues} queues, ${pollers} pollers within a snapshot`,
          run: poll(shared.get),
        },
      ],
      Math.min(iterations, 30),
    );
    const ratio = (deep?.p50 ?? Number.NaN) / (first?.p50 ?? Number.NaN);
    console.log(table(['all queues', 'p50 ms', 'p95 ms'], rows));
    console.log(
      `\ndeep page to first page: ${ratio.toFixed(2)} (${ratio <= 1.2 ? 'met' : 'not met'}: 1.2)\n`,
    );
  } finally {
    await pool.query(`delete from pgboss.queue where name like 'more%'`);
    await pool.query('drop index if exists pgboss.bench_by_time, pgboss.bench_path');
    await Promise.all([fresh.close(), shared.close(), pool.end()]);
  }
}
