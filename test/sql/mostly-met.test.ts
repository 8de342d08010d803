/**
 * Conditions through a relation to one row that most rows meet, on MySQL or MariaDB: a page reads its rows along its order, and
 * a count with a cap those that meet the condition, from the related rows on.
 */

import mysql, { type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { introspect, sqlSource } from '../../src/adapters/sql/index.ts';
import {
  type OffsetResult,
  type QuerySource,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { numbered } from './numbered.ts';

const [shops, items] = [1000, 60_000];
const cap = 10_000;
/** Rows that a page of ten may read. */
const mostRead = 500;

const database = await scratchDatabase('mysql', 'mostly_met');

describe.skipIf('missing' in database && !everyServiceRequired())('most rows', () => {
  if ('missing' in database) throw new Error(database.advice);
  let connection: mysql.Connection;
  let source: QuerySource;
  let registry: Awaited<ReturnType<typeof introspect>>;

  beforeAll(async () => {
    connection = await mysql.createConnection({ uri: database.url });
    const run = (sql: string) => connection.query(sql);
    await run('create table shops (id int primary key, town varchar(20) not null)');
    await run(
      'create table items (id int primary key, shop_id int, foreign key (shop_id) references shops (id))',
    );
    await run(`insert into shops select no, concat('town ', no % 10) from ${numbered(3)}`);
    await run(
      `insert into items select no, case when no % 20 > 0 then 1 + no * 31 % ${shops} end from ${numbered(5)} where no <= ${items}`,
    );
    await run('create index shops_town on shops (town)');
    await run('analyze table shops, items');
    registry = await introspect(connection);
    const { tables } = registry;
    source = sqlSource({ connection, registry, tables, model: 'items' });
  });
  afterAll(async () => {
    await connection.end();
    await database.drop();
  });

  const rulesOf = (pagination: { mode: 'keyset' } | { mode: 'offset'; count: 'capped' }) =>
    defineQueryRules(
      registry,
      'items',
      {
        filters: [
          { path: 'shop.town', operators: ['ne', 'notIn', 'notLike'] },
          { path: 'shop.id', operators: ['gte'] },
        ],
        fields: { root: { allowed: ['id'], default: ['id'] } },
        pagination,
      },
      { cursorKeys },
    );
  /** Rows that the statements of a request have read. */
  const readOf = async (request: () => Promise<unknown>): Promise<number> => {
    await connection.query('flush status');
    await request();
    const [rows] = await connection.query<RowDataPacket[]>(
      `show session status where variable_name like 'Handler_read%'`,
    );
    return rows.reduce((sum, row) => sum + Number(row['Value']), 0);
  };
  const byHand = async (where: string, tail: string) => {
    const [rows] = await connection.query<RowDataPacket[]>(
      `select i.id from items i join shops s on s.id = i.shop_id where ${where} ${tail}`,
    );
    return rows.map((row) => ({ id: Number(row['id']) }));
  };

  it.each([
    ['filter[shop.town][ne]=town 7', `s.town <> 'town 7'`],
    ['filter[shop.town][notIn]=town 7,town 8', `s.town not in ('town 7', 'town 8')`],
    ['filter[shop.town][notLike]=7', `s.town not like '%7%'`],
  ])('are read along the order: %s', async (filter, where) => {
    const rules = rulesOf({ mode: 'keyset' });
    const page = (cursor: string) =>
      runQuery(source, `${filter}&perPage=10&cursor=${cursor}`, rules) as Promise<{
        readonly data: readonly object[];
        readonly nextCursor: string | null;
      }>;
    const first = await page('');
    expect(first.data).toEqual(await byHand(where, 'order by i.id limit 10'));
    const second = await page(String(first.nextCursor));
    expect(second.data).toEqual(await byHand(where, 'order by i.id limit 10 offset 10'));
    expect(await readOf(() => page(''))).toBeLessThan(mostRead);
    expect(await readOf(() => page(String(first.nextCursor)))).toBeLessThan(mostRead);
  });

  it('are counted up to a cap from the related rows', async () => {
    const rules = rulesOf({ mode: 'offset', count: 'capped' });
    const request = () =>
      runQuery(
        source,
        `filter[shop.id][gte]=${shops / 2}&perPage=10`,
        rules,
      ) as Promise<OffsetResult>;
    const { data, total } = await request();
    expect(data).toEqual(await byHand(`s.id >= ${shops / 2}`, 'order by i.id limit 10'));
    expect(total).toBe(cap);
    // Each is read from its table, and as a row that is counted.
    expect(await readOf(request)).toBeLessThan(2 * cap + cap / 2);
  });
});
