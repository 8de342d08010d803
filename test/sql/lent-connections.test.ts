/** Connections of a pool after work on them has failed or was abandoned. */

import createKnex from 'knex';
import { Kysely, MysqlDialect } from 'kysely';
import callbacks from 'mysql2';
import mysql2 from 'mysql2/promise';
import pg from 'pg';
import { DataSource, EntitySchema } from 'typeorm';
import { expect, it } from 'vitest';
import { plainStatement, sqlExecutor } from '../../src/adapters/sql/index.ts';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { Stop } from '../../src/relational/read/stop.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

const failing = plainStatement('select 1 / 0 as c0', []);
const working = plainStatement('select 1 as c0', []);

async function onDatabase(work: (url: string) => Promise<void>): Promise<void> {
  const database = await scratchDatabase('postgresql', 'lent_connections');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return;
  }
  try {
    await work(database.url);
  } finally {
    await database.drop();
  }
}

it("of mysql2 are not cancelled where the host's own statement waits behind", async (context) => {
  const database = await scratchDatabase('mysql', 'lent_connections');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return context.skip();
  }
  const connection = await mysql2.createConnection(database.url);
  try {
    const executor = sqlExecutor(connection);
    const stop = new Stop();
    // A statement that is cancelled fails, or has slept for 1.
    const running = executor.run(plainStatement('select sleep(0.5) as c0', []), [], stop);
    await new Promise((resolve) => setImmediate(resolve));
    const [host] = await Promise.all([
      connection.query<mysql2.RowDataPacket[]>('select 7 as own'),
      stop.stop(),
    ]);
    expect(await running).toEqual([[0]]);
    expect(host[0]).toEqual([{ own: 7 }]);
  } finally {
    await connection.end();
    await database.drop();
  }
});

it('of Kysely on mysql2 lose the mark of a cancellation, and run no other statement', async (context) => {
  const database = await scratchDatabase('mysql', 'lent_connections');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return context.skip();
  }
  const pool = callbacks.createPool({ uri: database.url, connectionLimit: 2 });
  const texts: string[] = [];
  pool.on('connection', (connection) => {
    const query = connection.query.bind(connection) as (...given: unknown[]) => unknown;
    Object.assign(connection, {
      query(...given: unknown[]) {
        texts.push(String(given[0]));
        return query(...given);
      },
    });
  });
  const kysely = new Kysely<object>({ dialect: new MysqlDialect({ pool }) });
  const own = () => texts.splice(0).filter((text) => !/connection_id/i.test(text));
  try {
    const executor = sqlExecutor(kysely);
    const list = plainStatement('select 3 as c0', []);
    await executor.run(list, [], new Stop());
    expect(own()).toEqual(['select 3 as c0']);
    const stop = new Stop();
    const running = (async () =>
      executor.run(plainStatement('select sleep(5) as c0', []), [], stop))();
    await expect.poll(() => texts.includes('select sleep(5) as c0')).toBe(true);
    stop.stop();
    await running.catch(() => undefined);
    expect(own().at(-1)).toBe('select 1');
    expect(await executor.run(list, [], new Stop())).toEqual([[3]]);
  } finally {
    await kysely.destroy();
    await database.drop();
  }
});

it("go back to Knex's pool", () =>
  onDatabase(async (url) => {
    const made: pg.Client[] = [];
    const knex = createKnex({
      client: 'pg',
      connection: url,
      pool: {
        min: 0,
        max: 1,
        afterCreate(client: pg.Client, done: (error: null, client: pg.Client) => void) {
          made.push(client);
          done(null, client);
        },
      },
      acquireConnectionTimeout: 1_000,
    });
    try {
      const executor = sqlExecutor(knex);
      for (let turn = 0; turn < 3; turn += 1) {
        await expect((async () => executor.run(failing, [], new Stop()))()).rejects.toThrow(
          'division by zero',
        );
      }
      expect(await executor.run(working, [], new Stop())).toEqual([[1]]);
    } finally {
      // Knex would wait for a connection that does not come back.
      for (const client of made) await client.end();
    }
    await knex.destroy();
  }));

