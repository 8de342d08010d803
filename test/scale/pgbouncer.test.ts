/** Lists through PgBouncer in transaction mode, where the next statement may run on another connection of the server. */

import { drizzle } from 'drizzle-orm/node-postgres';
import createKnex from 'knex';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { sqlRegistry, sqlSource, withComputedFields } from '../../src/adapters/sql/index.ts';
import type { QuerySource } from '../../src/index.ts';
import { runQuery } from '../../src/index.ts';
import type { DatabaseCell } from '../matrix/cell.ts';
import { adapters } from '../matrix/cells.ts';
import { compileEndpoints } from '../matrix/corpus/index.ts';
import { computedFields } from '../matrix/fixtures/computed.ts';
import { loadFixtures } from '../matrix/fixtures/load.ts';
import * as drizzleTables from '../matrix/fixtures/tables-postgresql.ts';
import { sqlTablesOf } from '../matrix/fixtures/tables-sql.ts';
import { findPostgresql } from '../services/index.ts';
import type { Scratch, ScratchDatabase, Service } from '../services/index.ts';
import { startPgBouncer } from '../services/pgbouncer.ts';
import type { PgBouncer, PgBouncerOptions } from '../services/pgbouncer.ts';
import { onPostgresql } from '../services/scratch-database.ts';
import { leaveRunning } from '../services/service.ts';
import { runSuites, started } from './chosen.ts';

let server: Service | undefined;
let bouncer: PgBouncer | string = 'PgBouncer: not started.';

async function bouncerOf(options: PgBouncerOptions): Promise<PgBouncer | string> {
  return server ? startPgBouncer(server.url, options) : 'PgBouncer: there is no PostgreSQL.';
}

/** Scratch databases that are reached through the pooler. */
function scratch(): Scratch | string {
  if (typeof bouncer === 'string' || !server) return `${bouncer}`;
  const { through } = bouncer;
  const service = { ...server, dispose: leaveRunning };
  return async (_, suite) => {
    const database = await onPostgresql(service, suite);
    return { ...database, url: through(database.url) };
  };
}

beforeAll(async () => {
  const found = await findPostgresql();
  if (!('missing' in found)) server = found;
  bouncer = await started(() => bouncerOf({ poolSize: 3 }));
});
afterAll(async () => {
  if (typeof bouncer !== 'string') await bouncer.dispose();
  await server?.dispose();
});

runSuites('PgBouncer', 'postgresql', 1, scratch);

describe.each(adapters)('$name through PgBouncer', ({ open }) => {
  let cell: DatabaseCell | string = 'not opened';

  beforeAll(async () => {
    const made = scratch();
    cell = typeof made === 'string' ? made : await open('postgresql', 'bounced', undefined, made);
  });
  afterAll(async () => {
    if (typeof cell !== 'string') await cell.dispose();
  });

  it('runs recurring statements on connections that change', async (context) => {
    if (typeof cell === 'string') return context.skip(cell);
    const { users } = compileEndpoints(cell.registry);
    const source = cell.source('user');
    await recur(source, users);
  });

  it('ends a statement at its time limit', async (context) => {
    if (typeof cell === 'string') return context.skip(cell);
    const { users } = compileEndpoints(cell.registry);
    const holder = new pg.Client({ connectionString: cell.database.url });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('lock table users in access exclusive mode');
      const late = runQuery(cell.source('user'), 'perPage=5', users, { timeoutMs: 300 });
      await expect(late).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
      // The server has ended the statement, so that a pooled connection is free.
      await expect
        .poll(async () => (await holder.query(waiting)).rows[0])
        .toEqual({ waiting: '0' });
    } finally {
      await holder.query('rollback');
      await holder.end();
    }
    await recur(cell.source('user'), users);
  });
});

const waiting = `select count(*) as waiting from pg_locks join pg_database d on d.oid = database
  where datname = current_database() and relation = 'users'::regclass and not granted`;

/** Sends statements of several shapes often enough that they recur on every connection. */
async function recur(source: QuerySource, rules: ReturnType<typeof compileEndpoints>['users']) {
  for (let round = 0; round < 12; round += 1) {
    const sent = ['id', 'name', '-name', 'age', '-age', 'role'].map((sort) =>
      runQuery(source, `sort=${sort}&perPage=5&page=${(round % 3) + 1}&filter[id][gt]=0`, rules),
    );
    for (const result of await Promise.all(sent)) expect(result).toMatchObject({ total: 60 });
  }
}

