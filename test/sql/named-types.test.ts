/** Columns of types that a database has beside the usual ones: domains of PostgreSQL, and `uuid` of MariaDB. */

import { expect, it } from 'vitest';
import { introspect, sqlSource } from '../../src/adapters/sql/index.ts';
import { type DatabaseFamily, defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { type Opened, openDriver } from './drivers.ts';

async function opened(family: DatabaseFamily): Promise<Opened | null> {
  const database = await scratchDatabase(family, 'named_types');
  if (!('missing' in database)) return openDriver(family, database);
  if (everyServiceRequired()) throw new Error(database.advice);
  return null;
}

it('shows a domain over an enum type, which PostgreSQL does not compare', async (context) => {
  const { connection, run, close } = (await opened('postgresql')) ?? context.skip();
  try {
    await run(`create type mood as enum ('so so', 'fine')`);
    await run('create domain today as mood');
    await run('create domain short as varchar(9)');
    await run('create table days (id int primary key, mood mood, today today, note short)');
    await run(`insert into days values (1, 'fine', 'so so', 'a'), (2, 'so so', 'fine', 'b')`);
    const registry = await introspect(connection);
    const kinds = registry.get('days')?.fields.map(({ path, kind }) => [path, kind]);
    expect(kinds).toEqual([
      ['id', 'integer'],
      ['mood', 'enum'],
      ['today', 'opaque'],
      ['note', 'string'],
    ]);
    const rules = defineQueryRules(registry, 'days', {
      filters: ['mood', 'note'].map((path) => ({ path, operators: ['gte', 'in'] as const })),
      fields: 'all',
    });
    const source = sqlSource({ connection, registry, tables: registry.tables, model: 'days' });
    const { data } = await runQuery(source, 'filter[mood][in]=fine&filter[note][gte]=a', rules);
    expect(data).toEqual([{ id: 1, mood: 'fine', today: 'so so', note: 'a' }]);
  } finally {
    await close();
  }
});

it('knows an enum type of PostgreSQL by any name', async (context) => {
  const { connection, run, close } = (await opened('postgresql')) ?? context.skip();
  try {
    await run(`create type answer_binary as enum ('yes', 'no')`);
    await run(`create type "face-blob" as enum ('round', 'square')`);
    await run('create table polls (id int primary key, answer answer_binary, face "face-blob")');
    await run(`insert into polls values (1, 'no', 'round'), (2, 'yes', 'round')`);
    const registry = await introspect(connection);
    const kinds = registry.get('polls')?.fields.map(({ path, kind }) => [path, kind]);
    expect(kinds).toEqual([
      ['id', 'integer'],
      ['answer', 'enum'],
      ['face', 'enum'],
    ]);
    const rules = defineQueryRules(registry, 'polls', {
      filters: ['answer', 'face'].map((path) => ({ path, operators: ['eq'] as const })),
      fields: 'all',
    });
    const source = sqlSource({ connection, registry, tables: registry.tables, model: 'polls' });
    const { data } = await runQuery(source, 'filter[answer]=no&filter[face]=round', rules);
    expect(data).toEqual([{ id: 1, answer: 'no', face: 'round' }]);
  } finally {
    await close();
  }
});

it('searches uuids for any text on MariaDB', async (context) => {
  const { connection, run, close } = (await opened('mysql')) ?? context.skip();
  try {
    const [[{ version }]] = (await run('select version() as version')) as [[{ version: string }]];
    if (!/mariadb/i.test(version)) return context.skip('MySQL has no type uuid');
    const id = '0a000000-0000-4000-8000-00000000000f';
    await run('create table devices (id uuid not null primary key)');
    await run(`insert into devices values ('${id}')`);
    const registry = await introspect(connection);
    const rules = defineQueryRules(registry, 'devices', {
      filters: [{ path: 'id', operators: ['ilike', 'notIlike'] }],
      search: ['id'],
      fields: 'all',
    });
    const source = sqlSource({ connection, registry, tables: registry.tables, model: 'devices' });
    for (const [text, found] of [
      ['0A0', 1],
      ['f', 1],
      [`'`, 0],
      ['"', 0],
      ['\\', 0],
      ['é', 0],
    ] as const) {
      const value = encodeURIComponent(text);
      const countOf = async (request: string) =>
        (await runQuery(source, request, rules)).data.length;
      expect([text, await countOf(`search=${value}`)]).toEqual([text, found]);
      expect([text, await countOf(`filter[id][ilike]=${value}`)]).toEqual([text, found]);
      expect([text, await countOf(`filter[id][notIlike]=${value}`)]).toEqual([text, 1 - found]);
    }
  } finally {
    await close();
  }
});
