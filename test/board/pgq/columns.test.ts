/** Columns that a request names: fields of jobs, and values within their data and output, of lists and searches. */

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newestLibrary } from './libraries.ts';
import { type BoardUnderTest, type World, makeWorld } from './world.ts';

let world: World;
let board: BoardUnderTest;
let id: string;

const lists = ['/api/pgq/queues/orders/jobs?', '/api/pgq/search?queues=orders&'];
const data = {
  customer: { id: 42, name: 'Ada "the first"' },
  lines: [{ sku: 'a-1' }, { sku: 'b-2' }],
  'odd name': true,
  __proto__x: 1,
  nothing: null,
  long: `${'x'.repeat(198)}😀`,
};

beforeAll(async () => {
  world = await makeWorld(newestLibrary, 'pgq_columns');
  for (const queue of ['orders', 'other']) await world.boss.createQueue(queue);
  id = (await world.boss.send('orders', data, { priority: 3, retryDelay: 7 })) as string;
  await world.admin.query(
    `update pgboss.job set state = 'completed', output = '{"status": "sent"}', completed_on = now() where id = $1`,
    [id],
  );
  // Another queue may have a job of the same id.
  await world.admin.query(
    `insert into pgboss.job (id, name, policy, data) values ($1, 'other', 'standard', '{"customer": {"id": "other"}}')`,
    [id],
  );
  board = await world.board();
});
afterAll(() => world?.close());

/** The columns of each job of a list. */
async function columnsOf(
  on: BoardUnderTest,
  list: string,
  columns: readonly string[],
): Promise<unknown> {
  const { status, body } = await on.get(`${list}columns=${encodeURIComponent(columns.join(','))}`);
  expect([list, status]).toEqual([list, 200]);
  return (body['jobs'] as unknown as { columns?: unknown }[]).map((job) => job.columns);
}

it.each(lists)(
  'has values of data, output and fields in the order of the request: %s',
  async (list) => {
    const inside = ['data.customer.id', 'data.customer.name', 'data.lines.1.sku', 'data.lines.-1'];
    expect(await columnsOf(board, list, [...inside, 'result.status', 'output'])).toEqual([
      ['42', '"Ada \\"the first\\""', '"b-2"', '{"sku": "b-2"}', '"sent"', '{"status": "sent"}'],
    ]);
    const fields = ['priority', 'retryDelay', 'queueName', 'data.odd name', 'data.__proto__x'];
    expect(await columnsOf(board, list, fields)).toEqual([['3', '7', '"orders"', 'true', '1']]);
  },
);

it.each(lists)('has nothing where nothing is: %s', async (list) => {
  const absent = [
    'data.nothing',
    'data.none.at.all',
    'data.customer.id.more',
    'none',
    'data.lines.9',
  ];
  expect(await columnsOf(board, list, absent)).toEqual([absent.map(() => null)]);
  const inherited = ['constructor', '__proto__', 'priority.toFixed', 'data.toString', 'deadLetter'];
  expect(await columnsOf(board, list, inherited)).toEqual([inherited.map(() => null)]);
  const plain = await board.get(list);
  expect(JSON.stringify(plain.body)).not.toContain('columns');
});

it('cuts a long value between characters', async () => {
  const [[text]] = (await columnsOf(board, lists[0] ?? '', ['data.long'])) as [[string]];
  expect(text).toBe(`"${'x'.repeat(198)}😀`.slice(0, text.length));
  expect(text.length).toBeLessThanOrEqual(201);
});

it('shows of a part that a formatter replaces what the formatter shows', async () => {
  const formatters = {
    data: (value: unknown) => ({ ...(value as object), customer: { id: '(hidden)' } }),
    output: () => undefined,
  };
  const hiding = await world.board({ formatters });
  for (const list of lists) {
    const asked = [
      'data.customer.id',
      'data.customer.name',
      'data.odd name',
      'result',
      'output.status',
    ];
    expect(await columnsOf(hiding, list, asked)).toEqual([
      ['"(hidden)"', null, 'true', null, null],
    ]);
    // Fields of the rows that lists read for themselves are no columns.
    const own = ['dataBrief', 'reasonBrief', 'brief.data'];
    expect(await columnsOf(hiding, `${list}brief=1&`, own)).toEqual([[null, null, null]]);
  }
});

