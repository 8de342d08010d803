/** Filters as text over pg-boss's jobs: every job that they mean and no other, and nothing of what is closed or hidden. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PgqOptions } from '../../../src/board/pgq/index.ts';
import { until } from '../kvq/suite.ts';
import { newestLibrary } from './libraries.ts';
import { type Answer, type BoardUnderTest, type World, makeWorld } from './world.ts';

let world: World;
let board: BoardUnderTest;

const states = ['created', 'retry', 'active', 'completed', 'cancelled', 'failed'] as const;
const first = Date.parse('2026-01-01T00:00:00.000Z');

/** Job n is of queue a or secret, in one of the six states, n seconds after the others. */
const jobs = Array.from({ length: 3_000 }, (_, n) => {
  const state = states[n % 6] as (typeof states)[number];
  const isEnded = n % 6 >= 3;
  return {
    n,
    queue: n % 10 === 9 ? 'secret' : 'a',
    state,
    retries: n % 4,
    added: first + n * 1_000,
    started: n % 6 >= 2 ? first + n * 1_000 + 500 : null,
    finished: isEnded ? first + n * 1_000 + 500 + (n % 50) * 1_000 : null,
    error: state === 'failed' ? `Gateway ${n % 7}` : null,
    amount: n % 3 === 0 ? String(n % 200) : n % 200,
  };
});
type Job = (typeof jobs)[number];

beforeAll(async () => {
  world = await makeWorld(newestLibrary, 'pgq_where');
  for (const queue of ['a', 'secret']) await world.boss.createQueue(queue);
  await world.admin.query(
    `insert into pgboss.job (name, state, policy, singleton_key, group_id, retry_count, created_on, started_on, completed_on, data, output)
     select value ->> 'queue', (value ->> 'state')::pgboss.job_state, 'standard', 'key-' || (value ->> 'n'), 'g' || ((value ->> 'n')::int % 5),
       (value ->> 'retries')::int, to_timestamp((value ->> 'added')::bigint / 1000.0),
       to_timestamp((value ->> 'started')::bigint / 1000.0), to_timestamp((value ->> 'finished')::bigint / 1000.0),
       jsonb_build_object('amount', value -> 'amount', 'n', value -> 'n', 'odd-name', (value ->> 'n')::int % 2,
         'list', jsonb_build_array(value -> 'n')),
       case when value ->> 'state' = 'completed' and (value ->> 'n')::int < 100 then jsonb_build_object('value', 'no gateway 3')
         when value ->> 'error' is null then jsonb_build_object('value', jsonb_build_object('code', value -> 'n'))
         when (value ->> 'n')::int % 12 = 5 then jsonb_build_object('message', value -> 'error')
         else jsonb_build_object('value', value -> 'error') end
     from jsonb_array_elements($1::jsonb)`,
    [JSON.stringify(jobs)],
  );
  await world.admin.query('analyze pgboss.job_common');
  board = await world.board({ visibilityGuard: (_request, queue) => queue !== 'secret' });
});
afterAll(() => world?.close());

const numbers = ({ body }: Answer): number[] =>
  (body['jobs'] as unknown as { singletonKey: string }[]).map(({ singletonKey }) =>
    Number(singletonKey.slice(4)),
  );

async function found(where: string, more = '', on = board): Promise<number[]> {
  const all: number[] = [];
  let cursor = '';
  do {
    const query = `where=${encodeURIComponent(where)}&limit=100&order=asc${more}&cursor=${cursor}`;
    const answer: Answer = await on.get(`/api/pgq/search?${query}`);
    expect([where, answer.status, answer.text.slice(0, 300)]).toEqual([
      where,
      200,
      expect.anything(),
    ]);
    all.push(...numbers(answer));
    cursor = String(answer.body['nextCursor'] ?? '');
  } while (cursor !== '');
  return all;
}

const visible = jobs.filter(({ queue }) => queue === 'a');
const among = (test: (job: Job) => boolean): number[] => visible.filter(test).map(({ n }) => n);
const isoOf = (at: number): string => new Date(at).toISOString();
const half = first + 1_500_000;

