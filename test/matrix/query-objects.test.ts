/**
 * Query objects of other packages on a connection of `pg` beside those of lists: cursors, streams and COPY, and queries
 * that the driver gives up.
 */

import { createRequire } from 'node:module';
import { Readable, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';

/** The parts of the packages that the tests use; none of them has types of its own. */
interface Cursor extends pg.Submittable {
  read(count: number): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

const load = createRequire(import.meta.url);
const PgCursor = load('pg-cursor') as new (text: string, values?: unknown[]) => Cursor;
const QueryStream = load('pg-query-stream') as new (
  text: string,
  values?: unknown[],
  options?: { readonly batchSize: number },
) => Readable & pg.Submittable;
const copy = load('pg-copy-streams') as {
  from(text: string): Writable & pg.Submittable;
  to(text: string): Readable & pg.Submittable;
};

/** Runs until the statements have names, and the bounds of messages are known. */
const runs = 16;
const rows = 500;
const timeoutMs = 400;

const tables = sqlTables({
  thing: {
    table: 'things',
    primaryKey: 'id',
    columns: { id: 'integer', word: 'text' },
  },
  nap: { table: 'naps', primaryKey: 'id', columns: { id: 'integer', word: 'text' } },
});
const registry = sqlRegistry(tables);
const rulesOf = (model: 'thing' | 'nap') =>
  defineQueryRules(registry, model, {
    sorts: ['id'],
    fields: { root: { allowed: ['id', 'word'], default: ['id', 'word'] } },
  });
const [thingRules, napRules] = [rulesOf('thing'), rulesOf('nap')];

const wordOf = (id: number): string => `é漢 ${id} `.repeat(20);
const expected = Array.from({ length: rows }, (_, at) => ({ id: at + 1, word: wordOf(at + 1) }));

describe('a connection of pg', () => {
  let database: ScratchDatabase | null = null;
  let client: pg.Client;

  const read = () =>
    runQuery(
      sqlSource({ connection: client, registry, tables, model: 'thing' }),
      'sort=id&perPage=50',
      thingRules,
    );
  const reads = async (): Promise<void> => {
    const { data, ...page } = await read();
    expect(data).toEqual(expected.slice(0, 50));
    expect(page).toMatchObject({ total: rows });
  };

  beforeAll(async () => {
    const made = await scratchDatabase('postgresql', 'query_objects');
    if ('missing' in made) {
      if (everyServiceRequired()) throw new Error(made.advice);
      return;
    }
    database = made;
    client = new pg.Client(made.url);
    await client.connect();
    await client.query(`
      create table things (id int primary key, word text);
      create table pace (seconds float8);
      insert into pace values (0);
      create view naps as select 1 as id, 'late' as word from pace where pg_sleep(seconds) is not null`);
    for (const { id, word } of expected) {
      await client.query('insert into things values ($1, $2)', [id, word]);
    }
    for (let run = 0; run < runs; run += 1) await reads();
  });
  afterAll(async () => {
    await client?.end();
    await database?.drop();
  });

  it('reads a cursor in parts, and lists behind it', async (context) => {
    if (!database) return context.skip();
    for (let run = 0; run < 3; run += 1) {
      const cursor = client.query(new PgCursor('select id, word from things order by id'));
      expect(await cursor.read(7)).toEqual(expected.slice(0, 7));
      expect(await cursor.read(100)).toEqual(expected.slice(7, 107));
      await cursor.close();
      await reads();
    }
    const whole = client.query(new PgCursor('select id from things where id > $1', [rows - 3]));
    expect(await whole.read(100)).toHaveLength(3);
    expect(await whole.read(100)).toEqual([]);
    await reads();
  });

  it('streams rows to their end, and to the middle', async (context) => {
    if (!database) return context.skip();
    const stream = () =>
      client.query(
        new QueryStream('select id, word from things order by id', [], { batchSize: 30 }),
      );
    for (let run = 0; run < 3; run += 1) {
      expect(await stream().toArray()).toEqual(expected);
      await reads();
      for await (const row of stream()) {
        expect(row).toEqual(expected[0]);
        break;
      }
      await reads();
    }
  });

  it('copies rows in both directions', async (context) => {
    if (!database) return context.skip();
    const lines = expected.map(({ id, word }) => `${id}\t${word}\n`).join('');
    for (let run = 0; run < 3; run += 1) {
      await client.query('create table copied (id int, word text)');
      await pipeline(Readable.from([lines]), client.query(copy.from('copy copied from stdin')));
      const told = await text(client.query(copy.to('copy (table copied order by id) to stdout')));
      expect(told === lines).toBe(true);
      await reads();
      await client.query('drop table copied');
      const broken = client.query(copy.to('copy (select 1 / (id - 3) from things) to stdout'));
      await expect(text(broken)).rejects.toMatchObject({ code: '22012' });
      await reads();
    }
  });

  it('goes on after the driver has given up a query', async (context) => {
    if (!database) return context.skip();
    const hasty = new pg.Client({ connectionString: database.url, query_timeout: timeoutMs });
    await hasty.connect();
    onTestFinished(() => hasty.end());
    // The page shows the total, so there is no count.
    const nap = () =>
      runQuery(
        sqlSource({ connection: hasty, registry, tables, model: 'nap' }),
        'sort=id&perPage=2',
        napRules,
      );
    const pace = (seconds: number) => hasty.query('update pace set seconds = $1', [seconds]);
    const long = (1.5 * timeoutMs) / 1000;
    const late = { id: 1, word: 'late' };
    for (let run = 0; run < runs; run += 1) expect((await nap()).data).toEqual([late]);
    for (let run = 0; run < 3; run += 1) {
      await pace(long);
      await expect(nap()).rejects.toMatchObject({ status: 503 });
      // The answer to the query that was given up comes first.
      await pace(0);
      expect((await nap()).data).toEqual([late]);
      const own = hasty.query({ text: 'select pg_sleep($1)', values: [long] });
      await expect(own).rejects.toThrow('Query read timeout');
      expect((await nap()).data).toEqual([late]);
    }
  });
});
