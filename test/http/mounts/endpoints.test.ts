/** List and item endpoints in every framework: the same requests, answers and errors. */

import { once } from 'node:events';
import { createServer, request as open } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';
import mount from 'koa-mount';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as onExpress from '../../../src/http/express/index.ts';
import * as onFastify from '../../../src/http/fastify/index.ts';
import * as onFetch from '../../../src/http/fetch/index.ts';
import * as onHono from '../../../src/http/hono/index.ts';
import * as onKoa from '../../../src/http/koa/index.ts';
import * as onNext from '../../../src/http/next/index.ts';
import * as onNode from '../../../src/http/node/index.ts';
import { QueryError } from '../../../src/index.ts';
import { type ReadTiles, byColour, tileRules, tileSource } from '../tiles.ts';

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

const list = { source: tileSource(read), rules: tileRules } as const;
const onError = (error: QueryError): void => void reported.push(error.status);
const broken = 'error of the host';

interface Place {
  readonly name: string;
  start(): Promise<Server>;
}

async function listening(server: Server): Promise<Server> {
  if (!server.listening) await once(server, 'listening');
  return server;
}
const listen = (listener: RequestListener) =>
  listening(createServer(listener).listen(0, '127.0.0.1'));
const listenFetch = (fetch: (request: Request) => Response | Promise<Response>) =>
  listening(serve({ fetch, port: 0, hostname: '127.0.0.1' }) as Server);

/** The key in the last segment of a path. */
const idOf = (url = ''): number => Number(/\/(\d+)(?:\?|$)/.exec(url)?.[1]);

/** Routes of the Fetch API, with their parameters as Next.js passes them. */
function fetchRoutes({ listEndpoint, itemEndpoint }: typeof onFetch) {
  const all = listEndpoint(list, { onError });
  const one = itemEndpoint(list, { onError });
  return async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const params = Promise.resolve({ id: idOf(pathname) });
    const answer = pathname === '/tiles' ? all(request) : one(request, { params });
    return answer.catch(() => new Response(broken, { status: 500 }));
  };
}

const places: readonly Place[] = [
  {
    name: 'Express 5',
    start() {
      const app = express();
      app.get('/tiles', onExpress.listEndpoint(list));
      app.get(
        '/tiles/:id',
        onExpress.itemEndpoint({ ...list, key: ({ params }) => ({ id: Number(params['id']) }) }),
      );
      app.use(onExpress.queryErrorHandler({ onError }));
      app.use((_error: unknown, _request: unknown, response: express.Response, _next: unknown) => {
        response.status(500).send(broken);
      });
      return listen(app);
    },
  },
  {
    name: 'Fastify 5',
    async start() {
      const app = fastify();
      app.setErrorHandler((_error, _request, reply) => reply.code(500).send(broken));
      await app.register(async (routes) => {
        routes.setErrorHandler(onFastify.queryErrorHandler({ onError }));
        routes.get('/tiles', onFastify.listEndpoint(list));
        routes.get('/tiles/:id', onFastify.itemEndpoint(list));
      });
      await app.listen({ port: 0, host: '127.0.0.1' });
      return app.server;
    },
  },
  {
    name: 'Koa 3',
    start() {
      const app = new Koa();
      app.use(async (context, next) => {
        try {
          await next();
        } catch {
          context.status = 500;
          context.body = broken;
        }
      });
      app.use(onKoa.queryErrorHandler({ onError }));
      const all = onKoa.listEndpoint(list);
      const one = onKoa.itemEndpoint({
        ...list,
        key: ({ originalUrl }) => ({ id: idOf(originalUrl) }),
      });
      const routes = new Koa();
      routes.use((context) => (context.path === '/' ? all(context) : one(context)));
      app.use(mount('/tiles', routes));
      return listening(app.listen(0, '127.0.0.1'));
    },
  },
  {
    name: 'Hono 4',
    start() {
      const app = new Hono();
      app.onError(
        onHono.queryErrorHandler({ onError }, (_error, context) => context.text(broken, 500)),
      );
      app.get('/tiles', onHono.listEndpoint(list));
      app.get('/tiles/:id', onHono.itemEndpoint(list));
      return listenFetch(app.fetch);
    },
  },
  { name: 'the Fetch API', start: () => listenFetch(fetchRoutes(onFetch)) },
  { name: 'route handlers of Next.js', start: () => listenFetch(fetchRoutes(onNext)) },
  {
    name: 'node:http',
    start() {
      const all = onNode.listEndpoint(list, { onError });
      const key = ({ url }: IncomingMessage) => ({ id: idOf(url) });
      const one = onNode.itemEndpoint({ ...list, key }, { onError });
      return listen((request: IncomingMessage, response: ServerResponse) => {
        const answer = request.url?.startsWith('/tiles/') ? one : all;
        answer(request, response).catch(() => {
          response.statusCode = 500;
          response.end(broken);
        });
      });
    },
  },
];

describe.each(places)('endpoints in $name', ({ start }) => {
  let server: Server;
  let origin: string;
  beforeAll(async () => {
    server = await start();
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
  const wrong = { ...list, sorce: 1 };
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