describe('a search with a filter as text', () => {
  it.each<[string, (job: Job) => boolean]>([
    ['state = failed or retries >= 3', ({ state, retries }) => state === 'failed' || retries >= 3],
    [
      'not (state = failed or state = completed) and priority = 0',
      ({ state }) => state !== 'failed' && state !== 'completed',
    ],
    ['error ~ "gateway 3"', ({ error }) => error === 'Gateway 3'],
    ['not error ~ "gateway 3"', ({ error }) => error !== null && error !== 'Gateway 3'],
    ['error is null and state = failed', () => false],
    [
      `failed >= ${isoOf(half)}`,
      ({ state, finished }) => state === 'failed' && Number(finished) >= half,
    ],
    [
      `completed < ${isoOf(half)} or failed < ${isoOf(half)}`,
      ({ state, finished }) =>
        (state === 'failed' || state === 'completed') && finished !== null && finished < half,
    ],
    [`finished > ${isoOf(half)}`, ({ finished }) => finished !== null && finished > half],
    [`not finished > ${isoOf(half)}`, ({ finished }) => finished !== null && finished <= half],
    ['finished is null', ({ finished }) => finished === null],
    [
      `added <= ${isoOf(half)} and processed is not null`,
      ({ added, started }) => added <= half && started !== null,
    ],
    [`started < ${isoOf(half)}`, ({ started }) => started !== null && started < half],
    ['duration > 30s', ({ n, finished }) => finished !== null && n % 50 > 30],
    [
      'duration = 7s or duration = 0',
      ({ n, finished }) => finished !== null && (n % 50 === 7 || n % 50 === 0),
    ],
    ['not duration > 30s', ({ n, finished }) => finished !== null && n % 50 <= 30],
    ['attempts >= 3', ({ state, retries }) => retries + (state === 'created' ? 0 : 1) >= 3],
    ['data.amount = 42', ({ amount }) => Number(amount) === 42],
    ['data.amount = "42" or data.n = 7', ({ n, amount }) => Number(amount) === 42 || n === 7],
    ['data.amount != 42', ({ amount }) => Number(amount) !== 42],
    ['not data.amount = 42', ({ amount }) => Number(amount) !== 42],
    ['data.amount in (42, 43)', ({ amount }) => [42, 43].includes(Number(amount))],
    ['data.amount >= 100', ({ amount }) => typeof amount === 'number' && amount >= 100],
    ['not data.amount >= 100', ({ amount }) => typeof amount === 'number' && amount < 100],
    ['data.odd-name = 1 and data.n < 100', ({ n }) => n % 2 === 1 && n < 100],
    ['data.nothing is null and group = g3', ({ n }) => n % 5 === 3],
    ['data.list is null and data.n < 40', ({ n }) => n < 40],
    ['output.value.code >= 2990', ({ n, error }) => error === null && n >= 2_990],
    ['key = key-17 or key ~ KEY-29', ({ n }) => n === 17 || String(n).startsWith('29')],
    ['(key = key-1 or key = key-2) and (state = retry or state = failed)', ({ n }) => n === 1],
  ])('%s', async (where, test) => {
    expect(await found(where)).toEqual(among(test));
  });

  it('compares with numbers that no column holds as with texts', async () => {
    const long = '9'.repeat(80);
    expect(await found(`data.n = ${long} or data.n > ${long} or data.n = 3`)).toEqual([3]);
  });

  it('limits beside other parameters, and says nothing of hidden queues', async () => {
    const where = 'not state = created or queue = secret';
    expect((await board.get(`/api/pgq/search?where=${encodeURIComponent(where)}`)).status).toBe(
      400,
    );
    const ofBoth = await found('state = failed or state = active', '&data.n=5&error=Gateway');
    expect(ofBoth).toEqual([5]);
    expect(await found('not data.n = 5', '&queues=secret')).toEqual([]);
    const [job] = jobs.filter(({ queue }) => queue === 'secret');
    expect(await found(`key = key-${job?.n} or key = key-0`)).toEqual([0]);
  });

  it('tells times of all pages from the moment of the first', async () => {
    const where = encodeURIComponent('added < 20000d or data.n = -1');
    const path = `/api/pgq/search?where=${where}&limit=2&order=asc`;
    const { body } = await board.get(path);
    const next = String(body['nextCursor']);
    expect(numbers(await board.get(`${path}&cursor=${next}`))).toEqual([2, 3]);
    for (const other of ['added < 19999d or data.n = -1', 'data.n = 1']) {
      const asked = `/api/pgq/search?where=${encodeURIComponent(other)}&order=asc&cursor=${next}`;
      expect([other, (await board.get(asked)).status]).toEqual([other, 400]);
    }
  });

  it('examines the jobs in windows where no statement can be ended', async () => {
    const { Pool } = (await import('pg')).default;
    const pool = new Pool({ connectionString: world.url, max: 2 });
    const executeSql = (text: string, values?: unknown[]) => pool.query(text, values);
    const boss = { getDb: () => ({ executeSql }) };
    try {
      const windowed = await world.board({ connection: undefined, instance: boss as never });
      for (const [where, test] of [
        [
          'error ~ "gateway 3" and data.n > 100',
          ({ n, error }) => error === 'Gateway 3' && n > 100,
        ],
        [
          'data.amount = 42 or not data.n < 2990',
          ({ n, amount }) => Number(amount) === 42 || n >= 2_990,
        ],
      ] as [string, (job: Job) => boolean][]) {
        expect(await found(where, '', windowed)).toEqual(jobs.filter(test).map(({ n }) => n));
        const query = `where=${encodeURIComponent(where)}&limit=100`;
        const { body } = await windowed.get(`/api/pgq/search?${query}`);
        expect([where, Number(body['examined']) > 0]).toEqual([where, true]);
      }
    } finally {
      await pool.end();
    }
  });

  it.each([
    'state = ',
    'state = odd',
    '(state = failed',
    'worker = web-3',
    'id = 5',
    'added > soon',
    'data.$1 = 4',
    'data.a--b = 1',
    'queueName = secret',
    'dataBrief ~ x',
    'jsonError ~ x',
    'state = failed or',
  ])('refuses %s', async (where) => {
    const { status, body } = await board.get(`/api/pgq/search?where=${encodeURIComponent(where)}`);
    expect([status, body['error'], body['details']]).toEqual([
      400,
      { key: 'ERRORS.INVALID_QUERY_PARAM', options: { field: 'where' } },
      expect.stringMatching(/\(characters \d+ to \d+\)$/),
    ]);
  });
});

