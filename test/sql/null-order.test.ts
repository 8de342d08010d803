/** An ordinary index serves orders by a column with nulls on PostgreSQL, wherever the rules place the nulls. */

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { introspect, sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { type KeysetResult, defineQueryRules, runQuery } from '../../src/index.ts';
import { type Sent, explained, heard } from './heard.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { Walk } from '../matrix/walk.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

/** Rows of the table; every third has no instant, and others share theirs. */
const count = 1_500;
const perPage = 30;
/** Where the rest of a part is little more than a page, PostgreSQL may as well read all of it. */
const fewRows = 3 * perPage;

/** The orders of portable rules, and of native ones, as SQL by hand. */
const orders = {
  portable: {
    at: 'at asc nulls first, id asc',
    '-at': 'at desc nulls last, id desc',
    late: 'at asc nulls last, id asc',
  },
  native: { at: 'at, id', '-at': 'at desc, id desc', late: 'at asc nulls last, id asc' },
} as const;

const database = await scratchDatabase('postgresql', 'null_order');

describe.skipIf('missing' in database && !everyServiceRequired())('an order with nulls', () => {
  if ('missing' in database) throw new Error(database.advice);
  const client = new pg.Client({ connectionString: database.url });
  const { connection, sent } = heard(client);
  beforeAll(async () => {
    await client.connect();
    await client.query(
      'create table event (id int primary key, at timestamptz, kind text not null)',
    );
    await client.query(
      `insert into event select no,
        case when no % 3 > 0 then timestamptz '2030-01-01' + no / 6 * interval '1 second' end, 'k' || no % 2
      from generate_series(1, ${count}) as no`,
    );
    await client.query('create index on event (at, id)');
    await client.query(
      `create table sized as select no as id, case when no % 3 > 0 then (array['s', 'm', 'l'])[1 + no % 3] end as size,
        case when no % 3 > 0 then lpad((no % 500)::text, 4, '0') end collate "C" as size_order
      from generate_series(1, ${count}) as no`,
    );
    await client.query('alter table sized add primary key (id)');
    // The index of `sluice companions --index`.
    await client.query('create index on sized (size_order nulls first, id)');
    await client.query('vacuum analyze event, sized');
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  async function opened(portable: boolean, sort: string) {
    const registry = await introspect(client);
    const source = sqlSource({
      connection,
      registry,
      tables: registry.tables,
      model: 'event',
    });
    const rules = defineQueryRules(
      registry,
      'event',
      {
        filters: [{ path: 'kind', operators: ['eq'] }],
        sorts: [sort === 'late' ? { path: 'at', nulls: 'last' } : 'at'],
        fields: { root: { allowed: ['id'], default: ['id'] } },
        pagination: { mode: 'both', count: 'none' },
      },
      { cursorKeys, portable },
    );
    return { source, rules, request: `sort=${sort === 'late' ? 'at' : sort}&perPage=${perPage}` };
  }

  /** The last page was read by the index, of which few rows were seen, and no more than a page was sorted. */
  async function expectIndexed() {
    const page = sent.findLast(({ text }) => text.includes('order by'));
    for (const node of await explained(client, page as Sent)) {
      const { 'Node Type': type, 'Relation Name': table, 'Actual Rows': actual } = node;
      expect(type).not.toBe('Seq Scan');
      if (type.includes('Sort')) expect(actual).toBeLessThanOrEqual(perPage + 1);
      if (table) expect(actual).toBeLessThanOrEqual(fewRows);
    }
  }

  const cases = Object.entries(orders).flatMap(([profile, ways]) =>
    Object.entries(ways).map(([sort, order]) => ({ profile, sort, order })),
  );

  it.each(cases)('is walked by $sort under $profile rules', async ({ profile, sort, order }) => {
    const { rows: found } = await client.query<{ id: number }>(
      `select id from event order by ${order}`,
    );
    const all = found.map(({ id }) => id);
    const { source, rules, request } = await opened(profile === 'portable', sort);
    const walk = new Walk(source, rules, request, expectIndexed);
    const { keys, back } = await walk.forwards();
    expect(keys).toEqual(all);
    expect(await walk.backwards(back)).toEqual(all.slice(0, -(count % perPage || perPage)));
  });

  it.each(cases)('is listed by $sort under $profile rules', async ({ profile, sort, order }) => {
    const { rows: found } = await client.query<{ id: number }>(
      `select id from event where kind = 'k1' order by ${order}`,
    );
    const { source, rules, request } = await opened(profile === 'portable', sort);
    for (const filter of ['', '&filter[kind]=k1']) {
      const all = filter
        ? found
        : (await client.query<{ id: number }>(`select id from event order by ${order}`)).rows;
      for (let page = 1; page <= Math.ceil(all.length / perPage) + 1; page += 1) {
        const { data } = await runQuery(source, `${request}&page=${page}${filter}`, rules);
        expect(data, `${page}${filter}`).toEqual(all.slice((page - 1) * perPage, page * perPage));
      }
    }
    for (const page of [1, 2]) {
      await runQuery(source, `${request}&page=${page}`, rules);
      await expectIndexed();
    }
  });

  it.each(['size', '-size'])('by a companion is read by its index: %s', async (sort) => {
    const tables = sqlTables({
      sized: {
        table: 'sized',
        primaryKey: 'id',
        columns: {
          id: 'integer',
          size: {
            type: 'text',
            nullable: true,
            enumValues: ['s', 'm', 'l'],
            portableOrderField: 'sizeOrder',
          },
          sizeOrder: { type: 'text', column: 'size_order', nullable: true, internal: true },
        },
      },
    });
    const registry = sqlRegistry(tables, { families: ['postgresql'] });
    const source = sqlSource({ connection, registry, tables, model: 'sized' });
    const rules = defineQueryRules(
      registry,
      'sized',
      {
        sorts: ['size'],
        fields: { root: { allowed: ['id'], default: ['id'] } },
        pagination: { mode: 'both', count: 'none' },
      },
      { cursorKeys, portable: true },
    );
    const way = sort === 'size' ? 'asc nulls first' : 'desc nulls last';
    const { rows: all } = await client.query<{ id: number }>(
      `select id from sized order by size_order ${way}, id ${way.split(' ')[0]}`,
    );
    let cursor: string | null = '';
    for (let page = 0; page < 20; page += 1) {
      const given = `sort=${sort}&perPage=${perPage}&cursor=${cursor}`;
      const { data, nextCursor } = (await runQuery(source, given, rules)) as KeysetResult;
      expect(data).toEqual(all.slice(page * perPage, (page + 1) * perPage));
      await expectIndexed();
      cursor = nextCursor;
    }
  });
});
