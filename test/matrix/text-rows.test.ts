/**
 * Lists whose rows an endpoint sends as text from the driver's bytes: the same text as from objects, on every adapter of
 * PostgreSQL, and objects wherever the host's code sees the rows.
 */

import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { DataSource, EntitySchema } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import {
  type SqlExecutor,
  sqlExecutor,
  sqlRegistry,
  sqlSource,
  sqlTables,
} from '../../src/adapters/sql/index.ts';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { listEndpoint } from '../../src/http/node/index.ts';
import { type QuerySource, defineQueryRules } from '../../src/index.ts';
import { RowsText, hasText, listAnswer, resultText } from '../../src/rules/index.ts';
import type { CompiledQueryRules } from '../../src/index.ts';
import { seed, everything } from '../seed.ts';
import { listen } from '../http/serve.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';
import type { DatabaseCell } from './cell.ts';
import { cells } from './cells.ts';
import { answer } from './check-case.ts';
import { compileEndpoints, corpus } from './corpus/index.ts';

const suites = cells.filter(({ family }) => family === 'postgresql');

/** Runs before a statement has a name and its columns are known. */
const runs = 6;

/** The rows of a result and its text, as an endpoint asks for them. */
async function asText(
  source: QuerySource,
  request: string,
  rules: CompiledQueryRules,
): Promise<{ readonly isText: boolean; readonly body: string }> {
  const result = await listAnswer(source, request, rules, { asText: hasText(source) });
  return { isText: (result.data as unknown) instanceof RowsText, body: resultText(result) };
}

describe.each(suites)('text of $name', ({ adapter, family, name }) => {
  let cell: DatabaseCell | null = null;

  beforeAll(async () => {
    const made = await adapter.open(family, 'text_rows');
    if (typeof made !== 'string') cell = made;
    else if (everyServiceRequired()) throw new Error(made);
  });
  afterAll(() => cell?.dispose());

  it('is that of the objects in the corpus', async (context) => {
    if (!cell) return context.skip();
    const { registry, source } = cell;
    const rules = compileEndpoints(registry);
    const at = suites.findIndex((suite) => suite.name === name);
    const chosen = Object.values(corpus)
      .flat()
      .filter((_, index) => everything || (index + seed + at) % suites.length === 0);
    let texts = 0;
    for (const { endpoint, request } of chosen) {
      const from = source(rules[endpoint].model);
      const given = await answer(from, request, rules[endpoint]);
      if (given.status !== 200) continue;
      const expected = JSON.stringify(given.body);
      for (let run = 0; run < runs; run += 1) {
        const { isText, body } = await asText(from, request, rules[endpoint]);
        expect([request, body]).toEqual([request, expected]);
        if (isText) texts += 1;
      }
    }
    const own = ['drizzle', 'typeorm', 'sql'].some((each) => name.startsWith(`${each} on`));
    if (own) expect(texts).toBeGreaterThan(chosen.length / 2);
    else expect(texts).toBe(0);
  });
});

