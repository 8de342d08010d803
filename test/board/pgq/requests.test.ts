/** Invalid requests: altered or foreign cursors, ids, limits, filters; none leads to a 5xx or a leak. */

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newestLibrary } from './libraries.ts';
import {
  type Answer,
  type BoardUnderTest,
  type World,
  createListingIndexes,
  makeWorld,
} from './world.ts';

let world: World;
let board: BoardUnderTest;

beforeAll(async () => {
  world = await makeWorld(newestLibrary, 'pgq_requests');
  for (const queue of ['a', 'b']) {
    await world.boss.createQueue(queue);
    await world.admin.query(
      `insert into pgboss.job (name, state, policy)
       select $1, (enum_range(null::pgboss.job_state))[1 + n % 2], 'standard' from generate_series(1, 40) n`,
      [queue],
    );
  }
  await world.admin.query(
    `insert into pgboss.warning (type, message) select 't' || n % 2, 'm' from generate_series(1, 60) n`,
  );
  await createListingIndexes(world.admin);
  board = await world.board();
});
afterAll(() => world?.close());

const key = ({ body }: Answer) => body['error']?.['key'];
const cursorOf = async (path: string) => String((await board.get(path)).body['nextCursor']);

describe('cursors', () => {
  it('work where they were issued, also with another page size', async () => {
    const cursor = await cursorOf('/api/pgq/queues/a/jobs?state=created&limit=5');
    const there = await board.get(`/api/pgq/queues/a/jobs?state=created&limit=9&cursor=${cursor}`);
    expect(there.body['jobs']).toHaveLength(9);
  });

  it('are refused for another queue, order, state, filter or route', async () => {
    const cursor = await cursorOf('/api/pgq/queues/a/jobs?state=created&limit=5');
    const all = await cursorOf('/api/pgq/queues/a/jobs?limit=5');
    const warnings = await cursorOf('/api/pgq/warnings?limit=5');
    const typed = await cursorOf('/api/pgq/warnings?limit=5&type=t1');
    for (const path of [
      `queues/b/jobs?state=created&cursor=${cursor}`,
      `queues/a/jobs?state=created&order=asc&cursor=${cursor}`,
      `queues/a/jobs?state=retry&cursor=${cursor}`,
      `queues/a/jobs?cursor=${cursor}`,
      `queues/a/jobs?state=created&cursor=${all}`,
      `queues/a/jobs?state=created&singletonKey=x&cursor=${cursor}`,
      `queues/a/jobs?state=created&filter[priority][gte]=0&cursor=${cursor}`,
      `queues/a/jobs?cursor=${warnings}`,
      `warnings?cursor=${all}`,
      `warnings?cursor=${typed}`,
      `warnings?type=t0&cursor=${typed}`,
    ]) {
      const answer = await board.get(`/api/pgq/${path}`);
      expect([path, answer.status, answer.body]).toEqual([
        path,
        400,
        { error: { key: 'ERRORS.PGQ_INVALID_CURSOR' }, code: 'PGQ_INVALID_CURSOR' },
      ]);
    }
  });

  it('are refused when altered, character by character', async () => {
    const cursor = await cursorOf('/api/pgq/queues/a/jobs?limit=5');
    const altered = Array.from({ length: cursor.length }, (_none, index) => {
      const other = cursor[index] === 'A' ? 'B' : 'A';
      return cursor.slice(0, index) + other + cursor.slice(index + 1);
    });
    altered.push(
      cursor.slice(0, -4),
      `${cursor}AAAA`,
      cursor.repeat(2),
      'none',
      '%00',
      '%F0%9F%92%A9',
    );
    for (const text of altered) {
      const answer = await board.get(`/api/pgq/queues/a/jobs?limit=5&cursor=${text}`);
      expect(answer.status).toBe(400);
    }
  });
});

