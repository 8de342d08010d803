/** Creates and fills the benchmark's MariaDB (or MySQL) database. */

import mysql from 'mysql2/promise';
import type { RowDataPacket } from 'mysql2/promise';
import { batches, companies, dataVersion, posts, users } from './data.ts';
import { databaseName, mysqlUrl } from './services.ts';

const tables = [
  `create table companies (
    id int primary key,
    name varchar(191) not null,
    country varchar(191) not null
  )`,
  `create table users (
    id int primary key,
    name varchar(191) not null,
    email varchar(191) not null,
    age int not null,
    active tinyint(1) not null,
    created_at datetime(3) not null,
    company_id int not null,
    name_folded varchar(191) not null,
    email_folded varchar(191) not null,
    index users_created_at (created_at),
    index users_company_id (company_id),
    index users_name_id (name, id),
    foreign key (company_id) references companies (id)
  )`,
  `create table posts (
    id int primary key,
    user_id int not null,
    title varchar(191) not null,
    index posts_user_id (user_id),
    foreign key (user_id) references users (id)
  )`,
  'create table seeded (version int not null)',
];

async function fill(connection: mysql.Connection): Promise<void> {
  for (const table of tables) await connection.query(table);
  for (const rows of batches(companies(), 1_000)) {
    const values = rows.map((row) => [row.id, row.name, row.country]);
    await connection.query('insert into companies values ?', [values]);
  }
  for (const rows of batches(users(), 2_000)) {
    const values = rows.map((row) => [
      row.id,
      row.name,
      row.email,
      row.age,
      row.active,
      row.createdAt.toISOString().slice(0, 23).replace('T', ' '),
      row.companyId,
      row.nameFolded,
      row.emailFolded,
    ]);
    await connection.query('insert into users values ?', [values]);
  }
  for (const rows of batches(posts(), 5_000)) {
    const values = rows.map((row) => [row.id, row.userId, row.title]);
    await connection.query('insert into posts values ?', [values]);
  }
  await connection.query('analyze table companies, users, posts');
  await connection.query('insert into seeded values (?)', [dataVersion]);
}

async function isSeeded(connection: mysql.Connection): Promise<boolean> {
  const [found] = await connection.query<RowDataPacket[]>("show tables like 'seeded'");
  if (found.length === 0) return false;
  const [rows] = await connection.query<RowDataPacket[]>('select version from seeded');
  return rows[0]?.['version'] === dataVersion;
}

/** The text collation of the database: by code point, trailing blanks significant. */
async function collation(connection: mysql.Connection): Promise<string> {
  const [rows] = await connection.query<RowDataPacket[]>('select version() as version');
  const isMaria = String(rows[0]?.['version']).includes('MariaDB');
  return isMaria ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin';
}

/** Fills the database, unless it is filled already. */
export async function seedMysql(reseed: boolean): Promise<void> {
  const connection = await mysql.createConnection(mysqlUrl());
  try {
    await connection.query(
      `create database if not exists ${databaseName} character set utf8mb4 collate ${await collation(connection)}`,
    );
    await connection.query(`use ${databaseName}`);
    if (!reseed && (await isSeeded(connection))) return;
    await connection.query('drop table if exists posts, users, companies, seeded');
    await fill(connection);
  } finally {
    await connection.end();
  }
}
