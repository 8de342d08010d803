/** Which jobs a purge takes: those of its states and of its time that nobody has locked, in each of its steps and its run. */

import { randomUUID } from 'node:crypto';
import { serialize } from 'node:v8';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PgqOptions } from '../../../src/board/pgq/index.ts';
import { advanceClock } from '../../clock.ts';
import { newestLibrary } from './libraries.ts';
import { type Body, type BoardUnderTest, type World, makeWorld } from './world.ts';

let world: World;
let board: BoardUnderTest;

beforeAll(async () => {
  world = await makeWorld(newestLibrary, 'pgq_purge_limits');
  board = await world.board();
});
afterAll(() => world?.close());

async function filled(queue: string, count: number, state = 'created', more = ''): Promise<void> {
  await world.boss.createQueue(queue);
  await world.admin.query(
    `insert into pgboss.job (name, policy, group_id, state, completed_on, created_on)
     select $1, 'standard', 'one', $2::text::pgboss.job_state, now(), now() ${more}
     from generate_series(1, $3)`,
    [queue, state, count],
  );
}

const left = async (queue: string): Promise<Record<string, number>> => {
  const { rows } = await world.admin.query<{ state: string; n: number }>(
    'select state::text as state, count(*)::int as n from pgboss.job where name = $1 group by 1',
    [queue],
  );
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
};

async function ended(run: Body | undefined, on: BoardUnderTest): Promise<Body> {
  const read = async () => (await on.get(`/api/bulk/${String(run?.['id'])}`)).body['run'];
  await expect.poll(async () => (await read())?.['state']).not.toBe('running');
  return (await read()) as Body;
}

const scope: PgqOptions['scope'] = () => ({
  type: 'condition',
  path: 'groupId',
  operator: 'eq',
  value: 'one',
});

it.each([
  ['by set', {}, false],
  ['one by one, where others may wait for them', {}, true],
  ['one by one, where the sender sees some only', { scope }, false],
] as const)('takes no job that is locked, or that came later: %s', async (_how, pgq, blocking) => {
  const queue = `limits_${String('scope' in pgq)}_${blocking}`;
  await filled(queue, 5);
  await filled(queue, 2, 'created', `+ interval '1 hour'`);
  await world.admin.query('update pgboss.job set blocking = $2 where name = $1', [queue, blocking]);
  const own = await world.board({ ...pgq, writeTimeoutMs: 1_500 });
  const holder = await world.admin.connect();
  try {
    await holder.query('begin');
    await holder.query(
      `select 1 from pgboss.job where name = $1 and created_on <= now() order by id limit 1 for update`,
      [queue],
    );
    const { body } = await own.send('PUT', `/api/pgq/queues/${queue}/delete-queued`);
    expect(body).toEqual({ requested: 4, affected: 4 });
    await holder.query('rollback');
    expect(await left(queue)).toEqual({ created: 3 });
  } finally {
    holder.release(true);
    await own.close();
  }
});

it('takes no job that comes between two of its steps', async () => {
  await filled('during', 3_000);
  await world.admin.query(
    `create function public.send_one() returns trigger language plpgsql as $$ begin
       insert into pgboss.job (name, policy, created_on) values ('during', 'standard', clock_timestamp());
       return null; end $$;
     create trigger send_one after delete on pgboss.job for each statement execute function public.send_one()`,
  );
  try {
    const { body } = await board.send('PUT', '/api/pgq/queues/during/delete-queued');
    expect(body).toEqual({ requested: 3_000, affected: 3_000 });
    expect((await left('during'))['created']).toBeGreaterThan(1);
  } finally {
    await world.admin.query('drop function public.send_one() cascade');
  }
});