/** One source of each client that names statements, on a pool of one connection. */
const clients: {
  readonly [name: string]: (
    url: string,
    named: boolean | undefined,
    max: number,
  ) => { readonly source: QuerySource; close(): Promise<unknown> };
} = {
  'a pool of pg': (url, namedStatements, max) => {
    const connection = new pg.Pool({ connectionString: url, max });
    return { source: plainSource(connection, namedStatements), close: () => connection.end() };
  },
  Knex: (url, namedStatements, max) => {
    const connection = createKnex({ client: 'pg', connection: url, pool: { min: 0, max } });
    return { source: plainSource(connection, namedStatements), close: () => connection.destroy() };
  },
  Drizzle: (url, namedStatements, max) => {
    const pool = new pg.Pool({ connectionString: url, max });
    const { tables } = drizzleTables;
    const source = drizzleSource({
      db: drizzle(pool),
      registry,
      tables,
      relations: drizzleTables.links,
      model: 'user',
      namedStatements,
    });
    return { source: source as unknown as QuerySource, close: () => pool.end() };
  },
};

const tables = sqlTablesOf('postgresql');
const registry = withComputedFields(sqlRegistry(tables), computedFields);
const { users } = compileEndpoints(registry);
const plainSource = (
  connection: Parameters<typeof sqlSource>[0]['connection'],
  namedStatements?: boolean,
) => sqlSource({ connection, registry, tables, model: 'user', namedStatements }) as QuerySource;

describe.each(Object.entries(clients))('named statements of %s', (_, open) => {
  let database: ScratchDatabase | undefined;
  const bouncers: (PgBouncer | string)[] = [];

  beforeAll(async () => {
    if (!server || typeof bouncer === 'string') return;
    database = await onPostgresql({ ...server, dispose: leaveRunning }, 'named');
    await loadFixtures(database);
    bouncers.push(await bouncerOf({ poolSize: 1 }));
    bouncers.push(await bouncerOf({ poolSize: 3, preparedStatements: 100 }));
  });
  afterAll(async () => {
    for (const each of bouncers) if (typeof each !== 'string') await each.dispose();
    await database?.drop();
  });

  /** Names on the server's connection after statements have recurred. */
  const namesOn = async (url: string, named: boolean | undefined): Promise<number> => {
    const { source, close } = open(url, named, 1);
    try {
      await recur(source, users);
      await recur(source, users);
      return await sqlNames(source);
    } finally {
      await close();
    }
  };

  it('are used where the connection leads to the server', async (context) => {
    if (!database) return context.skip(`${bouncer}`);
    expect(await namesOn(database.url, undefined)).toBeGreaterThan(0);
  });

  it('are not used where it leads to a pooler', async (context) => {
    const [single] = bouncers;
    if (!database || typeof single !== 'object') return context.skip(`${single}`);
    expect(await namesOn(single.through(database.url), undefined)).toBe(0);
  });

  it('are given up when the pooler does not know them', async (context) => {
    if (!database || typeof bouncer === 'string') return context.skip(`${bouncer}`);
    const { source, close } = open(bouncer.through(database.url), true, 6);
    const other = open(bouncer.through(database.url), true, 6);
    try {
      await Promise.all([recur(source, users), recur(other.source, users)]);
    } finally {
      await close();
      await other.close();
    }
  });

  it('are used where the pooler knows them and the host asks for them', async (context) => {
    const [, keeping] = bouncers;
    if (!database || typeof keeping !== 'object') return context.skip(`${keeping}`);
    const { source, close } = open(keeping.through(database.url), true, 6);
    try {
      await recur(source, users);
      expect(await sqlNames(source)).toBeGreaterThan(0);
    } finally {
      await close();
    }
  });
});

/** Number of statements prepared on the connection that a source's statement runs on. */
async function sqlNames(source: QuerySource): Promise<number> {
  const { execute } = source as unknown as {
    readonly execute: { run(statement: object, values: readonly unknown[]): Promise<unknown[][]> };
  };
  const text = 'select count(*)::int4 as c0 from pg_prepared_statements where not from_sql';
  const rows = await execute.run({ text, slots: [] }, []);
  return Number(rows[0]?.[0]);
}
