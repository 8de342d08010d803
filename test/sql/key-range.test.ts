/**
 * Pages behind a position in the order of the key, with conditions through relations to many rows, on PostgreSQL: the index
 * on the other table is read from the position as well.
 */

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { introspect, sqlSource } from '../../src/adapters/sql/index.ts';
import {
  type CompiledQueryRules,
  type KeysetResult,
  type QuerySource,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { explained, heard, rowsExamined } from './heard.ts';

const rows = 20_000;
const perPage = 10;
/** Rows before the page by the value that half of the rows have. */
const before = 7500;
/** Rows that a page may read. */
const mostRead = 20 * perPage;

const database = await scratchDatabase('postgresql', 'key_range');

describe.skipIf('missing' in database && !everyServiceRequired())('the range of a key', () => {
  if ('missing' in database) throw new Error(database.advice);
  const client = new pg.Client({ connectionString: database.url });
  const { connection, sent } = heard(client);
  const sources = new Map<string, { readonly source: QuerySource; rules: CompiledQueryRules }>();

  beforeAll(async () => {
    await client.connect();
    const numbers = `from generate_series(1, ${rows}) as no`;
    const uuid = `lpad(no::text, 32, '0')::uuid`;
    for (const [parent, type, key, child] of [
      ['orders', 'int', 'no', 'bigint'],
      // The type of a column that refers to a key may be another one.
      ['events', 'bigint', 'no', 'int'],
      ['files', 'uuid', uuid, 'uuid'],
    ]) {
      await client.query(`create table ${parent} (id ${type} primary key)`);
      await client.query(`insert into ${parent} select ${key} ${numbers}`);
      await client.query(
        `create table ${parent}_lines (id int primary key, ${parent}_id ${child} not null references ${parent}, qty int not null)`,
      );
      // Every row has its line, apart from the last few.
      await client.query(
        `insert into ${parent}_lines select no, ${key}, no % 2 ${numbers} where no <= ${rows - 5}`,
      );
      await client.query(`create index on ${parent}_lines (${parent}_id)`);
      await client.query(`create index on ${parent}_lines (qty)`);
    }
    await client.query('vacuum analyze');
    const registry = await introspect(client);
    const { tables } = registry;
    for (const model of ['orders', 'events', 'files'] as const) {
      const relation = `${model}Lines`;
      const rules = defineQueryRules(
        registry,
        model,
        {
          filters: [
            { path: `${relation}.qty`, operators: ['eq'] },
            { path: relation, operators: ['isNull'] },
          ],
          sorts: ['id'],
          fields: { root: { allowed: ['id'], default: ['id'] } },
          pagination: { mode: 'keyset' },
        },
        { cursorKeys, maxPerPage: rows },
      );
      sources.set(model, { rules, source: sqlSource({ connection, registry, tables, model }) });
    }
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const idOf = (model: string, no: number): number | string => {
    if (model !== 'files') return model === 'events' ? String(no) : no;
    return String(no)
      .padStart(32, '0')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  };
  const ask = async (model: string, request: string) => {
    const { source, rules } = sources.get(model) as {
      source: QuerySource;
      rules: CompiledQueryRules;
    };
    return (await runQuery(source, request, rules)) as KeysetResult;
  };
  const lastRead = async (): Promise<number> => {
    const last = sent.at(-1);
    if (!last) throw new Error('Nothing was sent.');
    return rowsExamined(await explained(client, last));
  };
  const odd = (from: number, step: number) =>
    Array.from({ length: perPage }, (_, at) => from + at * step);

  describe.each(['orders', 'events', 'files'])('of %s', (model) => {
    it.each([
      ['upwards', 'sort=id', 15_001, 2],
      ['downwards', 'sort=-id', 4995, -2],
    ])('begins a filter through many rows at the position: %s', async (_, sort, start, step) => {
      const request = `filter[${model}Lines.qty]=1&${sort}`;
      const { nextCursor } = await ask(model, `${request}&perPage=${before}&cursor=`);
      const page = `${request}&perPage=${perPage}&cursor=${nextCursor}`;
      const { data, nextCursor: next } = await ask(model, page);
      expect(data).toEqual(odd(start, step).map((no) => ({ id: idOf(model, no) })));
      expect(await lastRead()).toBeLessThan(mostRead);
      const after = await ask(model, `${request}&perPage=${perPage}&cursor=${next}`);
      const back = await ask(model, `${request}&perPage=${perPage}&cursor=${after.prevCursor}`);
      expect(back.data).toEqual(data);
      expect(await lastRead()).toBeLessThan(mostRead);
    });

    it('begins the test for no row at the position', async () => {
      const request = `filter[${model}Lines][isNull]=true&perPage=1`;
      const { data, nextCursor } = await ask(model, `${request}&cursor=`);
      expect(data).toEqual([{ id: idOf(model, rows - 4) }]);
      const page = await ask(model, `${request}&cursor=${nextCursor}`);
      expect(page.data).toEqual([{ id: idOf(model, rows - 3) }]);
      expect(await lastRead()).toBeLessThan(mostRead);
    });
  });

  it('leads back to the row at a position behind which no row is left', async () => {
    const request = 'filter[ordersLines.qty]=1&sort=id&perPage=2';
    const { data, nextCursor } = await ask('orders', `${request}&cursor=`);
    expect(data).toEqual([{ id: 1 }, { id: 3 }]);
    await client.query('begin');
    await client.query('update orders_lines set qty = 2 where orders_id > 3');
    const empty = await ask('orders', `${request}&cursor=${nextCursor}`);
    expect(empty.data).toEqual([]);
    const back = await ask('orders', `${request}&cursor=${empty.prevCursor}`);
    expect(back.data).toEqual(data);
    await client.query('rollback');
  });
});
