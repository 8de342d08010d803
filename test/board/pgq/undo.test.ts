/** A run on pg-boss gives jobs back as they were when it is undone: those that the sender sees. */

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { middleLibrary, newestLibrary, oldestLibrary } from './libraries.ts';
import { type Answer, type BoardUnderTest, type Body, type World, makeWorld } from './world.ts';

describe.each([oldestLibrary, middleLibrary, newestLibrary])('$name', (library) => {
  let world: World;
  let board: BoardUnderTest;

  beforeAll(async () => {
    world = await makeWorld(library, 'pgq_undo');
    board = await world.board();
  });

  afterAll(() => world?.close());

  async function filled(name: string, state: string): Promise<void> {
    await world.boss.createQueue(name);
    await world.boss.insert(
      name,
      Array.from({ length: 8 }, (_, index) => ({
        data: { index },
        priority: index % 2,
      })),
    );
    await world.admin.query(
      `update pgboss.job set state = $2, started_on = now(), completed_on = now(), retry_count = 1,
        output = '{"message":"it broke"}' where name = $1`,
      [name, state],
    );
  }

  /** All that the database has of the jobs. */
  async function rowsOf(name: string): Promise<unknown[]> {
    const { rows } = await world.admin.query<{ job: unknown }>(
      'select to_jsonb(job) as job from pgboss.job where name = $1 order by id',
      [name],
    );
    return rows.map(({ job }) => job);
  }

  async function ended(answer: Answer, on = board): Promise<Body> {
    expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
    const id = String(answer.body['run']?.['id']);
    const read = async () => (await on.get(`/api/bulk/${id}`)).body['run'] as Body;
    await expect.poll(async () => (await read())['state']).not.toBe('running');
    return read();
  }

  const begin = (body: object, on = board) => on.send('POST', '/api/bulk', body);
  const undo = (run: Body, on = board) => on.send('POST', `/api/bulk/${String(run['id'])}/undo`);

  it.each([
    ['retry', 'failed'],
    ['resume', 'cancelled'],
  ])('gives jobs back as they were: %s', async (action, state) => {
    await filled(action, state);
    const before = await rowsOf(action);
    const run = await ended(await begin({ queueName: action, action, filter: { state } }));
    expect(run).toMatchObject({ changed: 8, undoable: true });
    const undone = await ended(await undo(run));
    expect(undone).toMatchObject({ undoes: run['id'], examined: 8, changed: 8, refused: [] });
    expect(await rowsOf(action)).toEqual(before);
  });

  it('leaves jobs that a worker has begun since, though they wait again, and cancelled ones', async () => {
    await filled('begun', 'failed');
    const run = await ended(await begin({ queueName: 'begun', action: 'retry', all: true }));
    const state = `select id::text, state::text from pgboss.job where name = 'begun' and state = $1`;
    const [cancelled] = (await world.admin.query(state, ['retry'])).rows;
    await world.boss.cancel('begun', cancelled.id);
    const met = await world.boss.fetch('begun', { batchSize: 3 });
    expect(met).toHaveLength(3);
    const [again] = met;
    await world.boss.fail('begun', String(again?.id));
    await world.boss.retry('begun', String(again?.id));
    expect(await ended(await undo(run))).toMatchObject({
      changed: 4,
      refused: [{ count: 4, reason: { key: 'ERRORS.JOB_STARTED_SINCE' } }],
    });
    expect((await world.admin.query(state, ['cancelled'])).rows).toEqual([
      { ...cancelled, state: 'cancelled' },
    ]);
  });

  it('leaves a job that was begun for the first time since, though it waits again', async () => {
    const name = 'first';
    await world.boss.createQueue(name);
    await world.boss.insert(name, [{}, {}]);
    const stored = await world.admin.query(`select id::text from pgboss.job where name = $1`, [
      name,
    ]);
    await world.boss.cancel(
      name,
      stored.rows.map(({ id }) => String(id)),
    );
    const run = await ended(await begin({ queueName: name, action: 'resume', all: true }));
    expect(run).toMatchObject({ changed: 2 });
    const [begun] = await world.boss.fetch(name);
    await world.boss.cancel(name, String(begun?.id));
    await world.boss.resume(name, String(begun?.id));
    expect(await ended(await undo(run))).toMatchObject({
      changed: 1,
      refused: [{ count: 1, reason: { key: 'ERRORS.JOB_STARTED_SINCE' } }],
    });
  });

  it('gives back the jobs that were changed beside one that the policy refused', async () => {
    const name = 'refused';
    await world.boss.createQueue(name, { policy: 'short' });
    await world.admin.query(
      `insert into pgboss.job (id, name, state, policy, singleton_key, completed_on)
       select lpad(to_hex(n), 32, '0')::uuid, $1, 'cancelled', 'short', key, now()
       from unnest(array['one', 'one', 'two']) with ordinality as each(key, n)`,
      [name],
    );
    const run = await ended(await begin({ queueName: name, action: 'resume', all: true }));
    expect(run).toMatchObject({ matched: 3, changed: 2, undoable: true });
    expect(await ended(await undo(run))).toMatchObject({ examined: 2, changed: 2, refused: [] });
    const states = (await rowsOf(name)).map((job) => Reflect.get(Object(job), 'state') as unknown);
    expect(states).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });

  it('gives back none but the jobs that the sender sees', async () => {
    await filled('scoped', 'failed');
    const run = await ended(await begin({ queueName: 'scoped', action: 'retry', all: true }));
    const scoped = await world.board({
      scope: () => ({ type: 'condition', path: 'priority', operator: 'eq', value: 1 }),
    });
    expect(await ended(await undo(run, scoped), scoped)).toMatchObject({
      changed: 4,
      refused: [{ count: 4, reason: { key: 'ERRORS.JOB_NOT_FOUND' } }],
    });
    // The others are kept for those who see them.
    expect(await ended(await undo(run))).toMatchObject({ examined: 4, changed: 4, refused: [] });
  });

  it('gives a job back that the library writes anew meanwhile', async () => {
    await filled('anew', 'failed');
    const run = await ended(await begin({ queueName: 'anew', action: 'retry', all: true }));
    const library = new pg.Client(world.url);
    await library.connect();
    try {
      await library.query(
        `begin; create temporary table anew on commit drop as select * from pgboss.job where name = 'anew';
        delete from pgboss.job where name = 'anew'; insert into pgboss.job select * from anew`,
      );
      const answer = await undo(run);
      const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await world.admin.query(waits)).rows.length).toBe(1);
      await library.query('commit');
      expect(await ended(answer)).toMatchObject({ changed: 8, refused: [] });
    } finally {
      await library.end();
    }
  });

  it('tells of a dry run how many errors there are and since when, unless they are hidden', async () => {
    await filled('found', 'failed');
    await world.admin.query(
      `update pgboss.job set completed_on = '2026-01-01T00:00:00Z',
        output = jsonb_build_object('message', (array['Order 17 is gone', 'Order 18 is gone', 'no ink'])[1 + (data->>'index')::int % 3])
        where name = 'found'`,
    );
    const body = { queueName: 'found', action: 'retry', all: true, dryRun: true };
    const oldest = Date.parse('2026-01-01T00:00:00Z');
    const { matched, found } = await ended(await begin(body));
    expect([matched, found]).toEqual([8, { errors: 2, oldest }]);
    const hiding = await world.board({ formatters: { output: () => 'hidden' } });
    const hidden = await ended(await begin(body, hiding), hiding);
    expect(hidden['found']).toEqual({ errors: null, oldest });
  });

  it('is not for removals and cancellations', async () => {
    await filled('gone', 'failed');
    const removed = await ended(await begin({ queueName: 'gone', action: 'remove', all: true }));
    await world.boss.send('gone', {});
    const stopped = await ended(await begin({ queueName: 'gone', action: 'cancel', all: true }));
    expect([removed['changed'], stopped['changed']]).toEqual([8, 1]);
    for (const run of [removed, stopped]) {
      const answer = await undo(run);
      expect([answer.status, answer.body['code']]).toEqual([409, 'BULK_NOT_UNDOABLE']);
    }
  });
});
