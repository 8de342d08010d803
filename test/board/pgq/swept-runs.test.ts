/** Deletions by filter that sweep the table: each job of the filter once, and no other, whatever happens between two steps. */

import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newestLibrary } from './libraries.ts';
import type { JobScope, PgqOptions } from '../../../src/board/pgq/index.ts';
import { type BoardUnderTest, type Body, type World, makeWorld } from './world.ts';

let world: World;

beforeAll(async () => {
  world = await makeWorld(newestLibrary, 'pgq_swept_runs');
});

afterAll(() => world?.close());

/** A queue whose even jobs the filter accepts; with a text that makes them fill many blocks of the table. */
async function filled(name: string, count: number): Promise<void> {
  await world.boss.createQueue(name);
  await world.admin.query('truncate pgboss.job_common');
  await world.admin.query(
    `insert into pgboss.job (name, state, policy, priority, data)
     select $1, 'created', 'standard', n % 2, jsonb_build_object('n', n, 'kind', 'a', 'text', repeat('x', 500))
     from generate_series(1, $2::int) as n`,
    [name, count],
  );
}

const removal = (queueName: string): object => ({
  queueName,
  action: 'remove',
  filter: { 'data.kind': 'a', 'filter[priority][eq]': '0' },
});

async function ended(on: BoardUnderTest, body: object): Promise<Body> {
  const { status, body: begun } = await on.send('POST', '/api/bulk', body);
  expect(status).toBe(200);
  const read = async () => (await on.get(`/api/bulk/${String(begun['run']?.['id'])}`)).body['run'];
  await expect.poll(async () => (await read())?.['state'], { timeout: 60_000 }).not.toBe('running');
  return (await read()) as Body;
}

/** A board, and the texts of its statements; \`before\` each, the function may do something else. */
async function spied(
  before: (text: string) => Promise<unknown> | undefined,
  options: Partial<PgqOptions> = {},
) {
  const texts: string[] = [];
  const pool = new pg.Pool({ connectionString: world.url, max: 4 });
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const noted = async (...args: unknown[]): Promise<unknown> => {
      const [given] = args;
      const text = typeof given === 'string' ? given : '';
      texts.push(text);
      await before(text);
      return query(...args);
    };
    Object.assign(client, { query: noted });
  });
  const board = await world.board({ connection: pool, ...options });
  return { board, pool, texts, close: () => board.close().then(() => pool.end()) };
}

/** Statements of a walk along the ids. */
const isOfWalk = (text: string): boolean => text.includes('bool_or(blocking)');

const isSweep = (text: string): boolean => text.startsWith('savepoint sweeping');

const numbers = async (name: string): Promise<number[]> => {
  const { rows } = await world.admin.query<{ n: number }>(
    `select (data->>'n')::int as n from pgboss.job where name = $1 order by 1`,
    [name],
  );
  return rows.map(({ n }) => n);
};

it('deletes in one pass over the table, and counts every job as examined', async () => {
  await filled('passed', 3_000);
  const { board, pool, texts, close } = await spied(() => undefined);
  try {
    expect(await ended(board, removal('passed'))).toMatchObject({
      state: 'completed',
      total: 3_000,
      examined: 3_000,
      matched: 1_500,
      changed: 1_500,
      refused: [],
    });
    expect(texts.filter(isOfWalk)).toEqual([]);
    expect(texts.filter(isSweep).length).toBeGreaterThan(1);
    // The time for which a sweep waits is not that of other statements on the connections of the host.
    const clients = await Promise.all(Array.from({ length: 4 }, () => pool.connect()));
    const times = clients.map((client) => client.query('show lock_timeout'));
    const shown = (await Promise.all(times)).flatMap(({ rows }) => rows as object[]);
    for (const client of clients) client.release();
    expect(shown).toEqual(shown.map(() => ({ lock_timeout: '0' })));
  } finally {
    await close();
  }
  expect((await numbers('passed')).filter((n) => n % 2 === 0)).toEqual([]);
});

it('tells nothing of the number of jobs beyond the scope of the sender', async () => {
  await filled('scoped', 3_000);
  await world.admin.query(
    `update pgboss.job set group_id = case when (data->>'n')::int % 4 < 2 then 'one' else 'two' end
     where name = 'scoped'`,
  );
  const scope: JobScope = () => ({
    type: 'condition',
    path: 'groupId',
    operator: 'eq',
    value: 'one',
  });
  const { board, texts, close } = await spied(() => undefined, { scope });
  try {
    expect(await ended(board, removal('scoped'))).toMatchObject({
      state: 'completed',
      total: 1_500,
      examined: 1_500,
      matched: 750,
      changed: 750,
    });
    expect(texts.filter(isSweep).length).toBeGreaterThan(1);
  } finally {
    await close();
  }
  expect(await numbers('scoped')).toHaveLength(2_250);
});

