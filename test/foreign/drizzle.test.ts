/** The private parts of Drizzle's objects, in the oldest and the newest version that is known. */

import Sqlite from 'better-sqlite3';
import { entityKind } from 'drizzle-orm';
import mysql2 from 'mysql2/promise';
import pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  foreignKeysOf,
  primaryKeyOf,
  tableRefOf,
  uniqueKeysOf,
  viewAsTable,
} from '../../src/adapters/drizzle/describe/describe-metadata.ts';
import {
  type DrizzleHandle,
  clientOf,
  columnNamingOf,
  conditionOf,
  hasSession,
  prepareIn,
  sessionOf,
} from '../../src/adapters/drizzle/foreign.ts';
import { installed } from './versions.ts';
import { hasReplicas, replicaOf } from '../../src/adapters/drizzle/executor.ts';

const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined);
afterEach(() => void warn.mockClear());

const logged: string[] = [];
const logger = { logQuery: (text: string) => void logged.push(text) };

describe.each(installed('drizzle-orm-0.44', 'drizzle-orm'))('drizzle-orm $version', (library) => {
  const { eq } = library.module<typeof import('drizzle-orm')>();
  const onPg = library.module<typeof import('drizzle-orm/pg-core')>('/pg-core');
  const onMysql = library.module<typeof import('drizzle-orm/mysql-core')>('/mysql-core');
  const onSqlite = library.module<typeof import('drizzle-orm/sqlite-core')>('/sqlite-core');
  const node = library.module<typeof import('drizzle-orm/node-postgres')>('/node-postgres');
  const mysql = library.module<typeof import('drizzle-orm/mysql2')>('/mysql2');
  const sqlite = library.module<typeof import('drizzle-orm/better-sqlite3')>('/better-sqlite3');

  const owners = onPg
    .pgSchema('shop')
    .table('owners', { a: onPg.integer(), b: onPg.integer() }, (table) => [
      onPg.primaryKey({ columns: [table.b, table.a] }),
    ]);
  const things = onPg.pgTable(
    'things',
    {
      id: onPg.integer().primaryKey(),
      code: onPg.integer().unique(),
      parent: onPg.integer().references((): never => things.id as never),
      ownerA: onPg.integer(),
      ownerB: onPg.integer(),
    },
    (table) => [
      onPg.foreignKey({
        columns: [table.ownerA, table.ownerB],
        foreignColumns: [owners.a, owners.b],
      }),
      onPg.unique().on(table.code, table.parent),
      onPg.uniqueIndex('one').on(table.parent, table.ownerA),
      onPg.uniqueIndex('some').on(table.ownerB).where(eq(table.code, 1)),
    ],
  );

  it('tells schemas, keys and indexes', () => {
    expect([tableRefOf(owners), tableRefOf(things)]).toEqual([
      { schema: 'shop', name: 'owners' },
      { name: 'things' },
    ]);
    expect([primaryKeyOf(owners), primaryKeyOf(things)]).toEqual([['b', 'a'], ['id']]);
    const names = uniqueKeysOf(things).map((key) => key.map(({ name }) => name));
    expect(names).toEqual([['code'], ['id'], ['code', 'parent'], ['parent', 'ownerA']]);
    const links = foreignKeysOf(things).map(({ from, table, to }) => [
      from.map(({ name }) => name),
      table === things ? 'things' : 'owners',
      to.map(({ name }) => name),
    ]);
    expect(links).toEqual([
      [['parent'], 'things', ['id']],
      [['ownerA', 'ownerB'], 'owners', ['a', 'b']],
    ]);
  });

  it('tells the inline foreign keys of the other families', () => {
    const inMysql = onMysql.mysqlTable('things', {
      id: onMysql.int().primaryKey(),
      parent: onMysql.int().references((): never => inMysql.id as never),
    });
    const inSqlite = onSqlite.sqliteTable('things', {
      id: onSqlite.integer().primaryKey(),
      parent: onSqlite.integer().references((): never => inSqlite.id as never),
    });
    for (const table of [inMysql, inSqlite]) {
      expect(foreignKeysOf(table)).toMatchObject([{ table }]);
      expect(primaryKeyOf(table)).toEqual(['id']);
    }
  });

  it('tells keys in lists within lists, and none of a function that returns nothing', () => {
    const key = (declare: (columns: { readonly a: never }) => unknown) =>
      primaryKeyOf(onPg.pgTable('rows', { a: onPg.integer() }, declare as never));
    expect(key(({ a }) => [[onPg.primaryKey({ columns: [a] })]])).toEqual(['a']);
    expect(key(() => undefined)).toEqual([]);
    expect(key(() => null)).toEqual([]);
  });

  it('tells what a view selects', () => {
    const view = onPg.pgView('few').as((builder) => builder.select({ id: things.id }).from(things));
    const table = viewAsTable(view);
    expect(tableRefOf(table)).toEqual({ name: 'few' });
    expect(primaryKeyOf(table)).toEqual(['id']);
  });

  it('tells session, logger and parsers of node-postgres', async () => {
    const pool = new pg.Pool();
    const db: object = node.drizzle({ client: pool, logger, casing: 'snake_case' });
    if (!hasSession(db)) throw new Error('The database has no session.');
    expect(clientOf(db)).toBe(pool);
    expect(columnNamingOf(db)(things.ownerA)).toBe('owner_a');
    expect(warn).not.toHaveBeenCalled();
    const prepared = prepareIn(db, 'postgresql', 'select $1::int4', 1, 'one');
    prepared.log?.([7]);
    expect(logged).toContain('select $1::int4');
    expect(prepared.parsers?.(23)?.('7')).toBe(7);
    const asked: object[] = [];
    const client = {
      query: async (query: object) => {
        asked.push(query);
        return { rows: [[8]] };
      },
    };
    expect(await prepared.run([8], client)).toEqual([[8]]);
    expect(asked).toMatchObject([{ name: 'one', text: 'select $1::int4', rowMode: 'array' }]);
    await pool.end();
  });

  it('tells the condition of a builder', () => {
    const pool = new pg.Pool();
    const builder = node.drizzle({ client: pool }).select().from(things).$dynamic();
    expect(conditionOf(builder)).toBeUndefined();
    const condition = eq(things.id, 1);
    expect(conditionOf(builder.where(condition))).toBe(condition);
  });

  it('tells the query of mysql2', async () => {
    const pool = mysql2.createPool({});
    const db = mysql.drizzle({ client: pool }) as object as DrizzleHandle;
    expect(clientOf(db)).toBeDefined();
    const prepared = prepareIn(db, 'mysql', 'select ?', 1, undefined);
    const asked: object[] = [];
    const client = {
      query: async (query: object) => {
        asked.push(query);
        return [[['7']], []];
      },
    };
    expect(await prepared.run([7], client)).toEqual([['7']]);
    expect(asked).toMatchObject([{ rowsAsArray: true, nestTables: false }]);
    expect(warn).not.toHaveBeenCalled();
    await pool.end();
  });

  it('tells the statement of better-sqlite3', () => {
    const client = new Sqlite(':memory:');
    const db = sqlite.drizzle({ client, logger }) as object as DrizzleHandle;
    const prepare = vi.spyOn(client, 'prepare');
    const prepared = prepareIn(db, 'sqlite', 'select ? + 1', 1, undefined);
    expect(prepared.run([7])).toEqual([[8]]);
    expect(logged).toContain('select ? + 1');
    expect(prepare).toHaveBeenCalledTimes(1);
    expect(warn).not.toHaveBeenCalled();
    client.close();
  });

  it('tells the function for rows that a statement of SQLite has', () => {
    const client = new Sqlite(':memory:');
    const { session } = sqlite.drizzle({ client }) as object as DrizzleHandle;
    const rows = (read: readonly unknown[]) => read;
    const query = { sql: 'select 1', params: [] };
    const prepared = session.prepareQuery(query, undefined, 'all', true, rows);
    expect(prepared.customResultMapper).toBe(rows);
    client.close();
  });

  // The older version does not tell the replicas of a database.
  it.skipIf(library.version === '0.44.0')('tells the session of a replica', () => {
    const [primary, replica] = [new pg.Pool(), new pg.Pool()].map((client) => node.drizzle(client));
    if (!primary || !replica) return;
    const db: object = onPg.withReplicas(primary as never, [replica as never]);
    if (!hasSession(db) || !hasReplicas(db)) throw new Error('The database has no replicas.');
    expect(sessionOf(replicaOf(db))).toBe(sessionOf(replica as object as DrizzleHandle));
  });
});

describe('a version without these members', () => {
  it('is refused without a session', () => {
    expect([hasSession({}), hasSession({ session: {} })]).toEqual([false, false]);
  });

  it('is told of once: members of prepared statements', () => {
    class Prepared {
      static readonly [entityKind] = 'NodePgPreparedQuery';
      readonly client = {};
      readonly logger = {};
    }
    const session = { prepareQuery: () => new Prepared() };
    const handle = { session, dialect: {} } as object as DrizzleHandle;
    for (const name of ['one', 'two']) prepareIn(handle, 'postgresql', 'select 1', 0, name);
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/"queryConfig".*"drizzle-orm"/)]]);
  });

  it('is told of once: casing', () => {
    expect(columnNamingOf({ dialect: {} })({ name: 'ownerA' } as never)).toBe('ownerA');
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/"casing".*"drizzle-orm"/)]]);
  });
});
