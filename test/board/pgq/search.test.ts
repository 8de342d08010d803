/** Lists and searches of jobs over all visible queues. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newestLibrary } from './libraries.ts';
import { type Answer, type BoardUnderTest, type World, makeWorld } from './world.ts';

let world: World;
let board: BoardUnderTest;

beforeAll(async () => {
  world = await makeWorld(newestLibrary, 'pgq_search');
  for (const queue of ['a', 'b', 'secret']) await world.boss.createQueue(queue);
  // Job n is of queue a, b or secret, in one of the six states, n milliseconds after the others.
  await world.admin.query(
    `insert into pgboss.job (name, state, policy, singleton_key, retry_count, created_on, data, output)
     select (array['a', 'b', 'secret'])[1 + n % 3], (enum_range(null::pgboss.job_state))[1 + n % 6],
       'standard', 'key-' || n, n % 4, '2026-01-01Z'::timestamptz + n * interval '1 millisecond',
       jsonb_build_object('n', n, 'customer', jsonb_build_object('id', n % 100, 'name', 'c' || n % 100)),
       case when n % 6 = 5 then jsonb_build_object('message', 'Error ' || n) end
     from generate_series(0, 5999) n`,
  );
  await world.admin.query('analyze pgboss.job_common');
  board = await world.board({ visibilityGuard: (_request, queue) => queue !== 'secret' });
});
afterAll(() => world?.close());

const numbers = ({ body }: Answer): number[] =>
  (body['jobs'] as unknown as { singletonKey: string }[]).map(({ singletonKey }) =>
    Number(singletonKey.slice(4)),
  );

/** All jobs of a path, page by page, and the number of pages. */
async function walk(path: string): Promise<{ found: number[]; pages: number; examined: number }> {
  const found: number[] = [];
  let pages = 0;
  let examined = 0;
  let cursor = '';
  do {
    const answer: Answer = await board.get(`${path}&cursor=${cursor}`);
    expect([path, answer.status]).toEqual([path, 200]);
    found.push(...numbers(answer));
    examined += Number(answer.body['examined'] ?? 0);
    cursor = String(answer.body['nextCursor'] ?? '');
    pages += 1;
  } while (cursor !== '');
  return { found, pages, examined };
}

const all = Array.from({ length: 6000 }, (_none, n) => n).filter((n) => n % 3 !== 2);

describe('the list of all jobs', () => {
  it('has every job of the visible queues once, in order', async () => {
    expect((await walk('/api/pgq/jobs?limit=100&order=asc')).found).toEqual(all);
    const newest = await board.get('/api/pgq/jobs?limit=5');
    expect(numbers(newest)).toEqual([5998, 5997, 5995, 5994, 5992]);
    expect(newest.text).not.toContain('secret');
  });

  it('is limited by state, queues and filters', async () => {
    const failed = all.filter((n) => n % 6 === 4 || n % 6 === 5).filter((n) => n % 6 === 4);
    expect((await walk('/api/pgq/jobs?limit=100&order=asc&state=cancelled')).found).toEqual(failed);
    const pending = (await walk('/api/pgq/jobs?limit=100&order=asc&state=pending')).found;
    expect(pending).toEqual(all.filter((n) => n % 6 < 2));
    const ofB = (await walk('/api/pgq/jobs?limit=100&order=asc&queues=b,secret,none')).found;
    expect(ofB).toEqual(all.filter((n) => n % 3 === 1));
    const few = await board.get('/api/pgq/jobs?order=asc&filter[retryCount][gte]=3&limit=2');
    expect(numbers(few)).toEqual([3, 7]);
    expect(numbers(await board.get('/api/pgq/jobs?queues=secret'))).toEqual([]);
  });
});

it('counts of a state tell that there are more jobs only where there are', async () => {
  await world.boss.createQueue('counted');
  const few = await world.board({ countCap: 3 });
  for (const [sent, capped] of [
    [3, false],
    [1, true],
  ] as const) {
    await world.boss.insert(
      'counted',
      Array.from({ length: sent }, () => ({ data: {} })),
    );
    const { body } = await few.get('/api/pgq/queues/counted/counts');
    expect(body['counts']?.['created']).toEqual({ count: 3, capped });
  }
  await world.boss.deleteQueue('counted');
});

