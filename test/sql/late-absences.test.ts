/**
 * Orders of SQLite by a field of a row that may be absent, with the rows without it last: the others are read in the order
 * of their related rows, and those without it only where the page has room for them.
 */

import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { introspect, sqlRegistry, sqlSource } from '../../src/adapters/sql/index.ts';
import { type KeysetResult, defineQueryRules, runQuery } from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { Walk } from '../matrix/walk.ts';

const [teams, people] = [100, 4000];
const perPage = 7;

/** The statements that have run, with their values. */
const ran: string[] = [];
const client = new Sqlite(':memory:', { verbose: (sql) => ran.push(String(sql)) });
client.pragma('foreign_keys = off');
// Every tenth person has no team, and one of those refers to a team that is not there.
client.exec(
  `create table teams (id integer primary key not null, name text not null);
   insert into teams select n, 't' || (100 + n * 7 % ${teams}) from (with recursive s(n) as (select 1 union all select n + 1 from s where n < ${teams}) select n from s);
   create table people (id integer primary key not null, team_id integer references teams (id), kind integer not null);
   insert into people select n, case when n = 10 then ${teams + 1} when n % 10 > 0 then 1 + n % ${teams} end, n % 1000 from (with recursive s(n) as (select 1 union all select n + 1 from s where n < ${people}) select n from s);
   create index by_name on teams (name, id);
   create index by_team on people (team_id, id);
   create index by_kind on people (kind);
   analyze`,
);
afterAll(() => client.close());
/** The last statement of a list. */
const last = (): string => ran.findLast((sql) => sql.includes('order by "t1"')) ?? '';
const planOf = (sql: string) =>
  client
    .prepare<[], { detail: string }>(`explain query plan ${sql}`)
    .all()
    .map(({ detail }) => detail)
    .join('\n');
/** In the part of the rows with a team. */
const part = '"t1"."name" is not null';

const { tables } = await introspect(client);
const registry = sqlRegistry(tables, { families: ['sqlite'] });
const source = sqlSource({ connection: client, registry, tables, model: 'people' });
const declared = (nulls?: 'first' | 'last') =>
  ({
    filters: [{ path: 'kind', operators: ['gte'] }],
    sorts: [nulls ? { path: 'team.name', nulls } : 'team.name'],
    fields: { root: { allowed: ['id'], default: ['id'] } },
    pagination: { mode: 'both', count: 'none' },
  }) as const;
const rulesOf = (nulls?: 'first' | 'last') =>
  defineQueryRules(registry, 'people', declared(nulls), { cursorKeys, maxPerPage: people });
const idsOf = (data: readonly object[]) => data.map((row) => (row as { id: number }).id);
const orderedBy = (order: string, where = 'true') =>
  idsOf(
    client
      .prepare<[], { id: number }>(
        `select p.id from people p left join teams t on t.id = p.team_id where ${where} order by ${order}`,
      )
      .all(),
  );

describe.each([
  ['sort=-team.name', undefined, 't.name desc, p.id desc'],
  ['sort=team.name', 'last', 't.name nulls last, p.id'],
] as const)('%s, nulls %s', (sort, nulls, order) => {
  const rules = rulesOf(nulls);

  it('walks there and back', async () => {
    const all = orderedBy(order);
    const walk = new Walk(source, rules, `${sort}&perPage=397`);
    const { keys, back } = await walk.forwards();
    expect(keys).toEqual(all);
    expect(await walk.backwards(back)).toEqual(all.slice(0, -(people % 397)));
  });

  // The rows with a team end on the page behind 3,598 others.
  it.each([0, 63, 3591, 3598, 3605, 3990])('gives the page behind %i others', async (before) => {
    const expected = orderedBy(order).slice(before, before + perPage);
    let cursor: string | null = '';
    if (before > 0) {
      const rows = await runQuery(source, `${sort}&perPage=${before}&cursor=`, rules);
      cursor = (rows as KeysetResult).nextCursor;
    }
    for (const page of [`cursor=${cursor}`, `page=${before / perPage + 1}`]) {
      const { data } = await runQuery(source, `${sort}&perPage=${perPage}&${page}`, rules);
      expect(idsOf(data)).toEqual(expected);
      if (before < 100)
        expect(planOf(last())).toMatch(/(?:SCAN|SEARCH) t1 USING COVERING INDEX by_name/);
    }
  });

  it('sorts the rows that a condition leaves', async () => {
    const request = `${sort}&filter[kind][gte]=998&perPage=10&cursor=`;
    const { data } = await runQuery(source, request, rules);
    expect(idsOf(data)).toEqual(orderedBy(order, 'p.kind >= 998'));
    expect(last()).not.toContain(part);
  });
});

it('sorts the rows of a scope', async () => {
  const scopes = {
    people: ({ kind }: { readonly kind: number }) => ({
      type: 'condition' as const,
      path: 'kind',
      operator: 'eq' as const,
      value: kind,
    }),
    teams: 'unscoped' as const,
  };
  const rules = defineQueryRules(registry, 'people', declared(), { cursorKeys, scopes });
  const request = 'sort=-team.name&perPage=10&cursor=';
  const { data } = await runQuery(source, request, rules, { scope: { kind: 7 } });
  expect(idsOf(data)).toEqual(orderedBy('t.name desc, p.id desc', 'p.kind = 7'));
  expect(last()).not.toContain(part);
});

it('reads the rows once where those without a team come first', async () => {
  const { data } = await runQuery(source, 'sort=team.name&perPage=7&cursor=', rulesOf());
  expect(idsOf(data)).toEqual(orderedBy('t.name, p.id').slice(0, 7));
  expect(last()).not.toContain(part);
});
