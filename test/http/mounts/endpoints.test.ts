/** List and item endpoints in every framework: the same requests, answers and errors. */

import { once } from 'node:events';
import { request as open } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as onFastify from '../../../src/http/fastify/index.ts';
import * as onFetch from '../../../src/http/fetch/index.ts';
import * as onHono from '../../../src/http/hono/index.ts';
import * as onKoa from '../../../src/http/koa/index.ts';
import * as onNode from '../../../src/http/node/index.ts';
import { QueryError } from '../../../src/index.ts';
import { type ReadTiles, byColour, tileRules, tileSource } from '../tiles.ts';
import { broken, listHosts } from './list-hosts.ts';

/** The signals of requests that wait, and the statuses that were reported. */
const signals: AbortSignal[] = [];
const reported: number[] = [];

/** Waits for the client to go, fails, or reads, by the colour that is asked for. */
const read: ReadTiles = async (plan, options) => {
  const { where } = plan;
  const colour = where?.type === 'condition' && where.path === 'colour' ? where.value : undefined;
  if (colour === 'away') {
    throw new QueryError('SOURCE_UNAVAILABLE', 'Away.', { retryAfterSeconds: 7 });
  }
  if (colour === 'broken') throw new Error('a secret of the host');
  if (colour === 'slow' && options.signal) {
    signals.push(options.signal);
    await once(options.signal, 'abort');
  }
  return where?.type === 'condition' && where.path === 'id'
    ? (await byColour({ ...plan, where: null }, options)).filter(({ id }) => id === where.value)
    : byColour(plan, options);
};

const onError = (error: QueryError): void => void reported.push(error.status);
const listed = { source: tileSource(read), onError };
const places = listHosts.filter(({ name }) => !/ with |NestJS/.test(name));

describe.each(places)('endpoints in $name', ({ name, start }) => {
  let server: Server;
  let origin: string;
  beforeAll(async () => {
    server = await start(listed);
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const get = async (path: string) => {
    const response = await fetch(origin + path);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  };

  it('list rows as the client asks for them', async () => {
    const { status, headers, text } = await get('/tiles?filter[colour][eq]=red%20%26%20blue');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(JSON.parse(text)).toMatchObject({ data: [{ id: 3, colour: 'red & blue' }], total: 1 });
  });

  it('answer one row, and 404 where there is none', async () => {
    const { status, text } = await get('/tiles/2?fields=colour');
    expect([status, JSON.parse(text)]).toEqual([200, expect.objectContaining({ colour: 'green' })]);
    const none = await get('/tiles/9');
    expect([none.status, JSON.parse(none.text).code]).toEqual([404, 'ROW_NOT_FOUND']);
  });

  it('answer errors in their form', async () => {
    const refused = await get('/tiles?sort=nope');
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.text)).toMatchObject({ statusCode: 400, code: 'FIELD_NOT_ALLOWED' });
    reported.length = 0;
    const away = await get('/tiles?filter[colour][eq]=away');
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '7']);
    expect(JSON.parse(away.text)).toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    expect(reported).toEqual([503]);
    const other = await get('/tiles?filter[colour][eq]=broken');
    expect([other.status, other.text]).toEqual([500, broken]);
  });

  it('answer HEAD without a body', async () => {
    const response = await fetch(`${origin}/tiles`, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it('tell timings where they are asked for, beside those of the host', async () => {
    const own = /plan;dur=[\d.]+, database;dur=[\d.]+, present;dur=[\d.]+$/;
    const { headers } = await get('/tiles');
    const timing = headers.get('server-timing') ?? '';
    expect(timing).toMatch(own);
    // Those of the Fetch API have no host around them.
    expect(timing.replace(own, '')).toBe(/Fetch|Next/.test(name) ? '' : 'host;dur=1, ');
    const head = await fetch(`${origin}/tiles`, { method: 'HEAD' });
    expect(head.headers.get('server-timing')).toMatch(own);
    const etag = headers.get('etag');
    if (etag !== null) {
      // `fetch` would ask not to be answered from a cache.
      const asking = open(`${origin}/tiles`, { headers: { 'if-none-match': etag } }).end();
      const [known] = (await once(asking, 'response')) as [IncomingMessage];
      known.resume();
      expect([known.statusCode, known.headers['server-timing']]).toEqual([
        304,
        expect.stringMatching(own),
      ]);
    }
    for (const path of ['/tiles?sort=nope', '/tiles/2']) {
      expect((await get(path)).headers.get('server-timing') ?? '').not.toContain('plan');
    }
  });

  it('end the read of a client that has gone', async () => {
    signals.length = 0;
    const outgoing = open(`${origin}/tiles?filter[colour][eq]=slow`);
    outgoing.on('error', () => undefined).end();
    await expect.poll(() => signals.length).toBeGreaterThan(0);
    outgoing.destroy();
    await expect.poll(() => signals.every(({ aborted }) => aborted)).toBe(true);
  });
});

it('refuse unknown options', () => {
  const wrong = { source: listed.source, rules: tileRules, sorce: 1 };
  for (const make of [
    onFastify.listEndpoint,
    onKoa.listEndpoint,
    onHono.itemEndpoint,
    onFetch.itemEndpoint,
    onNode.listEndpoint,
  ]) {
    expect(() => Reflect.apply(make, undefined, [wrong])).toThrow('sorce');
  }
});