describe('parts that a formatter replaces', () => {
  const hiding = (searchable?: PgqOptions['searchable']): Partial<PgqOptions> => ({
    formatters: { data: () => '(hidden)', output: () => '(hidden)' },
    ...(searchable && { searchable }),
  });

  it('are not asked about, in any place of a filter', async () => {
    const closed = await world.board(hiding());
    for (const [where, field] of [
      ['data.n = 1', 'data'],
      ['state = failed or not (retries >= 1 and data.n = 1)', 'data'],
      ['state = failed or data.n is null', 'data'],
      ['not output.value.code = 1', 'output'],
      ['state = created or not error ~ x', 'error'],
      ['error is null', 'error'],
    ]) {
      const path = `/api/pgq/search?where=${encodeURIComponent(String(where))}`;
      const { status, body } = await closed.get(path);
      const error = { key: 'ERRORS.SEARCH_FIELD_CLOSED', options: { field } };
      expect([where, status, body['error']]).toEqual([where, 400, error]);
      const run = { queueName: 'a', action: 'remove', filter: { where }, dryRun: true };
      expect((await closed.send('POST', '/api/bulk', run)).body['error']).toEqual(error);
    }
    expect(await found('not state = failed and key = key-1', '', closed)).toEqual([1]);
    const open = await world.board(hiding(['data', 'output']));
    expect(await found('not data.n > 2', '', open)).toEqual([0, 1, 2]);
  });

  it('leaves out jobs beyond the scope, whatever a filter says', async () => {
    const scoped = await world.board({
      scope: () => ({ type: 'condition', path: 'retryCount', operator: 'eq', value: 1 }),
    });
    const all = await found('state = created or not state = created', '', scoped);
    expect(all).toEqual(jobs.filter(({ retries }) => retries === 1).map(({ n }) => n));
  });
});

it('chooses the jobs of a run', async () => {
  const filter = { where: 'failed is not null and (data.n < 50 or not retries < 3)' };
  const body = { queueName: 'a', action: 'remove', filter };
  const runOf = async (dryRun: boolean) => {
    const begun = await board.send('POST', '/api/bulk', { ...body, dryRun });
    let run = begun.body['run'] as unknown as { id: string; state: string; matched: number };
    await until(async () => {
      run = (await board.get(`/api/bulk/${run.id}`)).body['run'] as unknown as typeof run;
      return run.state !== 'running';
    });
    return run;
  };
  const chosen = among(({ n, state, retries }) => state === 'failed' && (n < 50 || retries >= 3));
  expect(await runOf(true)).toMatchObject({ state: 'completed', matched: chosen.length });
  expect(await runOf(false)).toMatchObject({ state: 'completed', changed: chosen.length });
  const left = among(({ n, state }) => state === 'failed' && !chosen.includes(n));
  expect(await found('state = failed')).toEqual(left);
  const unread = { ...body, filter: { where: 'failed is' } };
  expect((await board.send('POST', '/api/bulk', unread)).status).toBe(400);
});