it('has no columns of jobs out of scope', async () => {
  const scoped = await world.board({
    scope: () => ({ type: 'condition', path: 'priority', operator: 'gte', value: 3 }),
  });
  expect(await columnsOf(scoped, '/api/pgq/search?', ['data.customer.id'])).toEqual([['42']]);
});

it('has no values of a job that leaves the scope while its page is read', async () => {
  await world.boss.createQueue('leaving');
  const leaving = await world.boss.send('leaving', { secret: 'told' }, { priority: 9 });
  const pool = new pg.Pool({ connectionString: world.url, max: 2 });
  let reads = 0;
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    Object.assign(client, {
      query: async (...given: [unknown, ...unknown[]]) => {
        const [statement] = given;
        if (JSON.stringify(statement).includes('of_job')) {
          reads += 1;
          await world.admin.query('update pgboss.job set priority = 1 where id = $1', [leaving]);
        }
        return query(...given);
      },
    });
  });
  const scoped = await world.board({
    connection: pool,
    scope: () => ({ type: 'condition', path: 'priority', operator: 'gte', value: 9 }),
  });
  for (const list of ['/api/pgq/queues/leaving/jobs?', '/api/pgq/search?queues=leaving&']) {
    await world.admin.query('update pgboss.job set priority = 9 where id = $1', [leaving]);
    expect(await columnsOf(scoped, list, ['data.secret', 'data'])).toEqual([[null, null]]);
  }
  expect(reads).toBe(2);
  await scoped.close();
  await pool.end();
});

it('has as many columns and members as are allowed, and the beginning of a large value', async () => {
  const path = `data${'.a'.repeat(31)}`;
  const most = Array.from({ length: 8 }, () => path);
  const deep = JSON.parse(`${'{"a":'.repeat(31)}"deep"${'}'.repeat(31)}`) as object;
  await world.boss.createQueue('large');
  await world.boss.send('large', deep);
  for (const list of ['/api/pgq/queues/large/jobs?', '/api/pgq/search?queues=large&']) {
    expect(await columnsOf(board, list, most)).toEqual([most.map(() => '"deep"')]);
    expect(await columnsOf(board, list, ['x'.repeat(1_000)])).toEqual([[null]]);
  }
  await world.admin.query(`delete from pgboss.job where name = 'large'`);
  // Compressed, it is small; a value that is large as it is stored is not read.
  await world.boss.send('large', { text: 'x'.repeat(200_000) });
  const [[text]] = (await columnsOf(board, '/api/pgq/queues/large/jobs?', ['data.text'])) as [
    [string],
  ];
  expect(text).toBe(`"${'x'.repeat(199)}`);
  await world.admin.query(`delete from pgboss.job where name = 'large'`);
  await world.boss.send('large', { text: randomBytes(90_000).toString('base64'), small: 1 });
  expect(await columnsOf(board, '/api/pgq/queues/large/jobs?', ['data.small'])).toEqual([[null]]);
});

it('refuses columns of another form, or too many of them, without repeating them', async () => {
  const wrong = [
    'data..x',
    'data.',
    ',data',
    'a,b,c,d,e,f,g,h,i',
    'x\u0000',
    `a${'.a'.repeat(32)}`,
    'y'.repeat(1_001),
  ];
  for (const list of lists) {
    for (const columns of wrong) {
      const { status, text } = await board.get(`${list}columns=${encodeURIComponent(columns)}`);
      expect([list, columns, status]).toEqual([list, columns, 400]);
      expect(text).toContain('columns');
      if (columns.length > 3) expect(text).not.toContain(columns);
    }
  }
});

it('goes on to the next page with other columns', async () => {
  await world.boss.createQueue('paged');
  for (let n = 0; n < 3; n += 1) await world.boss.send('paged', { n });
  for (const list of ['/api/pgq/queues/paged/jobs?', '/api/pgq/search?queues=paged&']) {
    const first = await board.get(`${list}limit=2&columns=data.n`);
    const next = await board.get(
      `${list}limit=2&columns=priority&cursor=${first.body['nextCursor']}`,
    );
    expect([next.status, next.body['jobs']]).toMatchObject([200, [{ columns: ['0'] }]]);
  }
});
