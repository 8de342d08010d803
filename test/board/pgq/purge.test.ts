/** Commands on whole queues: linear in the number of jobs, handed to runs, and beside workers and other boards. */

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { middleLibrary, newestLibrary, oldestLibrary } from './libraries.ts';
import { type BoardUnderTest, type Body, type World, makeWorld } from './world.ts';

describe.each([newestLibrary, middleLibrary, oldestLibrary])('with $name', (library) => {
  let world: World;
  let board: BoardUnderTest;

  beforeAll(async () => {
    world = await makeWorld(library, 'pgq_purge');
    board = await world.board();
  });
  afterAll(() => world?.close());

  async function filled(queue: string, count: number, state = 'created'): Promise<void> {
    await world.boss.createQueue(queue);
    await world.admin.query(
      `insert into pgboss.job (name, state, policy, completed_on)
       select $1, $2::text::pgboss.job_state, 'standard',
         case when $2::text in ('completed', 'cancelled', 'failed') then now() end
       from generate_series(1, $3)`,
      [queue, state, count],
    );
  }
  const left = async (queue: string): Promise<number> => {
    const { rows } = await world.admin.query<{ n: number }>(
      'select count(*)::int as n from pgboss.job where name = $1',
      [queue],
    );
    return rows[0]?.n ?? 0;
  };
  const put = (path: string, on = board) => on.send('PUT', `/api/pgq/queues/${path}`);

  async function ended(run: Body | undefined, on = board): Promise<Body> {
    const read = async () => (await on.get(`/api/bulk/${String(run?.['id'])}`)).body['run'];
    await expect
      .poll(async () => (await read())?.['state'], { timeout: 60_000 })
      .not.toBe('running');
    return (await read()) as Body;
  }

  /** The rows that the database has read of jobs so far, also of whole tables alone, once it has counted as many changes. */
  async function rowsRead(changes: () => number): Promise<{ read: number; whole: number }> {
    const read = async () => {
      const { rows } = await world.admin.query<{ read: string; whole: string; changed: string }>(
        `select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) as read,
           sum(seq_tup_read) as whole,
           sum(n_tup_del + n_tup_upd) as changed from pg_stat_user_tables
         where schemaname = 'pgboss' and relname like 'j%'`,
      );
      const [row] = rows;
      return {
        read: Number(row?.read),
        whole: Number(row?.whole),
        changed: Number(row?.changed),
      };
    };
    await expect
      .poll(async () => (await read()).changed, { timeout: 60_000 })
      .toBeGreaterThanOrEqual(changes());
    return read();
  }

  it('reads each job a few times, however many there are', async () => {
    let changes = 0;
    for (const [path, state, filter, most] of [
      ['delete-queued', 'created', undefined, 8],
      ['delete-stored', 'completed', undefined, 8],
      ['run', 'failed', { state: 'failed' }, 3],
    ] as const) {
      const queue = `linear_${path}`;
      const count = filter ? 60_000 : 20_000;
      await filled(queue, count, state);
      // With what the database knows of the table, a read of all of it may seem cheap.
      await world.admin.query('analyze pgboss.job');
      const before = await rowsRead(() => changes);
      // A connection tells what it has read when it is idle for long, or ends.
      const own = await world.board();
      if (filter) {
        const body = { queueName: queue, action: 'remove', filter };
        const { body: begun } = await own.send('POST', '/api/bulk', body);
        expect(await ended(begun['run'], own)).toMatchObject({
          state: 'completed',
          changed: count,
        });
      } else {
        const { status, body } = await put(`${queue}/${path}`, own);
        if (status === 202) await ended(body['run'], own);
      }
      await own.close();
      expect(await left(queue)).toBe(0);
      changes += count;
      const after = await rowsRead(() => changes);
      expect((after.read - before.read) / count).toBeLessThan(most);
      if (filter) expect((after.whole - before.whole) / count).toBeLessThan(3);
    }
  }, 120_000);

  it('leaves the rest of a long command to a run, and answers 202', async () => {
    await world.admin.query(
      `create or replace function public.slow() returns trigger language plpgsql as
       $$ begin perform pg_sleep(1.2); return null; end $$`,
    );
    await filled('long', 4_000);
    await filled('again', 16_000, 'failed');
    const slow = (event: string) =>
      world.admin.query(
        `create trigger slow before ${event} on pgboss.job for each statement execute function public.slow()`,
      );
    const quick = () => world.admin.query('drop trigger if exists slow on pgboss.job');
    try {
      await slow('delete');
      const purge = await put('long/delete-queued');
      // A step takes longer than half of the time that a request has; on a busy machine, longer than all of it.
      const { affected } = purge.body;
      expect([1_000, 2_000]).toContain(affected);
      expect([purge.status, purge.body]).toEqual([
        202,
        {
          requested: affected,
          affected,
          run: expect.objectContaining({ action: 'remove', queueName: 'long' }),
        },
      ]);
      await quick();
      const run = await ended(purge.body['run']);
      expect(run).toMatchObject({
        state: 'completed',
        examined: 4_000,
        changed: 4_000,
        total: 4_000,
      });
      expect(await left('long')).toBe(0);
      await slow('update');
      const retry = await put('again/retry-failed');
      await quick();
      // The statements of this version may name the table of the queue, which has no such trigger.
      if (retry.status === 202) {
        expect(await ended(retry.body['run'])).toMatchObject({
          state: 'completed',
          changed: 16_000,
        });
      }
      const { rows } = await world.admin.query(
        `select state::text as state, count(*)::int as count from pgboss.job where name = 'again' group by 1`,
      );
      expect(rows).toEqual([{ state: 'retry', count: 16_000 }]);
    } finally {
      await quick();
    }
  }, 120_000);

  it('leaves jobs that come later, that are locked, and that run', async () => {
    await filled('kept', 3_000);
    const holder = await world.admin.connect();
    try {
      await world.boss.fetch('kept', { batchSize: 7 });
      await holder.query('begin');
      await holder.query(
        `select 1 from pgboss.job where name = 'kept' and state = 'created' limit 5 for update`,
      );
      await world.admin.query(
        `insert into pgboss.job (name, state, policy, created_on)
         select 'kept', 'created', 'standard', now() + interval '1 hour' from generate_series(1, 3)`,
      );
      const { body } = await put('kept/delete-queued');
      expect(body).toEqual({ requested: 2_988, affected: 2_988 });
      await holder.query('rollback');
      expect(await left('kept')).toBe(15);
    } finally {
      holder.release(true);
    }
  });

  it('deletes each job once, of two boards, and none that a worker has', async () => {
    await filled('shared', 20_000);
    const other = await world.board();
    const taken: string[] = [];
    let isPurging = true;
    const work = async (): Promise<void> => {
      while (isPurging) {
        const jobs = await world.boss.fetch('shared', { batchSize: 20 });
        const ids = jobs.map(({ id }) => id);
        taken.push(...ids);
        if (ids.length > 0) await world.boss.complete('shared', ids);
      }
    };
    const working = [work(), work()];
    const answers = await Promise.all([
      put('shared/delete-queued'),
      put('shared/delete-queued', other),
    ]);
    isPurging = false;
    await Promise.all(working);
    // The run of a command that took long counts the jobs of its request as well.
    const deleted = async ({ body }: (typeof answers)[number]): Promise<number> =>
      Number(body['run'] ? (await ended(body['run']))['changed'] : body['affected']);
    let affected = 0;
    for (const answer of answers) affected += await deleted(answer);
    // Jobs that the other one had locked at that moment.
    affected += await deleted(await put('shared/delete-queued'));
    expect(new Set(taken).size).toBe(taken.length);
    expect(affected + taken.length).toBe(20_000);
    expect(await left('shared')).toBe(taken.length);
  });

  it.runIf(library === newestLibrary)(
    'deletes chains of jobs, but none that one waits for that stays',
    async () => {
      const { boss, admin } = world;
      await boss.createQueue('chain');
      const length = 40;
      const nodes = Array.from({ length }, (_, index) => ({
        ref: `n${index}`,
        name: 'chain',
        ...(index > 0 && { dependsOn: [`n${index - 1}`] }),
      }));
      const ids = await boss.flow(nodes);
      const holder = await admin.connect();
      try {
        await holder.query('begin');
        await holder.query('select 1 from pgboss.job where name = $1 and id = $2 for update', [
          'chain',
          ids[`n${length - 1}`],
        ]);
        const spared = await put('chain/delete-queued');
        expect(spared.body).toEqual({
          requested: length - 1,
          affected: 0,
          refused: { count: length - 1, reason: { key: 'ERRORS.PGQ_JOB_HAS_DEPENDENTS' } },
        });
        await holder.query('rollback');
      } finally {
        holder.release(true);
      }
      expect((await put('chain/delete-queued')).body).toEqual({
        requested: length,
        affected: length,
      });
    },
  );

  it('counts the jobs through a driver that does not tell how many rows it has changed', async () => {
    await filled('untold', 3_000);
    const pool = new pg.Pool({ connectionString: world.url, max: 4 });
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...args: unknown[]) => Promise<pg.QueryResult>;
      const untold = async (...args: unknown[]) => ({ ...(await query(...args)), rowCount: null });
      Object.assign(client, { query: untold });
    });
    const other = await world.board({ connection: pool });
    const { body } = await put('untold/delete-queued', other);
    expect(body).toEqual({ requested: 3_000, affected: 3_000 });
    expect(await left('untold')).toBe(0);
    await other.close();
    await pool.end();
  });

  it('purges a queue with a table of its own', async () => {
    const queue = `own_${randomUUID().slice(0, 8)}`;
    await world.boss.createQueue(queue, { partition: true });
    await filled(queue, 2_000, 'failed');
    await filled('beside', 10, 'failed');
    expect((await put(`${queue}/delete-stored`)).body).toEqual({
      requested: 2_000,
      affected: 2_000,
    });
    expect([await left(queue), await left('beside')]).toEqual([0, 10]);
  });
});
