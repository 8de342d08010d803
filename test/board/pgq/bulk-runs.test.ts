/** Runs over many jobs of pg-boss: by ids and by filter, counted and changed once, and refused. */

import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { newestLibrary } from './libraries.ts';
import { type Answer, type BoardUnderTest, type Body, type World, makeWorld } from './world.ts';

let world: World;
let board: BoardUnderTest;

beforeAll(async () => {
  world = await makeWorld(newestLibrary, 'pgq_bulk_runs');
  board = await world.board();
});

afterAll(() => world.close());

/** A queue with jobs, the first ones failed. */
async function filled(name: string, count: number, failed: number): Promise<void> {
  await world.boss.createQueue(name);
  await world.boss.insert(
    name,
    Array.from({ length: count }, (_, index) => ({ data: { index }, priority: index % 2 })),
  );
  await world.admin.query(
    `update pgboss.job set state = 'failed', completed_on = now(), output = '{"message":"it broke"}'
     where name = $1 and (data->>'index')::int < $2`,
    [name, failed],
  );
}

async function states(name: string): Promise<Record<string, number>> {
  const { rows } = await world.admin.query<{ state: string; count: string }>(
    'select state, count(*) from pgboss.job where name = $1 group by 1 order by 1',
    [name],
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
}

const begin = (body: object, on = board): Promise<Answer> => on.send('POST', '/api/bulk', body);

async function ended(answer: Answer, on = board): Promise<Body> {
  expect([answer.status, answer.text, board.log.slice(-1)]).toEqual([200, expect.anything(), []]);
  const id = String(answer.body['run']?.['id']);
  const read = async () => (await on.get(`/api/bulk/${id}`)).body['run'] as Body;
  await expect.poll(async () => (await read())['state']).not.toBe('running');
  return read();
}

it('keeps its rate where it removes all jobs of a queue', async () => {
  const [jobs, rate] = [120, 80];
  await filled('rated', jobs, jobs);
  const run = await ended(await begin({ queueName: 'rated', action: 'remove', all: true, rate }));
  expect(run).toMatchObject({ state: 'completed', changed: jobs, refused: [], rate });
  // The first part is at the beginning, and the last one a part before the end.
  const least = ((jobs - rate / 4) / rate) * 1_000;
  expect(Number(run['endedAt']) - Number(run['startedAt'])).toBeGreaterThanOrEqual(least);
  expect(await states('rated')).toEqual({});
});

it('counts, then changes the jobs that a filter accepts', async () => {
  await filled('filtered', 900, 600);
  const body = {
    queueName: 'filtered',
    action: 'retry',
    filter: { 'filter[priority][eq]': '1', error: 'broke' },
  };
  expect(await ended(await begin({ ...body, dryRun: true }))).toMatchObject({
    state: 'completed',
    matched: 300,
    changed: 0,
  });
  expect(await ended(await begin(body))).toMatchObject({
    state: 'completed',
    total: 600,
    examined: 600,
    matched: 300,
    changed: 300,
    refused: [],
  });
  expect(await states('filtered')).toEqual({ created: 300, failed: 300, retry: 300 });
  const removal = {
    queueName: 'filtered',
    action: 'remove',
    filter: { state: 'failed', 'filter[data.index][lt]': '100' },
  };
  expect(await ended(await begin(removal))).toMatchObject({ matched: 50, changed: 50 });
  expect((await states('filtered'))['failed']).toBe(250);
});

it('changes jobs by their ids, and tells why others were not changed', async () => {
  await filled('listed', 250, 249);
  const { rows } = await world.admin.query<{ id: string }>(
    `select id from pgboss.job where name = 'listed'`,
  );
  const ids = [...rows.map(({ id }) => id), randomUUID()];
  const body = { queueName: 'listed', action: 'retry', ids };
  const counted = await ended(await begin({ ...body, dryRun: true }));
  expect(counted).toMatchObject({ matched: 250, changed: 0, total: 251 });
  const run = await ended(await begin(body));
  expect(run).toMatchObject({ matched: 250, changed: 249 });
  expect(new Set(run['refused'] as unknown as object[])).toEqual(
    new Set([
      { count: 1, reason: { key: 'ERRORS.JOB_NOT_FOUND' } },
      { count: 1, reason: { key: 'ERRORS.PGQ_JOB_STATE_CONFLICT' } },
    ]),
  );
  const events: string[] = [];
  const other = await world.board({}, { onEvent: ({ type }) => events.push(type) });
  const gone = { queueName: 'listed', action: 'remove', all: true };
  const answer = await other.send('POST', '/api/bulk', gone);
  const id = String(answer.body['run']?.['id']);
  await expect
    .poll(async () => (await other.get(`/api/bulk/${id}`)).body['run']?.['state'])
    .toBe('completed');
  expect(await states('listed')).toEqual({});
  expect(events).toEqual(['bulk.started', 'bulk.ended']);
});

it('changes selected jobs only while they are in the state in which they were seen', async () => {
  await filled('seen', 4, 3);
  const { rows } = await world.admin.query<{ id: string }>(
    `select id from pgboss.job where name = 'seen' order by (data->>'index')::int`,
  );
  const ids = rows.map(({ id }) => id);
  await world.admin.query(`update pgboss.job set state = 'completed' where id = $1`, [ids[0]]);
  const removal = { queueName: 'seen', action: 'remove', ids };
  for (const expectedState of [['failed'], 'waiting', 'broken']) {
    expect((await begin({ ...removal, expectedState })).status).toBe(400);
  }
  const seen = { ...removal, expectedState: ['failed', 'failed', 'failed', 'cancelled'] };
  const refused = [{ count: 2, reason: { key: 'ERRORS.JOB_CHANGED' } }];
  expect(await ended(await begin({ ...seen, dryRun: true }))).toMatchObject({
    matched: 4,
    changed: 0,
    refused,
  });
  const other = await world.board();
  const both = await Promise.all(
    [board, other].map(async (each) => {
      let id = '';
      // The boards share one run per queue: the later one asks again.
      await expect
        .poll(async () => {
          const { status, body } = await each.send('POST', '/api/bulk', seen);
          id = String(body['run']?.['id']);
          return status;
        })
        .not.toBe(409);
      const read = async () => (await each.get(`/api/bulk/${id}`)).body['run'] as Body;
      await expect.poll(async () => (await read())['state']).toBe('completed');
      return Number((await read())['changed']);
    }),
  );
  expect(both.toSorted()).toEqual([0, 2]);
  expect(await states('seen')).toEqual({ completed: 1, created: 1 });
});

it('changes jobs with given versions only while they are as they were seen', async () => {
  await filled('versions', 4, 4);
  const { rows } = await world.admin.query<{ id: string }>(
    `select id from pgboss.job where name = 'versions' order by id`,
  );
  const ids = rows.map(({ id }) => id);
  const versions = await Promise.all(
    ids.map(async (id) => (await board.get(`/api/pgq/queues/versions/jobs/${id}`)).body['version']),
  );
  await world.admin.query(`update pgboss.job set data = '{"new":1}' where id = any($1::uuid[])`, [
    [ids[0], ids[2]],
  ]);
  const removal = { queueName: 'versions', action: 'remove', ids };
  for (const ifUnchanged of [versions.slice(1), versions[0], [...versions.slice(1), 5]]) {
    expect((await begin({ ...removal, ifUnchanged })).status).toBe(400);
  }
  const ifUnchanged = versions.map((version, index) => (index === 0 ? null : version));
  const refused = [{ count: 1, reason: { key: 'ERRORS.JOB_CHANGED' } }];
  expect(await ended(await begin({ ...removal, ifUnchanged, dryRun: true }))).toMatchObject({
    matched: 4,
    changed: 0,
    refused,
  });
  expect(await ended(await begin({ ...removal, ifUnchanged }))).toMatchObject({
    matched: 4,
    changed: 3,
    refused,
  });
  const left = await world.admin.query(`select id from pgboss.job where name = 'versions'`);
  expect(left.rows).toEqual([{ id: ids[2] }]);
});

it('counts beside a run that is under way', async () => {
  await filled('counted', 3, 3);
  const body = { queueName: 'counted', action: 'retry', filter: { state: 'failed' } };
  const { rows } = await world.admin.query<{ id: string }>(
    `select id from pgboss.job where name = 'counted'`,
  );
  const ids = rows.map(({ id }) => id);
  const patient = await world.board({ queryTimeoutMs: 120_000 });
  const holder = await world.admin.connect();
  try {
    // The run waits for the jobs that are locked here.
    await holder.query('begin');
    await holder.query(`select 1 from pgboss.job where name = 'counted' for update`);
    const begun = await begin({ queueName: 'counted', action: 'retry', ids }, patient);
    expect(begun.body['run']).toMatchObject({ state: 'running' });
    expect((await begin({ ...body, dryRun: false }, patient)).status).toBe(409);
    for (const asked of [body, { queueName: 'counted', action: 'retry', ids }]) {
      const counted = await begin({ ...asked, dryRun: true }, patient);
      expect(await ended(counted, patient)).toMatchObject({ matched: 3 });
    }
    await holder.query('rollback');
    expect(await ended(begun, patient)).toMatchObject({ state: 'completed', changed: 3 });
  } finally {
    holder.release(true);
  }
});

it('leaves jobs that others wait for', async () => {
  await world.boss.createQueue('flows');
  const parents = await world.boss.flow([
    { ref: 'parent', name: 'flows', data: { part: 'parent' } },
    { ref: 'child', name: 'flows', data: { part: 'child' }, dependsOn: ['parent'] },
  ]);
  expect(parents).toBeDefined();
  const filter = { 'data.part': 'parent' };
  const run = await ended(await begin({ queueName: 'flows', action: 'remove', filter }));
  expect(run).toMatchObject({
    matched: 1,
    changed: 0,
    refused: [{ count: 1, reason: { key: 'ERRORS.PGQ_JOB_HAS_DEPENDENTS' } }],
  });
});

it('removes jobs with all of those that wait for them, by their ids', async () => {
  await world.boss.createQueue('families');
  const flow = async () =>
    Object.values(
      await world.boss.flow([
        { ref: 'parent', name: 'families' },
        { ref: 'child', name: 'families', dependsOn: ['parent'] },
      ]),
    );
  const [ids, others] = [await flow(), await flow()];
  const removal = { queueName: 'families', action: 'remove' };
  expect(await ended(await begin({ ...removal, ids }))).toMatchObject({ changed: 2, refused: [] });
  // As the command on several jobs does.
  const path = '/api/pgq/queues/families/jobs/remove';
  expect((await board.send('PUT', path, { ids: others })).body).toEqual({
    requested: 2,
    affected: 2,
  });
});

it('changes jobs only in the states that the action allows, and counts no others', async () => {
  await world.boss.createQueue('any_state');
  await world.admin.query(
    `insert into pgboss.job (id, name, state, policy, data)
     select lpad(to_hex(n), 32, '0')::uuid, 'any_state', state, 'standard', '{"part":1}'
     from unnest(enum_range(null::pgboss.job_state)) with ordinality as each(state, n)`,
  );
  const removal = { queueName: 'any_state', action: 'remove' };
  const filtered = { ...removal, filter: { 'data.part': '1' } };
  for (const body of [filtered, { ...removal, all: true }]) {
    expect(await ended(await begin({ ...body, dryRun: true }))).toMatchObject({
      matched: 5,
      changed: 0,
    });
  }
  expect(Object.keys(await states('any_state'))).toHaveLength(6);
  expect(await ended(await begin(filtered))).toMatchObject({ matched: 5, changed: 5 });
  expect(await states('any_state')).toEqual({ active: 1 });
});

it('refuses what cannot be done, before a run begins', async () => {
  await filled('refusing', 2, 1);
  const queueName = 'refusing';
  const closed = await world.board({ formatters: { data: () => ({}) } });
  const hidden = { queueName, action: 'retry', filter: { 'data.card': '4' }, dryRun: true };
  expect((await closed.send('POST', '/api/bulk', hidden)).status).toBe(400);
  for (const [body, status] of [
    [{ queueName: 'none', action: 'retry', all: true }, 404],
    [{ queueName, action: 'promote', all: true }, 400],
    [{ queueName, action: 'retry', ids: ['7'] }, 400],
    [{ queueName, action: 'retry', filter: { limit: '5' } }, 400],
    [{ queueName, action: 'retry', filter: { stat: 'failed' } }, 400],
    [{ queueName, action: 'retry', filter: { 'filter[secret]': '1' } }, 400],
    [{ queueName, action: 'retry', filter: { 'filter[priority][gt]': 'x' } }, 400],
  ] as const) {
    expect([body, (await begin(body)).status]).toEqual([body, status]);
  }
  const { body } = await board.get('/api/bulk');
  const named = (body['runs'] as unknown as Body[]).filter(
    (run) => String(run['queueName']) === queueName,
  );
  expect(named).toEqual([]);
});

it('holds to what the client has seen, however the ids are written', async () => {
  await filled('written', 2, 2);
  const { rows } = await world.admin.query<{ id: string }>(
    `select id from pgboss.job where name = 'written'`,
  );
  const [one = '', other = ''] = rows.map(({ id }) => id.toUpperCase());
  const removal = { queueName: 'written', action: 'remove' };
  const refused = [{ count: 1, reason: { key: 'ERRORS.JOB_CHANGED' } }];
  for (const seen of [{ expectedState: 'completed' }, { ifUnchanged: ['another'] }]) {
    for (const dryRun of [true, false]) {
      const run = await ended(await begin({ ...removal, ids: [one], ...seen, dryRun }));
      expect(run).toMatchObject({ matched: 1, changed: 0, refused });
    }
  }
  const ids = [one, one.toLowerCase(), other];
  const run = await ended(await begin({ ...removal, ids, expectedState: 'failed' }));
  expect(run).toMatchObject({ total: 2, matched: 2, changed: 2, refused: [] });
});

it('passes by jobs that another transaction has locked, and by later ones', async () => {
  await filled('locked', 21, 21);
  await world.admin.query(
    `update pgboss.job set created_on = now() + interval '1 hour'
     where name = 'locked' and (data->>'index')::int = 20`,
  );
  const filter = { 'filter[data.index][lt]': '100' };
  for (const action of ['retry', 'remove']) {
    const holder = await world.admin.connect();
    try {
      await holder.query('begin');
      await holder.query(
        `select 1 from pgboss.job where name = 'locked' order by (data->>'index')::int limit 3 for update`,
      );
      // The run ends while they are locked.
      const run = await ended(await begin({ queueName: 'locked', action, filter }));
      expect(run).toMatchObject({ state: 'completed', changed: 17, refused: [] });
      await holder.query('rollback');
    } finally {
      holder.release(true);
    }
  }
  expect(await states('locked')).toEqual({ failed: 4 });
});

it('changes jobs that come into a state while their page is read', async () => {
  // Those of the first step, and some that fail once it has counted them.
  const [jobs, late] = [1_000, 10];
  await world.boss.createQueue('late');
  await world.admin.query(
    `insert into pgboss.job (id, name, state, policy, data)
     select lpad(to_hex(n), 32, '0')::uuid, 'late',
       (case when n <= $2 then 'active' else 'failed' end)::pgboss.job_state, 'standard', '{"part":1}'
     from generate_series(1, $1::int + $2::int) as n`,
    [jobs, late],
  );
  const pool = new pg.Pool({ connectionString: world.url, max: 4 });
  let comes = (): Promise<unknown> =>
    world.admin.query(
      `update pgboss.job set state = 'failed' where name = 'late' and state = 'active'`,
    );
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    const spied = async (...args: unknown[]): Promise<unknown> => {
      const answer = await query(...args);
      if (String(args[0]).includes('bool_or(blocking)')) {
        await comes();
        comes = () => Promise.resolve();
      }
      return answer;
    };
    Object.assign(client, { query: spied });
  });
  const other = await world.board({ connection: pool });
  try {
    const removal = { queueName: 'late', action: 'retry', filter: { 'data.part': '1' } };
    const run = await ended(await begin(removal, other), other);
    expect(run).toMatchObject({ state: 'completed', matched: jobs + late, changed: jobs + late });
  } finally {
    await other.close();
    await pool.end();
  }
});
