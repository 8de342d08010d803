/** Pages of SQLite with a condition on a column and an order by another one: read along the order where many rows meet it. */

import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { introspect, sqlRegistry, sqlSource } from '../../src/adapters/sql/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';

const rows = 20_000;

describe('a page of SQLite with a condition beside its order', () => {
  const client = new Sqlite(':memory:');
  client.exec(
    `create table jobs (id integer primary key not null, active boolean not null, state text not null, kind text, amount integer, at integer not null);
     insert into jobs select n, n % 2, case when n % 400 = 0 then 'rare' else 'usual' end, case when n % 2 = 0 then 'a' end, n % 7000, n * 7919 % ${rows}
       from (with recursive s(n) as (select 1 union all select n + 1 from s where n < ${rows}) select n from s);
     create index by_active on jobs (active);
     create index by_kind on jobs (kind);
     create index by_amount on jobs (amount);
     create index by_at on jobs (at, id);
     create index by_state on jobs (state, at, id);
     analyze`,
  );
  const prepared: string[] = [];
  const prepare = client.prepare.bind(client);
  client.prepare = ((sql: string) => {
    prepared.push(sql);
    return prepare(sql);
  }) as typeof client.prepare;
  afterAll(() => client.close());

  it.each([
    ['filter[active]=true', 'active = 1', /SCAN jobs USING INDEX by_at/],
    ['filter[kind][isNull]=true', 'kind is null', /SCAN jobs USING INDEX by_at/],
    ['filter[kind][in]=a,b', `kind in ('a', 'b')`, /SCAN jobs USING INDEX by_at/],
    ['filter[amount][gte]=10', 'amount >= 10', /SCAN jobs USING INDEX by_at/],
    ['filter[amount][gte]=6999', 'amount >= 6999', /SEARCH jobs USING INDEX by_amount/],
    ['filter[state]=usual', `state = 'usual'`, /SEARCH jobs USING (?:COVERING )?INDEX by_state/],
    ['filter[state]=rare', `state = 'rare'`, /SEARCH jobs USING (?:COVERING )?INDEX by_state/],
  ])('%s', async (filter, where, plan) => {
    const { tables } = await introspect(client);
    const registry = sqlRegistry(tables, { families: ['sqlite'] });
    const rules = defineQueryRules(registry, 'jobs', {
      filters: [
        { path: 'active', operators: ['eq'] },
        { path: 'state', operators: ['eq'] },
        { path: 'kind', operators: ['in', 'isNull'] },
        { path: 'amount', operators: ['gte'] },
      ],
      sorts: ['at'],
      fields: { root: { allowed: ['id', 'at', 'kind'], default: ['id', 'kind', 'at'] } },
      pagination: { mode: 'both' },
    });
    const source = sqlSource({ connection: client, registry, tables, model: 'jobs' });
    const byHand = (sort: string, limit: string) =>
      prepare(`select id from jobs where ${where} order by ${sort} limit ${limit}`)
        .all()
        .map((row) => (row as { readonly id: number }).id);
    const ids = (page: { readonly data: readonly object[] }) =>
      page.data.map((row) => (row as { readonly id: number }).id);
    for (const sort of ['at', '-at']) {
      const order = sort === 'at' ? 'at, id' : 'at desc, id desc';
      const request = `${filter}&sort=${sort}&perPage=5`;
      prepared.splice(0);
      const first = await runQuery(source, `${request}&cursor=`, rules);
      const plans = prepared
        .filter((sql) => sql.includes('order by'))
        .flatMap((sql) => {
          const holes = Array.from({ length: sql.split('?').length - 1 }, () => null);
          return prepare(`explain query plan ${sql}`).all(...holes) as { detail: string }[];
        });
      expect(plans.map(({ detail }) => detail).join('\n')).toMatch(plan);
      expect(ids(first)).toEqual(byHand(order, '5'));
      const { nextCursor } = first as { readonly nextCursor?: string | null };
      if (nextCursor) {
        const second = await runQuery(source, `${request}&cursor=${nextCursor}`, rules);
        expect(ids(second)).toEqual(byHand(order, '5 offset 5'));
      }
      expect(ids(await runQuery(source, `${request}&page=3`, rules))).toEqual(
        byHand(order, '5 offset 10'),
      );
    }
  });
});