describe('the search', () => {
  it('finds long numbers, digits with leading zeros, and members of any name', async () => {
    const long = '1234567890123456789012345678901234567890';
    await world.boss.createQueue('odd');
    await world.admin.query(
      `insert into pgboss.job (name, policy, singleton_key, data) values ('odd', 'standard', 'key-1', $1)`,
      [`{ "long": ${long}, "negative": -${long}, "zip": "01234", "__proto__": 5 }`],
    );
    for (const condition of [
      `data.long=${long}`,
      `filter[data.long][gte]=${long}`,
      `data.negative=-${long}`,
      'data.zip=01234',
      'data.__proto__=5',
      'filter[data.__proto__][lt]=6',
    ]) {
      const answer = await board.get(`/api/pgq/search?queues=odd&${condition}`);
      expect([condition, answer.status, numbers(answer)]).toEqual([condition, 200, [1]]);
    }
    const other = await board.get(`/api/pgq/search?queues=odd&data.long=${long.slice(0, -1)}1`);
    expect(numbers(other)).toEqual([]);
    const unreadable = await board.get(`/api/pgq/search?data.long=${'9'.repeat(80)}`);
    expect(unreadable.status).toBe(400);
    await world.boss.deleteQueue('odd');
  });

  it.each([
    ['data.customer.id=42', (n: number) => n % 100 === 42],
    ['data.customer.name=c42', (n: number) => n % 100 === 42],
    ['filter[data.customer.id][gte]=98', (n: number) => n % 100 >= 98],
    ['filter[data.customer.id][in]=1,2', (n: number) => [1, 2].includes(n % 100)],
    ['filter[data.customer.name][like]=c9&data.n=97', (n: number) => n === 97],
    ['data.customer.id="42"', () => false],
    ['data.customer.missing=1', () => false],
    ['filter[data.customer.name][isNull]=false&data.n=6', (n: number) => n === 6],
    ['key=key-599', (n: number) => `key-${n}`.includes('key-599')],
    [
      'minRetries=3&queues=a&filter[data.n][lt]=40',
      (n: number) => n % 4 === 3 && n % 3 === 0 && n < 40,
    ],
    [`from=${Date.parse('2026-01-01T00:00:05.990Z')}`, (n: number) => n >= 5990],
    ['error=Error%2099&queues=b', () => false],
    ['state=pending&data.customer.id=6', (n: number) => n % 6 < 2 && n % 100 === 6],
  ])('%s', async (query, matches) => {
    const { found } = await walk(`/api/pgq/search?limit=100&order=asc&${query}`);
    expect(found).toEqual(all.filter(matches));
  });

  it('goes on where its time was over, and finds every job once', async () => {
    const { Pool } = (await import('pg')).default;
    const pool = new Pool({ connectionString: world.url, max: 2 });
    try {
      // An instance cannot end a statement, so the search examines windows from the start.
      const boss = {
        getDb: () => ({
          executeSql: (text: string, values?: unknown[]) => pool.query(text, values),
        }),
      };
      const windowed = await world.board({
        connection: undefined,
        instance: boss as never,
        queryTimeoutMs: 5 * 1000,
      });
      const found: number[] = [];
      let examined = 0;
      let cursor = '';
      do {
        const answer: Answer = await windowed.get(
          `/api/pgq/search?limit=7&data.customer.id=41&cursor=${cursor}`,
        );
        expect(answer.status).toBe(200);
        found.push(...numbers(answer));
        examined += Number(answer.body['examined']);
        cursor = String(answer.body['nextCursor'] ?? '');
      } while (cursor !== '');
      expect(found).toEqual(Array.from({ length: 60 }, (_none, n) => 5941 - 100 * n));
      expect(examined).toBeGreaterThanOrEqual(6000);
    } finally {
      await pool.end();
    }
  });

  it('takes times of any size', async () => {
    const count = async (query: string) =>
      numbers(await board.get(`/api/pgq/search?${query}`)).length;
    expect(await count('from=-1e300&to=1e300&limit=5')).toBe(5);
    expect(await count('from=1e300')).toBe(0);
    expect(await count('to=-1e300')).toBe(0);
  });

  it('refuses unknown parameters, wrong paths and too many of them', async () => {
    for (const query of [
      'state[]=failed',
      'dat.a=1',
      'data.=1',
      "data.a'b=1",
      'data.a-b=1',
      'filter[data.][eq]=1',
      'filter[data][eq]=1',
      'filter[data.a][ilike]=x',
      'filter[queueName][eq]=secret',
      Array.from({ length: 9 }, (_none, n) => `data.p${n}=1`).join('&'),
      'cursor=none',
      'minRetries=-1',
    ]) {
      const answer = await board.get(`/api/pgq/search?${query}`);
      expect([query, answer.status]).toEqual([query, 400]);
    }
    const advice = /^Listings of jobs read whole tables/;
    expect(board.log.filter((line) => !advice.test(line))).toEqual([]);
  });
});
