/** Prepared statements of PostgreSQL: a connection keeps those that it used last, however many a client invents. */

import { drizzle } from 'drizzle-orm/node-postgres';
import * as columns from 'drizzle-orm/pg-core';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { sqlRegistry, sqlSource } from '../../src/adapters/sql/index.ts';
import type { QuerySource, SchemaRegistry } from '../../src/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';

/** Columns of the table, which a request shows or not: 2,048 forms. */
const parts = Array.from({ length: 11 }, (_none, nth) => `c${nth}`);

/** The columns of the nth form of a request. */
const shownBy = (form: number): string[] => parts.filter((_part, nth) => (form >> nth) % 2 === 1);

/** Statements that a connection keeps. */
const mostKept = 500;

let database: ScratchDatabase | undefined;
/** A pool of its own for each test. */
let pool: pg.Pool;

beforeAll(async () => {
  const found = await scratchDatabase('postgresql', 'prepared');
  if ('missing' in found) {
    if (everyServiceRequired()) throw new Error(found.advice);
    return;
  }
  database = found;
  const client = new pg.Client({ connectionString: found.url });
  await client.connect();
  await client.query(
    `create table wide (id int primary key, ${parts.map((part) => `${part} int not null`).join(', ')})`,
  );
  await client.query(`insert into wide values (1, ${parts.map(() => '7').join(', ')})`);
  await client.end();
});
afterAll(() => database?.drop());

interface Made {
  readonly registry: SchemaRegistry;
  readonly source: QuerySource;
}

const adapters: readonly { readonly name: string; readonly forms: number; make(): Made }[] = [
  {
    name: 'a plain connection',
    forms: 2_000,
    make: () => {
      const own = { id: 'integer', ...Object.fromEntries(parts.map((part) => [part, 'integer'])) };
      const tables = { wide: { table: 'wide', primaryKey: 'id', columns: own } } as const;
      const registry = sqlRegistry(tables, { families: ['postgresql'] }) as SchemaRegistry;
      const source = sqlSource({
        connection: pool,
        registry,
        tables,
        model: 'wide',
        namedStatements: true,
      });
      return { registry, source };
    },
  },
  {
    name: 'Drizzle',
    forms: 700,
    make: () => {
      const wide = columns.pgTable('wide', {
        id: columns.integer().primaryKey(),
        ...Object.fromEntries(parts.map((part) => [part, columns.integer().notNull()])),
      });
      const tables = { wide };
      const registry = drizzleRegistry(tables) as SchemaRegistry;
      const db = drizzle(pool);
      const model = 'wide' as const;
      const source = drizzleSource({ db, registry, tables, model, namedStatements: true });
      return { registry, source: source as QuerySource };
    },
  },
];

describe.each(adapters)('$name', ({ forms, make }) => {
  it('keeps the statements that were used last', async (context) => {
    if (!database) return context.skip();
    pool = new pg.Pool({ connectionString: database.url, max: 2 });
    const { registry, source } = make();
    const rules = defineQueryRules(registry, 'wide', {
      fields: { root: { allowed: ['id', ...parts], default: ['id'] } },
      pagination: { count: 'none' },
    });
    // A pool lends the connection that came back last, so that one request at a time uses one connection.
    const kept = async (): Promise<readonly { readonly runs: number }[]> => {
      const { rows } = await pool.query(
        `select (generic_plans + custom_plans)::int as runs from pg_prepared_statements
          where name like 'sluice%' order by prepare_time desc`,
      );
      return rows;
    };
    const ran = async (form: number): Promise<void> => {
      const shown = shownBy(form);
      const { data } = await runQuery(source, `fields=${['id', ...shown].join()}`, rules);
      expect(data).toEqual([{ id: 1, ...Object.fromEntries(shown.map((part) => [part, 7])) }]);
    };
    for (let form = 0; form < forms; form += 1)
      for (let run = 0; run < 4; run += 1) await ran(form);
    expect(pool.totalCount).toBe(1);
    const isFull = (length: number): boolean => length >= mostKept && length <= mostKept + 2;
    // Some wait to be closed with the next that runs.
    expect((await kept()).length).toSatisfy(isFull);
    // The first forms have left, and come back under their names.
    for (let form = 0; form < 20; form += 1) for (let run = 0; run < 5; run += 1) await ran(form);
    const now = await kept();
    expect(now.length).toSatisfy(isFull);
    expect(now.slice(0, 20).map(({ runs }) => runs)).toEqual(Array.from({ length: 20 }, () => 2));
    await pool.end();
  });
});

it('have names on a single client as the host says', async (context) => {
  if (!database) return context.skip();
  const tables = { wide: { table: 'wide', primaryKey: 'id', columns: { id: 'integer' } } } as const;
  const registry = sqlRegistry(tables, { families: ['postgresql'] });
  const rules = defineQueryRules(registry, 'wide', { fields: 'all' });
  for (const namedStatements of [false, undefined]) {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    onTestFinished(() => client.end());
    const source = sqlSource({
      connection: client,
      registry,
      tables,
      model: 'wide',
      namedStatements,
    });
    for (let run = 0; run < 24; run += 1)
      expect(await runQuery(source, 'perPage=1', rules)).toMatchObject({ total: 1 });
    const { rows } = await client.query('select from pg_prepared_statements');
    expect(rows).toHaveLength(namedStatements === false ? 0 : 2);
  }
});
