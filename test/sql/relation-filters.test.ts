/**
 * Pages with filters through relations read little of their tables, whether few rows or most rows meet the filter: where
 * few do, from these; where most do, along the order until the page is full.
 */

import Sqlite from 'better-sqlite3';
import mysql2, { type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type SqlConnection,
  sqlRegistry,
  sqlSource,
  sqlTables,
} from '../../src/adapters/sql/index.ts';
import {
  type CappedResult,
  type CompiledQueryRules,
  type KeysetResult,
  type QuerySource,
  type SchemaRegistry,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';

const [companies, users, posts] = [200, 20_000, 60_000];
const perPage = 20;
/** Rows and index entries that a page may read: probes read up to a thousand of each of their tables. */
const mostRead = 4_500;

interface Opened {
  readonly connection: SqlConnection;
  run(sql: string): Promise<unknown>;
  /** Rows that the statements of a call have read. */
  readBy(call: () => Promise<unknown>): Promise<number>;
  close(): Promise<unknown>;
}

async function openMysql({ url }: ScratchDatabase): Promise<Opened> {
  const pool = mysql2.createPool({ uri: url, connectionLimit: 1 });
  return {
    connection: pool,
    run: (sql) => pool.query(sql),
    async readBy(call) {
      await pool.query('flush status');
      await call();
      const [rows] = await pool.query<RowDataPacket[]>(
        `show session status where Variable_name in ('Handler_read_key', 'Handler_read_next', 'Handler_read_prev', 'Handler_read_first', 'Handler_read_rnd_next')`,
      );
      return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
    },
    close: () => pool.end(),
  };
}

/** The tables are views whose rows are counted when they are read. */
async function openSqlite({ url }: ScratchDatabase): Promise<Opened> {
  const client = new Sqlite(url);
  let read = 0;
  client.function('is_read', { deterministic: false }, () => {
    read += 1;
    return 1;
  });
  return {
    connection: client,
    run: async (sql) => client.exec(sql),
    async readBy(call) {
      read = 0;
      await call();
      return read;
    },
    close: async () => client.close(),
  };
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value}'` : String(value);

const openers = { mysql: openMysql, sqlite: openSqlite };

interface User {
  readonly id: number;
  readonly createdAt: number | null;
  readonly company: { readonly name: string; readonly country: string };
  readonly posts: readonly { readonly title: string; readonly state: string }[];
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);
const companyRows = numbers(companies).map((id) => ({
  id,
  name: `c${id}`,
  country: id % 4 ? 'DE' : 'FR',
}));
const postRows = numbers(posts).map((id) => ({
  id,
  authorId: 1 + ((id * 7) % users),
  title: `t${id % 20_000}`,
  state: id % 3 ? 'published' : 'draft',
}));
const postsOf = Map.groupBy(postRows, ({ authorId }) => authorId);
const userRows = numbers(users).map((id) => ({
  id,
  companyId: 1 + (id % companies),
  createdAt: id % 5 ? (id * 7) % users : null,
}));
const userOf = (row: (typeof userRows)[number]): User => ({
  ...row,
  company: companyRows[row.companyId - 1] as User['company'],
  posts: postsOf.get(row.id) ?? [],
});

/** Filters, and whether a user meets each. */
const filters: Readonly<Record<string, (user: User) => boolean>> = {
  'filter[posts.title]=t77': ({ posts }) => posts.some(({ title }) => title === 't77'),
  'filter[posts.title]=none': () => false,
  'filter[posts.state]=published': ({ posts }) => posts.some(({ state }) => state === 'published'),
  'filter[company.name]=c7': ({ company }) => company.name === 'c7',
  'filter[company.country]=DE': ({ company }) => company.country === 'DE',
  'filter[company.country]=DE&filter[posts.title]=t84': ({ company, posts }) =>
    company.country === 'DE' && posts.some(({ title }) => title === 't84'),
  'filter[posts.title][between]=t77,t770': ({ posts }) =>
    posts.some(({ title }) => title >= 't77' && title <= 't770'),
};

/** Orders, with the rules that they belong to, and the place of a user without an instant. */
const orders = [
  ['sort=id', 'usual', 0],
  ['sort=-id', 'usual', 0],
  ['sort=createdAt', 'usual', -1],
  ['sort=-createdAt', 'usual', -1],
  ['sort=createdAt', 'last', Infinity],
] as const;

describe.each(['mysql', 'sqlite'] as const)('a filter through a relation on %s', (family) => {
  let opened: Opened | undefined;
  let database: ScratchDatabase | undefined;
  let source: QuerySource;
  const rules = new Map<string, CompiledQueryRules>();

  beforeAll(async () => {
    const found = await scratchDatabase(family, 'relation_filters');
    if ('missing' in found) {
      if (everyServiceRequired()) throw new Error(found.advice);
      return;
    }
    database = found;
    opened = await openers[family](found);
    const { run, connection } = opened;
    const text = family === 'mysql' ? 'varchar(20)' : 'text';
    const stored = (name: string) => (family === 'mysql' ? name : `stored_${name}`);
    for (const [name, columns, indexes] of [
      ['companies', `name ${text} not null, country ${text} not null`, ['name', 'country']],
      ['users', `company_id int not null, created_at int`, ['company_id', 'created_at, id']],
      [
        'posts',
        `author_id int not null, title ${text} not null, state ${text} not null`,
        ['author_id', 'title', 'state'],
      ],
    ] as const) {
      await run(`create table ${stored(name)} (id integer primary key, ${columns})`);
      for (const [at, index] of indexes.entries()) {
        await run(`create index ${name}_${at} on ${stored(name)} (${index})`);
      }
      if (family === 'sqlite') {
        await run(`create view ${name} as select * from ${stored(name)} where is_read()`);
      }
    }
    const insert = async (name: string, rows: readonly object[]) => {
      const written = rows.map((row) => `(${Object.values(row).map(literal).join()})`);
      for (let at = 0; at < rows.length; at += 10_000) {
        await run(`insert into ${stored(name)} values ${written.slice(at, at + 10_000).join()}`);
      }
    };
    await insert('companies', companyRows);
    await insert('users', userRows);
    await insert('posts', postRows);
    await run(family === 'mysql' ? 'analyze table companies, users, posts' : 'analyze');
    const id = { type: 'int', nullable: false } as const;
    const tables = sqlTables({
      company: {
        table: 'companies',
        primaryKey: 'id',
        columns: { id, name: 'text', country: 'text' },
        relations: {},
      },
      user: {
        table: 'users',
        primaryKey: 'id',
        columns: {
          id,
          companyId: { type: 'int', column: 'company_id' },
          createdAt: { type: 'int', column: 'created_at', nullable: true },
        },
        relations: {
          company: { one: 'company', from: 'companyId' },
          posts: { many: 'post', to: 'authorId' },
        },
      },
      post: {
        table: 'posts',
        primaryKey: 'id',
        columns: {
          id,
          authorId: { type: 'int', column: 'author_id' },
          title: 'text',
          state: 'text',
        },
        relations: {},
      },
    });
    const registry: SchemaRegistry = sqlRegistry(tables, { families: [family] });
    source = sqlSource({ connection, registry, tables, model: 'user' });
    for (const nulls of ['usual', 'last'] as const) {
      const sorts = [
        'id',
        nulls === 'last' ? ({ path: 'createdAt', nulls } as const) : 'createdAt',
      ];
      const compiled = defineQueryRules(
        registry,
        'user',
        {
          filters: [
            { path: 'id', operators: ['eq'] },
            { path: 'posts.title', operators: ['eq', 'between'] },
            { path: 'posts.state', operators: ['eq'] },
            { path: 'company.name', operators: ['eq'] },
            { path: 'company.country', operators: ['eq'] },
          ],
          quantifiers: ['posts'],
          sorts,
          fields: { root: { allowed: ['id'], default: ['id'] } },
          pagination: { mode: 'both', count: { capped: 50 } },
        },
        { cursorKeys },
      );
      rules.set(nulls, compiled);
    }
  });
  afterAll(async () => {
    await opened?.close();
    await database?.drop();
  });

  // An index of MySQL serves nulls in its own place only.
  const served = orders.filter(([, nulls]) => family === 'sqlite' || nulls === 'usual');
  const cases = Object.entries(filters).flatMap(([filter, meets]) =>
    served.map(([sort, nulls, absent]) => ({ filter, meets, sort, nulls, absent })),
  );
  it.for(cases)(
    '$filter&$sort, nulls $nulls',
    async ({ filter, meets, sort, nulls, absent }, context) => {
      if (!opened) return context.skip();
      const compiled = rules.get(nulls) as CompiledQueryRules;
      const sign = sort.includes('-') ? -1 : 1;
      const place = ({ createdAt }: User) => createdAt ?? absent;
      const found = userRows
        .map(userOf)
        .filter(meets)
        .toSorted((left, right) => {
          const apart = sort.endsWith('createdAt') ? place(left) - place(right) : 0;
          return sign * (apart || left.id - right.id);
        })
        .map(({ id }) => ({ id }));
      const { readBy } = opened;
      const ask = async (request: string): Promise<unknown> => {
        let answer: unknown;
        const read = await readBy(async () => {
          answer = await runQuery(
            source,
            `${filter}&${sort}&perPage=${perPage}${request}`,
            compiled,
          );
        });
        expect(read).toBeLessThanOrEqual(mostRead);
        return answer;
      };
      const first = (await ask('&cursor=')) as KeysetResult;
      expect(first.data).toEqual(found.slice(0, perPage));
      if (first.nextCursor) {
        const next = (await ask(`&cursor=${first.nextCursor}`)) as KeysetResult;
        expect(next.data).toEqual(found.slice(perPage, 2 * perPage));
        const back = (await ask(`&cursor=${next.prevCursor}`)) as KeysetResult;
        expect(back.data).toEqual(first.data);
      }
      const numbered = (await ask('&page=2')) as CappedResult;
      expect(numbered.data).toEqual(found.slice(perPage, 2 * perPage));
      expect(numbered.total).toBe(Math.min(found.length, 50));
    },
  );

  it('is counted up to a cap alike, whatever the place of the page', async (context) => {
    if (!opened) return context.skip();
    const compiled = rules.get('usual') as CompiledQueryRules;
    const request = `filter[posts.state]=published&perPage=${perPage}&page=51`;
    let answer: unknown;
    const read = await opened.readBy(async () => {
      answer = await runQuery(source, request, compiled);
    });
    expect((answer as CappedResult).total).toBe(50);
    // The page reads some 9,000 on MySQL, the count a probe of 1,000 and its 50 rows.
    expect(read).toBeLessThanOrEqual(12_500);
  });

  it('is counted from the rows that meet several filters together, where these are few', async (context) => {
    if (!opened) return context.skip();
    // The first page ends soon: the second of these users is the first one along the key.
    const request =
      'filter[posts][$some][title]=t7&filter[posts][$some][state]=published&perPage=1&page=1';
    let answer: unknown;
    const read = await opened.readBy(async () => {
      answer = await runQuery(source, request, rules.get('usual') as CompiledQueryRules);
    });
    const met = userRows
      .map(userOf)
      .filter((user) =>
        user.posts.some((post) => post.title === 't7' && post.state === 'published'),
      );
    expect(answer).toMatchObject({ data: [{ id: met[0]?.id }], total: met.length });
    expect(read).toBeLessThanOrEqual(mostRead);
  });

  it('asks no probe where a key leaves few rows', async (context) => {
    if (!opened) return context.skip();
    const request = 'filter[id]=7&filter[posts.state]=published&cursor=';
    let data: KeysetResult['data'] = [];
    const read = await opened.readBy(async () => {
      ({ data } = await runQuery(source, request, rules.get('usual') as CompiledQueryRules));
    });
    expect(data).toEqual([{ id: 7 }]);
    expect(read).toBeLessThanOrEqual(20);
  });

  it.for(orders.map(([sort, nulls, absent]) => ({ sort, nulls, absent })))(
    'a page deep in $sort, nulls $nulls, reads its rows alone',
    async ({ sort, nulls, absent }, context) => {
      if (!opened) return context.skip();
      const { readBy } = opened;
      const compiled = rules.get(nulls) as CompiledQueryRules;
      const sign = sort.includes('-') ? -1 : 1;
      const place = ({ createdAt }: { readonly createdAt: number | null }) => createdAt ?? absent;
      const ids = userRows
        .toSorted((left, right) => {
          const apart = sort.endsWith('createdAt') ? place(left) - place(right) : 0;
          return sign * (apart || left.id - right.id);
        })
        .map(({ id }) => ({ id }));
      const page = async (cursor: string | null, size: number) =>
        (await runQuery(
          source,
          `${sort}&perPage=${size}&cursor=${cursor}`,
          compiled,
        )) as KeysetResult;
      let cursor: string | null = '';
      let at = 0;
      // Behind 10,000 rows, and behind the last row with or without a value.
      for (const depth of [10_000, 16_500]) {
        for (; at < depth; at += 500) ({ nextCursor: cursor } = await page(cursor, 500));
        let found: KeysetResult | undefined;
        const read = await readBy(async () => {
          found = await page(cursor, perPage);
        });
        expect(found?.data).toEqual(ids.slice(at, at + perPage));
        expect(read).toBeLessThanOrEqual(10 * perPage);
        const back = await page(found?.prevCursor ?? null, perPage);
        expect(back.data).toEqual(ids.slice(at - perPage, at));
      }
    },
  );
});
