/** Declarations, options and executors that are refused, because they would otherwise give wrong rows. */

import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import {
  introspect,
  rowArrays,
  sqlRegistry,
  sqlSource,
  sqlTables,
} from '../../src/adapters/sql/index.ts';
import type { SqlExecutor } from '../../src/adapters/sql/index.ts';
import { listEndpoint } from '../../src/http/fetch/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import type { QueryPlan } from '../../src/index.ts';

function people() {
  const connection = new Database(':memory:');
  connection.exec(`create table companies (id int primary key, name text not null);
    create table people (id int primary key, name text not null, company_id int not null references companies (id));
    insert into companies values (1, 'Acme'); insert into people values (1, 'Ann', 1), (2, 'Bob', 1);
    create view names as select name from people;`);
  const tables = sqlTables({
    person: {
      table: 'people',
      primaryKey: 'id',
      columns: {
        id: 'integer',
        name: 'text',
        companyId: { type: 'integer', column: 'company_id' },
      },
      relations: { company: { one: 'company', from: 'companyId' } },
    },
    company: { table: 'companies', primaryKey: 'id', columns: { id: 'integer', name: 'text' } },
  });
  const registry = sqlRegistry(tables);
  const rules = defineQueryRules(registry, 'person', {
    sorts: ['name'],
    includes: ['company'],
    fields: {
      root: { allowed: ['id', 'name'], default: ['name'] },
      relations: { company: { allowed: ['name'], default: ['name'] } },
    },
  });
  const executor: SqlExecutor = {
    family: 'sqlite',
    concurrent: false,
    server: connection,
    run: async ({ text }, values) => {
      await sleep(60);
      return rowArrays(connection.prepare(text).all(...values) as object[]);
    },
    transaction: (body) => body(executor),
  };
  return { connection, tables, registry, rules, executor };
}

it('refuses a storage that does not exist', () => {
  const at = { type: 'integer', kind: 'datetime', storage: 'epoch-ms' };
  const tables = { event: { table: 'events', primaryKey: 'id', columns: { id: 'integer', at } } };
  expect(() => sqlRegistry(tables as never)).toThrow(/storage/);
});

it('refuses a relation that is both "one" and "many"', () => {
  const relations = { friends: { one: 'person', many: 'person', from: 'id', to: 'id' } };
  const tables = {
    person: { table: 'people', primaryKey: 'id', columns: { id: 'integer' }, relations },
  };
  expect(() => sqlRegistry(tables as never)).toThrow(/friends/);
});

it('shows instants whose storage the type does not determine as they are', async () => {
  const connection = new Database(':memory:');
  connection.exec('create table events (id int primary key, at datetime not null)');
  const { skipped, tables } = await introspect(connection);
  const reason = 'its type "datetime" does not determine a kind: it is only shown';
  expect(skipped).toEqual([{ table: 'events', column: 'at', reason }]);
  expect(tables['events']?.columns).toEqual({
    id: { type: 'INT' },
    at: { type: 'datetime', kind: 'opaque' },
  });
  const declared = { ...tables['events'], columns: { id: 'integer', at: 'datetime' } };
  const event = { event: declared } as never;
  expect(() =>
    sqlSource({ connection, registry: sqlRegistry(event), tables: event, model: 'event' as never }),
  ).toThrow(/storage/);
});

it('lists instants whose storage is declared, without a kind beside the type that tells it', async () => {
  const connection = new Database(':memory:');
  connection.exec(`create table events (id int primary key, at datetime not null);
    insert into events values (1, '2024-01-01 10:00:00'), (2, '2024-01-01 11:00:00')`);
  const at = { type: 'datetime', storage: 'short-text' } as const;
  const tables = sqlTables({
    event: { table: 'events', primaryKey: 'id', columns: { id: 'integer', at } },
  });
  const registry = sqlRegistry(tables);
  const rules = defineQueryRules(registry, 'event', {
    filters: [{ path: 'at', operators: ['gt'] }],
    fields: 'all',
  });
  const source = sqlSource({ connection, registry, tables, model: 'event' });
  const { data } = await runQuery(source, 'filter[at][gt]=2024-01-01T10:00:00Z', rules);
  expect(data).toEqual([{ id: 2, at: '2024-01-01T11:00:00.000Z' }]);
});

