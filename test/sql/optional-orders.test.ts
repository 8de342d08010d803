/**
 * Orders that are read in parts, on PostgreSQL. Through a relation that some rows do not have, the rows that have one are
 * read in the order of their related rows, and the others by the column that refers to none. Behind a position in an order
 * of both directions, the rows of its first value are read, and those behind them.
 */

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { introspect, sqlSource } from '../../src/adapters/sql/index.ts';
import {
  type KeysetResult,
  type QuerySource,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { Walk } from '../matrix/walk.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { explained, heard, rowsExamined } from './heard.ts';

const [teams, people] = [500, 10_000];
/** People without a team. */
const free = people / 10;
/** Rows that a page of ten may read of both tables, of which the small one may be read for a hash. */
const mostRead = teams + 200;

const database = await scratchDatabase('postgresql', 'optional_orders');

describe.skipIf('missing' in database && !everyServiceRequired())('an optional relation', () => {
  if ('missing' in database) throw new Error(database.advice);
  const client = new pg.Client({ connectionString: database.url });
  const { connection, sent } = heard(client);
  let source: QuerySource;
  let registry: Awaited<ReturnType<typeof introspect>>;

  beforeAll(async () => {
    await client.connect();
    await client.query(`create table teams (id int primary key, name text collate "C" not null)`);
    await client.query(
      `insert into teams select no, 't' || lpad((no * 7 % ${teams})::text, 4, '0') from generate_series(1, ${teams}) as no`,
    );
    await client.query(
      'create table people (id int primary key, team_id int references teams, kind int not null, grade int not null)',
    );
    await client.query(
      `insert into people select no, case when no % 10 > 0 then 1 + no % ${teams} end, no % 100, no % 2 from generate_series(1, ${people}) as no`,
    );
    await client.query('create index on teams (name, id)');
    await client.query('create index on people (team_id, id)');
    await client.query('create index on people (kind)');
    await client.query('create index on people (grade, id desc)');
    await client.query('vacuum analyze');
    registry = await introspect(client);
    const { tables } = registry;
    source = sqlSource({ connection, registry, tables, model: 'people', namedStatements: true });
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const rulesOf = (nulls?: 'first' | 'last') =>
    defineQueryRules(
      registry,
      'people',
      {
        filters: [
          { path: 'team', operators: ['isNull'] },
          { path: 'kind', operators: ['eq'] },
        ],
        sorts: [nulls ? { path: 'team.name', nulls } : 'team.name', 'grade', 'id'],
        fields: { root: { allowed: ['id'], default: ['id'] } },
        pagination: { mode: 'both', count: 'none' },
      },
      { cursorKeys, maxPerPage: people },
    );
  const idsOf = (data: readonly object[]) => data.map((row) => (row as { id: number }).id);
  const orderedBy = async (order: string, where = 'true') => {
    const { rows } = await client.query<{ id: number }>(
      `select p.id from people p left join teams t on t.id = p.team_id where ${where} order by ${order}`,
    );
    return idsOf(rows);
  };
  const lastRead = async (): Promise<number> => {
    const last = sent.findLast(({ text }) => text.includes('order by'));
    if (!last) throw new Error('Nothing was sent.');
    return rowsExamined(await explained(client, last));
  };

  describe.each([
    ['sort=team.name', undefined, 't.name, p.id', people - free],
    ['sort=-team.name', undefined, 't.name desc, p.id desc', free],
    ['sort=team.name', 'first', 't.name nulls first, p.id', free],
    ['sort=-team.name', 'last', 't.name desc nulls last, p.id desc', people - free],
  ] as const)('%s, nulls %s', (sort, nulls, order, border) => {
    it('walks there and back', async () => {
      const rules = rulesOf(nulls);
      const all = await orderedBy(order);
      const walk = new Walk(source, rules, `${sort}&perPage=997`);
      const { keys, back } = await walk.forwards();
      expect(keys).toEqual(all);
      expect(await walk.backwards(back)).toEqual(all.slice(0, -(people % 997)));
    });

    it.each([0, 300, border - 5, border, border + 300])(
      'reads the rows of a page behind %i others',
      async (before) => {
        const rules = rulesOf(nulls);
        const expected = await orderedBy(order);
        let cursor: string | null = '';
        if (before > 0) {
          const first = `${sort}&perPage=${before}&cursor=`;
          ({ nextCursor: cursor } = (await runQuery(source, first, rules)) as KeysetResult);
        }
        const { data } = await runQuery(source, `${sort}&perPage=10&cursor=${cursor}`, rules);
        expect(idsOf(data)).toEqual(expected.slice(before, before + 10));
        expect(await lastRead()).toBeLessThan(mostRead);
      },
    );

    it('gives each page by its number', async () => {
      const rules = rulesOf(nulls);
      const expected = await orderedBy(order);
      for (const number of [1, 3, border / 20, border / 20 + 1, people / 20]) {
        const { data } = await runQuery(source, `${sort}&perPage=20&page=${number}`, rules);
        expect(idsOf(data)).toEqual(expected.slice((number - 1) * 20, number * 20));
      }
    });

    it('orders those that have one', async () => {
      const rules = rulesOf(nulls);
      const expected = await orderedBy(order, 'p.team_id is not null');
      const request = `filter[team][isNull]=false&${sort}&perPage=10`;
      const { data } = await runQuery(source, `${request}&page=3`, rules);
      expect(idsOf(data)).toEqual(expected.slice(20, 30));
      const first = (await runQuery(source, `${request}&cursor=`, rules)) as KeysetResult;
      expect(idsOf(first.data)).toEqual(expected.slice(0, 10));
      if (border !== free) expect(await lastRead()).toBeLessThan(mostRead);
    });
  });

  it.each([
    ['sort=grade,-id', 'p.grade, p.id desc'],
    ['sort=-grade,id', 'p.grade desc, p.id'],
  ])('begins at a position in %s', async (sort, order) => {
    const rules = rulesOf();
    const expected = await orderedBy(order);
    for (const before of [4000, people / 2 - 5, people / 2, 9000]) {
      const first = `${sort}&perPage=${before}&cursor=`;
      const { nextCursor } = (await runQuery(source, first, rules)) as KeysetResult;
      const page = `${sort}&perPage=10&cursor=`;
      const after = (await runQuery(source, `${page}${nextCursor}`, rules)) as KeysetResult;
      expect(idsOf(after.data)).toEqual(expected.slice(before, before + 10));
      expect(await lastRead()).toBeLessThan(mostRead);
      const back = await runQuery(source, `${page}${after.prevCursor}`, rules);
      expect(idsOf(back.data)).toEqual(expected.slice(before - 10, before));
      expect(await lastRead()).toBeLessThan(mostRead);
    }
  });

  it('plans a page deep in a list by its number, however often it is asked for', async () => {
    const rules = rulesOf();
    for (let run = 0; run < 10; run += 1) {
      const { data } = await runQuery(source, `filter[kind]=7&page=100&perPage=20`, rules);
      expect(data).toEqual([]);
    }
    const last = sent.at(-1);
    if (!last) throw new Error('Nothing was sent.');
    // A server keeps one plan for all values under a name.
    const kept = `select from pg_prepared_statements where statement like '%"kind"%'`;
    expect((await client.query(kept)).rowCount).toBe(0);
    expect(rowsExamined(await explained(client, last))).toBeLessThan(mostRead);
  });
});
