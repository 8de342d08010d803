/** Columns that are null where the schema declares that they never are, in every family. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Pool } from 'pg';
import Sqlite from 'better-sqlite3';
import mysql2 from 'mysql2/promise';
import type { Knex } from 'knex';
import {
  type SqlConnection,
  checkProfile,
  sqlRegistry,
  sqlSource,
  sqlTables,
} from '../../src/adapters/sql/index.ts';
import type { DatabaseFamily } from '../../src/index.ts';
import { families } from '../matrix/cells.ts';
import { knexOn } from '../matrix/fixtures/load.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';

const texts = {
  postgresql: 'varchar(20) collate "C"',
  mysql: 'varchar(20) collate utf8mb4_nopad_bin',
  sqlite: 'text',
} as const;

const columns = (family: DatabaseFamily) => {
  const type = family === 'sqlite' ? 'text' : 'varchar(20)';
  return {
    id: 'integer',
    name: { type, foldedField: 'nameFolded' },
    nameFolded: { type, column: 'name_folded' },
    size: 'integer',
    note: { type, nullable: true },
  } as const;
};

function connectionTo(
  family: DatabaseFamily,
  url: string,
): [SqlConnection, () => Promise<unknown>] {
  if (family === 'postgresql') {
    const pool = new Pool({ connectionString: url, max: 1 });
    return [pool, () => pool.end()];
  }
  if (family === 'mysql') {
    const pool = mysql2.createPool({ uri: url, connectionLimit: 1 });
    return [pool as SqlConnection, () => pool.end()];
  }
  const database = new Sqlite(url);
  return [database, async () => database.close()];
}

describe.each(families)('null where the schema says never, on %s', (family) => {
  let database: ScratchDatabase | undefined;
  let knex: Knex;
  let connection: SqlConnection;
  let close: () => Promise<unknown>;

  beforeAll(async () => {
    const found = await scratchDatabase(family, 'nullable');
    if ('missing' in found) {
      if (everyServiceRequired()) throw new Error(found.advice);
      return;
    }
    database = found;
    knex = knexOn(found);
    [connection, close] = connectionTo(family, found.url);
    const text = texts[family];
    await knex.raw(
      `create table boxes (id integer not null primary key, name ${text} not null, name_folded ${text}, size integer, note ${text})`,
    );
    await knex.raw('create view shown_boxes as select * from boxes');
    await knex.raw(`insert into boxes values (1, 'a', null, 3, null)`);
  });
  afterAll(async () => {
    await close?.();
    await knex?.destroy();
    await database?.drop();
  });

  const violationsOf = (table: string) => {
    const tables = sqlTables({
      box: { table, columns: columns(family), primaryKey: 'id' },
    });
    const registry = sqlRegistry(tables);
    return checkProfile(sqlSource({ connection, registry, tables, model: 'box' }));
  };

  it('reports columns that accept null, and views that show it', async (context) => {
    if (!database) return context.skip();
    const accepts = {
      rule: 'nullable',
      where: 'box.size',
      detail: expect.stringMatching(/accepts null; declare the field nullable/),
    };
    expect(await violationsOf('boxes')).toEqual([accepts]);
    expect(await violationsOf('shown_boxes')).toEqual([]);
    await knex.raw(`insert into boxes values (2, 'b', null, null, null)`);
    const shows = { ...accepts, detail: expect.stringMatching(/1 of the first 1000 rows/) };
    expect(await violationsOf('boxes')).toEqual([shows]);
    expect(await violationsOf('shown_boxes')).toEqual([shows]);
  });
});
