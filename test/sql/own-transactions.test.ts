/** Transactions of executors: they keep what succeeds, undo what fails, nest in those of the host, and give connections back. */

import { DatabaseSync } from 'node:sqlite';
import Sqlite from 'better-sqlite3';
import createKnex from 'knex';
import { Kysely, MysqlDialect, SqliteDialect } from 'kysely';
import * as mariadbConnector from 'mariadb';
import callbacks from 'mysql2';
import mysql2 from 'mysql2/promise';
import { expect, it, onTestFinished } from 'vitest';
import { type SqlConnection, mariadb, nodeSqlite } from '../../src/adapters/sql/index.ts';
import { executorOf } from '../../src/adapters/sql/executors/recognise.ts';
import { plainStatement } from '../../src/relational/index.ts';
import type { DatabaseFamily } from '../../src/index.ts';
import { knexOn } from '../matrix/fixtures/load.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

type Open = (url: string) => Promise<readonly [SqlConnection, () => unknown]>;

/** Pools of one connection, so that one that is not given back is missing. */
const libraries: readonly (readonly [name: string, DatabaseFamily, Open])[] = [
  [
    'a callback pool of mysql2',
    'mysql',
    async (uri) => {
      const pool = callbacks.createPool({ uri, connectionLimit: 1 });
      return [pool, () => pool.promise().end()];
    },
  ],
  [
    'a connection of mysql2',
    'mysql',
    async (url) => {
      const connection = await mysql2.createConnection(url);
      return [connection, () => connection.end()];
    },
  ],
  [
    'a pool of mariadb',
    'mysql',
    async (url) => {
      const pool = mariadbConnector.createPool(
        `${url.replace(/^mysql:/, 'mariadb:')}?connectionLimit=1`,
      );
      return [mariadb(pool), () => pool.end()];
    },
  ],
  [
    'Knex on mysql2',
    'mysql',
    async (connection) => {
      const knex = createKnex({ client: 'mysql2', connection, pool: { min: 0, max: 1 } });
      return [knex, () => knex.destroy()];
    },
  ],
  [
    'Kysely on mysql2',
    'mysql',
    async (uri) => {
      const pool = callbacks.createPool({ uri, connectionLimit: 1 });
      const kysely = new Kysely<object>({ dialect: new MysqlDialect({ pool }) });
      return [kysely, () => kysely.destroy()];
    },
  ],
  [
    'better-sqlite3',
    'sqlite',
    async (url) => {
      const database = new Sqlite(url);
      return [database, () => database.close()];
    },
  ],
  [
    'node:sqlite',
    'sqlite',
    async (url) => {
      const database = new DatabaseSync(url);
      return [nodeSqlite(database), () => database.close()];
    },
  ],
  [
    'Kysely on better-sqlite3',
    'sqlite',
    async (url) => {
      const kysely = new Kysely<object>({
        dialect: new SqliteDialect({ database: new Sqlite(url) }),
      });
      return [kysely, () => kysely.destroy()];
    },
  ],
];

it.for(libraries)('%s', { timeout: 60_000 }, async ([, family, open], { skip }) => {
  const database = await scratchDatabase(family, 'own_transactions');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return skip();
  }
  onTestFinished(() => database.drop());
  const knex = knexOn(database);
  await knex.raw('create table kept (no int not null)');
  await knex.destroy();
  const [connection, close] = await open(database.url);
  try {
    const executor = executorOf(connection);
    type On = Pick<typeof executor, 'run'>;
    const run = async (on: On, text: string) => on.run(plainStatement(text, []), []);
    const returning = family === 'sqlite' ? 'returning no as c0' : '';
    const add = (no: number) => async (on: On) =>
      run(on, `insert into kept values (${no}) ${returning}`);
    const kept = async (on: On) =>
      (await run(on, 'select no as c0 from kept order by no')).map(([no]) => Number(no));
    await executor.transaction(add(1), 5000);
    const left = executor.transaction(async (on) => {
      await add(2)(on);
      expect(await kept(on)).toEqual([1, 2]);
      throw new Error('left');
    }, 5000);
    await expect(left).rejects.toThrow('left');
    expect(await kept(executor)).toEqual([1]);
    const outer = executor.transaction(async (on) => {
      await add(3)(on);
      const inner = on.transaction(async (nested) => {
        await add(4)(nested);
        throw new Error('inner');
      }, 5000);
      await expect(inner).rejects.toThrow('inner');
      await on.transaction(add(5), 5000);
      expect(await kept(on)).toEqual([1, 3, 5]);
      throw new Error('outer');
    }, 5000);
    await expect(outer).rejects.toThrow('outer');
    expect(await kept(executor)).toEqual([1]);
  } finally {
    await close();
  }
});

interface Host {
  readonly connection: SqlConnection;
  query(sql: string): Promise<unknown>;
  end(): Promise<void>;
}

const hosts: readonly (readonly [name: string, (url: string) => Promise<Host>])[] = [
  [
    'mysql2',
    async (url) => {
      const connection = await mysql2.createConnection(url);
      const query = (sql: string) => connection.query(sql);
      return { connection, query, end: () => connection.end() };
    },
  ],
  [
    'mariadb',
    async (url) => {
      const made = await mariadbConnector.createConnection(url.replace(/^mysql:/, 'mariadb:'));
      const query = (sql: string) => made.query(sql);
      return { connection: mariadb(made), query, end: () => made.end() };
    },
  ],
];

it.for(hosts)(
  "%s: begin where a failed statement has ended the host's",
  async ([, open], { skip }) => {
    const database = await scratchDatabase('mysql', 'own_transactions');
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return skip();
    }
    onTestFinished(() => database.drop());
    const { connection, query, end } = await open(database.url);
    try {
      await query('create table kept (no int not null)');
      await query('begin');
      // It commits, and fails then.
      await expect(query('create table kept (no int not null)')).rejects.toThrow('already exists');
      const executor = executorOf(connection);
      const add = (no: number) => plainStatement(`insert into kept values (${no})`, []);
      await executor.transaction(async (on) => on.run(add(1), []), 5000);
      const left = executor.transaction(async (on) => {
        await on.run(add(2), []);
        throw new Error('left');
      }, 5000);
      await expect(left).rejects.toThrow('left');
      const kept = plainStatement('select no as c0 from kept', []);
      expect(await executor.run(kept, [])).toEqual([[1]]);
    } finally {
      await end();
    }
  },
);
