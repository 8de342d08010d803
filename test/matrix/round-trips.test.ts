/**
 * Named statements of `pg` in one round trip: the same bytes as unnamed ones, what goes over the socket, and what the
 * connection knows after an error.
 */

import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { drizzle } from 'drizzle-orm/node-postgres';
import {
  customType,
  jsonb,
  pgTable,
  integer as pgInteger,
  text as pgText,
} from 'drizzle-orm/pg-core';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import pg from 'pg';
import { DataSource, EntitySchema } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import type { QuerySource } from '../../src/index.ts';
import { seed, everything } from '../seed.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';
import type { DatabaseCell } from './cell.ts';
import { cells } from './cells.ts';
import { answer } from './check-case.ts';
import { compileEndpoints, corpus } from './corpus/index.ts';

/** Runs before a statement has a name, on each of the connections of a cell. */
const runs = 8;

/** The messages whose letters are noted: Parse, Describe, Bind, Sync. */
const noted = new Set(['P', 'D', 'B', 'S']);

/** The letters of the messages in a chunk that a client of `pg` writes. */
function lettersOf(chunk: Buffer): string {
  let letters = '';
  for (let at = 0; at + 5 <= chunk.length; at += 1 + chunk.readInt32BE(at + 1)) {
    const letter = String.fromCharCode(chunk[at] ?? 0);
    if (noted.has(letter)) letters += letter;
  }
  return letters;
}

/** The messages that clients of `pg` send while the work runs, a letter each. */
async function sent(work: () => Promise<unknown>): Promise<string> {
  const { write } = Socket.prototype;
  let log = '';
  Socket.prototype.write = function (this: Socket, ...given: unknown[]) {
    if (Buffer.isBuffer(given[0])) log += lettersOf(given[0]);
    return Reflect.apply(write, this, given) as boolean;
  } as typeof write;
  try {
    await work();
  } finally {
    Socket.prototype.write = write;
  }
  return log;
}

const suites = cells.filter(
  ({ family, adapter }) => family === 'postgresql' && !adapter.name.startsWith('prisma'),
);

describe.each(suites)('a round trip of $name', ({ adapter, family, name }) => {
  let cell: DatabaseCell | null = null;

  beforeAll(async () => {
    const made = await adapter.open(family, 'round_trips');
    if (typeof made !== 'string') cell = made;
    else if (everyServiceRequired()) throw new Error(made);
  });
  afterAll(() => cell?.dispose());

  it('answers the corpus with the bytes of unnamed statements', async (context) => {
    if (!cell) return context.skip();
    const { registry, source } = cell;
    const rules = compileEndpoints(registry);
    const all = Object.values(corpus).flat();
    const at = suites.findIndex((suite) => suite.name === name);
    const chosen = all.filter(
      (_, index) => everything || (index + seed + at) % suites.length === 0,
    );
    const log = await sent(async () => {
      for (const { endpoint, request } of chosen) {
        const given: string[] = [];
        for (let run = 0; run < runs; run += 1) {
          const { model } = rules[endpoint];
          given.push(JSON.stringify(await answer(source(model), request, rules[endpoint])));
        }
        expect([request, ...new Set(given)]).toEqual([request, given[0]]);
      }
    });
    // TypeORM itself loads entities; their keys and counts are read by name.
    expect(log.match(/(?<!D)S/g)?.length).toBeGreaterThan(chosen.length / 2);
  });
});

const values = [
  [
    1,
    `'{"a":[1.50,null,"x\\\\y"]}'`,
    `'\\x00ff5c'`,
    "'a\"b\\c,{}'",
    `'2024-03-10 02:30:00+00'`,
    "'NaN'",
  ],
  [2, 'null', 'null', 'null', 'null', 'null'],
  [3, `'[]'`, `'\\x'`, `''`, `'infinity'`, "'Infinity'"],
  [4, `'"é\\u2028"'`, `'\\x5c78'`, `E'\\t\\n'`, `'0001-01-01 00:00:00+00'`, "'-0.10'"],
] as const;

