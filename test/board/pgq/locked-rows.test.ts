/** The rows that commands lock or wait for: in which order, and what they find once another transaction has ended. */

import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import type { PgBossInstance, PgqOptions } from '../../../src/board/pgq/index.ts';
import { newestLibrary } from './libraries.ts';
import { type Answer, type BoardUnderTest, type World, makeWorld } from './world.ts';

let world: World;
let board: BoardUnderTest;

beforeAll(async () => {
  world = await makeWorld(newestLibrary, 'pgq_locked_rows');
  board = await world.board();
});
afterAll(() => world?.close());

/** Waits until so many statements wait for a lock. */
async function waiting(count: number): Promise<void> {
  const found = async () => {
    const { rows } = await world.admin.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length;
  };
  await expect.poll(found, { interval: 5 }).toBe(count);
}

/** Runs the work while a transaction holds what the statement locks. */
async function whileHeld<Result>(
  statement: string,
  values: unknown[],
  work: (end: () => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  const holder = await world.admin.connect();
  try {
    await holder.query('begin');
    await holder.query(statement, values);
    return await work(() => holder.query('commit'));
  } finally {
    holder.release(true);
  }
}

it('jobs are locked in the order of their ids, whatever their order in the table', async () => {
  await world.boss.createQueue('ordered');
  const [low, high] = [randomUUID(), randomUUID()].toSorted();
  for (const id of [high, low]) await world.boss.send('ordered', {}, { id: String(id) });
  const url = new URL(world.url);
  url.searchParams.set('options', '-c enable_indexscan=off -c enable_bitmapscan=off');
  const scanning = await world.board({ connection: url.href });
  await whileHeld('select from pgboss.job where id = $1 for update', [low], async (end) => {
    const removed = scanning.send('PUT', '/api/pgq/queues/ordered/jobs/remove', {
      ids: [high, low],
    });
    await waiting(1);
    // The command that waits for the first one holds no other.
    const { rowCount } = await world.admin.query(
      'select from pgboss.job where id = $1 for update skip locked',
      [high],
    );
    await end();
    expect([rowCount, (await removed).body]).toEqual([1, { requested: 2, affected: 2 }]);
  });
});

it('a schedule that another process is changing is compared once that has ended', async () => {
  await world.boss.createQueue('planned');
  const path = '/api/pgq/queues/planned/schedules';
  const made = await board.send('PUT', path, { key: 'a', cron: '0 3 * * *', tz: 'UTC' });
  const { version } = made.body['schedule'] ?? {};
  const change = `update pgboss.schedule set cron = '0 9 * * *' where name = 'planned'`;
  await whileHeld(change, [], async (end) => {
    const edited = board.send('PUT', path, { key: 'a', cron: '0 4 * * *', ifUnchanged: version });
    await waiting(1);
    await end();
    const { status, body } = await edited;
    expect([status, body['error']?.['key']]).toEqual([409, 'ERRORS.JOB_CHANGED']);
  });
  const { rows } = await world.admin.query('select cron from pgboss.schedule');
  expect(rows).toEqual([{ cron: '0 9 * * *' }]);
  await whileHeld('delete from pgboss.schedule', [], async (end) => {
    const removed = board.send('PUT', `${path}/remove`, { key: 'a' });
    await waiting(1);
    await end();
    expect((await removed).body['error']?.['key']).toBe('ERRORS.JOB_SCHEDULER_NOT_FOUND');
  });
});

it('a free key of a schedule is taken by one board alone where the library writes by itself', async () => {
  await world.boss.createQueue('claimed');
  const { boss } = world;
  // Of a library that the board does not know, so that it has no instance on its own transaction.
  const instance = {
    getDb: () => boss.getDb(),
    schedule: boss.schedule.bind(boss),
  } as unknown as PgBossInstance;
  const claim = async (cron: string) => {
    const own = await world.board({ instance });
    const body = { key: 'a', cron, tz: 'UTC', ifAbsent: true };
    return own.send('PUT', '/api/pgq/queues/claimed/schedules', body);
  };
  // Schedules can be read, and none can be written.
  await whileHeld('lock table pgboss.schedule in share mode', [], async (end) => {
    const first = claim('0 3 * * *');
    await waiting(1);
    const second = claim('0 4 * * *');
    await Promise.race([second, waiting(2).catch(() => undefined)]);
    await end();
    const statuses = [(await first).status, (await second).status];
    expect(statuses.toSorted()).toEqual([200, 409]);
  });
  expect((await claim('0 5 * * *')).status).toBe(409);
});

it('a command waits for a lock as long as the host has set for its role', async () => {
  await world.boss.createQueue('patient');
  const id = await world.boss.send('patient', {});
  const url = new URL(world.url);
  url.searchParams.set('options', '-c lock_timeout=20s');
  const patient = await world.board({ connection: url.href });
  await whileHeld('select from pgboss.job where id = $1 for update', [id], async (end) => {
    const cancelled = patient.send('PUT', `/api/pgq/queues/patient/jobs/${id}/cancel`);
    // The board itself would give way after 400 milliseconds.
    const isPatient = async () => {
      const { rows } = await world.admin.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
           and clock_timestamp() - query_start > interval '600 ms'`,
      );
      return rows.length;
    };
    await expect.poll(isPatient, { timeout: 3_000 }).toBe(1);
    await end();
    expect((await cancelled).body).toEqual({ requested: 1, affected: 1 });
  });
});

const only: PgqOptions['scope'] = () => ({
  type: 'condition',
  path: 'priority',
  operator: 'eq',
  value: 0,
});

it.each<[string, object, string, Partial<PgqOptions>?]>([
  ['by a filter', { filter: { 'data.part': '1' } }, 'bool_or(blocking)'],
  ['that sweeps the table', { filter: { 'data.part': '1' } }, 'savepoint sweeping'],
  ['of a whole queue', { all: true }, 'as places'],
  ['within a scope', { all: true }, 'limit $4 for update skip locked', { scope: only }],
  ['by ids', { ids: [randomUUID()] }, 'order by job.id for update'],
  ['that undoes another', { action: 'retry', all: true }, 'order by job.id for update'],
])('a run %s is locked before the jobs of each of its parts', async (of, more, first, options) => {
  const queueName = of.replaceAll(' ', '-');
  const body = { queueName, action: 'remove', ...more };
  const { ids: [id = randomUUID()] = [] } = more as { ids?: string[] };
  await world.boss.createQueue(queueName);
  await world.boss.insert(queueName, [{ id, data: { part: 1 } }]);
  // A sweep is for many jobs.
  if (first.startsWith('savepoint')) {
    await world.admin.query(
      `insert into pgboss.job (name, state, policy) select $1, 'created', 'standard' from generate_series(1, 999)`,
      [queueName],
    );
  }
  const pool = new pg.Pool({ connectionString: world.url, max: 4 });
  const free = new Set<unknown>();
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    const spied = async (...args: unknown[]): Promise<unknown> => {
      if (String(args[0]).includes(first)) {
        const { rowCount } = await world.admin.query(
          `select from pgboss.sluice_pgq_runs where state = 'running' for update skip locked`,
        );
        free.add(rowCount);
      }
      return query(...args);
    };
    Object.assign(client, { query: spied });
  });
  const other = await world.board({ connection: pool, ...options });
  const ended = async (on: BoardUnderTest, begun: Answer): Promise<string> => {
    const path = `/api/bulk/${String(begun.body['run']?.['id'])}`;
    const read = async () => (await on.get(path)).body['run'];
    await expect.poll(read).toMatchObject({ state: 'completed', changed: 1 });
    return path;
  };
  if (body.action === 'retry') {
    await world.admin.query(`update pgboss.job set state = 'failed' where id = $1`, [id]);
    const path = await ended(board, await board.send('POST', '/api/bulk', body));
    await ended(other, await other.send('POST', `${path}/undo`));
  } else await ended(other, await other.send('POST', '/api/bulk', body));
  expect([...free]).toEqual([0]);
  await other.close();
  await pool.end();
});

async function sent(body: object, key: string): Promise<Answer['body']> {
  const response = await fetch(`${board.origin}/api/pgq/queues/once/jobs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Answer['body'];
}

it('a key of an addition is held by one request at a time, whatever their options', async () => {
  await world.boss.createQueue('once');
  // Jobs can be read, and none can be inserted.
  await whileHeld('lock table pgboss.job in share mode', [], async (end) => {
    const both = [1, 2].map((priority) => sent({ options: { priority } }, 'race'));
    await waiting(2);
    await end();
    const answers = await Promise.all(both);
    expect(answers.map((body) => body['added'] ?? body['error']?.['key'])).toEqual(
      expect.arrayContaining([true, 'ERRORS.IDEMPOTENCY_KEY_REUSED']),
    );
  });
});

it('an addition without data that is repeated is the same one', async () => {
  for (const [key, body] of [
    ['bare', {}],
    ['null', { data: null }],
  ] as const) {
    const { id } = await sent(body, key);
    expect(await sent(body, key)).toEqual({ id, added: false });
  }
});