it('of Knex show the first error of a named statement in a transaction of the host', () =>
  onDatabase(async (url) => {
    const knex = createKnex({ client: 'pg', connection: url, pool: { min: 0, max: 2 } });
    const statement = plainStatement('select 5 as c0', []);
    const forgotten = /prepared statement .* does not exist/;
    const failed = knex.transaction(async (transaction) => {
      const executor = sqlExecutor(transaction, { namedStatements: true });
      for (let run = 0; run < 8; run += 1) {
        expect(await executor.run(statement, [], new Stop())).toEqual([[5]]);
      }
      await transaction.raw('deallocate all');
      await executor.run(statement, [], new Stop());
    });
    await expect(failed).rejects.toThrow(forgotten);
    // Outside of one, it runs once more.
    const executor = sqlExecutor(knex, { namedStatements: true });
    for (let run = 0; run < 8; run += 1) await executor.run(statement, [], new Stop());
    await knex.raw('deallocate all');
    expect(await executor.run(statement, [], new Stop())).toEqual([[5]]);
    await knex.destroy();
  }));

it('do not go back to a pool of pg within a transaction that could not be rolled back', () =>
  onDatabase(async (url) => {
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    const other = new pg.Client({ connectionString: url });
    try {
      await other.connect();
      await other.query('create table written (id int)');
      // As instrumentation of the host that fails.
      pool.on('connect', (client) => {
        const query = client.query.bind(client) as (...given: unknown[]) => unknown;
        Object.assign(client, {
          query: (...given: unknown[]) =>
            given[0] === 'rollback' ? Promise.reject(new Error('refused')) : query(...given),
        });
      });
      const failed = sqlExecutor(pool).transaction(async (on) => {
        await on.run(working, []);
        throw new Error('of the work');
      }, 5000);
      await expect(failed).rejects.toThrow('of the work');
      await pool.query('insert into written values (1)');
      expect((await other.query('select id from written')).rows).toEqual([{ id: 1 }]);
    } finally {
      await pool.end();
      await other.end();
    }
  }));

it("do not go back to TypeORM's pool while the statement of an abandoned request runs", () =>
  onDatabase(async (url) => {
    const entity = new EntitySchema({
      name: 'item',
      tableName: 'items',
      columns: { id: { type: Number, primary: true } },
    });
    const dataSource = new DataSource({
      type: 'postgres',
      url,
      entities: [entity],
      synchronize: true,
      extra: { max: 1 },
    });
    const other = new pg.Client({ connectionString: url });
    const sleeping = `from pg_stat_activity where datname = current_database() and state = 'active'
      and query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`;
    try {
      await other.connect();
      await dataSource.initialize();
      const rules = defineQueryRules(typeormRegistry([entity]), 'item', {
        fields: { root: { allowed: ['id'], default: ['id'] } },
      });
      const { master } = dataSource.driver as unknown as { readonly master: pg.Pool };
      const areReady: boolean[] = [];
      master.on('release', (_error, client) => {
        areReady.push((client as unknown as { readonly readyForQuery: boolean }).readyForQuery);
      });
      const gone = new AbortController();
      const left = runQuery(typeormSource(dataSource, entity), '', rules, {
        signal: gone.signal,
        customize: (builder) => builder.where('(select count(*) from pg_sleep(60)) = 1'),
      }).catch(String);
      await expect.poll(async () => (await other.query(`select pid ${sleeping}`)).rowCount).toBe(1);
      gone.abort(new Error('gone'));
      expect(await left).toBe('Error: gone');
      await expect.poll(() => areReady).not.toEqual([]);
      expect(new Set(areReady)).toEqual(new Set([true]));
      // The pool has no other connection for it.
      expect((await runQuery(typeormSource(dataSource, entity), '', rules)).data).toEqual([]);
    } finally {
      await other.query(`select pg_cancel_backend(pid) ${sleeping}`);
      await other.end();
      await dataSource.destroy();
    }
  }));
