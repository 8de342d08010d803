/** Texts of computed fields in upper or lower case, in a database of PostgreSQL that knows the case of every letter. */

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  sqlRegistry,
  sqlSource,
  sqlTables,
  withComputedFields,
} from '../../src/adapters/sql/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

const tables = sqlTables({
  school: {
    table: 'schools',
    primaryKey: 'id',
    columns: { id: 'integer', name: 'text', data: { type: 'jsonb', paths: { name: 'string' } } },
  },
});
const registry = withComputedFields(sqlRegistry(tables, { families: ['postgresql'] }), {
  school: { title: { kind: 'string', sql: `{name} || '!'` } },
});
const operators = ['ilike', 'istartsWith'] as const;
const rules = defineQueryRules(registry, 'school', {
  filters: [
    { path: 'name', operators },
    { path: 'title', operators },
    { path: 'data.name', operators },
  ],
  search: ['title'],
  sorts: ['title'],
  fields: { root: { allowed: ['id'], default: ['id'] } },
});

describe('the case of letters', () => {
  let client: pg.Client | undefined;
  let drop = async (): Promise<void> => undefined;

  beforeAll(async () => {
    const database = await scratchDatabase('postgresql', 'computed_case');
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return;
    }
    const owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    const name = `${new URL(database.url).pathname.slice(1)}_2`;
    drop = async () => {
      await client?.end();
      await owner.query(`drop database if exists ${name}`);
      await owner.end();
      await database.drop();
    };
    const { rows } = await owner.query<{ n: string }>(
      `select current_setting('server_version_num') as n`,
    );
    // Before, only the locales of the system know letters beyond ASCII.
    if (Number(rows[0]?.n) < 150_000) return;
    await owner.query(
      `create database ${name} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C' locale_provider icu icu_locale 'en'`,
    );
    const opened = new pg.Client({
      connectionString: database.url.replace(/\/[^/]*$/, `/${name}`),
    });
    await opened.connect();
    client = opened;
    await opened.query(`create table schools (id int primary key, name text, data jsonb);
      insert into schools values (1, 'École', '{"name":"École"}'), (2, 'éCOLE', '{"name":"éCOLE"}')`);
  });
  afterAll(() => drop());

  it.each([
    'filter[name][ilike]=école',
    'filter[title][ilike]=école',
    'filter[title][istartsWith]=ÉC',
    'filter[data.name][ilike]=école',
    'search=École!',
  ])('does not count in %s', async (request) => {
    if (!client) return;
    const source = sqlSource({ connection: client, registry, tables, model: 'school' });
    expect((await runQuery(source, request, rules)).data).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it('counts in the order of computed texts, which is that of code points', async () => {
    if (!client) return;
    const source = sqlSource({ connection: client, registry, tables, model: 'school' });
    const { data } = await runQuery(source, 'sort=title', rules);
    expect(data).toEqual([{ id: 1 }, { id: 2 }]);
  });
});
