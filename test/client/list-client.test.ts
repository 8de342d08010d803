import Database from 'better-sqlite3';
import express from 'express';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { ListClientError, createListClient } from '../../src/client/index.ts';
import { defineQueryRules } from '../../src/index.ts';
import type { CappedResult, KeysetResult } from '../../src/index.ts';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { itemEndpoint, listEndpoint, queryErrorHandler } from '../../src/http/express/index.ts';
import { type Listening, listen } from '../http/serve.ts';

const connection = new Database(':memory:');
connection.exec(`create table cities (id integer primary key, name text not null);
  insert into cities values (1, 'Lima'), (2, 'Cusco'), (3, 'Puno'), (4, 'Ica, south'), (5, 'Tacna')`);
const tables = sqlTables({
  city: { table: 'cities', primaryKey: 'id', columns: { id: 'integer', name: 'text' } },
});
const registry = sqlRegistry(tables, { families: ['sqlite'] });
const source = sqlSource({ connection, registry, tables, model: 'city' });

const declared = {
  filters: [{ path: 'name', operators: ['eq', 'in', 'ilike'] }],
  sorts: ['name'],
  fields: { root: { allowed: ['id', 'name'], default: ['id', 'name'] } },
} as const;
const offset = defineQueryRules(registry, 'city', {
  ...declared,
  pagination: { count: { capped: 2 } },
});
const keyset = defineQueryRules(registry, 'city', { ...declared, pagination: { mode: 'keyset' } });
const uncounted = defineQueryRules(registry, 'city', {
  ...declared,
  pagination: { count: 'none' },
});

interface City {
  readonly id: number;
  readonly name: string;
}

let server: Listening;
let base: string;
const seen: { readonly url: string; readonly token: string | undefined }[] = [];
beforeAll(async () => {
  const app = express();
  app.use((request, _response, next) => {
    seen.push({ url: request.originalUrl, token: request.header('x-token') });
    next();
  });
  app.get('/cities', listEndpoint({ source, rules: offset }));
  app.get('/cities/:id', itemEndpoint({ source, rules: offset }));
  app.get('/keyset', listEndpoint({ source, rules: keyset }));
  app.get('/uncounted', listEndpoint({ source, rules: uncounted }));
  app.get('/proxy', (_request, response) => void response.status(502).send('<h1>Bad</h1>'));
  app.get('/page', (_request, response) => void response.send('<h1>Log in</h1>'));
  app.get('/slow', () => undefined);
  app.use(queryErrorHandler());
  server = await listen(app);
  base = `http://127.0.0.1:${server.port}`;
});
afterAll(async () => {
  await server.close();
  connection.close();
});

describe('createListClient', () => {
  it('asks for lists and rows with typed requests', async () => {
    const cities = createListClient<typeof offset, City>(`${base}/cities`);
    const found = await cities.list({ filter: { name: { in: ['Ica, south', 'Puno'] } } });
    expect(found.data.map(({ name }) => name)).toEqual(['Puno', 'Ica, south']);
    expect(await cities.one(2, { fields: ['name'] })).toEqual({ name: 'Cusco' });
    expectTypeOf(found).toExtend<CappedResult<City> | { readonly data: City[] }>();
    // @ts-expect-error a path that the rules do not have
    cities.url({ filter: { id: { eq: 1 } } });

    const walked = createListClient<typeof keyset, City>(`${base}/keyset`);
    expectTypeOf(await walked.list({ perPage: 2 })).toExtend<
      KeysetResult<City> | { readonly data: City[] }
    >();
  });

  it.each(['cities', 'keyset', 'uncounted'])('walks the pages of %s', async (path) => {
    const client = createListClient(`${base}/${path}`);
    const names: unknown[] = [];
    for await (const { name } of client.rows({ sort: ['name'], perPage: 2 })) names.push(name);
    expect(names).toEqual(['Cusco', 'Ica, south', 'Lima', 'Puno', 'Tacna']);
  });

  it('asks for no page beyond the rows that are used', async () => {
    const client = createListClient(`${base}/cities`);
    seen.length = 0;
    for await (const row of client.rows({ perPage: 2 })) {
      expect(row).toEqual({ id: 1, name: 'Lima' });
      break;
    }
    expect(seen).toHaveLength(1);
  });

  it('keeps parameters of the address and sends headers', async () => {
    const client = createListClient(new URL(`${base}/cities?page=2#top`), {
      headers: async () => ({ 'x-token': 'secret' }),
      credentials: 'include',
    });
    expect(client.url({ perPage: 2 })).toBe(`${base}/cities?page=2&perPage=2`);
    seen.length = 0;
    expect((await client.list({ perPage: 2 })).data).toHaveLength(2);
    expect(seen).toEqual([{ url: '/cities?page=2&perPage=2', token: 'secret' }]);
    expect(createListClient('/cities/').url()).toBe('/cities/');
  });

  it('rejects with the code and the details of the endpoint', async () => {
    const client = createListClient(`${base}/cities`);
    const refused = await client.list({ sort: ['nope'] }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ListClientError);
    expect(refused).toMatchObject({
      name: 'ListClientError',
      status: 400,
      code: 'FIELD_NOT_ALLOWED',
      details: { param: 'sort' },
    });
    await expect(client.one(99)).rejects.toMatchObject({ status: 404, code: 'ROW_NOT_FOUND' });
    await expect(client.one('a/b?c')).rejects.toMatchObject({ code: 'ROW_NOT_FOUND' });
    await expect(client.one('...')).rejects.toMatchObject({ code: 'ROW_NOT_FOUND' });
    // The address of such a key is that of the list, or of the path above it.
    for (const key of ['', '.', '..']) expect(() => client.one(key)).toThrow(RangeError);
  });

  it('rejects answers that are not of an endpoint', async () => {
    await expect(createListClient(`${base}/proxy`).list()).rejects.toMatchObject({
      status: 502,
      code: null,
      message: 'The endpoint answered with status 502.',
    });
    await expect(createListClient(`${base}/page`).list()).rejects.toMatchObject({ code: null });
  });

  it('refuses options that it does not have', () => {
    expect(() => createListClient('/a', { header: {} } as never)).toThrow(
      '"header" is not an option of createListClient; did you mean "headers"?',
    );
    expect(() => createListClient('/a', { headers: { a: 1 } } as never)).toThrow(TypeError);
  });

  it.each([undefined, null, 7, { href: '/a' }])('refuses %j as an address', (url) => {
    const refused = new TypeError('"url" must be a string or a URL');
    expect(() => createListClient(url as never)).toThrow(refused);
  });

  it('ends with its signal', async () => {
    const ended = createListClient(`${base}/slow`).list({}, { signal: AbortSignal.timeout(20) });
    await expect(ended).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
