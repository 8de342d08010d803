/** The end of the transaction of a command: what the client is told, and whether the command is repeated. */

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { PgBossInstance } from '../../../src/board/pgq/index.ts';
import { newestLibrary } from './libraries.ts';
import { type BoardUnderTest, type World, makeWorld } from './world.ts';

let world: World;
let board: BoardUnderTest;

beforeAll(async () => {
  world = await makeWorld(newestLibrary, 'pgq_commit');
  await world.boss.createQueue('a');
  board = await world.board();
  await world.admin.query('create sequence public.commits');
});
afterAll(() => world?.close());

const send = () => board.send('POST', '/api/pgq/queues/a/jobs', {});

describe('a commit', () => {
  const once = (statement: string) => `if nextval('public.commits') = 1 then ${statement}; end if;`;
  const raise = (code: string) => once(`raise exception 'at the end' using errcode = '${code}'`);
  const unknown = { status: 504, key: 'ERRORS.OUTCOME_UNKNOWN', retryAfter: null, commits: 1 };
  const repeated = { status: 200, key: undefined, retryAfter: null, commits: 2 };

  it.each([
    ['whose connection breaks', once('perform pg_terminate_backend(pg_backend_pid())'), unknown],
    ['of which the server does not know the outcome', raise('40003'), unknown],
    ['that is refused for a conflict', raise('40001'), repeated],
    ['that is refused for a deadlock', raise('40P01'), repeated],
  ])('%s', async (_which, statement, expected) => {
    await world.admin.query(
      `alter sequence public.commits restart;
       create function public.at_commit() returns trigger language plpgsql as
         $$ begin ${statement} return null; end $$;
       create constraint trigger at_commit after insert on pgboss.job_common
         deferrable initially deferred for each row execute function public.at_commit()`,
    );
    try {
      const { status, headers, body } = await send();
      const { rows } = await world.admin.query<{ last: string }>(
        'select last_value as last from public.commits',
      );
      const key = body['error']?.['key'];
      const retryAfter = headers.get('retry-after');
      expect({ status, key, retryAfter, commits: Number(rows[0]?.last) }).toEqual(expected);
    } finally {
      await world.admin.query('drop function public.at_commit() cascade');
    }
    expect((await send()).status).toBe(200);
  });
});

it('is repeated after a deadlock that the library follows with another statement', async () => {
  const { boss } = world;
  const id = (await boss.send('a', {})) as string;
  let tries = 0;
  // The library asks for the reason in the transaction, which the server refuses.
  const asking = {
    getDb: () => boss.getDb(),
    cancel: async (...[queue, job, options]: Parameters<typeof boss.cancel>) => {
      tries += 1;
      const deadlock = `do $$ begin raise exception 'crossed' using errcode = '40P01'; end $$`;
      if (tries === 1) {
        await options?.db?.executeSql(deadlock).catch(() => undefined);
        await options?.db?.executeSql('select 1');
      }
      return boss.cancel(queue, job, options);
    },
  } as unknown as PgBossInstance;
  const other = await world.board({ instance: asking });
  const answer = await other.send('PUT', `/api/pgq/queues/a/jobs/${id}/cancel`);
  expect([answer.status, answer.body, tries]).toEqual([200, { requested: 1, affected: 1 }, 2]);
});

it('does not come after a failure, on a database of the host that runs whole transactions', async () => {
  const { boss } = world;
  const db = boss.getDb() as ReturnType<PgBossInstance['getDb']> & {
    withTransaction<Answer>(work: (inner: object) => Promise<Answer>): Promise<Answer>;
  };
  let isFailing = true;
  const failing = {
    getDb: () => ({
      executeSql: db.executeSql.bind(db),
      withTransaction: db.withTransaction.bind(db),
    }),
    cancel: async (...given: Parameters<typeof boss.cancel>) => {
      const answer = await boss.cancel(...given);
      if (isFailing) throw new Error('after the change');
      return answer;
    },
  } as unknown as PgBossInstance;
  const other = await world.board({ instance: failing });
  const id = String(await boss.send('a', {}));
  const stateAfter = async (): Promise<unknown> => {
    const { status } = await other.send('PUT', `/api/pgq/queues/a/jobs/${id}/cancel`);
    const { rows } = await world.admin.query('select state from pgboss.job where id = $1', [id]);
    return [status, rows[0]?.state];
  };
  expect(await stateAfter()).toEqual([500, 'created']);
  isFailing = false;
  expect(await stateAfter()).toEqual([200, 'cancelled']);
});