describe('one connection of pg', () => {
  let database: ScratchDatabase | null = null;
  let pool: pg.Pool;

  beforeAll(async () => {
    const made = await scratchDatabase('postgresql', 'one_trip');
    if ('missing' in made) {
      if (everyServiceRequired()) throw new Error(made.advice);
      return;
    }
    database = made;
    pool = new pg.Pool({
      connectionString: made.url,
      max: 1,
      options: '-c timezone=America/New_York -c datestyle=SQL,DMY',
    });
    pool.on('error', () => {});
    await pool.query(
      'create table things (id int primary key, doc jsonb, bytes bytea, word text, at timestamptz, share numeric)',
    );
    for (const row of values) await pool.query(`insert into things values (${row.join(', ')})`);
  });
  afterAll(async () => {
    await pool?.end();
    await database?.drop();
  });

  const declared = sqlTables({
    thing: {
      table: 'things',
      primaryKey: 'id',
      columns: {
        id: 'integer',
        doc: { type: 'jsonb', nullable: true },
        bytes: { type: 'bytea', nullable: true },
        word: { type: 'text', nullable: true },
        at: { type: 'timestamptz', nullable: true },
      },
    },
  });
  const declaration = {
    filters: [
      { path: 'id', operators: ['ne', 'in'] },
      { path: 'word', operators: ['in'] },
    ],
    fields: {
      root: {
        allowed: ['id', 'doc', 'bytes', 'word', 'at'],
        default: ['id', 'doc', 'bytes', 'word'],
      },
    },
  } as const;
  const registry = sqlRegistry(declared);
  const rules = defineQueryRules(registry, 'thing', declaration);
  const sourceOn = (connection: pg.Pool | pg.PoolClient) =>
    sqlSource({ connection, registry, tables: declared, model: 'thing' });

  it('receives rows and count in one write, and reads exact values', async (context) => {
    if (!database) return context.skip();
    const source = sourceOn(pool);
    const request = 'filter[id][ne]=0&perPage=2';
    const read = () => runQuery(source, request, rules);
    const unnamed = JSON.stringify(await read());
    for (let run = 0; run < 12; run += 1) expect(JSON.stringify(await read())).toBe(unnamed);
    expect(await sent(read)).toBe('BBS');
    const short = () => runQuery(source, 'filter[id][ne]=0&perPage=5', rules);
    for (let run = 0; run < 6; run += 1) expect(await short()).toMatchObject({ total: 4 });
    expect(await sent(short)).toBe('BS');
    const list = `filter[word][in]=${encodeURIComponent(String.raw`"a\"b\\c,{}",""`)}&perPage=5`;
    for (let run = 0; run < 6; run += 1) {
      const { data } = await runQuery(source, list, rules);
      expect(data.map(({ id }) => id)).toEqual([1, 3]);
    }
  });

  it('lets the server plan them for the values that steer a plan', async (context) => {
    if (!database) return context.skip();
    const client = await pool.connect();
    try {
      const source = sourceOn(client);
      const read = () => runQuery(source, 'filter[word][in]=%22%22,x&perPage=1', rules);
      for (let run = 0; run < 14; run += 1) expect(await read()).toMatchObject({ total: 1 });
      expect(await sent(read)).toBe('PDBPDBS');
      const kept = `select from pg_prepared_statements where statement like '%"word" =%'`;
      expect((await client.query(kept)).rowCount).toBe(0);
    } finally {
      client.release(true);
    }
  });

  it('are not kept by the driver for a wrapper of one client', async (context) => {
    if (!database) return context.skip();
    const client = await pool.connect();
    try {
      const query = client.query.bind(client) as (...given: unknown[]) => unknown;
      const source = sourceOn(client);
      for (let run = 0; run < 14; run += 1) {
        // As a host does that wraps a client for each request; it loses the methods of query objects.
        Object.assign(client, {
          query: (first: object | string) =>
            query(typeof first === 'string' ? first : { ...first }),
        });
        const page = await runQuery(source, 'filter[word][in]=%22%22,x&perPage=3', rules);
        expect(page).toMatchObject({ total: 1 });
      }
      const kept = `select from pg_prepared_statements where statement like '%"word" =%'`;
      expect(((await query({ text: kept })) as { rows: object[] }).rows).toEqual([]);
    } finally {
      client.release(true);
    }
  });

  it('leaves no condition of the host out of rows or count', async (context) => {
    if (!database) return context.skip();
    const source = sourceOn(pool);
    const request = 'filter[id][ne]=0&perPage=2';
    // A hook that adds no condition at first, so that its statements get names.
    let condition: string | undefined;
    const page = () => runQuery(source, request, rules, { customize: () => condition });
    for (let run = 0; run < 12; run += 1) expect(await page()).toMatchObject({ total: 4 });
    condition = '"things"."id" >= 2';
    for (let run = 0; run < 3; run += 1) {
      expect(await page()).toMatchObject({ data: [{ id: 2 }, { id: 3 }], total: 3 });
    }
  });

  it('runs them in a transaction of the host, and on a client', async (context) => {
    if (!database) return context.skip();
    const client = await pool.connect();
    try {
      await client.query('begin');
      const source = sourceOn(client);
      const read = () => runQuery(source, 'filter[id][ne]=0&perPage=3', rules);
      for (let run = 0; run < 14; run += 1) expect(await read()).toMatchObject({ total: 4 });
      expect(await sent(read)).toBe('BBS');
      await client.query('rollback');
      expect(await read()).toMatchObject({ total: 4 });
    } finally {
      client.release();
    }
  });

  it('knows its statements after an error in either of them', async (context) => {
    if (!database) return context.skip();
    await pool.query(
      `create view shares as select id, 12 / id as doc, null::bytea as bytes, word, at from things`,
    );
    const tables = sqlTables({
      thing: {
        table: 'shares',
        primaryKey: 'id',
        columns: {
          id: 'integer',
          doc: { type: 'integer', nullable: true },
          word: { type: 'text', nullable: true },
        },
      },
    });
    const own = sqlRegistry(tables);
    const shareRules = defineQueryRules(own, 'thing', {
      filters: [{ path: 'doc', operators: ['isNull'] }],
      sorts: ['id'],
      fields: { root: { allowed: ['id', 'doc'], default: ['id', 'doc'] } },
    });
    const source = sqlSource({ connection: pool, registry: own, tables, model: 'thing' });
    const ascending = () =>
      runQuery(source, 'filter[doc][isNull]=false&sort=id&perPage=2', shareRules);
    const descending = () =>
      runQuery(source, 'filter[doc][isNull]=false&sort=-id&perPage=2', shareRules);
    // The page begins before or behind the row that cannot be divided by, and the count reads it.
    for (const [read, log] of [
      [descending, 'BBS'],
      [ascending, 'BBS'],
    ] as const) {
      for (let run = 0; run < 8; run += 1) expect(await read()).toMatchObject({ total: 4 });
      await pool.query('insert into things (id) values (0)');
      expect(await sent(() => expect(read()).rejects.toMatchObject({ status: 500 }))).toBe(log);
      await pool.query('delete from things where id = 0');
      for (let run = 0; run < 4; run += 1) expect(await read()).toMatchObject({ total: 4 });
    }
    await pool.query('drop view shares');
  });

  it('leaves the names of the driver free, which runs the same statement for a wrapper', async (context) => {
    if (!database) return context.skip();
    const client = await pool.connect();
    try {
      const source = sourceOn(client);
      const read = () => runQuery(source, 'filter[id][ne]=0&perPage=4', rules);
      for (let run = 0; run < 14; run += 1) expect(await read()).toMatchObject({ total: 4 });
      const query = client.query.bind(client) as (...given: unknown[]) => unknown;
      // It loses the methods of query objects, so that the driver runs each statement under its own name.
      Object.assign(client, { query: (first: object) => query({ ...first }) });
      for (let run = 0; run < 3; run += 1) expect(await read()).toMatchObject({ total: 4 });
      const { rows } = (await query(
        `select count(*) filter (where name like '%_trip')::int as trips,
          count(*) filter (where name not like '%_trip')::int as own
          from pg_prepared_statements where statement like '%"things"."id" <>%limit%'`,
      )) as { rows: object[] };
      expect(rows).toEqual([{ own: 1, trips: 1 }]);
    } finally {
      client.release(true);
    }
  });

  it('continues on another connection when one is lost', async (context) => {
    if (!database) return context.skip();
    const source = sourceOn(pool);
    const read = () => runQuery(source, 'filter[id][ne]=0&perPage=1', rules);
    for (let run = 0; run < 8; run += 1) expect(await read()).toMatchObject({ total: 4 });
    const admin = new pg.Client(database.url);
    await admin.connect();
    const holder = new pg.Client(database.url);
    await holder.connect();
    await holder.query('begin');
    await holder.query('lock table things');
    const waiting = read().then(
      () => null,
      (error: unknown) => error,
    );
    const blocked = `select pg_terminate_backend(pid) from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`;
    await expect.poll(async () => (await admin.query(blocked)).rowCount).toBe(1);
    expect(await waiting).toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    await holder.end();
    await admin.end();
    for (let run = 0; run < 3; run += 1) expect(await read()).toMatchObject({ total: 4 });
  });

  it('gives codecs of Drizzle what the parsers of the driver give', async (context) => {
    if (!database) return context.skip();
    const share = customType<{ data: string; driverData: string }>({
      dataType: () => 'numeric',
      toDriver: (value) => value,
      fromDriver: (value) => `share ${value}`,
    });
    const things = pgTable('things', {
      id: pgInteger('id').primaryKey(),
      doc: jsonb('doc'),
      word: pgText('word'),
      share: share('share'),
    });
    const logged: string[] = [];
    const db = drizzle(pool, { logger: { logQuery: (text) => logged.push(text) } });
    const drizzled = drizzleRegistry(
      { thing: things },
      {},
      { thing: { share: { kind: 'string' } } },
    );
    const shareRules = defineQueryRules(drizzled, 'thing', {
      filters: [{ path: 'id', operators: ['ne'] }],
      fields: { root: { allowed: ['id', 'doc', 'share'], default: ['id', 'doc', 'share'] } },
    });
    const source: QuerySource = drizzleSource({
      db,
      registry: drizzled,
      tables: { thing: things },
      model: 'thing',
    });
    const read = () => runQuery(source, 'filter[id][ne]=0&perPage=2', shareRules);
    const types = pg.types as unknown as {
      setTypeParser(oid: number, parse: (text: string) => unknown): void;
    };
    const numeric = pg.types.getTypeParser(1700, 'text');
    types.setTypeParser(1700, (text) => `parsed ${text}`);
    try {
      const first = JSON.stringify(await read());
      expect(first).toContain('parsed NaN');
      for (let run = 0; run < 8; run += 1) expect(JSON.stringify(await read())).toBe(first);
      logged.length = 0;
      expect(await sent(read)).toBe('BBS');
      expect(logged).toHaveLength(2);
    } finally {
      types.setTypeParser(1700, numeric as (text: string) => unknown);
    }
  });

  it('tells a failure of a parser of the host with a code', async (context) => {
    if (!database) return context.skip();
    const towns = pgTable('things', { id: pgInteger('id').primaryKey(), name: pgText('word') });
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
      const read = () => runQuery(source, 'perPage=1', ownRules);
      for (let run = 0; run < 14; run += 1) expect(await read()).toMatchObject({ total: 4 });
      isBroken = true;
      await expect(read()).rejects.toMatchObject({ name: 'QueryError', status: 500 });
      isBroken = false;
      expect(await read()).toMatchObject({ total: 4 });
    } finally {
      types.setTypeParser(25, usual);
      await client.end();
    }
  });

  it('takes one connection of a busy pool of TypeORM where the count was slow', async (context) => {
    if (!database) return context.skip();
    await pool.query('create view slow as select id from things, pg_sleep(0.01)');
    const entity = new EntitySchema({
      name: 'slow',
      tableName: 'slow',
      columns: { id: { type: Number, primary: true } },
    });
    const dataSource = new DataSource({
      type: 'postgres',
      url: database.url,
      entities: [entity],
      extra: { max: 2 },
    });
    await dataSource.initialize();
    const holder = dataSource.createQueryRunner();
    try {
      const own = typeormRegistry([entity]);
      const slowRules = defineQueryRules(own, 'slow', {
        fields: { root: { allowed: ['id'], default: ['id'] } },
      });
      const source = typeormSource(dataSource, entity);
      const read = () => runQuery(source, 'perPage=2', slowRules);
      const isPaired = async () => (await sent(read)) === 'BBS';
      for (let run = 0; run < 14; run += 1) expect(await read()).toMatchObject({ total: 4 });
      expect(await isPaired()).toBe(false);
      // With two connections for the request, the count would wait for this one.
      await holder.connect();
      for (let run = 0; run < 2; run += 1) expect(await read()).toMatchObject({ total: 4 });
      expect(await isPaired()).toBe(true);
    } finally {
      await holder.release();
      await dataSource.destroy();
      await pool.query('drop view slow');
    }
  });

  it('shows every statement to instrumentation', async (context) => {
    if (!database) return context.skip();
    const exporter = new InMemorySpanExporter();
    const tracerProvider = new BasicTracerProvider({
      spanProcessors: [new SimpleSpanProcessor(exporter)],
    });
    const instrumentation = new PgInstrumentation({
      enabled: false,
      addSqlCommenterCommentToQueries: true,
    });
    instrumentation.setTracerProvider(tracerProvider);
    instrumentation.enable();
    // The hook of the instrumentation hears of `require`.
    createRequire(import.meta.url)('pg');
    try {
      const source = sourceOn(pool);
      const read = () => runQuery(source, 'filter[id][ne]=0&perPage=1', rules);
      for (let run = 0; run < 8; run += 1) expect(await read()).toMatchObject({ total: 4 });
      exporter.reset();
      expect(await sent(read)).toBe('BBS');
      const texts = exporter
        .getFinishedSpans()
        .map(({ attributes }) => String(attributes['db.statement'] ?? attributes['db.query.text']));
      expect(texts.filter((text) => /count\(\*\)/.test(text) && /limit 1/.test(text))).toHaveLength(
        1,
      );
    } finally {
      instrumentation.disable();
      await tracerProvider.shutdown();
    }
  });
});
