/** The forms of a to-many filter in SQL on each database: the fastest for the page, and the fastest for the count. */

import Database from 'better-sqlite3';
import mysql from 'mysql2/promise';
import type { RowDataPacket } from 'mysql2/promise';
import pg from 'pg';
import { table } from '../markdown.ts';
import { quantile } from '../measure.ts';
import { databaseName, mysqlUrl, postgresUrl, sqliteFile } from './services.ts';
import type { Family } from './services.ts';

interface Form {
  readonly name: string;
  readonly page: string | null;
  readonly count: string;
}

/** A connection that runs SQL and returns the first column of the first row. */
interface Connection {
  first(sql: string): Promise<unknown>;
  close(): Promise<void> | void;
}

/** Conditions before the to-many filter: none, or one that leaves a hundred users. */
const beside: readonly (readonly [name: string, sql: string])[] = [
  ['alone', ''],
  ['beside company_id = 5', 'u.company_id = 5 and '],
];

const runs = 7;

/** A case-sensitive literal test of the title. */
function titleTest(family: Family): string {
  return family === 'sqlite' ? "p.title glob '*zebra*'" : "p.title like '%zebra%'";
}

function forms(family: Family, other: string): Form[] {
  const test = titleTest(family);
  const columns = 'u.id, u.name, u.email, u.age, u.active, u.created_at, u.company_id';
  const statements = (name: string, rest: string): Form => ({
    name,
    page: `select ${columns} from users u ${rest} order by u.name, u.id limit 20`,
    count: `select count(*) from users u ${rest}`,
  });
  const correlated = (sign: string): string =>
    `from posts p where p.user_id ${sign} u.id and ${test}`;
  const owners = `from posts p where ${test}`;
  const found = [
    statements('exists', `where ${other}exists (select 1 ${correlated('=')})`),
    statements('in', `where ${other}u.id in (select p.user_id ${owners})`),
    statements(
      'scalar subquery',
      `where ${other}(select 1 ${correlated('=')} limit 1) is not null`,
    ),
    statements(
      'join of distinct owners',
      `join (select distinct p.user_id ${owners}) d on d.user_id = u.id where ${other}1 = 1`,
    ),
    {
      name: 'join, distinct roots',
      page: `select distinct ${columns} from users u join posts p on p.user_id = u.id
        where ${other}${test} order by u.name, u.id limit 20`,
      count: `select count(distinct u.id) from users u join posts p on p.user_id = u.id
        where ${other}${test}`,
    },
  ];
  if (other === '') {
    const count = `select count(distinct p.user_id) ${owners}`;
    found.push({ name: 'no root table', page: null, count });
  }
  if (family === 'mysql') {
    found.push(statements('exists, <=>', `where ${other}exists (select 1 ${correlated('<=>')})`));
  }
  return found;
}

async function connect(family: Family): Promise<Connection> {
  if (family === 'sqlite') {
    const db = new Database(sqliteFile(), { readonly: true });
    return {
      first: async (sql) => (db.prepare(sql).raw().all() as unknown[][])[0]?.[0],
      close: () => void db.close(),
    };
  }
  if (family === 'mysql') {
    const connection = await mysql.createConnection(mysqlUrl(databaseName));
    return {
      first: async (sql) => {
        const [rows] = await connection.query<RowDataPacket[]>({ sql, rowsAsArray: true });
        return rows[0]?.[0];
      },
      close: () => connection.end(),
    };
  }
  const client = new pg.Client(postgresUrl(databaseName));
  await client.connect();
  return {
    first: async (text) => (await client.query<unknown[]>({ text, rowMode: 'array' })).rows[0]?.[0],
    close: () => client.end(),
  };
}

/** Median milliseconds of a statement; fails if its answer is not the expected one. */
async function time(connection: Connection, sql: string, expected: unknown): Promise<string> {
  const taken: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now();
    const answer = await connection.first(sql);
    taken.push(performance.now() - start);
    if (String(answer) !== String(expected)) throw new Error(`Unexpected answer: ${sql}`);
  }
  return quantile(taken, 0.5).toFixed(2);
}

/** Prints one table per family. */
export async function runQ3(families: readonly Family[]): Promise<void> {
  for (const family of families) {
    const connection = await connect(family);
    const rows: string[][] = [];
    for (const [besideName, other] of beside) {
      const all = forms(family, other);
      const [reference] = all;
      const page = await connection.first(reference?.page ?? '');
      const count = await connection.first(reference?.count ?? '');
      for (const form of all) {
        rows.push([
          `${form.name}, ${besideName}`,
          form.page === null ? '' : await time(connection, form.page, page),
          await time(connection, form.count, count),
        ]);
      }
    }
    await connection.close();
    console.log(
      `\n### ${family}: forms of Q3, median ms\n\n${table(['form', 'page', 'count'], rows)}`,
    );
  }
}
