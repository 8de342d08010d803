/** Beside the suite of executors: integers that a number does not hold, and the errors of `node:sqlite`. */

import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { introspect, nodeSqlite, sqlSource } from '../../src/adapters/sql/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sluice-node-sqlite-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function listOf(database: DatabaseSync) {
  const connection = nodeSqlite(database);
  const registry = await introspect(connection);
  const rules = defineQueryRules(registry, 'counters', { sorts: ['id'], fields: 'all' });
  const source = sqlSource({ connection, registry, tables: registry.tables, model: 'counters' });
  return () => runQuery(source, 'sort=id', rules);
}

const create = `create table counters (id integer primary key, hits int not null);
  insert into counters values (1, 7), (2, 9007199254740993)`;

it('shows integers beyond 2^53 as better-sqlite3 does, and those after them', async () => {
  const database = new DatabaseSync(':memory:');
  database.exec(create);
  const list = await listOf(database);
  const shown = (await list()).data;
  database.exec('update counters set hits = 8 where id = 2');
  expect([shown, (await list()).data]).toEqual([
    [
      { id: 1, hits: 7 },
      { id: 2, hits: 9_007_199_254_740_992 },
    ],
    [
      { id: 1, hits: 7 },
      { id: 2, hits: 8 },
    ],
  ]);
  database.close();
});

it('shows a number of a column without a kind as one beside integers beyond 2^53', async () => {
  const database = new DatabaseSync(':memory:');
  database.exec(`create table counters (id integer primary key, hits int not null, spare datetime);
    insert into counters values (1, 7, 5), (2, 9007199254740993, 6)`);
  const list = await listOf(database);
  expect((await list()).data).toMatchObject([{ spare: 5 }, { spare: 6 }]);
  database.close();
});

it('is unavailable while another connection has locked the file, and answers again', async () => {
  const file = path.join(folder, 'locked.db');
  const other = new DatabaseSync(file);
  other.exec(create);
  const database = new DatabaseSync(file);
  const list = await listOf(database);
  other.exec('begin exclusive');
  await expect(list()).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE', status: 503 });
  other.exec('commit');
  expect((await list()).data).toHaveLength(2);
  database.close();
  other.close();
});
