/** Tables as anybody would create them: foreign keys, nullable columns and single indexes. */

import Sqlite from 'better-sqlite3';
import mysql2 from 'mysql2/promise';
import pg from 'pg';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Family, mysqlUrl, postgresUrl } from '../lists/services.ts';

/** Rows of the tables. */
export const sizes = {
  companies: 2000,
  users: 300_000,
  posts: 900_000,
  events: 1_000_000,
} as const;
/** Authors, and articles of each. */
export const [authors, articlesOfEach] = [20, 1000];

const database = 'sluice_bench_tables';

/** Runs statements; those of a page return their rows. */
export interface Opened {
  /** The connection, as `sqlSource` takes it. */
  readonly connection: pg.Pool | mysql2.Pool | Sqlite.Database;
  run(sql: string, values?: readonly unknown[]): Promise<readonly object[]>;
  close(): Promise<unknown>;
}

async function openPostgres(): Promise<Opened> {
  const admin = new pg.Client({ connectionString: postgresUrl('postgres') });
  await admin.connect();
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [database]);
  if (!rowCount) await admin.query(`create database ${database}`);
  await admin.end();
  const pool = new pg.Pool({ connectionString: postgresUrl(database), max: 4 });
  const named = new Map<string, string>();
  return {
    connection: pool,
    async run(sql, values) {
      if (!values) return (await pool.query<object>(sql)).rows;
      let at = 0;
      const text = sql.replaceAll('?', () => `$${(at += 1)}`);
      const name = named.get(text) ?? `by_hand_${named.size}`;
      named.set(text, name);
      return (await pool.query<object>({ name, text, values: [...values] })).rows;
    },
    close: () => pool.end(),
  };
}

async function openMysql(): Promise<Opened> {
  const admin = await mysql2.createConnection(mysqlUrl());
  await admin.query(`create database if not exists ${database}`);
  await admin.end();
  const pool = mysql2.createPool({ uri: mysqlUrl(database), connectionLimit: 4 });
  return {
    connection: pool,
    run: async (sql, values = []) => (await pool.query(sql, [...values]))[0] as object[],
    close: () => pool.end(),
  };
}

async function openSqlite(): Promise<Opened> {
  const client = new Sqlite(join(tmpdir(), `${database}.sqlite`));
  const prepared = new Map<string, Sqlite.Statement<unknown[], object>>();
  return {
    connection: client,
    async run(sql, values) {
      if (!values) {
        client.exec(sql);
        return [];
      }
      const statement = prepared.get(sql) ?? client.prepare<unknown[], object>(sql);
      prepared.set(sql, statement);
      return statement.all(...values);
    },
    close: async () => client.close(),
  };
}

const openers = { pg: openPostgres, mysql: openMysql, sqlite: openSqlite };

/** Digits, and the powers of ten by which they make numbers up to a million. */
const digits = Array.from({ length: 10 }, (_, digit) => `select ${digit} as n`).join(' union all ');
const tens = [1, 10, 100, 1000, 10_000, 100_000];

/** The words in which the families differ. */
const words = {
  pg: {
    text: 'varchar(60)',
    series: (count: number) => `generate_series(1, ${count}) as s(n)`,
    joined: (left: string, right: string) => `${left} || ${right}`,
    analyze: 'vacuum analyze',
  },
  mysql: {
    text: 'varchar(60)',
    series: (count: number) =>
      `(select 1 + ${tens.map((ten, at) => `${ten} * d${at}.n`).join(' + ')} as n from ${tens.map((_, at) => `(${digits}) d${at}`).join(' cross join ')} having n <= ${count}) as s`,
    joined: (left: string, right: string) => `concat(${left}, ${right})`,
    analyze: 'analyze table companies, users, posts, events, authors, articles',
  },
  sqlite: {
    text: 'text',
    series: (count: number) =>
      `(with recursive s(n) as (select 1 union all select n + 1 from s where n < ${count}) select n from s) as s`,
    joined: (left: string, right: string) => `${left} || ${right}`,
    analyze: 'analyze',
  },
} as const;

async function seed(family: Family, { run }: Opened): Promise<void> {
  const { text, series, joined, analyze } = words[family];
  for (const table of ['articles', 'authors', 'events', 'posts', 'users', 'companies']) {
    await run(`drop table if exists ${table}`);
  }
  const tables = [
    `companies (id integer primary key, name ${text} not null, country ${text} not null)`,
    `users (id integer primary key, name ${text} not null, company_id integer not null, foreign key (company_id) references companies (id))`,
    `posts (id integer primary key, author_id integer not null, title ${text} not null, published integer not null, foreign key (author_id) references users (id))`,
    `events (id integer primary key, created_at integer, kind integer not null, note ${text} not null)`,
    `authors (id integer primary key)`,
    `articles (id integer primary key, author_id integer not null, title ${text} not null, foreign key (author_id) references authors (id))`,
  ];
  for (const table of tables) await run(`create table ${table}`);
  const mod = (left: string, right: number) =>
    family === 'mysql' ? `mod(${left}, ${right})` : `(${left}) % ${right}`;
  const rows = {
    companies: [
      `n, ${joined("'c'", mod('n * 7', sizes.companies))}, case ${mod('n', 4)} when 0 then 'DE' else 'FR' end`,
      sizes.companies,
    ],
    users: [`n, ${joined("'n'", 'n')}, 1 + ${mod('n', sizes.companies)}`, sizes.users],
    posts: [
      `n, 1 + ${mod('n * 17', sizes.users)}, ${joined("'t'", mod('n', sizes.posts / 2))}, ${mod('n', 2)}`,
      sizes.posts,
    ],
    events: [
      `n, case when ${mod('n', 10)} > 0 then ${mod('n * 7', sizes.events)} end, ${mod('n', 50)}, 'note of an event'`,
      sizes.events,
    ],
    authors: ['n', authors],
    articles: [`n, 1 + ${mod('n', authors)}, ${joined("'t'", 'n')}`, authors * articlesOfEach],
  } as const;
  for (const [table, [values, count]] of Object.entries(rows)) {
    await run(`insert into ${table} select ${values} from ${series(count)}`);
  }
  for (const [table, columns] of [
    ['companies', 'name'],
    ['companies', 'country'],
    ['users', 'company_id, id'],
    ['posts', 'author_id, id'],
    ['posts', 'title'],
    ['posts', 'published'],
    ['events', 'created_at, id'],
    ['events', 'kind, id'],
    ['articles', 'author_id, id'],
  ] as const) {
    await run(`create index ${table}_${columns.replaceAll(', ', '_')} on ${table} (${columns})`);
  }
  await run(analyze);
}

/** The tables of a family, which are created if they are not there yet. */
export async function openTables(family: Family, reseed: boolean): Promise<Opened> {
  const opened = await openers[family]();
  const there = await opened.run('select count(*) as count from articles', []).catch(() => []);
  if (
    reseed ||
    Number((there[0] as { count?: unknown } | undefined)?.count) !== authors * articlesOfEach
  ) {
    await seed(family, opened);
  }
  return opened;
}