describe('parameters', () => {
  it('that are invalid are refused by name', async () => {
    for (const [path, field] of [
      ['queues/a/jobs?state=done', 'state'],
      ['queues/a/jobs?limit=0', 'limit'],
      ['queues/a/jobs?limit=101', 'limit'],
      ['queues/a/jobs?limit=1e1', 'limit'],
      ['queues/a/jobs?order=up', 'order'],
      ['queues/a/jobs?id=7', 'id'],
      ['queues/a/depth?range=2h', 'range'],
      ['queues/a/depth?aggregate=sum', 'aggregate'],
      ['warnings?limit=200', 'limit'],
      [`warnings?type=${'x'.repeat(65)}`, 'type'],
      ['queues/a/jobs/7', 'jobId'],
      ['queues/a/jobs/7/dependencies', 'jobId'],
      ['jobs/7', 'jobId'],
      ['queues/a/jobs?filter[queueName][eq]=b', 'filter[queueName]'],
      ['queues/a/jobs?filter[queueName][eq]=a', 'filter[queueName]'],
      ['queues/a/jobs?filter[data][eq]=b', 'filter[data]'],
      ['queues/a/jobs?filter[state][gt]=active', 'filter[state]'],
      ['queues/a/jobs?filter[priority][eq]=many', 'filter[priority]'],
      ['queues/a/jobs?filter[createdOn][gt]=yesterday', 'filter[createdOn]'],
    ] as const) {
      const answer = await board.get(`/api/pgq/${path}`);
      expect([path, answer.status, answer.body]).toMatchObject([
        path,
        400,
        { error: { options: { field } }, code: 'INVALID_REQUEST' },
      ]);
      expect(key(answer)).toBe('ERRORS.INVALID_QUERY_PARAM');
    }
  });

  it('that a route does not name are refused where they could be conditions', async () => {
    for (const [path, field] of [
      ['queues/a/jobs?state[]=failed', 'state[]'],
      ['queues/a/jobs?sort=id', 'sort'],
      ['queues/a/jobs?filters[state]=failed', 'filters[state]'],
      ['warnings?queueName=a', 'queueName'],
      ['schedules?queue=a', 'queue'],
      [`queues/a/jobs?${'x'.repeat(500)}=1`, 'x'.repeat(100)],
    ] as const) {
      const answer = await board.get(`/api/pgq/${path}`);
      expect([path, answer.status, answer.body]).toMatchObject([
        path,
        400,
        { error: { options: { field } }, code: 'INVALID_REQUEST' },
      ]);
    }
    for (const path of ['jobs/cancel', 'jobs/remove', 'retry-failed', 'delete-stored']) {
      const body = path.startsWith('jobs') ? { ids: [randomUUID()] } : undefined;
      const answer = await board.send('PUT', `/api/pgq/queues/a/${path}?state[]=failed`, body);
      expect([path, answer.status]).toEqual([path, 400]);
    }
  });

  it('with keys that no index takes are refused', async () => {
    const long = Array.from({ length: 120 }, () => randomUUID()).join('');
    const sent = await board.send('POST', '/api/pgq/queues/a/jobs', {
      options: { singletonKey: long },
    });
    expect([sent.status, key(sent)]).toEqual([400, 'ERRORS.INVALID_REQUEST_BODY']);
    const saved = await board.send('PUT', '/api/pgq/queues/a/schedules', {
      key: long,
      cron: '* * * * *',
    });
    expect([saved.status, key(saved)]).toEqual([400, 'ERRORS.INVALID_REQUEST_BODY']);
    expect(board.log).toEqual([]);
  });

  it('of any other form never cause an internal error', async () => {
    for (const query of [
      'filter=x',
      'filter[]=x',
      'filter[state]=failed',
      'filter[state][eq][eq]=failed',
      'filter[state][eq]=failed&filter[state][eq]=failed',
      'state=failed&filter[state][eq]=failed',
      'state=failed&state=created',
      'filter[__proto__][eq]=x',
      'filter[constructor][eq]=x',
      'filter[state][in]=',
      `filter[id][in]=${Array.from({ length: 300 }, () => randomUUID()).join()}`,
      'filter[singletonKey][like]=%25%5F%5C',
      'filter[singletonKey][eq]=%00',
      'filter[singletonKey][isNull]=maybe',
      `filter[singletonKey][eq]=${'x'.repeat(5_000)}`,
      'sort=priority&page=2&perPage=1&includes=x&search=y&fields=data',
      'limit=&cursor=&order=&state=',
      '%E0%A4%A',
    ]) {
      const answer = await board.get(`/api/pgq/queues/a/jobs?${query}`);
      expect([query, [200, 400].includes(answer.status)]).toEqual([query, true]);
      expect(answer.text).not.toMatch(/select|pgboss\.|stack/i);
    }
    expect(board.log).toEqual([]);
  });

  it('queue names of any form are just not found', async () => {
    for (const name of [
      'none',
      '%00',
      // Without the slash, fetch itself would go up to the list of all queues.
      '%2e%2e%2f',
      'a%2Fb',
      "a'--",
      '%22;drop%20table%20job',
      '__proto__',
      'constructor',
      '%F0%9F%92%A9',
      'x'.repeat(3_000),
    ]) {
      for (const path of [name, `${name}/counts`, `${name}/jobs`, `${name}/jobs/${randomUUID()}`]) {
        const { status } = await board.get(`/api/pgq/queues/${path}`);
        expect([path, [400, 404].includes(status)]).toEqual([path, true]);
      }
    }
    expect(board.log).toEqual([]);
  });
});