describe('a pool of the host', () => {
  /** A connection whose server answers nothing more. */
  async function silenced(part: string) {
    const settings = { max: 1, connectionTimeoutMillis: 5_000, application_name: 'lent' };
    const pool = new pg.Pool({ connectionString: world.url, ...settings });
    pool.on('error', () => undefined);
    let isSilent = false;
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
      const never = new Promise<unknown>(() => undefined);
      const heard = (...args: unknown[]) =>
        isSilent && JSON.stringify(args[0]).includes(part) ? never : query(...args);
      Object.assign(client, { query: heard });
    });
    const other = await world.board({ connection: pool, queryTimeoutMs: 200, writeTimeoutMs: 600 });
    const silence = (): void => {
      isSilent = true;
    };
    onTestFinished(async () => {
      await other.close();
      // A connection that was never returned would keep the pool from its end.
      await world.admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lent'
           and datname = current_database()`,
      );
    });
    return { pool, other, silence };
  }
  const timeout = [504, 'ERRORS.PGQ_QUERY_TIMEOUT'];

  it.each([
    ['a command', 'POST', 'queues/a/jobs', 'lock_timeout'],
    ['a read', 'GET', 'queues/a/jobs', 'created_on'],
  ])('loses the connection on which %s gets no answer', async (_what, method, path, part) => {
    const { pool, other, silence } = await silenced(part);
    const ask = () => other.send(method, `/api/pgq/${path}`, method === 'POST' ? {} : undefined);
    await expect.poll(async () => (await ask()).status).toBe(200);
    expect(pool.totalCount).toBe(1);
    silence();
    const { status, body } = await ask();
    expect([status, body['error']?.['key']]).toEqual(timeout);
    await expect.poll(() => pool.totalCount, { timeout: 5_000 }).toBe(0);
  });

  it('gets a connection back that comes when the time of the command is over', async () => {
    const { pool, other } = await silenced('');
    const ask = () => other.send('POST', '/api/pgq/queues/a/jobs', {});
    await expect.poll(async () => (await ask()).status).toBe(200);
    const taken = await pool.connect();
    const { status, body } = await ask();
    expect([status, body['error']?.['key']]).toEqual(timeout);
    taken.release();
    await expect
      .poll(() => [pool.idleCount, pool.waitingCount], { timeout: 5_000 })
      .toEqual([1, 0]);
  });

  it('lends at most two connections to commands, however many wait for a lock', async () => {
    const id = await world.boss.send('a', {});
    const holder = await world.admin.connect();
    await holder.query('begin');
    await holder.query('select from pgboss.job where id = $1 for update', [id]);
    const pool = new pg.Pool({ connectionString: world.url, max: 8 });
    const open = new Set<unknown>();
    let most = 0;
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
      const counted = (...args: unknown[]): Promise<unknown> => {
        if (args[0] === 'begin') open.add(client);
        if (args[0] === 'commit' || args[0] === 'rollback') open.delete(client);
        most = Math.max(most, open.size);
        return query(...args);
      };
      Object.assign(client, { query: counted });
    });
    const other = await world.board({ connection: pool, writeTimeoutMs: 600 });
    onTestFinished(async () => {
      holder.release(true);
      await other.close();
      await pool.end();
    });
    const cancel = () => other.send('PUT', `/api/pgq/queues/a/jobs/${id}/cancel`);
    const answers = await Promise.all(Array.from({ length: 5 }, cancel));
    expect(answers.map(({ status }) => status)).toEqual([504, 504, 504, 504, 504]);
    expect(most).toBeLessThanOrEqual(2);
    await holder.query('rollback');
    await expect.poll(async () => (await cancel()).status).toBe(200);
  });

  it('has connections without the settings of the board', async () => {
    const pool = new pg.Pool({ connectionString: world.url, max: 1 });
    const settings = async () =>
      (
        await pool.query(
          `select name, setting from pg_settings where source = 'session' and name <> 'application_name'`,
        )
      ).rows;
    const before = await settings();
    const other = await world.board({ connection: pool });
    for (const [method, path] of [
      ['GET', 'queues/a/jobs'],
      ['POST', 'queues/a/jobs'],
      ['PUT', 'queues/a/delete-queued'],
    ] as const) {
      const answer = await other.send(
        method,
        `/api/pgq/${path}`,
        method === 'GET' ? undefined : {},
      );
      expect([path, answer.status, await settings()]).toEqual([path, 200, before]);
    }
    await other.close();
    await pool.end();
  });
});
