/** Changes on PostgreSQL while a worker takes the same jobs: none runs twice, and none disappears during its run. */

import * as bullmq from 'bullmq';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bullmqQueue } from '../../../src/board/kvq/index.ts';
import { everyServiceRequired, scratchDatabase } from '../../services/index.ts';
import type { ScratchDatabase } from '../../services/index.ts';
import type { Answer, ServedBoard } from './http-board.ts';
import { serveBoard } from './http-board.ts';
import { keyOf, until } from './suite.ts';

const minute = 60_000;

const onPostgresql = (name: string, url: string) =>
  new bullmq.Queue(
    name,
    { connection: { connectionString: url, migrate: true } },
    bullmq.createPostgresBackend,
  );

describe('a worker that is taking a job', () => {
  let database: ScratchDatabase | undefined;
  let pool: pg.Pool;
  let queue: ReturnType<typeof onPostgresql>;
  let board: ServedBoard;
  let path: string;
  let number = 0;

  beforeAll(async () => {
    const found = await scratchDatabase('postgresql', 'kvq');
    if ('missing' in found) {
      if (everyServiceRequired()) throw new Error(found.advice);
      return;
    }
    database = found;
    pool = new pg.Pool({ connectionString: found.url, options: '-c search_path=bullmq' });
  });

  afterAll(async () => {
    await pool?.end();
    await database?.drop();
  });

  beforeEach(async (context) => {
    if (!database) return context.skip();
    number += 1;
    queue = onPostgresql(`racing-${number}`, database.url);
    queue.on('error', () => undefined);
    await queue.waitUntilReady();
    board = await serveBoard([bullmqQueue(queue)]);
    path = `/api/queues/${queue.name}`;
  });

  afterEach(async () => {
    await board?.close();
    await queue?.close();
  });

  const old = { timestamp: Date.now() - minute };

  /** Resolves when a request has been answered, or its statement waits for a lock. */
  const waitsOrEnds = async (answer: Promise<Answer>): Promise<void> => {
    let isOver = false;
    void answer.finally(() => (isOver = true));
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until(async () => isOver || (await pool.query(waiting)).rows.length > 0);
  };

  /** Sends a request after a worker has locked its next job and before it commits. */
  const whileTaken = async (method: string, route: string): Promise<Answer> => {
    const worker = await pool.connect();
    try {
      await worker.query('begin');
      const taken = await worker.query(
        'select id from move_to_active($1, $2, $3, $4, null, null, null)',
        [queue.name, 'the token', minute, Date.now()],
      );
      expect(taken.rows).toHaveLength(1);
      const answer = board.send(method, `${path}/${route}`);
      await waitsOrEnds(answer);
      await worker.query('commit');
      return await answer;
    } finally {
      worker.release();
    }
  };

  /** State and lock owner of a job. */
  const holderOf = async (id: unknown): Promise<unknown> => {
    const text = 'select state, lock_token as token from job where queue = $1 and id = $2';
    return (await pool.query(text, [queue.name, id])).rows[0];
  };

  const held = { state: 'active', token: 'the token' };

  it('keeps a delayed job that is promoted', async () => {
    const { id } = await queue.add('due', {}, { ...old, delay: 1 });
    const answer = await whileTaken('PUT', `${id}/promote`);
    expect(keyOf(answer)).toBe('409 JOB_NOT_DELAYED');
    expect(answer.body.error.options).toEqual({ status: 'active' });
    expect(await holderOf(id)).toEqual(held);
  });

  it('keeps a delayed job when all are promoted', async () => {
    const { id } = await queue.add('due', {}, { ...old, delay: 1 });
    const later = await queue.add('later', {}, { delay: minute });
    expect((await whileTaken('PUT', 'promote')).status).toBe(200);
    expect(await holderOf(id)).toEqual(held);
    expect(await holderOf(later.id)).toMatchObject({ state: 'waiting' });
  });

  it.each(['clean/wait', 'empty'])(
    'keeps a waiting job when %s removes the others',
    async (route) => {
      const { id } = await queue.add('first', {}, old);
      const second = await queue.add('second', {}, old);
      expect((await whileTaken('PUT', route)).status).toBe(200);
      expect(await holderOf(id)).toEqual(held);
      expect(await holderOf(second.id)).toBe(undefined);
    },
  );

  it('keeps a waiting job that is removed', async () => {
    const { id } = await queue.add('first', {}, old);
    expect(keyOf(await whileTaken('PUT', `${id}/clean`))).toBe('409 JOB_IS_ACTIVE');
    expect(await holderOf(id)).toEqual(held);
  });

  it('keeps a child whose parent is removed, or loses its unprocessed children', async () => {
    const connection = { connectionString: String(database?.url) };
    const flows = new bullmq.FlowProducer({ connection }, bullmq.createPostgresBackend);
    const children = ['first', 'second'].map((name) => ({ name, queueName: queue.name }));
    const { job, children: made } = await flows.add({ name: 'p', queueName: queue.name, children });
    const answer = await whileTaken('PUT', `${job.id}/clean`);
    expect(keyOf(answer)).toBe('409 JOB_IS_ACTIVE');
    const [first, second] = made?.map((child) => child.job.id) ?? [];
    const states = await Promise.all([holderOf(first), holderOf(second), holderOf(job.id)]);
    expect(states).toMatchObject([held, { state: 'waiting' }, { state: 'waiting-children' }]);
    const removed = await whileTaken('PUT', `${job.id}/remove-unprocessed-children`);
    expect(removed).toMatchObject({ status: 200, body: { removed: 0 } });
    expect(await Promise.all([holderOf(first), holderOf(second)])).toEqual([held, held]);
    await flows.close();
  });

  /** How many statements wait for a lock. */
  const waiting = async (): Promise<number> =>
    (
      await pool.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).rows.length;

  it('removes a parent and the parent above it at once, without a deadlock', async () => {
    const connection = { connectionString: String(database?.url) };
    const flows = new bullmq.FlowProducer({ connection }, bullmq.createPostgresBackend);
    const queueName = queue.name;
    await flows.add({
      name: 'above',
      queueName,
      opts: { jobId: 'c' },
      children: [
        {
          name: 'parent',
          queueName,
          opts: { jobId: 'b' },
          children: [{ name: 'child', queueName, opts: { jobId: 'a' } }],
        },
      ],
    });
    const other = await pool.connect();
    try {
      await other.query('begin');
      const held = "select 1 from job where queue = $1 and id = 'a' for update";
      await other.query(held, [queueName]);
      // The child, which both remove, is free once both wait.
      const above = board.send('PUT', `${path}/c/clean`);
      await until(async () => (await waiting()) === 1);
      const parent = board.send('PUT', `${path}/b/clean`);
      await until(async () => (await waiting()) === 2);
      await other.query('commit');
      const statuses = (await Promise.all([above, parent])).map(({ status }) => status);
      expect(statuses).toEqual([204, 404]);
    } finally {
      other.release();
      await flows.close();
    }
    expect(board.errors).toEqual([]);
  });

  it.each([
    ['a parent is removed', 'clean'],
    ['a parent loses its unprocessed children', 'remove-unprocessed-children'],
  ])('finishes its job while %s, without a deadlock', async (_title, route) => {
    const connection = { connectionString: String(database?.url) };
    const flows = new bullmq.FlowProducer({ connection }, bullmq.createPostgresBackend);
    const child = { name: 'child', queueName: queue.name, opts: { jobId: 'c' } };
    await flows.add({
      name: 'above',
      queueName: queue.name,
      opts: { jobId: 'a' },
      children: [{ ...child, opts: { jobId: 'b' }, children: [child] }],
    });
    await pool.query(
      "update job set state = 'active', lock_token = 'the token' where queue = $1 and id = 'c'",
      [queue.name],
    );
    const worker = await pool.connect();
    const locked = 'select 1 from job where queue = $1 and id = $2 for update';
    try {
      // As `move_to_completed` begins: it locks its job, and then the parent of it.
      await worker.query('begin');
      await worker.query('select lock_finalization_queues($1, $2)', [queue.name, 'c']);
      await worker.query(locked, [queue.name, 'c']);
      const answer = board.send('PUT', `${path}/a/${route}`);
      await waitsOrEnds(answer);
      await worker.query(locked, [queue.name, 'b']);
      await worker.query(
        "select move_to_completed($1, 'c', 'the token', 'null', $2, false, null, null)",
        [queue.name, Date.now()],
      );
      await worker.query('commit');
      expect(keyOf(await answer)).toMatch(/^20[04]/);
    } finally {
      worker.release();
      await flows.close();
    }
    expect(board.errors).toEqual([]);
  });

  it('gives a job back whose worker is gone, and only then', async () => {
    const { id } = await queue.add('first', {}, old);
    const take = `update job set state = 'active', lock_token = 'the token', locked_until_ms = $3
      where queue = $1 and id = $2`;
    await pool.query(take, [queue.name, id, Date.now() + minute]);
    expect(keyOf(await board.send('PUT', `${path}/${id}/release`))).toBe('409 JOB_IS_ACTIVE');
    await pool.query(take, [queue.name, id, Date.now() - 1]);
    expect((await board.send('PUT', `${path}/${id}/release`)).status).toBe(204);
    expect(await holderOf(id)).toMatchObject({ state: 'waiting', token: null });
  });

  it('frees the deduplication of a parent that is removed with its last child', async () => {
    const { driver } = bullmqQueue(queue);
    const opts = { ...old, deduplication: { id: 'x' } };
    const parent = await queue.add('parent', {}, opts);
    const worker = new bullmq.Worker(
      queue.name,
      null,
      { connection: { connectionString: database?.url ?? '', migrate: false }, autorun: false },
      bullmq.createPostgresBackend,
    );
    worker.on('error', () => undefined);
    try {
      const taken = await worker.getNextJob('the token');
      const location = { id: String(parent.id), queue: queue.qualifiedName };
      await queue.add('child', {}, { ...old, parent: location });
      expect(await taken?.moveToWaitingChildren('the token')).toBe(true);
    } finally {
      await worker.close(true);
    }
    expect((await queue.add('twin', {}, opts)).id).toBe(parent.id);
    expect(await driver.cleanStep('waiting', Date.now(), [])()).toMatchObject({ changed: 2 });
    const next = await queue.add('next', {}, opts);
    expect(next.id).not.toBe(parent.id);
    expect(await holderOf(next.id)).toMatchObject({ state: 'waiting' });
  });

  it('cleans active jobs by their begin', async () => {
    const { driver } = bullmqQueue(queue);
    const { id } = await queue.add('waited long', {}, old);
    const take = `update job set state = 'active', processed_at_ms = $3 where queue = $1 and id = $2`;
    await pool.query(take, [queue.name, id, Date.now()]);
    const clean = driver.cleanStep('active', Date.now() - minute / 2, []);
    expect(await clean()).toMatchObject({ changed: 0 });
    expect(await driver.cleanStep('active', Date.now(), [])()).toMatchObject({ changed: 1 });
  });

  it('responds with 504 when a write was sent and not answered', async () => {
    const { id } = await queue.add('first', {}, { ...old, delay: minute });
    const hasty = await serveBoard([bullmqQueue(queue)], { timeouts: { changeMs: 200 } });
    const worker = await pool.connect();
    try {
      await worker.query('begin');
      await worker.query('select 1 from job where queue = $1 for update', [queue.name]);
      const answer = await hasty.send('PUT', `${path}/${id}/promote`);
      expect(keyOf(answer)).toBe('504 OUTCOME_UNKNOWN');
      expect(answer.headers.get('retry-after')).toBe(null);
      await worker.query('commit');
    } finally {
      worker.release();
      await hasty.close();
    }
  });

  it('responds with 504 when the server does not know the outcome of a write', async () => {
    const { id } = await queue.add('first', {}, { ...old, delay: minute });
    await pool.query(
      `create function unknown() returns trigger language plpgsql as
         $$ begin raise exception 'at the end' using errcode = '40003'; end $$;
       create constraint trigger unknown after update on job
         deferrable initially deferred for each row execute function unknown()`,
    );
    try {
      const answer = await board.send('PUT', `${path}/${id}/promote`);
      expect(keyOf(answer)).toBe('504 OUTCOME_UNKNOWN');
      expect(answer.headers.get('retry-after')).toBe(null);
    } finally {
      await pool.query('drop function unknown() cascade');
    }
  });

  it('runs a failed job once when it is retried many times at once', async () => {
    const { id } = await queue.add('failing', {}, old);
    await pool.query(
      "update job set state = 'failed', finished_at_ms = added_at_ms where queue = $1 and id = $2",
      [queue.name, id],
    );
    const retries = Array.from({ length: 5 }, () => board.send('PUT', `${path}/retry/failed`));
    const retried = (await Promise.all(retries)).map(({ body }) => body.retried);
    expect(retried.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await whileTaken('PUT', 'retry/failed')).toMatchObject({ body: { retried: 0 } });
    expect(await holderOf(id)).toEqual(held);
  });

  it.each(['clean/delayed', 'empty'])(
    'finishes its job during %s, without a deadlock',
    async (route) => {
      const due = { ...old, delay: 1 };
      const [first, second] = [await queue.add('1', {}, due), await queue.add('2', {}, due)];
      const running = await queue.add('running', {}, { lifo: true });
      await pool.query(
        "update job set state = 'active', lock_token = 'the token' where queue = $1 and id = $2",
        [queue.name, running.id],
      );
      const worker = await pool.connect();
      try {
        // The worker finishes its job and is about to move the due ones.
        await worker.query('begin');
        await worker.query(
          "select move_to_completed($1, $2, 'the token', 'null', $3, false, null, null)",
          [queue.name, running.id, Date.now()],
        );
        const move = "update job set state = 'waiting' where queue = $1 and id = $2";
        await worker.query(move, [queue.name, second.id]);
        const answer = board.send('PUT', `${path}/${route}`);
        await waitsOrEnds(answer);
        await worker.query(move, [queue.name, first.id]);
        await worker.query('commit');
        expect((await answer).status).toBe(200);
      } finally {
        worker.release();
      }
      expect(board.errors).toEqual([]);
    },
  );

  const ended = async (answer: Answer, on = board): Promise<Answer['body']> => {
    expect(answer.status).toBe(200);
    let { run } = answer.body;
    await until(async () => {
      ({ run } = (await on.get(`/api/bulk/${run.id}`)).body);
      return run.state !== 'running';
    });
    return run;
  };

  it('finishes its job during a run over others, without a deadlock', async () => {
    const ids: string[] = [];
    for (const name of ['1', '2'])
      ids.push(String((await queue.add(name, {}, { delay: minute })).id));
    const [first, second] = ids;
    const running = await queue.add('running', {}, { lifo: true });
    await pool.query(
      "update job set state = 'active', lock_token = 'the token' where queue = $1 and id = $2",
      [queue.name, running.id],
    );
    const worker = await pool.connect();
    try {
      // The worker finishes its job and is about to move the others, the last first.
      await worker.query('begin');
      await worker.query(
        "select move_to_completed($1, $2, 'the token', 'null', $3, false, null, null)",
        [queue.name, running.id, Date.now()],
      );
      const touch = 'update job set process_at_ms = process_at_ms where queue = $1 and id = $2';
      await worker.query(touch, [queue.name, second]);
      const body = { queueName: queue.name, action: 'promote', ids };
      const answer = await board.send('POST', '/api/bulk', body);
      const waiting = `select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      await until(async () => (await pool.query(waiting)).rows.length > 0);
      await worker.query(touch, [queue.name, first]);
      await worker.query('commit');
      expect(await ended(answer)).toMatchObject({ state: 'completed', changed: 2, refused: [] });
    } finally {
      worker.release();
    }
    const deadlocks =
      'select deadlocks::int from pg_stat_database where datname = current_database()';
    expect((await pool.query(deadlocks)).rows).toEqual([{ deadlocks: 0 }]);
    expect(board.errors).toEqual([]);
  });

  it('a run takes the queues of the jobs below its own in the order of the library', async () => {
    const key = "hashtext('bullmq:finalization'), hashtext($1)";
    const smallest = `select name from unnest($1::text[]) as name order by hashtext(name) limit 1`;
    const others = Array.from({ length: 20 }, (_, nth) => `below-${number}-${nth}`);
    const { rows } = await pool.query(smallest, [[queue.name, ...others]]);
    const below = onPostgresql(rows[0].name, String(database?.url));
    expect(below.name).not.toBe(queue.name);
    const both = await serveBoard([bullmqQueue(queue), bullmqQueue(below)]);
    const connection = { connectionString: String(database?.url) };
    const flows = new bullmq.FlowProducer({ connection }, bullmq.createPostgresBackend);
    const children = [{ name: 'child', queueName: below.name }];
    const { job } = await flows.add({ name: 'parent', queueName: queue.name, children });
    const worker = await pool.connect();
    const lock = `select pg_advisory_xact_lock_shared(${key})`;
    try {
      await worker.query('begin');
      await worker.query(lock, [below.name]);
      const body = { queueName: queue.name, action: 'remove', ids: [job.id] };
      const answer = await both.send('POST', '/api/bulk', body);
      await waitsOrEnds(new Promise(() => undefined));
      const { rows: got } = await worker.query(
        `select pg_try_advisory_xact_lock_shared(${key}) as got`,
        [queue.name],
      );
      expect(got).toEqual([{ got: true }]);
      await worker.query('commit');
      expect(await ended(answer, both)).toMatchObject({ state: 'completed', changed: 1 });
    } finally {
      worker.release();
      await flows.close();
      await both.close();
      await below.close();
    }
    expect(both.errors).toEqual([]);
  });

  it('a run keeps what its jobs have once nobody else changes them', async () => {
    const { id } = await queue.add('failing', {}, old);
    const failed = `update job set state = 'failed', finished_at_ms = added_at_ms, failed_reason = $3
      where queue = $1 and id = $2`;
    await pool.query(failed, [queue.name, id, 'first']);
    const other = await pool.connect();
    try {
      await other.query('begin');
      await other.query(failed, [queue.name, id, 'second']);
      const body = { queueName: queue.name, action: 'retry', ids: [id] };
      const answer = await board.send('POST', '/api/bulk', body);
      await waitsOrEnds(new Promise(() => undefined));
      await other.query('commit');
      const run = await ended(answer);
      expect(run).toMatchObject({ state: 'completed', changed: 1 });
      const undone = await ended(await board.send('POST', `/api/bulk/${run.id}/undo`));
      expect(undone).toMatchObject({ state: 'completed', changed: 1 });
    } finally {
      other.release();
    }
    const reason = 'select state, failed_reason from job where queue = $1 and id = $2';
    const { rows } = await pool.query(reason, [queue.name, id]);
    expect(rows).toEqual([{ state: 'failed', failed_reason: 'second' }]);
  });

  it('a run changes the jobs of a part among which the library refuses one', async () => {
    const ids: string[] = [];
    for (let nth = 0; nth < 7; nth += 1) {
      if (nth === 4) {
        const next = await queue.upsertJobScheduler('hourly', { every: 60 * minute });
        ids.push(String(next?.id));
      }
      ids.push(String((await queue.add('other', {}, { delay: minute })).id));
    }
    const body = { queueName: queue.name, action: 'remove', ids };
    const run = await ended(await board.send('POST', '/api/bulk', body));
    expect(run).toMatchObject({ state: 'completed', examined: 8, matched: 8, changed: 7 });
    expect(run.refused).toMatchObject([{ count: 1 }]);
    const left = await pool.query('select id from job where queue = $1', [queue.name]);
    expect(left.rows).toEqual([{ id: ids[4] }]);
    expect(board.errors).toEqual([]);
  });

  it('a scheduler is not created while another process creates one under its id', async () => {
    const create = () =>
      board.send('POST', `${path}/job-schedulers`, { id: 'tick', every: 60 * minute });
    const other = await pool.connect();
    try {
      await other.query('begin');
      const claim = `select pg_advisory_xact_lock(hashtext('sluice:scheduler'), hashtext($1))`;
      await other.query(claim, [JSON.stringify([queue.name, 'tick'])]);
      expect(keyOf(await create())).toBe('409 JOB_SCHEDULER_EXISTS');
    } finally {
      await other.query('rollback');
      other.release();
    }
    expect((await create()).status).toBe(200);
  });

  it('a run by filter leaves a job that is retried after its page was read', async () => {
    const { id } = await queue.add('failing', {}, old);
    const failed = `update job set state = 'failed', finished_at_ms = added_at_ms
      where queue = $1 and id = $2`;
    await pool.query(failed, [queue.name, id]);
    const other = await pool.connect();
    try {
      await other.query('begin');
      const retry = `select reprocess_job($1, $2, 'failed', false, false, false)`;
      await other.query(retry, [queue.name, id]);
      const filter = { status: 'failed' };
      const body = { queueName: queue.name, action: 'remove', filter, all: true };
      const answer = await board.send('POST', '/api/bulk', body);
      await waitsOrEnds(new Promise(() => undefined));
      await other.query('commit');
      expect(await ended(answer)).toMatchObject({
        state: 'completed',
        changed: 0,
        refused: [{ count: 1, reason: { key: 'ERRORS.JOB_CHANGED' } }],
      });
    } finally {
      other.release();
    }
    expect(await holderOf(id)).toMatchObject({ state: 'waiting' });
  });

  it.each([
    ['retry/failed', 'retried'],
    ['promote', 'promoted'],
  ])('%s changes the jobs behind a whole part that others hold', async (route, counted) => {
    await queue.add('one', {}, { ...old, delay: 10 * minute });
    // Each command takes a thousand jobs at a time.
    await pool.query(
      `insert into job (queue, id, seq, name, state, data, opts, added_at_ms, process_at_ms, finished_at_ms)
        select queue, 'j' || n, n + 10, 'job', case $2 when 'promote' then state else 'failed' end, data, opts,
          added_at_ms, 1e13::bigint + n, n from job, generate_series(1, 1010) as n where queue = $1`,
      [queue.name, route],
    );
    const other = await pool.connect();
    try {
      await other.query('begin');
      const held = 'select 1 from job where queue = $1 and seq <= 1010 for update';
      await other.query(held, [queue.name]);
      const { status, body } = await board.send('PUT', `${path}/${route}`);
      expect([status, body]).toEqual([200, { [counted]: 10, skipped: 0 }]);
    } finally {
      await other.query('rollback');
      other.release();
    }
  });
});
