/** Statements that connections have prepared, after a change of their tables and after DEALLOCATE. */

import type { Knex } from 'knex';
import createKnex from 'knex';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type SqlConnection,
  sqlRegistry,
  sqlSource,
  withComputedFields,
} from '../../src/adapters/sql/index.ts';
import { type QuerySource, runQuery } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import type { DatabaseCell } from './cell.ts';
import { cells } from './cells.ts';
import { compileEndpoints } from './corpus/index.ts';
import { computedFields } from './fixtures/computed.ts';
import { knexOn, loadFixtures } from './fixtures/load.ts';
import { sqlTablesOf } from './fixtures/tables-sql.ts';

/** Runs of a statement until each of four connections has prepared it under its name. */
const runs = 24;

const onPostgresql = cells.filter(({ family }) => family === 'postgresql');

describe.each(onPostgresql)('outdated plans of $name', ({ adapter, family }) => {
  let cell: DatabaseCell | null = null;
  let knex: Knex;

  beforeAll(async () => {
    const made = await adapter.open(family, 'outdated');
    if (typeof made !== 'string') {
      cell = made;
      knex = knexOn(made.database);
    } else if (everyServiceRequired()) {
      throw new Error(made);
    }
  });
  afterAll(async () => {
    await knex?.destroy();
    await cell?.dispose();
  });

  it('are planned anew after a change of the table', async (context) => {
    if (!cell) return context.skip();
    const rules = compileEndpoints(cell.registry).users;
    const source = cell.source('user');
    const request = 'perPage=3&includes=company';
    const read = (options: object) =>
      Promise.all(Array.from({ length: runs }, () => runQuery(source, request, rules, options)));
    const [before] = await read({});
    for (const [length, options] of [
      [301, {}],
      [302, { timeoutMs: 0 }],
    ] as const) {
      await knex.raw(`alter table companies alter column name type varchar(${length})`);
      for (const answer of await read(options)) expect(answer).toEqual(before);
    }
  });
});

/** Connections that have one session, which forgets its statements, and how they run a statement by hand. */
interface Session {
  readonly connection: SqlConnection;
  run(sql: string): PromiseLike<unknown>;
  close(): PromiseLike<unknown>;
}

const sessions: { readonly [name: string]: (url: string) => Promise<Session> | Session } = {
  'a Pool of pg': (url) => {
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    return { connection: pool, run: (sql) => pool.query(sql), close: () => pool.end() };
  },
  'a Client of pg': async (url) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return { connection: client, run: (sql) => client.query(sql), close: () => client.end() };
  },
  'Knex on pg': (url) => {
    const knex = createKnex({ client: 'pg', connection: url, pool: { min: 0, max: 1 } });
    return { connection: knex, run: (sql) => knex.raw(sql), close: () => knex.destroy() };
  },
};

describe.each(Object.entries(sessions))('forgotten statements of %s', (_name, open) => {
  it('run once more', async (context) => {
    const database = await scratchDatabase('postgresql', 'forgotten');
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return context.skip();
    }
    const { connection, run, close } = await open(database.url);
    try {
      await loadFixtures(database);
      const tables = sqlTablesOf('postgresql');
      const registry = withComputedFields(sqlRegistry(tables), computedFields);
      const rules = compileEndpoints(registry).regions;
      const source: QuerySource = sqlSource({ connection, registry, tables, model: 'region' });
      const read = () => runQuery(source, 'perPage=2', rules);
      const before = await read();
      for (let round = 0; round < 3; round += 1) {
        for (let at = 0; at < 6; at += 1) expect(await read()).toEqual(before);
        await run('deallocate all');
      }
      expect(await read()).toEqual(before);
    } finally {
      await close();
      await database.drop();
    }
  });
});
