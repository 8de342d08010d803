/** The hostile suite's endpoint on each database family: tables, rows, source, and a count of statements. */

import Database from 'better-sqlite3';
import { getTableColumns } from 'drizzle-orm';
import type { Column, Table } from 'drizzle-orm';
import { drizzle as mysqlDrizzle } from 'drizzle-orm/mysql2';
import { drizzle as pgDrizzle } from 'drizzle-orm/node-postgres';
import { drizzle as sqliteDrizzle } from 'drizzle-orm/better-sqlite3';
import { createPool } from 'mysql2/promise';
import pg from 'pg';
import type { CompiledQueryRules, QuerySource } from '../../src/index.ts';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { scratchDatabase } from '../services/index.ts';
import type { MissingService } from '../services/index.ts';
import { hostileRules } from './rules.ts';
import * as mysqlTables from './tables-mysql.ts';
import * as pgTables from './tables-postgresql.ts';
import * as sqliteTables from './tables-sqlite.ts';
import { firms, labels, notes, people, personLabels, roles } from './world.ts';

/** The endpoint on one family. */
export interface HostileCell {
  readonly rules: CompiledQueryRules;
  readonly source: QuerySource<object>;
  /** How many statements have been sent so far. */
  statements(): number;
  close(): Promise<void>;
}

const person = { code: { kind: 'uuid' }, born: { kind: 'date' } } as const;

class StatementCounter {
  count = 0;
  logQuery(): void {
    this.count += 1;
  }
}

/** `create table`, from what Drizzle knows of the columns. */
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

/** On SQLite, in memory. */
export async function sqliteCell(): Promise<HostileCell> {
  const client = new Database(':memory:');
  const logger = new StatementCounter();
  const db = sqliteDrizzle(client, { logger });
  for (const statement of tableDdl(sqliteTables, '"')) client.exec(statement);
  await db.insert(sqliteTables.firm).values(firms);
  await db
    .insert(sqliteTables.person)
    .values(people.map((row) => ({ ...row, visits: Number(row.visits) })));
  await db.insert(sqliteTables.note).values(notes);
  await db.insert(sqliteTables.label).values(labels);
  await db.insert(sqliteTables.personLabels).values(personLabels);
  const tables = sqliteTables.models;
  const registry = drizzleRegistry(tables, sqliteTables.links, {
    person: { ...person, visits: { kind: 'bigint' } },
  });
  return {
    rules: hostileRules(registry),
    source: drizzleSource({ db, registry, tables, model: 'person' }),
    statements: () => logger.count,
    close: async () => void client.close(),
  };
}

/** On PostgreSQL, in a database of its own. */
export async function postgresqlCell(): Promise<HostileCell | MissingService> {
  const database = await scratchDatabase('postgresql', 'hostile');
  if ('missing' in database) return database;
  const pool = new pg.Pool({ connectionString: database.url });
  const logger = new StatementCounter();
  const db = pgDrizzle(pool, { logger });
  const members = roles.map((role) => `'${role}'`).join(', ');
  await pool.query(`create type hz_role as enum (${members})`);
  for (const statement of tableDdl(pgTables, '"')) await pool.query(statement);
  await db.insert(pgTables.firm).values(firms);
  await db.insert(pgTables.person).values(people);
  await db.insert(pgTables.note).values(notes);
  await db.insert(pgTables.label).values(labels);
  await db.insert(pgTables.personLabels).values(personLabels);
  const tables = pgTables.models;
  const registry = drizzleRegistry(tables, pgTables.links);
  return {
    rules: hostileRules(registry),
    source: drizzleSource({ db, registry, tables, model: 'person' }),
    statements: () => logger.count,
    close: async () => {
      await pool.end();
      await database.drop();
    },
  };
}

/** On MySQL or MariaDB, in a database of its own. */
export async function mysqlCell(): Promise<HostileCell | MissingService> {
  const database = await scratchDatabase('mysql', 'hostile');
  if ('missing' in database) return database;
  const pool = createPool({ uri: database.url, timezone: 'Z' });
  const logger = new StatementCounter();
  const db = mysqlDrizzle(pool, { logger });
  for (const statement of tableDdl(mysqlTables, '`')) await pool.query(statement);
  await db.insert(mysqlTables.firm).values(firms);
  await db.insert(mysqlTables.person).values(people);
  await db.insert(mysqlTables.note).values(notes);
  await db.insert(mysqlTables.label).values(labels);
  await db.insert(mysqlTables.personLabels).values(personLabels);
  const tables = mysqlTables.models;
  const registry = drizzleRegistry(tables, mysqlTables.links, {
    person: { code: { kind: 'uuid' } },
  });
  return {
    rules: hostileRules(registry),
    source: drizzleSource({ db, registry, tables, model: 'person' }),
    statements: () => logger.count,
    close: async () => {
      await pool.end();
      await database.drop();
    },
  };
}
