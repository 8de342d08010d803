/** The hostile suite's tables and rows on each database family, for every ORM. */

import Database from 'better-sqlite3';
import { getTableColumns } from 'drizzle-orm';
import type { Column, Table } from 'drizzle-orm';
import { drizzle as sqliteDrizzle } from 'drizzle-orm/better-sqlite3';
import { drizzle as mysqlDrizzle } from 'drizzle-orm/mysql2';
import { drizzle as pgDrizzle } from 'drizzle-orm/node-postgres';
import { createPool } from 'mysql2/promise';
import pg from 'pg';
import type { DatabaseFamily } from '../../src/index.ts';
import type { SqliteInstant } from '../matrix/fixtures/column-types.ts';
import { scratchDatabase } from '../services/index.ts';
import type { MissingService, ScratchDatabase } from '../services/index.ts';
import * as mysqlTables from './tables-mysql.ts';
import * as pgTables from './tables-postgresql.ts';
import * as sqliteTables from './tables-sqlite.ts';
import { firms, labels, notes, people, personLabels, roles } from './world.ts';

/** The `create table` statement of a Drizzle table. */
function ddl(name: string, table: Table, quote: '"' | '`'): string {
  const columns = Object.values<Column>(getTableColumns(table)).map((column) => {
    const key = column.primary ? ' primary key' : '';
    return `${quote}${column.name}${quote} ${column.getSQLType()}${column.notNull ? ' not null' : ''}${key}`;
  });
  return `create table ${quote}${name}${quote} (${columns.join(', ')})`;
}

function tableDdl(
  tables: typeof mysqlTables | typeof pgTables | typeof sqliteTables,
  quote: '"' | '`',
): string[] {
  return [
    ddl('hz_firms', tables.firm, quote),
    ddl('hz_people', tables.person, quote),
    ddl('hz_notes', tables.note, quote),
    ddl('hz_labels', tables.label, quote),
    ddl('hz_person_labels', tables.personLabels, quote),
  ];
}

/** How an ORM other than Drizzle would have written the instants, as a format of `strftime`. */
const instantFormats: { readonly [form in SqliteInstant]: string | null } = {
  'epoch-milliseconds': null,
  'blank-text': '%Y-%m-%d %H:%M:%f',
  'offset-text': '%Y-%m-%dT%H:%M:%f+00:00',
};

async function fillSqlite(url: string, instant: SqliteInstant): Promise<void> {
  const client = new Database(url);
  const db = sqliteDrizzle(client);
  for (const statement of tableDdl(sqliteTables, '"')) {
    const asText = instant !== 'epoch-milliseconds';
    client.exec(
      asText ? statement.replace('"c_seen_at" integer', '"c_seen_at" datetime') : statement,
    );
  }
  await db.insert(sqliteTables.firm).values(firms);
  await db
    .insert(sqliteTables.person)
    .values(people.map((row) => ({ ...row, visits: Number(row.visits) })));
  await db.insert(sqliteTables.note).values(notes);
  await db.insert(sqliteTables.label).values(labels);
  await db.insert(sqliteTables.personLabels).values(personLabels);
  const format = instantFormats[instant];
  if (format !== null) {
    client
      .prepare(`update hz_people set c_seen_at = strftime(?, c_seen_at / 1000.0, 'unixepoch')`)
      .run(format);
  }
  client.close();
}

async function fillPostgresql(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url });
  const db = pgDrizzle(pool);
  const members = roles.map((role) => `'${role}'`).join(', ');
  await pool.query(`create type hz_role as enum (${members})`);
  for (const statement of tableDdl(pgTables, '"')) await pool.query(statement);
  await db.insert(pgTables.firm).values(firms);
  await db.insert(pgTables.person).values(people);
  await db.insert(pgTables.note).values(notes);
  await db.insert(pgTables.label).values(labels);
  await db.insert(pgTables.personLabels).values(personLabels);
  await pool.end();
}

async function fillMysql(url: string): Promise<void> {
  const pool = createPool({ uri: url, timezone: 'Z' });
  const db = mysqlDrizzle(pool);
  for (const statement of tableDdl(mysqlTables, '`')) await pool.query(statement);
  await db.insert(mysqlTables.firm).values(firms);
  await db.insert(mysqlTables.person).values(people);
  await db.insert(mysqlTables.note).values(notes);
  await db.insert(mysqlTables.label).values(labels);
  await db.insert(mysqlTables.personLabels).values(personLabels);
  await pool.end();
}

const fill = { postgresql: fillPostgresql, mysql: fillMysql, sqlite: fillSqlite };

/** A scratch database with the tables and their rows, or instructions for a missing server. */
export async function hostileDatabase(
  family: DatabaseFamily,
  instant: SqliteInstant,
): Promise<ScratchDatabase | MissingService> {
  const database = await scratchDatabase(family, 'hostile');
  if (!('missing' in database)) await fill[family](database.url, instant);
  return database;
}