describe('rows that the code of a host sees', () => {
  let database: ScratchDatabase | null = null;
  let pool: pg.Pool;

  beforeAll(async () => {
    const made = await scratchDatabase('postgresql', 'seen_rows');
    if ('missing' in made) {
      if (everyServiceRequired()) throw new Error(made.advice);
      return;
    }
    database = made;
    pool = new pg.Pool({ connectionString: made.url, max: 2 });
    await pool.query('create table towns (id int primary key, name text)');
    await pool.query(
      `insert into towns select n, case when n % 7 > 0 then 'Zürich "' || n || '"' end
        from generate_series(1, 30) n`,
    );
  });
  afterAll(async () => {
    await pool?.end();
    await database?.drop();
  });

  const tables = sqlTables({
    town: {
      table: 'towns',
      primaryKey: 'id',
      columns: { id: 'integer', name: { type: 'text', nullable: true } },
    },
  });
  const registry = sqlRegistry(tables);
  const declaration = {
    sorts: ['id'],
    fields: { root: { allowed: ['id', 'name'], default: ['id', 'name'] } },
    pagination: { mode: 'both', allowUnpaginated: true },
  } as const;
  const rules = defineQueryRules(registry, 'town', declaration);
  const ownSource = () => sqlSource({ connection: pool, registry, tables, model: 'town' });

  it('are arrays for a source that wraps another one', async (context) => {
    if (!database) return context.skip();
    const inner = ownSource();
    let seen = 0;
    const wrapper: QuerySource = {
      ...inner,
      prepare(plan, own, options) {
        const read = inner.prepare(plan, own, options as Parameters<typeof inner.prepare>[2]);
        return {
          concurrent: read.concurrent,
          countKey: read.countKey,
          count: () => read.count(),
          rows: async () => {
            const page = await read.rows();
            seen += page.rows.filter(({ id }) => Number(id) > 0).length;
            return { ...page, rows: page.rows.map((row) => ({ ...row, seen: true })) };
          },
        };
      },
    };
    const server = await listen(listEndpoint({ source: wrapper, rules }));
    for (let run = 1; run <= runs; run += 1) {
      const response = await fetch(`http://127.0.0.1:${server.port}/?perPage=2`);
      expect(await response.json()).toMatchObject({ data: [{ seen: true }, { seen: true }] });
      expect(seen).toBe(2 * run);
    }
    await server.close();
  });

  it('are arrays for an executor that wraps another one', async (context) => {
    if (!database) return context.skip();
    const inner = sqlExecutor(pool);
    let seen = 0;
    const { runBoth: _, runsBoth: __, ...others } = inner;
    const connection: SqlExecutor = {
      ...others,
      run: async (...given) => {
        const rows = await inner.run(...given);
        seen += rows.filter((row) => row.length > 0).length;
        return rows;
      },
    };
    const source = sqlSource({ connection, registry, tables, model: 'town' });
    const server = await listen(listEndpoint({ source, rules }));
    for (let run = 1; run <= runs; run += 1) {
      const response = await fetch(`http://127.0.0.1:${server.port}/?perPage=2`);
      expect(await response.json()).toMatchObject({ total: 30, data: [{ id: 1 }, { id: 2 }] });
      expect(seen).toBe(3 * run);
    }
    await server.close();
  });

  it('are those of every page, whole lists and cursors', async (context) => {
    if (!database) return context.skip();
    const source = ownSource();
    const walk = async (read: (request: string) => Promise<string>): Promise<string[]> => {
      const bodies = [await read('paginate=false'), await read('perPage=7&page=9')];
      let request = 'perPage=7&sort=-id&cursor=';
      for (let step = 0; step < 9; step += 1) {
        const body = await read(request);
        bodies.push(body);
        const { nextCursor, prevCursor } = JSON.parse(body) as Record<string, string | null>;
        const cursor = step < 4 ? nextCursor : prevCursor;
        request = `perPage=7&sort=-id&cursor=${encodeURIComponent(cursor ?? '')}`;
      }
      return bodies;
    };
    const objects = await walk(async (request) => {
      const { body } = await answer(source, request, rules);
      return JSON.stringify(body);
    });
    for (let run = 0; run < runs; run += 1) {
      expect(await walk(async (request) => (await asText(source, request, rules)).body)).toEqual(
        objects,
      );
    }
    expect(objects[3]).toContain(String.raw`"name":"Zürich \"23\""`);
  });

  it('are refused where a list that must be complete has more of them', async (context) => {
    if (!database) return context.skip();
    const source = ownSource();
    const pagination = { ...declaration.pagination, maxUnpaginatedRows: 5 };
    const capped = defineQueryRules(registry, 'town', { ...declaration, pagination });
    for (let run = 0; run < runs; run += 1) {
      await expect(asText(source, 'paginate=false', capped)).rejects.toMatchObject({
        code: 'PAGINATION_INVALID',
        details: { param: 'paginate', maxRows: 5 },
      });
    }
  });

  it('are objects where a codec converts them', async (context) => {
    if (!database) return context.skip();
    const entity = new EntitySchema<{ id: number; name: string | null }>({
      name: 'town',
      tableName: 'towns',
      columns: {
        id: { type: Number, primary: true },
        name: {
          type: 'text',
          nullable: true,
          transformer: { to: (name: string) => name.slice(0, -1), from: (name) => `${name}!` },
        },
      },
    });
    const dataSource = new DataSource({ type: 'postgres', url: database.url, entities: [entity] });
    await dataSource.initialize();
    const own = typeormRegistry([entity]);
    const source: QuerySource = typeormSource(dataSource, entity, { registry: own });
    const shoutRules = defineQueryRules(own, 'town', {
      fields: { root: { allowed: ['id', 'name'], default: ['id', 'name'] } },
    });
    for (let run = 0; run < runs; run += 1) {
      const { isText, body } = await asText(source, 'perPage=1', shoutRules);
      expect(isText).toBe(false);
      expect(body).toContain(String.raw`"name":"Zürich \"1\"!"`);
    }
    await dataSource.destroy();
  });

  it('tell a failure of a parser of the host with a code', async (context) => {
    if (!database) return context.skip();
    const towns = pgTable('towns', { id: integer('id').primaryKey(), name: text('name') });
    const own = drizzleRegistry({ town: towns });
    const client = new pg.Client(database.url);
    await client.connect();
    const source: QuerySource = drizzleSource({
      db: drizzle(client),
      registry: own,
      tables: { town: towns },
      model: 'town',
    });
    const ownRules = defineQueryRules(own, 'town', {
      fields: { root: { allowed: ['id', 'name'], default: ['id', 'name'] } },
    });
    const types = pg.types as unknown as {
      setTypeParser(oid: number, parse: (text: string) => unknown): void;
    };
    const usual = pg.types.getTypeParser(25, 'text') as (text: string) => unknown;
    let isBroken = false;
    types.setTypeParser(25, (value) => {
      if (isBroken) throw new Error(`secret ${value}`);
      return usual(value);
    });
    try {
      const read = () => asText(source, 'perPage=2', ownRules);
      for (let run = 0; run < 14; run += 1) expect((await read()).body).toContain('Zürich');
      isBroken = true;
      await expect(read()).rejects.toMatchObject({ name: 'QueryError', status: 500 });
      isBroken = false;
      expect((await read()).body).toContain('Zürich');
    } finally {
      types.setTypeParser(25, usual);
      await client.end();
    }
  });
});