it('takes jobs that others wait for once these are gone, however far apart they are', async () => {
  const queue = 'apart';
  await world.boss.createQueue(queue);
  const numbered = (n: number) => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
  const flow = [1, 5_002, 5_003].map((n, index, all) => ({
    ref: `job ${n}`,
    name: queue,
    options: { id: numbered(n) },
    ...(index > 0 && { dependsOn: [`job ${all[index - 1]}`] }),
  }));
  await world.boss.flow(flow);
  // Between the first and the second are as many as a step takes, on which others may wait as far as it knows.
  await world.admin.query(
    `insert into pgboss.job (id, name, state, policy, blocking)
     select (lpad(to_hex(n), 8, '0') || '-0000-4000-8000-000000000000')::uuid, $1, 'created', 'standard', true
     from generate_series(2, 5001) n`,
    [queue],
  );
  const { status, body } = await board.send('PUT', `/api/pgq/queues/${queue}/delete-queued`);
  // On a busy machine, a run ends it.
  if (status !== 202) expect([status, body]).toEqual([200, { requested: 5_003, affected: 5_003 }]);
  await expect.poll(() => left(queue)).toEqual({});
});

it('keeps to its states and its time in the run that ends it', async () => {
  await filled('handed', 1_500, 'completed');
  await filled('handed', 4, 'created');
  const pool = new pg.Pool({ connectionString: world.url, max: 4 });
  let isFirst = true;
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    const spied = async (...args: unknown[]): Promise<unknown> => {
      const answer = await query(...args);
      if (isFirst && String(args[0]).includes('delete from "pgboss".job')) {
        isFirst = false;
        await filled('handed', 2, 'completed', `+ (clock_timestamp() - now())`);
        // The time of the request is over.
        advanceClock(2_100);
      }
      return answer;
    };
    Object.assign(client, { query: spied });
  });
  const other = await world.board({ connection: pool });
  try {
    const { status, body } = await other.send('PUT', '/api/pgq/queues/handed/delete-stored');
    expect([status, body['affected']]).toEqual([202, 1_000]);
    expect(await ended(body['run'], other)).toMatchObject({ state: 'completed', changed: 1_500 });
    expect(await left('handed')).toEqual({ created: 4, completed: 2 });
  } finally {
    await other.close();
    await pool.end();
  }
});

it('is continued where another instance has stopped, and within the rights of its sender', async () => {
  for (const queue of ['continued', 'narrower', 'done', 'elsewhere']) await filled(queue, 3);
  // The first run creates the table.
  await filled('first', 1);
  const body = { queueName: 'first', action: 'remove', all: true };
  await ended((await board.send('POST', '/api/bulk', body)).body['run'], board);
  const until = new Date(Date.now() + 60_000).toISOString();
  const start = '00000000-0000-0000-0000-000000000000';
  const sender = serialize({ authorised: null }).toString('base64');
  const given = async (queue: string, rest: object, position = start): Promise<Body> => {
    const id: string = randomUUID();
    const spec = JSON.stringify({ sender, until, body: { filter: {} }, ...rest });
    await world.admin.query(
      `insert into pgboss.sluice_pgq_runs (id, queue_name, action, dry_run, spec, "position", examined,
         matched, changed, held_until)
       values ($1, $2, 'remove', false, $3, $4, 5, 5, 5, now() - interval '1 minute')`,
      [id, queue, spec, position],
    );
    return { id } as unknown as Body;
  };
  await board.close();
  // Of a queue that none of them serves, and one that has ended but was not closed.
  const elsewhere = await given('elsewhere', {});
  const done = await given('done', {}, 'ended');
  const narrower = await given('narrower', {});
  const continued = await given('continued', { rest: { action: 'remove', done: 5 } });
  const scoped = await world.board({ scope, queues: ['narrower'] });
  const wider = await world.board({ queues: ['continued', 'done'] });
  expect(await ended(continued, wider)).toMatchObject({
    state: 'completed',
    changed: 5 + 3,
  });
  expect(await ended(narrower, scoped)).toMatchObject({
    state: 'failed',
    changed: 5,
    problem: { key: 'ERRORS.QUEUE_NOT_FOUND' },
  });
  expect(await ended(done, wider)).toMatchObject({ state: 'completed', examined: 5, changed: 5 });
  const { rows } = await world.admin.query(
    'select state, fence from pgboss.sluice_pgq_runs where id = $1',
    [elsewhere['id']],
  );
  expect(rows).toEqual([{ state: 'running', fence: 1 }]);
  expect(await left('continued')).toEqual({});
  for (const queue of ['narrower', 'done', 'elsewhere']) {
    expect([queue, await left(queue)]).toEqual([queue, { created: 3 }]);
  }
});
