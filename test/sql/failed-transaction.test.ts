/** Reads on a transaction of PostgreSQL in which an earlier statement of the host has failed. */

import { setImmediate } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import { integer, pgTable } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import {
  type CompiledQueryRules,
  type QuerySource,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

it('tells the host to roll it back', async (context) => {
  const database = await scratchDatabase('postgresql', 'failed_transaction');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return context.skip();
  }
  const client = new pg.Client(database.url);
  try {
    await client.connect();
    await client.query('create table items (id int primary key)');
    const tables = sqlTables({
      items: { table: 'items', primaryKey: 'id', columns: { id: 'int' } },
    });
    const items = pgTable('items', { id: integer().primaryKey() });
    const registry = sqlRegistry(tables);
    const described = drizzleRegistry({ items });
    const db = drizzle({ client });
    const sources: readonly (readonly [object, QuerySource])[] = [
      [registry, sqlSource({ connection: client, registry, tables, model: 'items' }) as never],
      [
        described,
        drizzleSource({ db, registry: described, tables: { items }, model: 'items' }) as never,
      ],
    ];
    for (const [made, source] of sources) {
      const declared = { fields: { root: { allowed: ['id'], default: ['id'] } } };
      const rules: CompiledQueryRules = defineQueryRules(
        made as typeof registry,
        'items',
        declared as never,
      );
      const list = (options: object) => runQuery(source, '', rules, options);
      for (const options of [{}, { timeoutMs: 1000 }]) {
        await client.query('begin');
        await expect(client.query('select 1 / 0')).rejects.toThrow();
        await expect(list(options)).rejects.toMatchObject({
          code: 'SOURCE_CONFIGURATION_INVALID',
          message: expect.stringContaining('roll the transaction back') as string,
        });
        await client.query('rollback');
        expect((await list(options)).data).toEqual([]);
      }
    }
  } finally {
    await client.end();
    await database.drop();
  }
});

it('is apart from a list in one round trip, which waits for its end', async (context) => {
  const database = await scratchDatabase('postgresql', 'failed_transaction');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return context.skip();
  }
  const client = new pg.Client(database.url);
  try {
    await client.connect();
    await client.query('create table items (id int primary key)');
    await client.query('insert into items values (1), (2)');
    const tables = sqlTables({
      items: { table: 'items', primaryKey: 'id', columns: { id: 'int' } },
    });
    const registry = sqlRegistry(tables);
    const rules = defineQueryRules(registry, 'items', { fields: 'all' });
    const source = sqlSource({ connection: client, registry, tables, model: 'items' });
    const list = () => runQuery(source, 'perPage=1', rules);
    // Until its statements have names.
    for (let run = 0; run < 12; run += 1) await list();
    let listed: ReturnType<typeof list> | undefined;
    const failed = source.execute.transaction(async (inner) => {
      await expect(inner.run({ text: 'select 1 / 0', slots: [] }, [])).rejects.toThrow();
      listed = list();
      listed.catch(() => {});
      // The list may reach the connection before this statement.
      await Promise.race([listed, setImmediate()]);
      await inner.run({ text: 'select 1', slots: [] }, []);
    }, 1000);
    await expect(failed).rejects.toThrow('transaction is aborted');
    expect(await listed).toMatchObject({ data: [{ id: 1 }], total: 2 });
  } finally {
    await client.end();
    await database.drop();
  }
});