it('walks the ids of a queue that is a small part of the table', async () => {
  await filled('small', 40_000);
  await world.boss.createQueue('few');
  await world.admin.query(`update pgboss.job set name = 'few' where (data->>'n')::int <= 1000`);
  const { board, texts, close } = await spied(() => undefined);
  try {
    expect(await ended(board, removal('few'))).toMatchObject({ examined: 1_000, changed: 500 });
    expect(texts.filter(isSweep)).toEqual([]);
  } finally {
    await close();
  }
});

it('leaves active, later and locked jobs and those of others, and ends while they are locked', async () => {
  await filled('kept', 2_000);
  await world.boss.createQueue('other');
  const even = `(data->>'n')::int % 2 = 0 and (data->>'n')::int`;
  for (const set of [
    `state = 'active' where ${even} <= 20`,
    `created_on = now() + interval '1 hour' where ${even} between 21 and 40`,
    `name = 'other' where ${even} between 41 and 60`,
  ]) {
    await world.admin.query(`update pgboss.job set ${set}`);
  }
  const [parent, child] = Object.values(
    await world.boss.flow([
      { ref: 'parent', name: 'kept', data: { kind: 'a', n: 5_000 } },
      { ref: 'child', name: 'other', dependsOn: ['parent'] },
    ]),
  );
  expect([parent, child]).toEqual([expect.any(String), expect.any(String)]);
  const holder = await world.admin.connect();
  const { board, close } = await spied(() => undefined);
  try {
    await holder.query('begin');
    await holder.query(
      `select 1 from pgboss.job where name = 'kept' and ${even} between 61 and 80 for update`,
    );
    expect(await ended(board, removal('kept'))).toMatchObject({
      state: 'completed',
      // 1,000 without four times ten, and the parent.
      matched: 961,
      changed: 960,
      refused: [{ count: 1, reason: { key: 'ERRORS.PGQ_JOB_HAS_DEPENDENTS' } }],
    });
    await holder.query('rollback');
  } finally {
    await close();
    holder.release(true);
  }
  // Active, later and locked ones, and the parent.
  const evens = (from: number, count: number) =>
    Array.from({ length: count }, (_none, at) => from + 2 * at);
  const left = (await numbers('kept')).filter((n) => n % 2 === 0);
  expect(left).toEqual([...evens(2, 20), ...evens(62, 10), 5_000]);
});

it('deletes a job that moves to a block behind the sweep', async () => {
  await filled('moving', 3_000);
  const moved = `(data->>'n')::int = 2000`;
  const blockOf = async (): Promise<number> => {
    const { rows } = await world.admin.query<{ block: number }>(
      `select (ctid::text::point)[0]::int as block from pgboss.job where ${moved}`,
    );
    return rows[0]?.block ?? -1;
  };
  let sweeps = 0;
  let blocks: number[] = [];
  const { board, close } = await spied(async (text) => {
    if (isSweep(text)) sweeps += 1;
    // Between two steps, the space of the first one is free again, and the job takes it.
    if (text !== 'begin' || sweeps !== 1 || blocks.length > 0) return;
    blocks = [await blockOf()];
    await world.admin.query('vacuum pgboss.job_common');
    await world.admin.query(`update pgboss.job set retry_count = 1 where ${moved}`);
    blocks.push(await blockOf());
  });
  try {
    expect(await ended(board, removal('moving'))).toMatchObject({
      state: 'completed',
      // In none of the blocks as they were swept, it is found after them.
      examined: 2_999,
      matched: 1_500,
      changed: 1_500,
    });
  } finally {
    await close();
  }
  expect(blocks[1]).toBeLessThan(16);
  expect(blocks[0]).toBeGreaterThan(16);
  expect((await numbers('moving')).filter((n) => n % 2 === 0)).toEqual([]);
});

it('goes on at the block, or the id, at which another instance has stopped, and counts each job once', async () => {
  await filled('continued', 3_000);
  let steps = 0;
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const first = await spied((text) => {
    if (isSweep(text)) steps += 1;
    return text === 'begin' && steps === 1 ? held : undefined;
  });
  const second = await world.board();
  try {
    const { body } = await first.board.send('POST', '/api/bulk', removal('continued'));
    const id = String(body['run']?.['id']);
    const read = async () => (await second.get(`/api/bulk/${id}`)).body['run'];
    await expect.poll(async () => Number((await read())?.['changed'])).toBeGreaterThan(0);
    const stored = async () => {
      const { rows } = await world.admin.query<{ position: string }>(
        'select "position" from pgboss.sluice_pgq_runs where id = $1',
        [id],
      );
      return rows[0]?.position;
    };
    expect(await stored()).toMatch(/^block \d+$/);
    // The first instance gives the run back as it closes.
    const closing = first.close();
    goOn();
    await closing;
    await expect.poll(async () => (await read())?.['state'], { timeout: 60_000 }).toBe('completed');
    expect(await read()).toMatchObject({
      examined: 3_000,
      matched: 1_500,
      changed: 1_500,
      refused: [],
    });
  } finally {
    goOn();
    await second.close();
  }
  expect((await numbers('continued')).filter((n) => n % 2 === 0)).toEqual([]);
});
