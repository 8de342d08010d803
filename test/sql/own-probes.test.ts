/** Pages of SQLite with a condition on a column and an order by another one: read along the order where many rows meet it. */

import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { introspect, sqlRegistry, sqlSource } from '../../src/adapters/sql/index.ts';
import { type KeysetResult, defineQueryRules, runQuery } from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';

const rows = 20_000;

describe('a page of SQLite with a condition beside its order', () => {
  /** The statements that have run, with their values. */
  const ran: string[] = [];
  const client = new Sqlite(':memory:', { verbose: (sql) => ran.push(String(sql)) });
  client.exec(
    `create table places (id integer primary key not null, name text not null);
     insert into places values (1, 'seldom seen');
     create table jobs (id integer primary key not null, active boolean not null, state text not null, kind text, amount integer, at integer not null, note text not null, tag text, place_id integer references places (id));
     insert into jobs select n, n % 2, case when n % 400 = 0 then 'rare' else 'usual' end, case when n % 2 = 0 then 'a' end, n % 7000, n * 7919 % ${rows}, case when n % 1000 = 0 then 'seldom' else 'in every row' end, case when n * 7919 % ${rows} < 8 then 'early' end, case when n = 7 then 1 end
       from (with recursive s(n) as (select 1 union all select n + 1 from s where n < ${rows}) select n from s);
     create table marks (id integer primary key not null, job_id integer not null references jobs (id));
     insert into marks select id, id from jobs where at < ${rows - 3};
     create index by_job on marks (job_id);
     create table stars (id integer primary key not null, job_id integer not null references jobs (id));
     insert into stars select id, id from jobs where at % 2000 < 1999;
     create index by_starred on stars (job_id);
     create index by_active on jobs (active);
     create index by_kind on jobs (kind);
     create index by_amount on jobs (amount);
     create index by_at on jobs (at, id);
     create index by_state on jobs (state, at, id);
     analyze`,
  );
  afterAll(() => client.close());
  /** Whether the pages that were read since `ran` was empty were sorted, each in place of a walk along the order. */
  const sorted = () =>
    ran.flatMap((sql) =>
      [
        ...sql.matchAll(
          /with (?:"sluice found" as .+?, )?("sluice gate").+?\) (?=select \* from)/g,
        ),
      ].map(
        ([gate, name]) =>
          (client.prepare(`${gate}select few from ${name}`).get() as { few: number }).few === 1,
      ),
    );

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
      client
        .prepare(`select id from jobs where ${where} order by ${sort} limit ${limit}`)
        .all()
        .map((row) => (row as { readonly id: number }).id);
    const ids = (page: { readonly data: readonly object[] }) =>
      page.data.map((row) => (row as { readonly id: number }).id);
    for (const sort of ['at', '-at']) {
      const order = sort === 'at' ? 'at, id' : 'at desc, id desc';
      const request = `${filter}&sort=${sort}&perPage=5`;
      ran.splice(0);
      const first = await runQuery(source, `${request}&cursor=`, rules);
      const plans = ran
        .filter((sql) => sql.includes('order by'))
        .flatMap(
          (sql) => client.prepare(`explain query plan ${sql}`).all() as { detail: string }[],
        );
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

  // The number of rows that meet it, and of those that the walk would pass before the page.
  it.each([
    ['filter[active]=true', 'active = 1', 1, false],
    ['filter[active]=true', 'active = 1', 180, false],
    ['filter[active]=true', 'active = 1', 1801, true],
    ['filter[amount][gte]=10', 'amount >= 10', 3001, false],
    ['filter[kind][like]=a', `kind like '%a%'`, 180, false],
    ['filter[kind][like]=a', `kind like '%a%'`, 1801, true],
  ])(
    'is read from the rows that meet it where the walk would pass more: %s (%s), page %i',
    async (filter, where, page, isSorted) => {
      const { tables } = await introspect(client);
      const registry = sqlRegistry(tables, { families: ['sqlite'] });
      const rules = defineQueryRules(registry, 'jobs', {
        filters: [
          { path: 'active', operators: ['eq'] },
          { path: 'amount', operators: ['gte'] },
          { path: 'kind', operators: ['like'] },
        ],
        sorts: ['at'],
        fields: { root: { allowed: ['id'], default: ['id'] } },
      });
      const source = sqlSource({ connection: client, registry, tables, model: 'jobs' });
      ran.splice(0);
      const request = `${filter}&sort=at&perPage=5&page=${page}`;
      const { data } = await runQuery(source, request, rules);
      const all = client.prepare(`select id from jobs where ${where} order by at, id`).all();
      expect(data).toEqual(all.slice(5 * (page - 1), 5 * page));
      expect(sorted()).toEqual([isSorted]);
    },
  );

  // Eight rows have the tag, the first ones along the order.
  it.each([
    ['on the first page', 'sort=at&page=1', {}, false],
    ['and not on a page that they do not fill', 'sort=at&page=2', {}, true],
    ['and not behind a position after which they do not fill one', 'sort=at&cursor=', {}, true],
    ['and not at the other end of the order', 'sort=-at&page=1', {}, true],
    ['and not where they are not in the scope', 'sort=at&page=1', { of: false }, true],
  ])(
    'is walked where its first rows fill the page, few as they are, %s',
    async (_, asked, scope, isSorted) => {
      const { tables } = await introspect(client);
      const registry = sqlRegistry(tables, { families: ['sqlite'] });
      const of = 'of' in scope;
      const rules = defineQueryRules(
        registry,
        'jobs',
        {
          filters: [{ path: 'tag', operators: ['eq'] }],
          sorts: ['at'],
          fields: { root: { allowed: ['id', 'at'], default: ['id'] } },
          pagination: { mode: 'both' },
        },
        of
          ? {
              scopes: {
                jobs: () => ({ type: 'condition', path: 'at', operator: 'gte', value: 6 }),
              },
            }
          : {},
      );
      const source = sqlSource({ connection: client, registry, tables, model: 'jobs' });
      const ask = (request: string) =>
        runQuery(source, `filter[tag]=early&perPage=5&${request}`, rules, of ? { scope: {} } : {});
      const isBehind = asked.endsWith('cursor=');
      const before = isBehind ? ((await ask(asked)) as { nextCursor?: string }).nextCursor : '';
      ran.splice(0);
      const { data } = await ask(`${asked}${before}`);
      const sort = asked.includes('-at') ? 'at desc' : 'at';
      const all = client
        .prepare(`select id from jobs where tag = 'early' and at >= ${of ? 6 : 0} order by ${sort}`)
        .all();
      const start = isBehind || asked.endsWith('page=2') ? 5 : 0;
      const ids = data.map((row) => ({ id: (row as { readonly id: number }).id }));
      expect(ids).toEqual(all.slice(start, start + 5));
      expect(sorted()).toEqual([isSorted]);
    },
  );

  it.each([
    ['filter[note][like]=every', false],
    ['filter[note][like]=seldom', true],
    ['search=every', false],
    ['search=seldom', true],
    // Of two fields, one is met by many rows.
    ['search=usual', false],
  ])('is read from the rows with a text where few have it: %s', async (asked, isSorted) => {
    const { tables } = await introspect(client);
    const registry = sqlRegistry(tables, { families: ['sqlite'] });
    const rules = defineQueryRules(registry, 'jobs', {
      filters: [{ path: 'note', operators: ['like'] }],
      search: ['note', 'state'],
      sorts: ['at'],
      fields: { root: { allowed: ['id'], default: ['id'] } },
    });
    const source = sqlSource({ connection: client, registry, tables, model: 'jobs' });
    const text = asked.split('=')[1] ?? '';
    const isSearch = asked.startsWith('search');
    const met = isSearch
      ? `note like '%${text}%' or state like '%${text}%'`
      : `note like '%${text}%'`;
    for (const page of [1, 2]) {
      ran.splice(0);
      const { data } = await runQuery(source, `${asked}&sort=-at&perPage=5&page=${page}`, rules);
      const all = client
        .prepare(`select id from jobs where ${met} order by at desc, id desc`)
        .all();
      expect(data).toEqual(all.slice(5 * (page - 1), 5 * page));
      expect(sorted()).toEqual([isSorted]);
      // The probe finds the rows of the part that sorts them.
      const plan = client
        .prepare(`explain query plan ${ran.find((sql) => sql.includes('order by')) ?? ''}`)
        .all()
        .map((row) => (row as { readonly detail: string }).detail);
      expect(plan.filter((detail) => detail === 'MATERIALIZE sluice found')).toHaveLength(1);
      expect(plan.filter((detail) => detail === 'SCAN sluice found')).toHaveLength(2);
    }
  });

  // Of the scope are 1,000 rows, or all of them.
  it.each([
    [`${rows - 1000}`, false],
    ['1', true],
  ])('is read from the rows of a scope where these are few: from %s on', async (from, isSorted) => {
    const { tables } = await introspect(client);
    const registry = sqlRegistry(tables, { families: ['sqlite'] });
    const rules = defineQueryRules(
      registry,
      'jobs',
      { search: ['note'], sorts: ['at'], fields: { root: { allowed: ['id'], default: ['id'] } } },
      {
        scopes: {
          jobs: () => ({ type: 'condition', path: 'id', operator: 'gt', value: Number(from) }),
        },
      },
    );
    const source = sqlSource({ connection: client, registry, tables, model: 'jobs' });
    ran.splice(0);
    const { data } = await runQuery(source, 'search=seldom&sort=-at&perPage=5', rules, {
      scope: {},
    });
    expect(data).toEqual(
      client
        .prepare(
          `select id from jobs where note = 'seldom' and id > ${from} order by at desc limit 5`,
        )
        .all(),
    );
    expect(sorted()).toEqual([isSorted]);
  });

  it('is not probed where a search has a field of another table', async () => {
    const { tables } = await introspect(client);
    const registry = sqlRegistry(tables, { families: ['sqlite'] });
    const rules = defineQueryRules(registry, 'jobs', {
      search: ['note', 'place.name'],
      sorts: ['at'],
      fields: { root: { allowed: ['id'], default: ['id'] } },
    });
    const source = sqlSource({ connection: client, registry, tables, model: 'jobs' });
    ran.splice(0);
    const { data } = await runQuery(source, 'search=seldom&sort=-at&perPage=100', rules);
    expect(ran.join()).not.toContain('limit case');
    expect(data).toEqual(
      client
        .prepare(`select id from jobs where id = 7 or note = 'seldom' order by at desc, id desc`)
        .all(),
    );
  });

  // The first that lack one are the last three, or every two thousandth.
  it.each([
    ['marks', true],
    ['stars', false],
  ])('is sorted where none of the first rows lacks a related one: %s', async (path, isSorted) => {
    const { tables } = await introspect(client);
    const registry = sqlRegistry(tables, { families: ['sqlite'] });
    const rules = defineQueryRules(
      registry,
      'jobs',
      {
        filters: [
          { path: 'marks', operators: ['isNull'] },
          { path: 'stars', operators: ['isNull'] },
          { path: 'state', operators: ['eq'] },
        ],
        sorts: ['at', 'place.name'],
        fields: { root: { allowed: ['id'], default: ['id'] } },
        pagination: { mode: 'both', count: 'none' },
      },
      { cursorKeys },
    );
    const source = sqlSource({ connection: client, registry, tables, model: 'jobs' });
    const lacking = `id not in (select job_id from ${path})`;
    const ask = async (request: string, order: string, more = '', where = '') => {
      ran.splice(0);
      const asked = `filter[${path}][isNull]=true&perPage=3&${request}`;
      const page = (await runQuery(source, asked, rules)) as KeysetResult;
      const byHand = `select id from jobs where ${where}${lacking} order by ${order} limit 3 ${more}`;
      expect(page.data).toEqual(client.prepare(byHand).all());
      return page;
    };
    const { nextCursor } = await ask('sort=at&cursor=', 'at, id');
    expect(sorted()).toEqual([isSorted]);
    if (nextCursor) {
      await ask(`sort=at&cursor=${nextCursor}`, 'at, id', 'offset 3');
      expect(sorted()).toEqual([isSorted]);
    }
    // Beside another condition, along the key, through a relation, and deep in the list, no rows are looked at first.
    await ask('filter[state]=rare&sort=at&page=1', 'at, id', '', `state = 'rare' and `);
    expect(ran.join()).not.toContain('limit +10000');
    await ask('cursor=', 'id');
    expect(sorted()).toEqual([]);
    await ask('sort=place.name&page=1', '(select name from places where id = place_id), id');
    expect(sorted()).toEqual([]);
    await ask('sort=at&page=400', 'at, id', 'offset 1197');
    expect(sorted()).toEqual([]);
  });
});
