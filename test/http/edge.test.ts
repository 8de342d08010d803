/**
 * List endpoints of `sluice/hono` and `sluice/fetch` where nothing of Node.js exists, as on Workers: bundled for a
 * neutral platform, and run in a context that has only globals of the web.
 */

import vm from 'node:vm';
import Database from 'better-sqlite3';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const worker = `
  import { Hono } from 'hono';
  import { defineQueryRules } from './src/index.ts';
  import { sqlRegistry, sqlSource, sqlTables } from './src/adapters/sql/index.ts';
  import * as onFetch from './src/http/fetch/index.ts';
  import * as onHono from './src/http/hono/index.ts';

  export function start(db) {
    const tables = sqlTables({
      city: { table: 'city', primaryKey: 'id', columns: { id: 'integer', name: 'text' } },
    });
    const registry = sqlRegistry(tables, { families: ['sqlite'] });
    const rules = defineQueryRules(registry, 'city', {
      filters: [{ path: 'name', operators: ['eq', 'ilike'] }],
      sorts: ['name'],
      fields: { root: { allowed: ['id', 'name'], default: ['id', 'name'] } },
      pagination: { mode: 'both' },
    });
    const source = sqlSource({ connection: db, tables, registry, model: 'city' });
    const app = new Hono();
    app.onError(onHono.queryErrorHandler());
    app.get('/cities', onHono.listEndpoint({ source, rules, serverTiming: true }));
    app.get('/cities/:id', onHono.itemEndpoint({ source, rules }));
    return { hono: app.fetch, fetch: onFetch.listEndpoint({ source, rules }) };
  }
  export const missing = [typeof process, typeof Buffer];
`;

const webGlobals = {
  AbortController,
  AbortSignal,
  DOMException,
  Headers,
  ReadableStream,
  Request,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  atob,
  btoa,
  clearTimeout,
  console,
  crypto,
  performance,
  queueMicrotask,
  setTimeout,
};

type Fetch = (request: Request) => Promise<Response>;

describe('list endpoints without Node.js', () => {
  const db = new Database(':memory:');
  let endpoints: Readonly<Record<'hono' | 'fetch', Fetch>>;
  let missing: readonly string[];

  beforeAll(async () => {
    db.exec(`create table city (id integer primary key, name text not null);
      insert into city values (1, 'Rome'), (2, 'Oslo'), (3, 'São Paulo')`);
    // An import of a module of Node.js fails on this platform.
    const { outputFiles } = await build({
      stdin: { contents: worker, resolveDir: process.cwd(), loader: 'ts' },
      bundle: true,
      platform: 'neutral',
      conditions: ['workerd', 'import'],
      mainFields: ['module', 'main'],
      format: 'iife',
      globalName: 'worker',
      write: false,
      logLevel: 'silent',
    });
    const context = vm.createContext({ ...webGlobals });
    vm.runInContext(outputFiles[0]?.text ?? '', context);
    ({ missing } = context['worker']);
    endpoints = context['worker'].start(db);
  });
  afterAll(() => void db.close());

  const get = async (name: 'hono' | 'fetch', path: string, init?: RequestInit) => {
    const response = await endpoints[name](new Request(`http://worker${path}`, init));
    return { response, body: await response.text() };
  };

  it('run in a context that has nothing of Node.js', () => {
    expect([...missing]).toEqual(['undefined', 'undefined']);
  });

  it.each(['hono', 'fetch'] as const)('answer lists and errors (%s)', async (name) => {
    const { response, body } = await get(name, '/cities?filter[name][ilike]=PAULO&sort=-name');
    expect([response.status, JSON.parse(body)]).toEqual([
      200,
      { data: [{ id: 3, name: 'São Paulo' }], page: 1, perPage: 10, total: 1, lastPage: 1 },
    ]);
    const walk = JSON.parse((await get(name, '/cities?cursor=&perPage=2&sort=name')).body);
    const next = encodeURIComponent(walk.nextCursor);
    const last = JSON.parse((await get(name, `/cities?cursor=${next}&perPage=2&sort=name`)).body);
    expect(last.data).toEqual([{ id: 3, name: 'São Paulo' }]);
    const refused = await get(name, '/cities?sort=secret');
    expect([refused.response.status, JSON.parse(refused.body).code]).toEqual([
      400,
      'FIELD_NOT_ALLOWED',
    ]);
  });

  it('answer one row, HEAD and timings', async () => {
    expect((await get('hono', '/cities/2')).body).toBe('{"id":2,"name":"Oslo"}');
    expect((await get('hono', '/cities/9')).response.status).toBe(404);
    const head = await get('hono', '/cities', { method: 'HEAD' });
    expect([head.response.status, head.body]).toEqual([200, '']);
    expect(head.response.headers.get('server-timing')).toMatch(/^plan;dur=.*present;dur=/);
  });
});
