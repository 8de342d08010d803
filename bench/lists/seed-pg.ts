/** Creates and fills the benchmark's PostgreSQL database. */

import pg from 'pg';
import { batches, companies, dataVersion, posts, users } from './data.ts';
import { databaseName, postgresUrl } from './services.ts';

const tables = `
  create table companies (
    id integer primary key,
    name text collate "C" not null,
    country text collate "C" not null
  );
  create table users (
    id integer primary key,
    name text collate "C" not null,
    email text collate "C" not null,
    age integer not null,
    active boolean not null,
    created_at timestamptz(3) not null,
    company_id integer not null references companies (id),
    name_folded text collate "C" not null,
    email_folded text collate "C" not null
  );
  create table posts (
    id integer primary key,
    user_id integer not null references users (id),
    title text collate "C" not null
  );
  create table seeded (version integer not null);
`;

const indexes = `
  create index users_created_at on users (created_at);
  create index users_company_id on users (company_id);
  create index users_name_id on users (name, id);
  create index posts_user_id on posts (user_id);
`;

/** Sends one batch as arrays, one per column, so that the statement text is constant. */
async function insert(
  client: pg.Client,
  table: string,
  columns: readonly string[],
  types: readonly string[],
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  const arrays = columns.map((_, column) => rows.map((row) => row[column]));
  const list = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
  await client.query(
    `insert into ${table} (${columns.join(', ')}) select * from unnest(${list})`,
    arrays,
  );
}

async function fill(client: pg.Client): Promise<void> {
  await client.query('begin');
  await client.query(tables);
  for (const rows of batches(companies(), 5_000)) {
    const values = rows.map((row) => [row.id, row.name, row.country]);
    await insert(client, 'companies', ['id', 'name', 'country'], ['int', 'text', 'text'], values);
  }
  for (const rows of batches(users(), 5_000)) {
    await insert(
      client,
      'users',
      [
        'id',
        'name',
        'email',
        'age',
        'active',
        'created_at',
        'company_id',
        'name_folded',
        'email_folded',
      ],
      ['int', 'text', 'text', 'int', 'boolean', 'timestamptz', 'int', 'text', 'text'],
      rows.map((row) => [
        row.id,
        row.name,
        row.email,
        row.age,
        row.active,
        row.createdAt.toISOString(),
        row.companyId,
        row.nameFolded,
        row.emailFolded,
      ]),
    );
  }
  for (const rows of batches(posts(), 10_000)) {
    const values = rows.map((row) => [row.id, row.userId, row.title]);
    await insert(client, 'posts', ['id', 'user_id', 'title'], ['int', 'int', 'text'], values);
  }
  await client.query(indexes);
  await client.query('insert into seeded values ($1)', [dataVersion]);
  await client.query('commit');
  await client.query('vacuum analyze');
}

async function isSeeded(client: pg.Client): Promise<boolean> {
  const present = await client.query<{ found: boolean }>(
    "select to_regclass('seeded') is not null as found",
  );
  if (present.rows[0]?.found !== true) return false;
  const version = await client.query<{ version: number }>('select version from seeded');
  return version.rows[0]?.version === dataVersion;
}

/** Fills the database, unless it is filled already. */
export async function seedPostgres(reseed: boolean): Promise<void> {
  const admin = new pg.Client(postgresUrl('postgres'));
  await admin.connect();
  const exists = await admin.query('select 1 from pg_database where datname = $1', [databaseName]);
  if (exists.rows.length === 0) await admin.query(`create database ${databaseName}`);
  await admin.end();

  const client = new pg.Client(postgresUrl(databaseName));
  await client.connect();
  try {
    if (!reseed && (await isSeeded(client))) return;
    await client.query('drop table if exists posts, users, companies, seeded');
    await fill(client);
  } finally {
    await client.end();
  }
}
