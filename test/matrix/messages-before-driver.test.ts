/**
 * A connection of `pg` whose rows are read before the driver: what the host and the driver still hear of it, with and
 * without TLS.
 */

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { type TlsProxy, tlsProxy } from '../services/tls-proxy.ts';

/** The part of a connection of `pg` that the tests use. */
interface Connection {
  emit(event: string, ...given: unknown[]): boolean;
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
}

type Client = pg.Client & { readonly connection: Connection };

/** Runs until the statements have names, and the bounds of messages are known. */
const runs = 16;

const words = ['plain', 'é漢𝄞', 'é漢𝄞'.repeat(20_000), '', 'x'.repeat(200_000)];

const tables = sqlTables({
  thing: {
    table: 'told',
    primaryKey: 'id',
    columns: { id: 'integer', word: { type: 'text', nullable: true }, share: 'integer' },
  },
});
const registry = sqlRegistry(tables);
const rules = defineQueryRules(registry, 'thing', {
  filters: [{ path: 'id', operators: ['gte'] }],
  sorts: ['id'],
  fields: { root: { allowed: ['id', 'word', 'share'], default: ['id', 'word', 'share'] } },
});

/** The rows that the driver hears of while the work runs. */
async function rowsOfDriver({ connection }: Client, work: () => Promise<unknown>): Promise<number> {
  const { emit } = connection;
  let rows = 0;
  connection.emit = function (this: Connection, event: string, ...given: unknown[]) {
    if (event === 'dataRow') rows += 1;
    return emit.call(this, event, ...given);
  };
  try {
    await work();
  } finally {
    connection.emit = emit;
  }
  return rows;
}

describe.each(['plain', 'TLS'])('a connection of pg, %s', (kind) => {
  let database: ScratchDatabase | null = null;
  let proxy: TlsProxy | undefined;
  let client: Client;
  const heard: string[] = [];

  beforeAll(async () => {
    const made = await scratchDatabase('postgresql', 'messages_before');
    if ('missing' in made) {
      if (everyServiceRequired()) throw new Error(made.advice);
      return;
    }
    database = made;
    if (kind === 'TLS') proxy = await tlsProxy(made.url);
    const connectionString = proxy ? `${proxy.url}?sslmode=no-verify` : made.url;
    client = new pg.Client({ connectionString }) as Client;
    await client.connect();
    client.on('notice', ({ message }) => heard.push(`notice ${message}`));
    client.on('notification', ({ payload }) => heard.push(`notification ${payload}`));
    await client.query(`
      create table things (id int primary key, word text);
      create function tell(id int) returns int language plpgsql volatile as $$
        begin raise notice 'row %', id; return 12 / (id - 9); end $$;
      create view told as select id, word, tell(id) as share from things;
      listen news`);
    for (const [id, word] of words.entries()) {
      await client.query('insert into things values ($1, $2)', [id + 1, word]);
    }
    await client.query('insert into things values (6, null)');
  });
  afterAll(async () => {
    await client?.end();
    await proxy?.close();
    await database?.drop();
  });

  const expected = [...words, null].map((word, index) => ({
    id: index + 1,
    word,
    share: Math.trunc(12 / (index - 8)),
  }));
  const source = () => sqlSource({ connection: client, registry, tables, model: 'thing' });
  const read = () => runQuery(source(), 'filter[id][gte]=1&sort=id&perPage=6', rules);
  const readAll = async () => {
    const { data } = await read();
    // A difference of long texts takes long to be shown.
    const isSame = data.every(({ word }, index) => word === expected[index]?.word);
    const shares = data.map(({ id, share }) => ({ id, share }));
    expect([isSame, shares]).toEqual([true, expected.map(({ id, share }) => ({ id, share }))]);
  };

  it('gives notices, notifications and other queries to the host', async (context) => {
    if (!database || (kind === 'TLS' && !proxy)) return context.skip();
    for (let run = 0; run < runs; run += 1) await readAll();
    const other = new pg.Client(database.url);
    await other.connect();
    for (let run = 0; run < 4; run += 1) {
      heard.length = 0;
      expect(await rowsOfDriver(client, readAll)).toBe(0);
      // The count reads the view as well.
      expect([...new Set(heard)]).toEqual(expected.map(({ id }) => `notice row ${id}`));
      const own = () =>
        client.query({ text: 'select id, word from things where id > $1', values: [run] });
      expect(
        await rowsOfDriver(client, async () => expect((await own()).rows).toHaveLength(6 - run)),
      ).toBe(6 - run);
      await expect(client.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
      await other.query(`select pg_notify('news', '${run}')`);
      const results: unknown = await client.query('select 1 as one; select 2 as two');
      expect(results).toHaveLength(2);
      await expect.poll(() => heard).toContain(`notification ${run}`);
    }
    await other.end();
  });

  it('continues after an error behind rows', async (context) => {
    if (!database || (kind === 'TLS' && !proxy)) return context.skip();
    for (let run = 0; run < runs; run += 1) await readAll();
    await client.query('insert into things values (9, null)');
    for (let run = 0; run < 3; run += 1) {
      await expect(read()).rejects.toMatchObject({ status: 500 });
    }
    await client.query('delete from things where id = 9');
    expect(await rowsOfDriver(client, readAll)).toBe(0);
  });

  it('leaves the rows to the driver where the host listens to them', async (context) => {
    if (!database || (kind === 'TLS' && !proxy)) return context.skip();
    for (let run = 0; run < runs; run += 1) await readAll();
    for (const event of ['dataRow', 'commandComplete', 'bindComplete']) {
      let events = 0;
      const count = () => (events += 1);
      client.connection.on(event, count);
      await readAll();
      client.connection.off(event, count);
      expect(events).toBeGreaterThan(0);
    }
    expect(await rowsOfDriver(client, readAll)).toBe(0);
  });
});
