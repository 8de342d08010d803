/** A refreshed session's cookie: it arrives whatever headers the handler writes, and no cache may store the answer. */

import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import type { HttpBindings } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthMiddleware } from '../../src/auth/index.ts';
import type { AuthMiddleware } from '../../src/auth/index.ts';
import { withCookies } from '../../src/auth/web.ts';
import { advanceClock } from '../clock.ts';
import { Agent } from './support/agent.ts';
import type { Answer } from './support/agent.ts';
import { basePath } from './support/board.ts';
import { logIn } from './support/log-in.ts';
import { clientSecret, startRealm } from './support/realm.ts';
import type { Realm } from './support/realm.ts';
import { keepsSecrets, secret } from './support/transcript.ts';

keepsSecrets();
const own = 'theme=dark; Path=/';
const shared = 'public, max-age=31536000, immutable';
const headers = {
  'cache-control': shared,
  'set-cookie': own,
  expires: 'Fri, 01 Jan 2100 00:00:00 GMT',
};

/** A server whose handler sets a cookie of its own and lets caches store the answer. */
type Start = (auth: AuthMiddleware) => Promise<{ port: number; close(): unknown }>;

const onNode =
  (handler: RequestListener): Start =>
  async (auth) => {
    const server = createServer((request, response) => {
      void auth(request, response, () => handler(request, response));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    return { port, close: () => server.close() };
  };

const starts: Record<string, Start> = {
  'setHeader, and a body alone': onNode((_request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.end('served');
  }),
  'writeHead with an object': onNode((_request, response) => {
    response.writeHead(200, { ...headers, 'set-cookie': [own], 'CDN-Cache-Control': 'max-age=60' });
    response.end('served');
  }),
  'writeHead with a reason and a flat list': onNode((_request, response) => {
    response.writeHead(200, 'Fine', Object.entries(headers).flat()).end('served');
  }),
  'writeHead with a reason that is undefined': onNode((_request, response) => {
    response.writeHead(200, undefined, headers).end('served');
  }),
  'flushHeaders, as streams do': onNode((_request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.flushHeaders();
    response.end('served');
  }),
  'Express, static caching': async (auth) => {
    const app = express();
    app.use(basePath, auth, (_request, response) => void response.set(headers).send('served'));
    const server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    return { port: (server.address() as AddressInfo).port, close: () => server.close() };
  },
  Fastify: async (auth) => {
    const app = fastify();
    app.addHook('onRequest', async (request, reply) => {
      if (await auth.handle(request.raw, reply.raw)) reply.hijack();
    });
    app.get('/*', async (_request, reply) => reply.headers(headers).send('served'));
    await app.listen({ port: 0, host: '127.0.0.1' });
    return { port: (app.server.address() as AddressInfo).port, close: () => app.close() };
  },
  Hono: async (auth) => {
    const app = new Hono<{ Bindings: HttpBindings }>();
    app.use('*', async (context, next) => {
      const { incoming, outgoing } = context.env;
      if (!(await auth.handle(incoming, outgoing))) await next();
    });
    app.all('*', (context) => context.body('served', 200, headers));
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
    await new Promise((resolve) => server.once('listening', resolve));
    return { port: (server.address() as AddressInfo).port, close: () => server.close() };
  },
};

describe.each(Object.entries(starts))('%s', (_name, start) => {
  let realm: Realm;
  let running: Awaited<ReturnType<Start>>;
  let refreshed: Answer;
  let after: Answer;

  beforeAll(async () => {
    let auth = createAuthMiddleware({ strategy: 'token', tokens: ['x'.repeat(40)] }, { basePath });
    const later = Object.assign((...parts: Parameters<typeof auth>) => auth(...parts), {
      handle: (...parts: Parameters<typeof auth.handle>) => auth.handle(...parts),
      fetch: (...parts: Parameters<typeof auth.fetch>) => auth.fetch(...parts),
      authenticate: (...parts: Parameters<typeof auth.authenticate>) => auth.authenticate(...parts),
      publicPath: basePath,
    });
    running = await start(later);
    const url = `http://127.0.0.1:${running.port}${basePath}`;
    realm = await startRealm({ boards: [url], people: { ada: {} } });
    const cookie = { secret: secret('the cookie secret of these tests, long') };
    const { url: provider, realm: name } = realm;
    auth = createAuthMiddleware(
      { strategy: 'oidc', url: provider, realm: name, clientId: 'board', clientSecret, cookie },
      { basePath },
    );
    realm.behaviour.accessTokenSeconds = 10;
    const agent = new Agent();
    await logIn(agent, `${url}/`, 'ada');
    advanceClock(11_000);
    realm.behaviour.accessTokenSeconds = 300;
    refreshed = await agent.ask(`${url}/logo.svg`);
    after = await agent.ask(`${url}/logo.svg`);
  });
  afterAll(async () => {
    await running.close();
    await realm.close();
  });

  it('adds the session beside the cookie of the handler', () => {
    expect([refreshed.status, refreshed.body]).toEqual([200, 'served']);
    expect(refreshed.cookies).toHaveLength(2);
    expect(refreshed.cookies).toEqual(
      expect.arrayContaining([own, expect.stringMatching(/^board_session=[\w.-]+; /)]),
    );
  });

  it('keeps that answer out of caches, and leaves the next one as it is', () => {
    const caching = ({ headers: found }: Answer) => [
      found['cache-control'],
      found['expires'],
      found['cdn-cache-control'],
    ];
    expect(caching(refreshed)).toEqual(['no-store', undefined, undefined]);
    expect([after.cookies, caching(after).slice(0, 2)]).toEqual([[own], [shared, headers.expires]]);
  });
});

it('a response of the Fetch API with the cookie keeps no header by which a cache stores it', () => {
  const given = {
    ...headers,
    'cdn-cache-control': 'max-age=60',
    'surrogate-control': 'max-age=60',
  };
  const answer = withCookies(new Response('served', { headers: given }), ['session=1; Path=/']);
  expect([...answer.headers.keys()].filter((name) => name !== 'content-type')).toEqual([
    'cache-control',
    'set-cookie',
    'set-cookie',
  ]);
  expect(answer.headers.get('cache-control')).toMatch(/\b(?:no-store|private)\b/);
});
