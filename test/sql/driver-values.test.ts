/** Values that a driver delivers in a form of its own: bytes of libSQL, whole numbers of `mariadb`, escaped bytes of `pg`. */

import { createClient } from '@libsql/client';
import * as mariadbConnector from 'mariadb';
import pg from 'pg';
import { expect, it } from 'vitest';
import {
  type SqlConnection,
  type SqlTables,
  libsql,
  mariadb,
  sqlRegistry,
  sqlSource,
  sqlTables,
} from '../../src/adapters/sql/index.ts';
import { type CompiledQueryRules, defineQueryRules, runQuery } from '../../src/index.ts';
import type { DatabaseFamily } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

async function rowsOf(family: DatabaseFamily, connection: SqlConnection, columns: object) {
  const tables: SqlTables = sqlTables({
    item: { table: 'items', primaryKey: 'id', columns: { id: 'int', ...columns } },
  });
  const registry = sqlRegistry(tables, { families: [family] });
  const shown = ['id', ...Object.keys(columns)];
  const rules: CompiledQueryRules = defineQueryRules(registry, 'item', {
    fields: { root: { allowed: shown, default: shown } },
  });
  const source = sqlSource({ connection, registry, tables, model: 'item' });
  return (await runQuery(source, '', rules)).data;
}

const bytes = Buffer.from([255, 1, 97, 92]);
const ofBytes = [{ id: 1, data: bytes.toString('base64') }];

it('bytes of libSQL, which are an ArrayBuffer', async () => {
  const client = createClient({ url: ':memory:' });
  await client.execute('create table items (id integer primary key, data blob)');
  await client.execute({ sql: 'insert into items values (1, ?)', args: [bytes] });
  expect(await rowsOf('sqlite', libsql(client), { data: 'blob' })).toEqual(ofBytes);
  client.close();
});

it('whole numbers of mariadb beyond 2^53, which are bigints', async (context) => {
  const database = await scratchDatabase('mysql', 'driver_values');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return context.skip();
  }
  const pool = mariadbConnector.createPool(database.url.replace(/^mysql:/, 'mariadb:'));
  await pool.query('create table items (id int primary key, wide bigint)');
  await pool.query('insert into items values (1, 9007199254740993)');
  const columns = { wide: { type: 'bigint', kind: 'decimal', nullable: true } };
  expect(await rowsOf('mysql', mariadb(pool), columns)).toEqual([
    { id: 1, wide: '9007199254740993' },
  ]);
  await pool.end();
  await database.drop();
});

it('bytes of PostgreSQL in the form of escapes, as a server may be set', async (context) => {
  const database = await scratchDatabase('postgresql', 'driver_values');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return context.skip();
  }
  const options = '-c bytea_output=escape';
  const pool = new pg.Pool({ connectionString: database.url, options });
  await pool.query('create table items (id int primary key, data bytea)');
  await pool.query('insert into items values (1, $1)', [bytes]);
  expect(await rowsOf('postgresql', pool, { data: 'bytea' })).toEqual(ofBytes);
  await pool.end();
  await database.drop();
});
