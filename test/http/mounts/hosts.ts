/** The frameworks on which the suite mounts a board: each with a page, a cookie and a 404 of its own. */

import 'reflect-metadata';
import type { Server, ServerResponse } from 'node:http';
import { serve } from '@hono/node-server';
import express from 'express';
import express4 from 'express-4';
import fastify from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import mount from 'koa-mount';
import { ExpressAdapter } from '../../../src/http/express/board.ts';
import { FastifyAdapter } from '../../../src/http/fastify/board.ts';
import { HonoAdapter } from '../../../src/http/hono/board.ts';
import { KoaAdapter } from '../../../src/http/koa/board.ts';
import { nextBoard } from '../../../src/http/next/board.ts';
import { NodeAdapter } from '../../../src/http/node/board.ts';
import { type Running, listen, listening } from '../../listening.ts';
import type { Place } from './site.ts';

/** A framework with its way to mount a board. */
export interface Host {
  readonly name: string;
  /** Whether requests below other paths than the board's reach the host, so that a path in the board may fall through. */
  readonly fallsThrough: boolean;
  /** Whether the framework compresses responses in place of the board. Default false. */
  readonly compresses?: boolean;
  /** Whether the server closes a connection that has not sent a refused body within half a second. Default false. */
  readonly closesSlowBodies?: boolean;
  start(site: Place): Promise<Running>;
}

/** The cookie that every host sets on every response. */
export const hostCookie = 'host=1; Path=/';
export const hostPage = 'page of the host';
export const hostMissing = 'nothing of the host';

function finish(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.end(text);
}

const expressHost = (name: string, create: typeof express): Host => ({
  name,
  fallsThrough: true,
  start(site) {
    const adapter = new ExpressAdapter();
    site.open(adapter);
    if (site.basePath !== site.mountPath) adapter.setBasePath(site.basePath);
    const app = create();
    app.use((_request, response, next) => {
      response.setHeader('set-cookie', hostCookie);
      next();
    });
    if (site.parsesFirst) app.use(create.json(), create.urlencoded({ extended: true }));
    app.use(site.mountPath || '/', adapter.getRouter());
    if (!site.parsesFirst) app.use(create.json());
    app.get('/host', (_request, response) => void response.send(hostPage));
    app.use((_request, response) => void response.status(404).send(hostMissing));
    return listen(app);
  },
});

const koaHost = (
  name: string,
  install: (app: Koa, adapter: KoaAdapter, site: Place) => void,
): Host => ({
  name,
  fallsThrough: true,
  start(site) {
    const adapter = new KoaAdapter();
    site.open(adapter);
    const app = new Koa();
    app.silent = true;
    app.use(async (context, next) => {
      context.append('set-cookie', hostCookie);
      await next();
    });
    if (site.parsesFirst) app.use(bodyParser());
    install(app, adapter, site);
    if (!site.parsesFirst) app.use(bodyParser());
    app.use((context) => {
      context.status = context.path === '/host' ? 200 : 404;
      context.body = context.path === '/host' ? hostPage : hostMissing;
    });
    return listening(app.listen(0, '127.0.0.1'));
  },
});

export const hosts: readonly Host[] = [
  expressHost('Express 4', express4 as unknown as typeof express),
  expressHost('Express 5', express),
  {
    name: 'Fastify 5',
    fallsThrough: true,
    async start(site) {
      const adapter = new FastifyAdapter();
      site.open(adapter);
      if (site.basePath !== site.mountPath) adapter.setBasePath(site.basePath);
      const app = fastify();
      app.addHook('onRequest', async (_request, reply) => {
        reply.header('set-cookie', hostCookie);
      });
      if (site.parsesFirst) {
        app.addContentTypeParser(
          'application/x-www-form-urlencoded',
          { parseAs: 'string' },
          (_request, body, done) =>
            done(null, Object.fromEntries(new URLSearchParams(String(body)))),
        );
      }
      await app.register(adapter.registerPlugin(), { prefix: site.mountPath });
      app.get('/host', async () => hostPage);
      app.setNotFoundHandler((_request, reply) => reply.code(404).send(hostMissing));
      await app.listen({ port: 0, host: '127.0.0.1' });
      return listening(app.server);
    },
  },
  koaHost('Koa 3', (app, adapter, site) => {
    adapter.setBasePath(site.basePath).setMountPath(site.mountPath);
    app.use(adapter.registerPlugin());
  }),
  koaHost('Koa 3 with koa-mount', (app, adapter, site) => {
    if (site.basePath !== site.mountPath) adapter.setBasePath(site.basePath).setMountPath('/');
    app.use(mount(site.mountPath || '/', adapter.registerPlugin()));
  }),
  {
    name: 'Hono 4',
    fallsThrough: true,
    closesSlowBodies: true,
    async start(site) {
      const adapter = new HonoAdapter();
      site.open(adapter);
      if (site.basePath !== site.mountPath) adapter.setBasePath(site.basePath);
      const app = new Hono();
      app.use(async (context, next) => {
        context.header('set-cookie', hostCookie);
        if (site.parsesFirst) await context.req.text();
        await next();
      });
      app.route(site.mountPath || '/', adapter.registerPlugin());
      app.get('/host', (context) => context.text(hostPage));
      app.notFound((context) => context.text(hostMissing, 404));
      return listening(serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server);
    },
  },
  {
    name: 'node:http',
    fallsThrough: true,
    start(site) {
      const adapter = new NodeAdapter().setBasePath(site.basePath).setMountPath(site.mountPath);
      site.open(adapter);
      return listen((request, response) => {
        response.setHeader('set-cookie', hostCookie);
        adapter.handle(request, response).then((served) => {
          if (served) return;
          const isPage = request.url === '/host';
          finish(response, isPage ? 200 : 404, isPage ? hostPage : hostMissing);
        });
      });
    },
  },
  {
    name: 'the Fetch API',
    fallsThrough: true,
    closesSlowBodies: true,
    async start(site) {
      const board = site.open();
      const place = { basePath: site.basePath, mountPath: site.mountPath };
      const notFound = (): Response => new Response(hostMissing, { status: 404 });
      const fetch = async (request: Request): Promise<Response> => {
        const isPage = new URL(request.url).pathname === '/host';
        const body = site.parsesFirst ? await request.clone().arrayBuffer() : undefined;
        const response = isPage
          ? new Response(hostPage)
          : await board.fetch(request, {
              ...place,
              notFound,
              ...(body && { readBody: async () => body }),
            });
        const answer = new Response(response.body, response);
        answer.headers.append('set-cookie', hostCookie);
        return answer;
      };
      return listening(serve({ fetch, port: 0, hostname: '127.0.0.1' }) as Server);
    },
  },
  {
    name: 'handlers of Next.js',
    compresses: true,
    closesSlowBodies: true,
    fallsThrough: false,
    async start(site) {
      const { basePath, mountPath } = site;
      const handlers = nextBoard(site.open(), basePath === mountPath ? {} : { basePath });
      const fetch = async (request: Request): Promise<Response> => {
        const { pathname } = new URL(request.url);
        const caught = pathname.slice(mountPath.length).split('/').filter(Boolean);
        const params = Promise.resolve(caught.length > 0 ? { path: caught } : {});
        const { [request.method as 'GET']: handler } = handlers;
        const response = await handler(request, { params });
        const answer = new Response(response.body, response);
        answer.headers.append('set-cookie', hostCookie);
        return answer;
      };
      return listening(serve({ fetch, port: 0, hostname: '127.0.0.1' }) as Server);
    },
  },
];
