/**
 * Statements of SQLite for conditions through relations, short lists and patterns: where they begin, and that they find the
 * same rows as SQL by hand, whichever form the values lead to.
 */

import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { introspect, sqlRegistry, sqlSource } from '../../src/adapters/sql/index.ts';
import { type CompiledQueryRules, defineQueryRules, runQuery } from '../../src/index.ts';

const rows = 12_000;
const series = (count: number) =>
  `(with recursive s(n) as (select 1 union all select n + 1 from s where n < ${count}) select n from s)`;

interface Counted {
  readonly data: readonly { readonly id: number }[];
  readonly total: number;
}

describe('the forms of SQLite', () => {
  const client = new Sqlite(':memory:');
  client.pragma('foreign_keys = off');
  client.exec(
    `create table countries (id integer primary key not null, code text not null);
     create table companies (id integer primary key not null, name text not null, country_id integer not null references countries (id));
     create table items (id integer primary key not null, title text not null, state text not null, open boolean not null, at integer not null, company_id integer references companies (id));
     create table lines (id integer primary key not null, item_id integer not null references items (id), qty integer not null);
     insert into countries select n, 'c' || n from ${series(20)};
     insert into companies select n, 'company ' || n, 1 + n % 20 from ${series(400)};
     insert into items select n, 'Title ' || n, case when n % 100 = 0 then 'rare' else 'usual' end, n % 2, n * 7919 % ${rows},
       case when n % 50 = 0 then null when n % 997 = 0 then 9999 else 1 + n % 400 end from ${series(rows)};
     insert into lines select n, 1 + n * 17 % ${rows}, n % 5000 from ${series(rows)};
     insert into lines select ${rows} + n, 1 + n % ${rows}, 7777 from ${series(rows - 10)};
     create index by_country on companies (country_id);
     create index by_code on countries (code);
     create index by_company on items (company_id);
     create index by_at on items (at, id);
     create index by_state on items (state, at, id);
     create index by_open on items (open);
     create index by_item on lines (item_id);
     create index by_qty on lines (qty);
     analyze`,
  );
  const sent: string[] = [];
  const prepare = client.prepare.bind(client);
  client.prepare = ((sql: string) => {
    sent.push(sql);
    return prepare(sql);
  }) as typeof client.prepare;
  const endpoints = new Map<string, CompiledQueryRules>();
  let ask: (request: string, count?: 'exact' | 'capped') => Promise<Counted>;
  beforeAll(async () => {
    const { tables } = await introspect(client);
    const registry = sqlRegistry(tables, { families: ['sqlite'] });
    for (const count of ['exact', 'capped'] as const) {
      const rules = defineQueryRules(registry, 'items', {
        filters: [
          { path: 'title', operators: ['eq', 'in', 'notIn', 'ilike', 'notIlike'] },
          { path: 'state', operators: ['eq'] },
          { path: 'open', operators: ['eq'] },
          { path: 'company', operators: ['isNull'] },
          { path: 'company.id', operators: ['eq', 'ne'] },
          { path: 'company.name', operators: ['eq', 'like', 'notIn'] },
          { path: 'company.country.code', operators: ['eq', 'ne'] },
          { path: 'lines.qty', operators: ['eq', 'gte', 'ne'] },
        ],
        groups: { depth: 1, terms: 2 },
        sorts: ['at'],
        fields: { root: { allowed: ['id'], default: ['id'] } },
        pagination: { mode: 'offset', count },
      });
      endpoints.set(count, rules);
    }
    const source = sqlSource({ connection: client, registry, tables, model: 'items' });
    ask = async (request, count = 'exact') => {
      sent.length = 0;
      const answer = await runQuery(source, request, endpoints.get(count) as CompiledQueryRules);
      return answer as unknown as Counted;
    };
  });
  afterAll(() => client.close());

  const plan = (sql: string): string => {
    const holes = Array.from({ length: sql.split('?').length - 1 }, () => null);
    const steps = prepare(`explain query plan ${sql}`).all(...holes) as { detail: string }[];
    return steps.map(({ detail }) => detail).join('\n');
  };
  const isCount = (sql: string) => sql.includes('count(*)') && !sql.includes('order by');
  const plans = (kind: 'page' | 'count') =>
    sent
      .filter((sql) => isCount(sql) === (kind === 'count'))
      .map(plan)
      .join('\n');
  const byHand = (where: string, order: string) =>
    prepare(
      `select items.id from items left join companies c on c.id = items.company_id left join countries o on o.id = c.country_id where ${where} order by ${order}`,
    )
      .pluck()
      .all() as number[];
  const exists = (test: string) =>
    `exists (select 1 from lines l where l.item_id = items.id and ${test})`;

  const cases: readonly (readonly [string, string])[] = [
    ['filter[company.name][like]=39', `c.name glob '*39*'`],
    ['filter[company.name][like]=company', `c.name glob '*company*'`],
    ['filter[company.name][like]=none', 'false'],
    ['filter[company.name][notIn]=', 'true'],
    ['filter[company.name][notIn]=company 1,company 2', `c.name not in ('company 1', 'company 2')`],
    ['filter[company.country.code]=c7', `o.code = 'c7'`],
    ['filter[company.country.code][ne]=c7', `o.code <> 'c7'`],
    ['filter[company][isNull]=true', 'c.id is null'],
    ['filter[company][isNull]=false', 'c.id is not null'],
    ['filter[$or][0][company.id]=7&filter[$or][1][state]=rare', `c.id = 7 or state = 'rare'`],
    ['filter[$or][0][company.id][ne]=7&filter[$or][1][state]=rare', `c.id <> 7 or state = 'rare'`],
    ['filter[$or][0][company.id]=9999&filter[$or][1][state]=rare', `state = 'rare'`],
    ['filter[lines.qty]=4711', exists('qty = 4711')],
    ['filter[lines.qty]=7777', exists('qty = 7777')],
    ['filter[lines.qty][ne]=7777', exists('qty <> 7777')],
    [
      'filter[lines.qty][gte]=7777&filter[company.country.code]=c7',
      `${exists('qty >= 7777')} and o.code = 'c7'`,
    ],
    [
      'filter[lines.qty][gte]=7777&filter[state]=rare',
      `${exists('qty >= 7777')} and state = 'rare'`,
    ],
    ['filter[lines.qty]=4711&filter[open]=true', `${exists('qty = 4711')} and open = 1`],
    ['filter[state]=rare&filter[open]=false', `state = 'rare' and open = 0`],
    ['filter[title][in]=Title 5,Title 6,Title 7', `title in ('Title 5', 'Title 6', 'Title 7')`],
    ['filter[title][in]=', 'false'],
    ['filter[title][notIn]=Title 5,Title 6', `title not in ('Title 5', 'Title 6')`],
    [
      `filter[title][in]=${Array.from({ length: 9 }, (_, at) => `Title ${at}`).join()}`,
      'items.id < 9',
    ],
    ['filter[title][ilike]=TITLE 119', `title like '%TITLE 119%'`],
    ['filter[title][notIlike]=TITLE 1', `title not like '%TITLE 1%'`],
  ];
  it.each(cases)('find the rows of %s', async (request, where) => {
    for (const [sort, order] of [
      ['', 'items.id'],
      ['&sort=-at', 'at desc, items.id desc'],
    ] as const) {
      const expected = byHand(where, order);
      for (const count of ['exact', 'capped'] as const) {
        const { data, total } = await ask(`${request}${sort}&perPage=10&page=1`, count);
        expect(data.map(({ id }) => id)).toEqual(expected.slice(0, 10));
        // No count runs where the page shows the total.
        expect(Number(total)).toBe(
          count === 'exact' ? expected.length : Math.min(expected.length, 10_000),
        );
      }
    }
  });

  it('begin a count in the table whose column has the value', async () => {
    await ask('filter[company.country.code]=c7&perPage=5');
    expect(plans('count')).toMatch(/SEARCH t\d+ .*by_code[^]*by_country[^]*by_company/);
    expect(plans('count')).not.toMatch(/SCAN items/);
    await ask('filter[company.country.code]=c7&perPage=5', 'capped');
    expect(plans('count')).not.toMatch(/SCAN items/);
  });

  it('look a related row up once for an alternative by its key', async () => {
    await ask('filter[$or][0][company.id]=7&filter[$or][1][state]=rare&perPage=5');
    expect(sent.map((sql) => [isCount(sql), sql.includes(' join companies')])).toEqual([
      [false, false],
      [true, false],
    ]);
    expect(plans('count')).toMatch(/MULTI-INDEX OR[^]*by_company/);
  });

  it('begin a page of few rows in the table that has the pattern', async () => {
    await ask('filter[company.name][like]=39&sort=-at&perPage=5');
    expect(plans('page')).toMatch(/SCAN t\d+\nSEARCH items USING (?:COVERING )?INDEX by_company/);
    expect(plans('page')).toMatch(/SCAN items USING (?:COVERING )?INDEX by_at/);
  });

  it('count the rows without a relation by the values of its column', async () => {
    await ask('filter[company][isNull]=true&perPage=5');
    expect(plans('count')).toMatch(
      /MULTI-INDEX OR[^]*SEARCH items USING COVERING INDEX by_company/,
    );
    expect(plans('count')).not.toMatch(/SCAN items/);
  });

  it('count by rows or by sets as the rows are', async () => {
    await ask('filter[lines.qty][ne]=7777&perPage=5');
    const [text = ''] = sent.filter(isCount);
    expect(text).toMatch(
      /^select case when .* then \(select count\(\*\) .*exists.* else \(select count\(\*\) .* in \(select /,
    );
    const gate = text.slice('select case when '.length, text.indexOf(' then '));
    const isByRows = (value: number) => {
      const holes = gate.split('?').length - 1;
      return prepare(`select ${gate}`)
        .pluck()
        .get(...Array.from({ length: holes }, () => value));
    };
    expect(isByRows(-1)).toBe(1);
    await ask('filter[lines.qty]=4711&perPage=1');
    const [equal = ''] = sent.filter(isCount);
    const own = equal.slice('select case when '.length, equal.indexOf(' then '));
    const chosen = (value: number) =>
      prepare(`select ${own}`)
        .pluck()
        .get(...Array.from({ length: own.split('?').length - 1 }, () => value));
    expect([chosen(7777), chosen(4711)]).toEqual([1, 0]);
  });

  it('read a page along its order beside two values of which each is frequent', async () => {
    await ask('filter[state]=usual&filter[open]=false&perPage=5');
    expect(plans('page')).toMatch(/SCAN items(?!\S| USING)|SEARCH items USING INDEX by_open/);
  });

  it('write short lists out', async () => {
    await ask('filter[title][notIn]=Title 5,Title 6,Title 7&perPage=5');
    expect(sent.join('\n')).toMatch(/not in \(\?, \?, \?, \?\)/);
    await ask(`filter[title][notIn]=${Array.from({ length: 9 }, (_, at) => at).join()}&perPage=5`);
    expect(sent.join('\n')).toMatch(/not in \(select value from json_each/);
  });

  it('ignore case whatever the pragma says, in bytes as well', async () => {
    client.exec(
      `insert into items values (100000, cast('bytes Title' as blob), 'rare', 0, 1, null)`,
    );
    try {
      for (const isSensitive of [0, 1]) {
        client.pragma(`case_sensitive_like = ${isSensitive}`);
        const { total } = await ask('filter[title][ilike]=TITLE 119&perPage=1');
        expect(total).toBe(byHand(`title glob '*Title 119*'`, 'items.id').length);
        expect((await ask('filter[title][ilike]=BYTES&perPage=1')).total).toBe(1);
      }
    } finally {
      client.pragma('case_sensitive_like = 0');
      client.exec('delete from items where id = 100000');
    }
  });
});
