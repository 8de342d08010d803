/** A host's own executor, of a client that returns rows as objects. */

import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import {
  type SqlExecutor,
  objectRows,
  sqlRegistry,
  sqlSource,
  sqlTables,
} from '../../src/adapters/sql/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';

it('answers as one that returns arrays', async () => {
  const database = new DatabaseSync(':memory:');
  database.exec(`create table authors (id integer primary key, name text not null);
    create table notes (id integer primary key, author_id integer not null, text text not null);
    insert into authors values (1, 'Ada'), (2, 'Bo');
    insert into notes values (1, 1, 'one'), (2, 2, 'two'), (3, 1, 'three')`);
  const connection: SqlExecutor = {
    family: 'sqlite',
    concurrent: false,
    server: database,
    channel: objectRows('sqlite'),
    run({ text }, values) {
      return database
        .prepare(text)
        .all(...(values as string[]))
        .map((row) => Object.values(row));
    },
    transaction: (work) => work(connection),
  };
  const tables = sqlTables({
    author: {
      table: 'authors',
      primaryKey: 'id',
      columns: { id: 'integer', name: 'text' },
      relations: { notes: { many: 'note', to: 'authorId' } },
    },
    note: {
      table: 'notes',
      primaryKey: 'id',
      columns: {
        id: 'integer',
        authorId: { type: 'integer', column: 'author_id' },
        text: 'text',
      },
      relations: { author: { one: 'author', from: 'authorId' } },
    },
  });
  const registry = sqlRegistry(tables, { families: ['sqlite'] });
  const source = sqlSource({ connection, registry, tables, model: 'author' });
  const rules = defineQueryRules(registry, 'author', {
    filters: [{ path: 'name', operators: ['eq', 'in'] }],
    sorts: ['name'],
    includes: ['notes'],
    fields: {
      root: { allowed: ['id', 'name'], default: ['id', 'name'] },
      relations: { notes: { allowed: ['id', 'text'], default: ['id', 'text'] } },
    },
  });
  const request = 'filter[name][in]=Ada,Bo&sort=-name&includes=notes';
  expect(await runQuery(source, request, rules)).toMatchObject({
    data: [
      { id: 2, name: 'Bo', notes: [{ id: 2, text: 'two' }] },
      {
        id: 1,
        name: 'Ada',
        notes: [
          { id: 1, text: 'one' },
          { id: 3, text: 'three' },
        ],
      },
    ],
    total: 2,
  });
});