it('refuses tables of a source that are not those of the registry, by their names', () => {
  const { connection, registry, tables } = people();
  const { person, company } = tables;
  const wrong: readonly (readonly [person: unknown, company: unknown, named: RegExp])[] = [
    [null, company, /person/],
    ['people', company, /person/],
    [{ table: 'people', primaryKey: 'id' }, company, /person.*columns/],
    [{ ...person, primaryKey: undefined }, company, /person.*primaryKey/],
    [{ ...person, table: undefined }, company, /person.*table/],
    [{ ...person, columns: { id: {} } }, company, /person.*columns\.id\.type/],
    [{ ...person, columns: { id: 3 } }, company, /person.*columns\.id/],
    [{ ...person, relations: { company: null } }, company, /person.*relations\.company/],
    [{ ...person, relations: { company: 'companyId' } }, company, /person.*relations\.company/],
    [person, null, /company/],
    [person, { ...company, columns: { name: 'text' } }, /company.*"id"/],
    [person, undefined, /company/],
  ];
  for (const [mistaken, other, named] of wrong) {
    const given = { person: mistaken, company: other } as unknown as typeof tables;
    const made = () => sqlSource({ connection, registry, tables: given, model: 'person' });
    const message = expect.stringMatching(named) as string;
    expect(made).toThrow(
      expect.objectContaining({ code: 'SOURCE_CONFIGURATION_INVALID', message }),
    );
  }
});

it('runs under a time limit that no timer can hold, and refuses one that is not a duration', async () => {
  const { tables, registry, rules, executor } = people();
  const source = sqlSource({ connection: executor, registry, tables, model: 'person' });
  for (const timeoutMs of [2_147_483_647, 1e12, 1e300]) {
    const { data } = await runQuery(source, 'sort=name', rules, { timeoutMs });
    expect(data).toEqual([{ name: 'Ann' }, { name: 'Bob' }]);
  }
  for (const timeoutMs of [-1.5, -1, -1e300, Number.NaN, Infinity, -Infinity]) {
    await expect(runQuery(source, '', rules, { timeoutMs })).rejects.toMatchObject({
      code: 'SOURCE_CONFIGURATION_INVALID',
      details: { option: 'timeoutMs' },
    });
    expect(() => listEndpoint({ source, rules, options: { timeoutMs } })).toThrow(/timeoutMs/);
  }
});

it('notices an executor that gives fewer cells than the statement selects', async () => {
  const { tables, registry, rules, executor } = people();
  const source = sqlSource({ connection: executor, registry, tables, model: 'person' });
  const answer = await runQuery(source, 'sort=name&includes=company', rules).then(
    ({ data }) => data,
    () => 'refused',
  );
  expect([
    'refused',
    [
      { name: 'Ann', company: { name: 'Acme' } },
      { name: 'Bob', company: { name: 'Acme' } },
    ],
  ]).toContainEqual(answer);
});

it.each([
  ['mysql', { errno: 1153 }],
  ['sqlite', { code: 'SQLITE_TOOBIG' }],
] as const)(
  'refuses values that are longer than a statement of %s may be',
  async (family, told) => {
    const { tables, registry, rules, executor } = people();
    const run = () => Promise.reject(Object.assign(new Error('too big'), told));
    const connection: SqlExecutor = { ...executor, family, run };
    const source = sqlSource({ connection, registry, tables, model: 'person' });
    await expect(runQuery(source, '', rules)).rejects.toMatchObject({
      status: 400,
      code: 'CAPABILITY_UNAVAILABLE',
      message: expect.stringContaining('longer') as string,
    });
  },
);

it('names a table that introspect was asked for and did not find', async () => {
  const { connection } = people();
  await expect(introspect(connection, { tables: ['people', 'compnies'] })).rejects.toThrow(
    /compnies/,
  );
});

it('refuses a plan of transformPlan with a property that does not exist', async () => {
  const { connection, tables, registry, rules } = people();
  const source = sqlSource({ connection, registry, tables, model: 'person' });
  const wher = { type: 'condition', path: 'id', operator: 'eq', value: 1 };
  const transformPlan = (plan: QueryPlan) => ({ ...plan, wher });
  await expect(runQuery(source, '', rules, { transformPlan })).rejects.toThrow(/wher/);
});

it('says that a text is too long where it refuses it for its length', async () => {
  const { connection, tables, registry } = people();
  const rules = defineQueryRules(
    registry,
    'person',
    {
      filters: [{ path: 'name', operators: ['eq'] }],
      fields: { root: { allowed: ['id'], default: ['id'] } },
    },
    { limits: { maxTextLength: 5 } },
  );
  const source = sqlSource({ connection, registry, tables, model: 'person' });
  await expect(runQuery(source, 'filter[name]=123456', rules)).rejects.toMatchObject({
    details: { rule: expect.stringContaining('5 characters') as string },
  });
});