describe('previews', () => {
  it('of rules that match nothing terminate, and do not block others', async () => {
    const preview = () =>
      board.send('POST', '/api/pgq/schedules/preview', {
        expression: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
      });
    // Enough of them that the queues are read in between, on a busy machine too.
    const hopeless = Array.from({ length: 8 }, preview);
    const answered: string[] = [];
    const queues = board.get('/api/pgq/queues').then(() => answered.push('queues'));
    const previews = Promise.all(hopeless).then((answers) => {
      answered.push('previews');
      return answers;
    });
    for (const answer of await previews) {
      expect([answer.status, key(answer)]).toEqual([400, 'ERRORS.PGQ_INVALID_SCHEDULE']);
    }
    await queues;
    expect(answered).toEqual(['queues', 'previews']);
  });
});

describe('schedules', () => {
  it('of rules that match nothing are refused one by one, and use at most half of the process', async () => {
    const put = (name: string) =>
      board.send('PUT', '/api/pgq/queues/a/schedules', {
        key: name,
        cron: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
      });
    // CPU time, since on a busy machine the loop waits for a processor in the middle of its work.
    const [begun, before] = [performance.now(), process.threadCpuUsage()];
    for (const answer of await Promise.all(['1', '2', '3', '4'].map((name) => put(name)))) {
      expect([answer.status, key(answer)]).toEqual([400, 'ERRORS.PGQ_INVALID_SCHEDULE']);
    }
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1000 / (performance.now() - begun)).toBeLessThan(0.8);
  });
});

describe('the server behind the board', () => {
  it('is reported, unless the host hides it', async () => {
    const told = await board.get('/api/pgq/info');
    expect(told.body['datastore']).toMatchObject({ backend: 'sql', clients: {} });
    const hiding = await world.board({}, { hideKvDetails: true });
    const { status, body } = await hiding.get('/api/pgq/info');
    expect([status, body['datastore'], body['readable']]).toEqual([200, null, true]);
  });
});

describe('a before-hook', () => {
  it('adds, changes and removes filters like the client', async () => {
    await world.boss.createQueue('tenants');
    for (const id of ['one', 'two']) await world.boss.send('tenants', {}, { group: { id } });
    const groupsOf = async (change: (query: Record<string, unknown>) => object, asked = '') => {
      const hooked = await world.board(
        {},
        {
          handlerHooks: {
            before: ({ request }) => {
              request.query = change(request.query as Record<string, unknown>);
            },
          },
        },
      );
      const { body } = await hooked.get(`/api/pgq/queues/tenants/jobs?order=asc&${asked}`);
      return (body['jobs'] as unknown as { groupId: string }[]).map(({ groupId }) => groupId);
    };
    const name = 'filter[groupId][eq]';
    expect(await groupsOf((query) => query)).toEqual(['one', 'two']);
    expect(await groupsOf((query) => ({ ...query, [name]: 'two' }))).toEqual(['two']);
    expect(await groupsOf((query) => ({ ...query, [name]: 'two' }), `${name}=one`)).toEqual([
      'two',
    ]);
    const without = ({ [name]: _gone, ...query }: Record<string, unknown>) => query;
    expect(await groupsOf(without, `${name}=one`)).toEqual(['one', 'two']);
    const listed = ['one', 'two'];
    const several = (query: object) => ({ ...query, 'filter[groupId][in]': listed });
    expect(await groupsOf(several, `${name}=one`)).toEqual(['one']);
    expect(await groupsOf((query) => query, 'filter[groupId][in]=%22two%22,one')).toEqual(listed);
    expect(await groupsOf((query) => query, 'filter[groupId][in]=')).toEqual([]);
  });
});

