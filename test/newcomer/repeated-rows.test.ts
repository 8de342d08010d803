/** The packed package in an empty folder: a relation to columns that are not unique shows every row once. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Host, installedWith } from '../package/package.ts';

let host: Host;
beforeAll(() => {
  host = installedWith('better-sqlite3', 'bindings', 'file-uri-to-path');
});
afterAll(() => host?.remove());

it('shows three repositories of one installation once each', () => {
  const answer = host.run(`
import Sqlite from 'better-sqlite3';
import { defineQueryRules, runQuery } from 'sluice';
import { sqlRegistry, sqlSource, sqlTables } from 'sluice/sql';

const connection = new Sqlite(':memory:');
connection.exec(\`
  create table installations (id integer not null primary key, github integer, name text not null);
  create table repositories (id integer not null primary key, github integer);
  insert into installations values (2, 7, 'b'), (1, 7, 'a');
  insert into repositories values (1, 7), (2, 7), (3, 8);\`);
const tables = sqlTables({
  installation: {
    table: 'installations',
    primaryKey: 'id',
    columns: { id: 'integer', github: { type: 'integer', nullable: true }, name: 'text' },
  },
  repository: {
    table: 'repositories',
    primaryKey: 'id',
    columns: { id: 'integer', github: { type: 'integer', nullable: true } },
    relations: { installation: { one: 'installation', from: 'github', to: 'github' } },
  },
});
const registry = sqlRegistry(tables);
const source = sqlSource({ connection, registry, tables, model: 'repository' });
const rules = defineQueryRules(registry, 'repository', {
  sorts: ['id'],
  fields: {
    root: { allowed: ['id'], default: ['id'] },
    relations: { installation: { allowed: ['name'], default: ['name'] } },
  },
  includes: ['installation'],
});
const { data, total } = await runQuery(source, 'includes=installation&sort=id', rules);
console.log(JSON.stringify({ data, total }));
`);
  expect(answer).toEqual({
    data: [
      { id: 1, installation: { name: 'a' } },
      { id: 2, installation: { name: 'a' } },
      { id: 3, installation: null },
    ],
    total: 3,
  });
});
