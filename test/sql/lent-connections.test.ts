/** Connections of a pool after work on them has failed or was abandoned. */

import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { drizzle } from 'drizzle-orm/node-postgres';
import { integer, pgTable } from 'drizzle-orm/pg-core';
import createKnex from 'knex';
import * as mariadbConnector from 'mariadb';
import { Kysely, MysqlDialect } from 'kysely';
import callbacks from 'mysql2';
import mysql2 from 'mysql2/promise';
import pg from 'pg';
import { DataSource, EntitySchema, SimpleConsoleLogger } from 'typeorm';
import { expect, it, vi } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import type { DrizzleHandle } from '../../src/adapters/drizzle/foreign.ts';
import { inTransaction } from '../../src/adapters/drizzle/session.ts';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { type SqlConnection, mariadb } from '../../src/adapters/sql/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { errorCauses } from '../../src/lib/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { plainStatement } from '../../src/relational/index.ts';
import { processQuery } from '../../src/relational/databases/postgresql/named-statements.ts';
import { executorOf as sqlExecutor } from '../../src/adapters/sql/executors/recognise.ts';
import { Stop } from '../../src/relational/read/execution.ts';

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

it('of mysql2 are closed where a kill request was not answered, which may still arrive', async (context) => {
  const database = await scratchDatabase('mysql', 'lent_connections');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return context.skip();
  }
  // Once it is silent, the server hears nothing of new connections.
  let isSilent = false;
  let asked = 0;
  const { hostname, port } = new URL(database.url);
  const proxy = createServer((client) => {
    if (isSilent) {
      asked += 1;
      return;
    }
    const server = connect(Number(port), hostname);
    client.pipe(server).pipe(client);
    for (const socket of [client, server]) socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const through = new URL(database.url);
  through.hostname = '127.0.0.1';
  through.port = String((proxy.address() as AddressInfo).port);
  const connection = await mysql2.createConnection(through.href);
  const other = await mysql2.createConnection(database.url);
  try {
    isSilent = true;
    const stop = new Stop();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const running = sqlExecutor(connection).run(
      plainStatement('select sleep(60) as c0', []),
      [],
      stop,
    );
    Promise.resolve(running).catch(() => undefined);
    stop.stop();
    await vi.advanceTimersByTimeAsync(1);
    while (asked === 0) await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(5_000);
    vi.useRealTimers();
    const { stream } = (connection as unknown as { connection: { stream: Socket } }).connection;
    expect(stream.writable).toBe(false);
  } finally {
    vi.useRealTimers();
    await other.query(`kill ${connection.threadId}`).catch(() => undefined);
    await other.end();
    proxy.close();
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

it('of Kysely that are lent for a cancellation too late end no other statement', async (context) => {
  const database = await scratchDatabase('mysql', 'lent_connections');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return context.skip();
  }
  const pool = callbacks.createPool({ uri: database.url, connectionLimit: 2 });
  let released = 0;
  pool.on('release', () => (released += 1));
  // As a host that prepares each connection.
  let prepares = false;
  let prepared: (() => void) | undefined;
  const onReserveConnection = async () => {
    if (prepares) await new Promise<void>((resolve) => (prepared = resolve));
  };
  const kysely = new Kysely<object>({ dialect: new MysqlDialect({ pool, onReserveConnection }) });
  const holder = await mysql2.createConnection(database.url);
  const executor = sqlExecutor(kysely);
  const lock = (name: string) => `get_lock(concat(database(), '.${name}'), 60)`;
  const asking = async (name: string, stop: Stop) =>
    executor.run(plainStatement(`select ${lock(name)} as c0`, []), [], stop);
  const untilAsked = async (name: string) => {
    const listed = `select id from information_schema.processlist
      where info like 'select get_lock(%.${name}%' and id <> connection_id()`;
    await expect
      .poll(async () => (await holder.query<mysql2.RowDataPacket[]>(listed))[0].length)
      .toBe(1);
  };
  const give = (name: string) => holder.query(`do release_lock(concat(database(), '.${name}'))`);
  try {
    await holder.query(`do ${lock('first')}, ${lock('second')}`);
    const stop = new Stop();
    let rows: unknown;
    void asking('first', stop).then((found) => (rows = found));
    await untilAsked('first');
    prepares = true;
    stop.stop();
    await expect.poll(() => prepared).toBeDefined();
    prepares = false;
    await give('first');
    await expect.poll(() => rows).toEqual([[1]]);
    const second = asking('second', new Stop());
    await untilAsked('second');
    const before = released;
    prepared?.();
    await expect.poll(() => released).toBeGreaterThan(before);
    await give('second');
    expect(await second).toEqual([[1]]);
  } finally {
    prepared?.();
    await holder.end();
    await kysely.destroy();
    await database.drop();
  }
});

it.each([
  [
    'mariadb',
    (url: string) => {
      const { hostname: host, port, username: user, password, pathname } = new URL(url);
      const pool = mariadbConnector.createPool({
        host,
        port: Number(port || 3306),
        user,
        password: decodeURIComponent(password),
        database: pathname.slice(1),
        connectionLimit: 1,
        acquireTimeout: 5_000,
      });
      return { executor: mariadb(pool), end: () => pool.end() };
    },
  ],
  [
    'mysql2',
    (url: string) => {
      const pool = mysql2.createPool({ uri: url, connectionLimit: 1, queueLimit: 1 });
      return { executor: sqlExecutor(pool), end: () => pool.end() };
    },
  ],
])('go back to a pool of %s when a transaction has ended', async (_name, open) => {
  const database = await scratchDatabase('mysql', 'lent_connections');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return;
  }
  const { executor, end } = open(database.url);
  const missing = plainStatement('select 1 as c0 from missing', []);
  try {
    // The pool has one connection.
    for (let turn = 0; turn < 2; turn += 1) {
      const failed = executor.transaction(async (on) => on.run(missing, []), 5_000);
      await expect(failed).rejects.toThrow("missing' doesn't exist");
    }
    let isOver = false;
    const whole = executor.transaction(async (on) => {
      const other = Promise.resolve(executor.run(working, [])).finally(() => (isOver = true));
      for (let turn = 0; turn < 5; turn += 1) expect(await on.run(working, [])).toEqual([[1]]);
      return [other, isOver] as const;
    }, 5_000);
    const [other, wasOver] = await whole;
    expect(wasOver).toBe(false);
    expect(await other).toEqual([[1]]);
  } finally {
    await end();
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
    // A process has a number of names, which the files before this one may have taken.
    vi.resetModules();
    const { executorOf: freshExecutor } =
      await import('../../src/adapters/sql/executors/recognise.ts');
    const knex = createKnex({ client: 'pg', connection: url, pool: { min: 0, max: 2 } });
    const statement = plainStatement('select 5 as c0', []);
    const forgotten = /prepared statement .* does not exist/;
    const failed = knex.transaction(async (transaction) => {
      const executor = freshExecutor(transaction, { namedStatements: true });
      for (let run = 0; run < 8; run += 1) {
        expect(await executor.run(statement, [], new Stop())).toEqual([[5]]);
      }
      await transaction.raw('deallocate all');
      await executor.run(statement, [], new Stop());
    });
    await expect(failed).rejects.toThrow(forgotten);
    // Outside of one, it runs once more.
    const executor = freshExecutor(knex, { namedStatements: true });
    for (let run = 0; run < 8; run += 1) await executor.run(statement, [], new Stop());
    await knex.raw('deallocate all');
    expect(await executor.run(statement, [], new Stop())).toEqual([[5]]);
    await knex.destroy();
  }));

it('of Knex are asked where they lead outside of transactions, and keep statements then', () =>
  onDatabase(async (url) => {
    // As above.
    vi.resetModules();
    const { executorOf: freshExecutor } =
      await import('../../src/adapters/sql/executors/recognise.ts');
    const knex = createKnex({ client: 'pg', connection: url, pool: { min: 0, max: 1 } });
    const client = knex.client as { acquireConnection(): Promise<unknown> };
    let acquired = 0;
    const acquire = client.acquireConnection.bind(client);
    client.acquireConnection = () => {
      acquired += 1;
      return acquire();
    };
    try {
      const executor = freshExecutor(knex);
      const run = (on: Pick<typeof executor, 'run'>) => on.run(working, []);
      await executor.transaction(async (inner) => {
        for (let at = 0; at < 12; at += 1) expect(await run(inner)).toEqual([[1]]);
      }, 5_000);
      expect(acquired).toBe(1);
      const kept = plainStatement('select name as c0 from pg_prepared_statements', []);
      await expect
        .poll(async () => {
          await run(executor);
          return executor.run(kept, []);
        })
        .not.toEqual([]);
    } finally {
      await knex.destroy();
    }
  }));

it('of Drizzle show the first error of a named statement in a transaction of the host', () =>
  onDatabase(async (url) => {
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    const db = drizzle(pool);
    const tables = { item: pgTable('items', { id: integer().primaryKey() }) };
    const registry = drizzleRegistry(tables);
    const rules = defineQueryRules(registry, 'item', {
      fields: { root: { allowed: ['id'], default: ['id'] } },
      pagination: { count: 'none' },
    });
    const read = (on: typeof db) => {
      const options = { db: on, registry, tables, model: 'item', namedStatements: true } as const;
      return runQuery(drizzleSource(options), '', rules);
    };
    try {
      await pool.query('create table items (id int primary key)');
      const failed = db.transaction(async (transaction) => {
        const on = transaction as unknown as typeof db;
        for (let run = 0; run < 8; run += 1) expect((await read(on)).data).toEqual([]);
        await transaction.execute('deallocate all');
        await read(on);
      });
      const causes = await failed.then(() => [], errorCauses);
      expect(causes.at(-1)?.message).toMatch(/prepared statement .* does not exist/);
      // Outside of one, it runs once more.
      for (let run = 0; run < 8; run += 1) await read(db);
      await pool.query('deallocate all');
      expect((await read(db)).data).toEqual([]);
    } finally {
      await pool.end();
    }
  }));

it('of TypeORM show the first error of a named statement in a transaction of the host', () =>
  onDatabase(async (url) => {
    const Item = new EntitySchema<{ id: number }>({
      name: 'Item',
      tableName: 'items',
      columns: { id: { type: 'int', primary: true } },
    });
    const dataSource = new DataSource({
      type: 'postgres',
      url,
      entities: [Item],
      synchronize: true,
      extra: { max: 2 },
    });
    await dataSource.initialize();
    const rules = defineQueryRules(typeormRegistry([Item]), 'item', {
      fields: { root: { allowed: ['id'], default: ['id'] } },
      pagination: { count: 'none' },
    });
    const read = (on: Pick<DataSource, 'getRepository'>) =>
      runQuery(typeormSource(on.getRepository(Item)), '', rules);
    try {
      const failed = dataSource.transaction(async (manager) => {
        for (let run = 0; run < 20; run += 1) expect((await read(manager)).data).toEqual([]);
        // Statements have names once a second connection has shown that they reach the server itself.
        await expect
          .poll(async () => {
            await read(manager);
            return manager.query('select 1 from pg_prepared_statements');
          })
          .not.toEqual([]);
        await manager.query('deallocate all');
        await read(manager);
      });
      const causes = await failed.then(() => [], errorCauses);
      expect(causes.at(-1)?.message).toMatch(/prepared statement .* does not exist/);
      // Outside of one, it runs once more.
      for (let run = 0; run < 20; run += 1) await read(dataSource);
      await dataSource.query('deallocate all');
      expect((await read(dataSource)).data).toEqual([]);
    } finally {
      await dataSource.destroy();
    }
  }));

it.each<readonly [string, (url: string) => Promise<readonly [SqlConnection, () => unknown]>]>([
  [
    'a Pool of pg',
    async (connectionString) => {
      const pool = new pg.Pool({ connectionString, max: 1 });
      return [pool, () => pool.end()];
    },
  ],
  [
    'a Client of pg',
    async (connectionString) => {
      const client = new pg.Client({ connectionString });
      await client.connect();
      return [client, () => client.end()];
    },
  ],
  [
    'Knex on pg',
    async (connection) => {
      const knex = createKnex({ client: 'pg', connection, pool: { min: 0, max: 1 } });
      return [knex, () => knex.destroy()];
    },
  ],
])('of %s run a named statement that fails once', (_name, open) =>
  onDatabase(async (url) => {
    const [connection, close] = await open(url);
    try {
      const executor = sqlExecutor(connection, { namedStatements: true });
      const run = async (text: string, statement = plainStatement(text)) =>
        executor.run(statement, [], new Stop());
      await run('create sequence tries');
      const seventh = plainStatement(`select (42 / (7 - nextval('tries')))::int as c0`);
      for (const left of [6, 5, 4, 3, 2, 1]) {
        expect(await run('', seventh)).toEqual([[Math.floor(42 / left)]]);
      }
      await expect(run('', seventh)).rejects.toThrow('division by zero');
      expect(await run('select last_value::int as c0 from tries')).toEqual([[7]]);
    } finally {
      await close();
    }
  }),
);

it('of a pool of pg are two free where two have come back', () =>
  onDatabase(async (url) => {
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    try {
      const executor = sqlExecutor(pool);
      const free: unknown[] = [];
      for (const client of [await pool.connect(), await pool.connect()]) {
        client.release();
        free.push(executor.hasTwoFree?.());
      }
      expect(free).toEqual([false, true]);
    } finally {
      await pool.end();
    }
  }));

it('of one client run one statement at a time, and so the one that asks where it leads', () =>
  onDatabase(async (url) => {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      const texts: unknown[] = [];
      let running = 0;
      let most = 0;
      const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
      Object.assign(client, {
        async query(...given: unknown[]) {
          texts.push(given[0]);
          running += 1;
          most = Math.max(most, running);
          return query(...given).finally(() => (running -= 1));
        },
      });
      const executor = sqlExecutor(client);
      for (let run = 0; run < 11; run += 1) expect(await executor.run(working, [])).toEqual([[1]]);
      expect(texts).toContain(processQuery);
      expect(most).toBe(1);
    } finally {
      await client.end();
    }
  }));

/** The listeners for errors on the connection of a pool. */
async function listenersOf(pool: pg.Pool): Promise<number> {
  const client = await pool.connect();
  const count = client.listenerCount('error');
  client.release();
  return count;
}

it('go back to a pool of pg open, without the listeners of a transaction', () =>
  onDatabase(async (url) => {
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    let opened = 0;
    pool.on('connect', () => (opened += 1));
    try {
      const before = await listenersOf(pool);
      const executor = sqlExecutor(pool);
      for (const statement of [working, failing, working]) {
        const work = executor.transaction(async (inner) => inner.run(statement, []), 5_000);
        await work.catch(() => expect(statement).toBe(failing));
      }
      expect(await listenersOf(pool)).toBe(before);
      expect(opened).toBe(1);
    } finally {
      await pool.end();
    }
  }));

it('go back to a pool of pg without the listeners of a transaction of drizzle', () =>
  onDatabase(async (url) => {
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    try {
      const before = await listenersOf(pool);
      const db = drizzle(pool);
      for (const statement of ['select 1', 'select 1 / 0', 'select 1']) {
        const work = inTransaction(db as unknown as DrizzleHandle, (inner) =>
          (inner as unknown as typeof db).execute(statement),
        );
        await work.catch(() => expect(statement).toContain('/'));
      }
      expect(await listenersOf(pool)).toBe(before);
    } finally {
      await pool.end();
    }
  }));

it('of drizzle that are lost within a transaction fail its statements alone', () =>
  onDatabase(async (url) => {
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    const other = new pg.Client({ connectionString: url });
    let isLost = false;
    pool.on('connect', (client) => client.on('end', () => (isLost = true)));
    const db = drizzle(pool);
    try {
      await other.connect();
      const lost = inTransaction(db as unknown as DrizzleHandle, async (inner) => {
        const on = inner as unknown as typeof db;
        const { rows } = await on.execute('select pg_backend_pid() as pid');
        await other.query('select pg_terminate_backend($1)', [rows[0]?.['pid']]);
        await expect.poll(() => isLost).toBe(true);
        await on.execute('select 1');
      });
      await expect(lost).rejects.toThrow();
      expect((await db.execute('select 1 as one')).rows).toEqual([{ one: 1 }]);
    } finally {
      await other.end();
      await pool.end();
    }
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

it('of one client do not take up a statement into a transaction that is asked for after it', () =>
  onDatabase(async (url) => {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.query('create table written (id int)');
      const executor = sqlExecutor(client);
      const statement = plainStatement('insert into written values (1) returning id as c0', []);
      // One of the statements is preceded by a question about the connection.
      for (let round = 1; round <= 10; round += 1) {
        const outside = executor.run(statement, []);
        const inside = executor.transaction(async () => {
          for (let at = 0; at < 3; at += 1) await client.query('select 1');
          throw new Error('of the work');
        }, 5_000);
        await expect(inside).rejects.toThrow('of the work');
        expect(await outside).toEqual([[1]]);
        expect((await client.query('select id from written')).rowCount).toBe(round);
      }
    } finally {
      await client.end();
    }
  }));

it("do not go back to TypeORM's pool while the statement of an abandoned request runs", () =>
  onDatabase(async (url) => {
    const entity = new EntitySchema({
      name: 'item',
      tableName: 'items',
      columns: { id: { type: Number, primary: true } },
    });
    const events: string[] = [];
    const logger = new SimpleConsoleLogger(['error']);
    const dataSource = new DataSource({
      type: 'postgres',
      url,
      entities: [entity],
      synchronize: true,
      extra: { max: 1 },
      logger: Object.assign(logger, { logQueryError: () => void events.push('failed') }),
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
      master.on('release', () => void events.push('released'));
      const gone = new AbortController();
      const left = runQuery(typeormSource(dataSource, entity), '', rules, {
        signal: gone.signal,
        customize: (builder) => builder.where('(select count(*) from pg_sleep(60)) = 1'),
      }).catch(String);
      await expect.poll(async () => (await other.query(`select pid ${sleeping}`)).rowCount).toBe(1);
      gone.abort(new Error('gone'));
      expect(await left).toBe('Error: gone');
      await expect.poll(() => events).toContain('released');
      expect(events[0]).toBe('failed');
      // The pool has no other connection for it.
      expect((await runQuery(typeormSource(dataSource, entity), '', rules)).data).toEqual([]);
    } finally {
      await other.query(`select pg_cancel_backend(pid) ${sleeping}`);
      await other.end();
      await dataSource.destroy();
    }
  }));
