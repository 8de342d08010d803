/** Commands decide on the rows that they hold, under workers that move them, and tell what they left. */

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PgBossInstance } from '../../../src/board/pgq/index.ts';
import { newestOf } from '../../setup/left-to-ci.ts';
import { contend } from './contention.ts';
import { middleLibrary, newestLibrary, oldestLibrary } from './libraries.ts';
import { type BoardUnderTest, type World, makeWorld } from './world.ts';

it.each(
  newestOf([newestLibrary, middleLibrary, oldestLibrary], (library) => library !== newestLibrary),
)(
  'loses no job and runs none twice while workers and clients change them: $name',
  async (library) => {
    const world = await makeWorld(library, 'pgq_contention');
    try {
      await contend(world, await world.board());
    } finally {
      await world.close();
    }
  },
);

describe('a command', () => {
  let world: World;
  let board: BoardUnderTest;

  beforeAll(async () => {
    world = await makeWorld(newestLibrary, 'pgq_held');
    board = await world.board();
  });
  afterAll(() => world?.close());

  const put = (path: string, body?: object) => board.send('PUT', `/api/pgq/queues/${path}`, body);

  it('waits for a worker that takes the job, and then leaves it', async () => {
    await world.boss.createQueue('taken');
    const id = (await world.boss.send('taken', {})) as string;
    const worker = await world.admin.connect();
    try {
      await worker.query('begin');
      await worker.query(`update pgboss.job set state = 'active' where id = $1`, [id]);
      const removed = put('taken/jobs/remove', { ids: [id] });
      const alone = put(`taken/jobs/${id}/remove`);
      await expect
        .poll(async () => {
          const { rows } = await world.admin.query(
            `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          );
          return rows.length;
        })
        .toBeGreaterThan(0);
      await worker.query('commit');
      expect((await removed).body).toEqual({
        requested: 1,
        affected: 0,
        skipped: [{ id, code: 'JOB_IS_ACTIVE', state: 'active' }],
      });
      expect((await alone).body['error']?.['key']).toBe('ERRORS.JOB_IS_ACTIVE');
    } finally {
      worker.release();
    }
  });

  it('gives way in a deadlock with a worker, and is repeated', async () => {
    await world.boss.createQueue('crossed');
    const ids = [randomUUID(), randomUUID()].toSorted();
    for (const id of ids) await world.boss.send('crossed', {}, { id });
    const worker = await world.admin.connect();
    try {
      const lock = (id: unknown) =>
        worker.query('select 1 from pgboss.job where id = $1 for update', [id]);
      await worker.query('begin');
      await lock(ids[1]);
      const removed = put('crossed/jobs/remove', { ids });
      await expect
        .poll(async () => {
          const { rows } = await world.admin.query(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'`,
          );
          return rows.length;
        })
        .toBeGreaterThan(0);
      await lock(ids[0]);
      await worker.query('commit');
      expect((await removed).body).toEqual({ requested: 2, affected: 2 });
    } finally {
      worker.release();
    }
  });

  it('does not replace a schedule that a process creates while it decides', async () => {
    await world.boss.createQueue('planned');
    const body = { key: 'a', cron: '0 3 * * *', ifAbsent: true };
    const process = await world.admin.connect();
    try {
      await process.query('begin');
      await process.query(
        `insert into pgboss.schedule (name, key, cron) values ('planned', 'a', '0 9 * * *')`,
      );
      const created = put('planned/schedules', body);
      await expect
        .poll(async () => {
          const { rows } = await world.admin.query(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'`,
          );
          return rows.length;
        })
        .toBeGreaterThan(0);
      await process.query('commit');
      const { status, body: answer } = await created;
      expect([status, answer['error']?.['key']]).toEqual([409, 'ERRORS.JOB_SCHEDULER_EXISTS']);
      const { rows } = await world.admin.query(`select cron from pgboss.schedule where key = 'a'`);
      expect(rows).toEqual([{ cron: '0 9 * * *' }]);
    } finally {
      process.release();
    }
  });

  it('changes a job only if it is as the client has seen it', async () => {
    await world.boss.createQueue('seen');
    const id = (await world.boss.send('seen', { a: 1 })) as string;
    const path = `seen/jobs/${id}`;
    const { body } = await board.get(`/api/pgq/queues/${path}`);
    const ifUnchanged = body['version'];
    const other = await put(`${path}/cancel`, { expectedState: 'retry' });
    expect([other.status, other.body['error']]).toEqual([
      409,
      { key: 'ERRORS.JOB_CHANGED', options: { state: 'created' } },
    ]);
    await world.admin.query(`update pgboss.job set data = '{"a": 2}' where id = $1`, [id]);
    const changed = await put(`${path}/cancel`, { ifUnchanged });
    expect([changed.status, changed.body['error']?.['key']]).toEqual([409, 'ERRORS.JOB_CHANGED']);
    const both = await put(`${path}/cancel`, { ifUnchanged, expectedState: 'created' });
    expect([both.status, both.body['error']?.['key']]).toEqual([409, 'ERRORS.JOB_CHANGED']);
    const again = await board.get(`/api/pgq/queues/${path}`);
    const done = await put(`${path}/cancel`, {
      ifUnchanged: again.body['version'],
      expectedState: 'created',
    });
    expect(done.body).toEqual({ requested: 1, affected: 1 });
  });

  it('does not know the outcome when the server does not reply to the commit', async () => {
    const { boss } = world;
    const id = (await boss.send('seen', {})) as string;
    interface Transacting {
      beginTransaction(): Promise<{ db: { executeSql: never }; rollback(): Promise<void> }>;
    }
    const database = boss.getDb() as unknown as Transacting;
    const silent = {
      getDb: () => ({
        executeSql: boss.getDb().executeSql.bind(boss.getDb()),
        beginTransaction: async () => ({
          ...(await database.beginTransaction()),
          commit: () => new Promise(() => undefined),
        }),
      }),
      cancel: boss.cancel.bind(boss),
    } as unknown as PgBossInstance;
    const other = await world.board({ instance: silent, writeTimeoutMs: 1_000 });
    const answer = await other.send('PUT', `/api/pgq/queues/seen/jobs/${id}/cancel`);
    expect([answer.status, answer.body['error']?.['key']]).toEqual([504, 'ERRORS.OUTCOME_UNKNOWN']);
  });

  describe('on a job that others wait for', () => {
    async function flow(queue: string): Promise<Record<string, string>> {
      await world.boss.createQueue(queue);
      await world.boss.createQueue(`${queue}_other`);
      return world.boss.flow([
        { ref: 'parent', name: queue },
        { ref: 'child', name: `${queue}_other`, dependsOn: ['parent'] },
        { ref: 'grandchild', name: queue, dependsOn: ['child'] },
      ]);
    }
    const left = async (queue: string): Promise<number> => {
      const { rows } = await world.admin.query(
        `select 1 from pgboss.job where name in ($1, $1 || '_other')`,
        [queue],
      );
      return rows.length;
    };

    it('refuses to remove it, and removes them with it where the request says so', async () => {
      const { parent } = await flow('flow_one');
      for (const [path, body] of [
        [`flow_one/jobs/${parent}/remove`, {}],
        ['flow_one/jobs/remove', { ids: [parent] }],
      ] as const) {
        const refused = await put(path, body);
        expect([refused.status, refused.body['error']]).toEqual([
          409,
          { key: 'ERRORS.PGQ_JOB_HAS_DEPENDENTS', options: { count: 2 } },
        ]);
      }
      expect(await left('flow_one')).toBe(3);
      const removed = await put(`flow_one/jobs/${parent}/remove`, { removeDependents: true });
      expect(removed.body).toEqual({ requested: 1, affected: 1 });
      expect(await left('flow_one')).toBe(0);
    });

    it('counts those that are removed by their ids, and asks for no consent to these', async () => {
      const { parent, grandchild } = await flow('flow_five');
      const ids = [parent, grandchild];
      const refused = await put('flow_five/jobs/remove', { ids });
      expect([refused.status, refused.body['error']?.['options']]).toEqual([409, { count: 1 }]);
      const removed = await put('flow_five/jobs/remove', { ids, removeDependents: true });
      expect(removed.body).toEqual({ requested: 2, affected: 2 });
      expect(await left('flow_five')).toBe(0);
    });

    it('does not remove jobs of hidden queues', async () => {
      const { parent } = await flow('flow_two');
      const guarded = await world.board({
        visibilityGuard: (_, name) => name !== 'flow_two_other',
      });
      const refused = await guarded.send('PUT', `/api/pgq/queues/flow_two/jobs/${parent}/remove`, {
        removeDependents: true,
      });
      expect([refused.status, await left('flow_two')]).toEqual([409, 3]);
    });

    it('leaves it in a purge, and counts it', async () => {
      await flow('flow_three');
      await world.boss.send('flow_three', {});
      const purged = await put('flow_three/delete-queued');
      expect(purged.body).toEqual({
        requested: 3,
        affected: 2,
        refused: { count: 1, reason: { key: 'ERRORS.PGQ_JOB_HAS_DEPENDENTS' } },
      });
    });

    it('removes one of which those that waited have been told, and not these', async () => {
      const queue = 'flow_six';
      await world.boss.createQueue(queue);
      const { parent, child } = await world.boss.flow([
        { ref: 'parent', name: queue },
        { ref: 'child', name: queue, dependsOn: ['parent'] },
      ]);
      const told = 'update pgboss.job set blocked = false where id = $1';
      await world.admin.query(told, [child]);
      const removed = await put(`${queue}/jobs/${parent}/remove`, { removeDependents: true });
      expect(removed.body).toEqual({ requested: 1, affected: 1 });
      const { rows } = await world.admin.query('select id from pgboss.job where name = $1', [
        queue,
      ]);
      expect(rows).toEqual([{ id: child }]);
    });

    it('removes a finished job that none waits for any longer', async () => {
      const { parent } = await flow('flow_four');
      await world.boss.fetch('flow_four');
      await world.boss.complete('flow_four', parent as string);
      await world.boss.resolveFlow();
      const removed = await put(`flow_four/jobs/${parent}/remove`);
      expect(removed.body).toEqual({ requested: 1, affected: 1 });
    });
  });

  it('retries past jobs that the policy of the queue refuses, and counts them', async () => {
    await world.boss.createQueue('exclusive', { policy: 'exclusive' });
    await world.boss.send('exclusive', {}, { singletonKey: 'blocked' });
    const insert = (count: number, key: string) =>
      world.admin.query(
        `insert into pgboss.job (name, state, policy, singleton_key, created_on, completed_on)
         select 'exclusive', 'failed', 'exclusive', ${key}, now() + n * interval '1 ms', now()
         from generate_series(1, ${count}) n`,
      );
    // The first thousand are all of one key, which a waiting job holds; of the others, one of each key can wait.
    await insert(1500, `'blocked'`);
    await insert(400, `'k' || n % 200`);
    const retried = await put('exclusive/retry-failed');
    expect(retried.body).toEqual({
      requested: 1900,
      affected: 200,
      refused: { count: 1700, reason: { key: 'ERRORS.PGQ_POLICY_CONFLICT' } },
    });
  });

  it('resumes jobs that nothing excludes beside one that the policy refuses', async () => {
    await world.boss.createQueue('throttled');
    const { rows } = await world.admin.query<{ id: string }>(
      `insert into pgboss.job (name, policy, state, singleton_on)
       select 'throttled', 'standard', state::pgboss.job_state, slot::timestamp from (values
         ('completed', '2026-01-01'), ('cancelled', '2026-01-01'), ('cancelled', null), ('cancelled', null),
         ('cancelled', null)) as given(state, slot) returning id`,
    );
    const [, refused, ...free] = rows.map(({ id }) => id);
    const resumed = await put('throttled/jobs/resume', { ids: [refused, ...free] });
    expect(resumed.body).toEqual({
      requested: 4,
      affected: 3,
      skipped: [{ id: refused, code: 'PGQ_POLICY_CONFLICT', state: 'cancelled' }],
    });
  });

  it('takes no other failure of the database for a refusal by the policy', async () => {
    await world.boss.createQueue('guarded');
    const { rows } = await world.admin.query<{ id: string }>(
      `insert into pgboss.job (name, policy, state, completed_on)
       select 'guarded', 'standard', 'failed', now() from generate_series(1, 2) returning id`,
    );
    const ids = rows.map(({ id }) => id);
    await world.admin.query(
      `create function public.refuse() returns trigger language plpgsql as
         $$ begin raise exception 'no' using errcode = 'check_violation'; end $$;
       create trigger refuse before update on pgboss.job_common
         for each row when (old.name = 'guarded') execute function public.refuse()`,
    );
    try {
      for (const answer of [
        await put(`guarded/jobs/${ids[0]}/retry`),
        await put('guarded/jobs/retry', { ids }),
        await put('guarded/retry-failed'),
      ]) {
        expect([answer.status, answer.body['error']?.['key']]).toEqual([
          500,
          'ERRORS.INTERNAL_SERVER_ERROR',
        ]);
      }
    } finally {
      await world.admin.query('drop function public.refuse() cascade');
    }
    expect((await put('guarded/jobs/retry', { ids })).body).toEqual({ requested: 2, affected: 2 });
  });

  it('deletes in steps that stop when the client leaves', async () => {
    await world.boss.createQueue('large');
    await world.admin.query(
      `insert into pgboss.job (name, state, policy)
       select 'large', 'created', 'standard' from generate_series(1, 30000)`,
    );
    const left = async (): Promise<number> => {
      const { rows } = await world.admin.query<{ n: number }>(
        `select count(*)::int as n from pgboss.job where name = 'large'`,
      );
      return rows[0]?.n ?? 0;
    };
    const pool = new pg.Pool({ connectionString: world.url, max: 4 });
    let goOn = (): void => undefined;
    const gone = new Promise<void>((resolve) => (goOn = resolve));
    let steps = 0;
    pool.on('connect', (session) => {
      const query = session.query.bind(session) as (...args: unknown[]) => Promise<unknown>;
      // The second step waits until the client has left.
      const held = async (...args: unknown[]): Promise<unknown> => {
        if (String(args[0]).includes('delete from "pgboss".job') && (steps += 1) === 2) await gone;
        return query(...args);
      };
      Object.assign(session, { query: held });
    });
    const other = await world.board({ connection: pool });
    const client = new AbortController();
    const purge = fetch(`${other.origin}/api/pgq/queues/large/delete-queued`, {
      method: 'PUT',
      signal: client.signal,
    }).catch(() => undefined);
    await expect.poll(() => steps).toBe(2);
    client.abort();
    await purge;
    // The server has read the end of that connection before it answers on another one.
    expect((await other.get('/api/pgq/queues')).status).toBe(200);
    goOn();
    await other.close();
    await pool.end();
    expect(steps).toBe(2);
    // A step that was under way ends; the next one does not begin.
    const rest = await put('large/delete-queued');
    expect(Number(rest.body['affected'])).toBeGreaterThan(5_000);
    expect(rest.body['requested']).toBe(rest.body['affected']);
    expect(await left()).toBe(0);
  });
});
