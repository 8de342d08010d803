/** The frameworks that the middleware stands before, each with the same handler behind it. */

import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import type { HttpBindings } from '@hono/node-server';
import express from 'express';
import express4 from 'express-4';
import fastify from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';
import { getAuthUser } from '../../../src/auth/index.ts';
import type { AuthMiddleware } from '../../../src/auth/index.ts';
import { type Running, listen, listening } from '../../listening.ts';
import { basePath, protectedHandler } from './board.ts';

export interface Host {
  readonly name: string;
  /** Listens on a free port of the loopback interface. */
  start(auth: AuthMiddleware): Promise<Running>;
}

export const hosts: readonly Host[] = [
  {
    name: 'plain http',
    start: (auth) =>
      listen((request, response) => {
        void auth(request, response, () => protectedHandler(request, response));
      }),
  },
  {
    name: 'plain http with handle',
    start: (auth) =>
      listen((request, response) => {
        void auth.handle(request, response).then((answered) => {
          if (!answered) protectedHandler(request, response);
        });
      }),
  },
  {
    name: 'Express 4, mounted, behind a parser of JSON',
    start: (auth) => {
      const app = express4();
      app.use(express4.json());
      app.use(basePath, auth);
      app.use(basePath, (request, response) => {
        response.json({ served: request.originalUrl, user: getAuthUser(request) });
      });
      return listen(app);
    },
  },
  {
    name: 'Express 5, mounted, behind a body parser',
    start: (auth) => {
      const app = express();
      app.use(express.urlencoded({ extended: false }));
      app.use(basePath, auth, (request, response) => {
        response.json({ served: request.originalUrl, user: getAuthUser(request) });
      });
      return listen(app);
    },
  },
  {
    name: 'Fastify 5',
    start: async (auth) => {
      const app = fastify();
      app.addHook('onRequest', async (request, reply) => {
        if (await auth.handle(request.raw, reply.raw)) reply.hijack();
      });
      app.all(`${basePath}/*`, async (request) => ({
        served: request.originalUrl,
        user: getAuthUser(request),
      }));
      await app.listen({ port: 0, host: '127.0.0.1' });
      return listening(app.server);
    },
  },
  {
    name: 'Koa 3',
    start: (auth) => {
      const app = new Koa();
      app.use(async (context, next) => {
        if (await auth.handle(context.req, context.res)) context.respond = false;
        else await next();
      });
      app.use((context) => {
        context.body = { served: context.originalUrl, user: getAuthUser(context) };
      });
      return listening(app.listen(0, '127.0.0.1'));
    },
  },
  {
    name: 'Hono 4 on Node',
    start: (auth) => {
      const app = new Hono<{ Bindings: HttpBindings }>();
      app.use(`${basePath}/*`, async (context, next) => {
        const { remoteAddress } = context.env.incoming.socket;
        const handler = async () => {
          await next();
          return context.res;
        };
        const response = await auth.fetch(context.req.raw, handler, { remoteAddress });
        context.res = undefined;
        context.res = response;
      });
      app.all(`${basePath}/*`, (context) =>
        context.json({ served: context.env.incoming.url, user: getAuthUser(context) }),
      );
      const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
      return listening(server as Server);
    },
  },
  {
    name: 'Hono 4 with the Fetch API',
    start: (auth) => {
      const app = new Hono();
      app.use(`${basePath}/*`, async (context, next) => {
        const response = await auth.fetch(context.req.raw, async () => {
          await next();
          return context.res;
        });
        // Hono adds the headers of an earlier response to a later one, in place of its cookies.
        context.res = undefined;
        context.res = response;
      });
      app.all(`${basePath}/*`, (context) => {
        const { pathname, search } = new URL(context.req.url);
        return context.json({ served: pathname + search, user: getAuthUser(context) });
      });
      const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
      return listening(server as Server);
    },
  },
  {
    name: 'a server of the Fetch API, behind a parser of forms',
    start: (auth) => {
      const fetch = async (request: Request): Promise<Response> => {
        const body = await request.arrayBuffer();
        const { pathname, search } = new URL(request.url);
        const next = (): Response =>
          Response.json({ served: pathname + search, user: getAuthUser(request) });
        return auth.fetch(request, next, { readBody: async () => body });
      };
      return listening(serve({ fetch, port: 0, hostname: '127.0.0.1' }) as Server);
    },
  },
];