describe('bulk commands', () => {
  it.each(['retry', 'cancel', 'resume', 'remove'])(
    '%s accepts one to a hundred ids',
    async (command) => {
      const path = `/api/pgq/queues/a/jobs/${command}`;
      const uuids = (count: number) => Array.from({ length: count }, () => randomUUID());
      for (const body of [{ ids: uuids(101) }, { ids: [] }, {}, { ids: 'all' }, { ids: null }]) {
        const answer = await board.send('PUT', path, body);
        expect([answer.status, answer.body['error']]).toEqual([
          400,
          { key: 'ERRORS.PGQ_BULK_LIMIT', options: { max: 100 } },
        ]);
      }
      for (const ids of [['7'], [randomUUID(), 7], [null], [{}], [randomUUID().slice(1)]]) {
        const answer = await board.send('PUT', path, { ids });
        expect([answer.status, key(answer)]).toEqual([400, 'ERRORS.INVALID_REQUEST_BODY']);
      }
      const all = uuids(100);
      const most = await board.send('PUT', path, { ids: all });
      const skipped = all.map((id) => ({ id, code: 'JOB_NOT_FOUND' }));
      expect([most.status, most.body]).toEqual([200, { requested: 100, affected: 0, skipped }]);
      for (const jobId of ['7', 'none', `${randomUUID()}0`]) {
        const answer = await board.send('PUT', `/api/pgq/queues/a/jobs/${jobId}/${command}`);
        expect([answer.status, answer.body['error']]).toEqual([
          400,
          { key: 'ERRORS.INVALID_QUERY_PARAM', options: { field: 'jobId' } },
        ]);
      }
    },
  );
});

describe('a read that takes too long', () => {
  const role = `sluice_slow_${process.pid}`;

  afterAll(async () => {
    await world.admin.query(`drop owned by ${role}`);
    await world.admin.query(`drop role ${role}`);
  });

  it('leaves one state uncounted and returns the others', async () => {
    const { admin } = world;
    // The policy makes every read of failed jobs slow.
    for (const statement of [
      `create role ${role} login`,
      `grant usage on schema pgboss to ${role}`,
      `grant select on all tables in schema pgboss to ${role}`,
      `create function slow() returns boolean language sql volatile as 'select pg_sleep(9) is not null'`,
      // Lets the planner evaluate the condition on the state before the policy.
      'alter function pg_catalog.enum_eq(anyenum, anyenum) leakproof',
      'alter table pgboss.job enable row level security',
      `create policy slow on pgboss.job for select using (state <> 'failed' or slow())`,
      `insert into pgboss.job (name, state, policy) values ('a', 'failed', 'standard')`,
    ]) {
      await admin.query(statement);
    }
    const url = new URL(world.url);
    url.username = role;
    const limited = await world.board({ connection: url.href, queryTimeoutMs: 500 });
    // On a busy machine, another state may be late, too.
    await expect
      .poll(async () => (await limited.get('/api/pgq/queues/a/counts')).body['counts'])
      .toMatchObject({
        created: { count: 20, capped: false },
        failed: { count: null, capped: false },
        completed: { count: 0, capped: false },
      });
    const listed = await limited.get('/api/pgq/queues/a/jobs?state=failed');
    expect([listed.status, key(listed)]).toEqual([504, 'ERRORS.PGQ_QUERY_TIMEOUT']);
    const created = '/api/pgq/queues/a/jobs?state=created';
    await expect.poll(async () => (await limited.get(created)).status).toBe(200);
  });

  it('does not wait forever for a busy pool of the host', async () => {
    const pool = new pg.Pool({ connectionString: world.url, max: 1 });
    const client = await pool.connect();
    const limited = await world.board({ connection: pool, queryTimeoutMs: 200 });
    const answer = await limited.get('/api/pgq/queues');
    expect([answer.status, key(answer)]).toEqual([504, 'ERRORS.PGQ_QUERY_TIMEOUT']);
    client.release();
    await expect.poll(async () => (await limited.get('/api/pgq/queues')).status).toBe(200);
    await pool.end();
  });

  it.each(['connection', 'pool', 'instance'])('is 504 over a %s, and ends soon', async (way) => {
    const pool = new pg.Pool({ connectionString: world.url, max: 2 });
    const pgq =
      way === 'pool'
        ? { connection: pool }
        : way === 'instance'
          ? { connection: undefined, instance: world.boss }
          : {};
    const limited = await world.board({ ...pgq, queryTimeoutMs: 400 });
    const status = async () => (await limited.get('/api/pgq/queues')).status;
    await expect.poll(status).toBe(200);
    const locker = await world.admin.connect();
    try {
      await locker.query('begin; lock table pgboss.queue in access exclusive mode');
      // Without the timeout, the statement would wait for the lock.
      const answer = await limited.get('/api/pgq/queues');
      expect([answer.status, key(answer)]).toEqual([504, 'ERRORS.PGQ_QUERY_TIMEOUT']);
    } finally {
      await locker.query('rollback');
      locker.release();
    }
    await expect.poll(status).toBe(200);
    await pool.end();
  });
});
