/** Applications of every framework with a list endpoint at `/tiles` and one row at `/tiles/<id>`. */

import 'reflect-metadata';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { serve } from '@hono/node-server';
import {
  Controller,
  Get,
  HttpCode,
  type INestApplication,
  Module,
  Param,
  Post,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import express from 'express';
import express4 from 'express-4';
import fastify from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import mount from 'koa-mount';
import * as onExpress from '../../../src/http/express/index.ts';
import * as onFastify from '../../../src/http/fastify/index.ts';
import * as onFetch from '../../../src/http/fetch/index.ts';
import * as onHono from '../../../src/http/hono/index.ts';
import * as onKoa from '../../../src/http/koa/index.ts';
import * as onNest from '../../../src/http/nestjs/index.ts';
import * as onNext from '../../../src/http/next/index.ts';
import * as onNode from '../../../src/http/node/index.ts';
import {
  type CompiledQueryRules,
  type QueryError,
  type QuerySource,
  runOne,
  runQuery,
} from '../../../src/index.ts';
import { type Tile, tileRules } from '../tiles.ts';

/** The source of the endpoints, and who is told of errors of 500 and above. */
export interface Listed {
  readonly source: QuerySource<Tile>;
  readonly onError: (error: QueryError) => void;
  /** Default: those of tiles, without scopes. */
  readonly rules?: CompiledQueryRules;
  /** Value of the scopes. */
  readonly scope?: object;
  /** Headers that hosts set in front of their endpoints, where they have a response. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An application. */
export interface ListHost {
  readonly name: string;
  /** Methods of the list besides GET. */
  readonly methods: readonly ('POST' | 'QUERY')[];
  /** Whether the application or its framework reads some bodies before the endpoint. */
  readonly hasParsers: boolean;
  start(listed: Listed): Promise<Server>;
}

/** The text of answers to errors that are not a `QueryError`. */
export const broken = 'error of the host';

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

/** A timing that hosts set in front of their endpoints, where they have a response. */
const hostTiming = ['server-timing', 'host;dur=1'] as const;
const methods = ['POST', 'QUERY'] as const;

/** An application of Express, with the parsers of its version. */
function onExpressHost(
  name: string,
  create: () => express.Express,
  ...parsers: (() => express.RequestHandler)[]
): ListHost {
  return {
    name,
    methods,
    hasParsers: parsers.length > 0,
    start({ source, onError, rules = tileRules, scope, headers = {} }) {
      const app = create();
      app.use((_request, response, next) => {
        response.setHeader(...hostTiming);
        for (const [header, value] of Object.entries(headers)) response.setHeader(header, value);
        next();
      });
      for (const parser of parsers) app.use(parser());
      app.all(
        '/tiles',
        onExpress.listEndpoint({ source, rules, ...(scope && { scope }), serverTiming: true }),
      );
      app.get(
        '/tiles/:id',
        onExpress.itemEndpoint({
          source,
          rules,
          key: ({ params }) => ({ id: Number(params['id']) }),
        }),
      );
      app.use(onExpress.queryErrorHandler({ onError }));
      app.use(
        (
          error: { status?: number },
          _request: unknown,
          response: express.Response,
          _next: unknown,
        ) => {
          // Errors of body parsers have a status.
          response.status(error.status ?? 500).send(broken);
        },
      );
      return listen(app);
    },
  };
}

const newExpress4 = () => express4() as unknown as express.Express;
const parser4 = (parser: express4.RequestHandler) => () =>
  parser as unknown as express.RequestHandler;

function onFastifyHost(name: string, prepare: (app: fastify.FastifyInstance) => void): ListHost {
  return {
    name,
    methods,
    hasParsers: true,
    async start({ source, onError, rules = tileRules, scope, headers = {} }) {
      const app = fastify();
      app.addHook('onRequest', async (_request, reply) => {
        reply.header(...hostTiming).headers(headers);
      });
      app.setErrorHandler((error: { statusCode?: number }, _request, reply) =>
        reply.code(error.statusCode ?? 500).send(broken),
      );
      prepare(app);
      await app.register(async (routes) => {
        routes.setErrorHandler(onFastify.queryErrorHandler({ onError }));
        await routes.register(onFastify.listBodies);
        const url = '/tiles';
        const handler = onFastify.listEndpoint({
          source,
          rules,
          ...(scope && { scope }),
          serverTiming: true,
        });
        routes.route({ method: ['GET', ...methods], url, handler });
        routes.get('/tiles/:id', onFastify.itemEndpoint({ source, rules }));
      });
      await app.listen({ port: 0, host: '127.0.0.1' });
      return app.server;
    },
  };
}

function onKoaHost(name: string, ...parsers: (() => Koa.Middleware)[]): ListHost {
  return {
    name,
    methods,
    hasParsers: parsers.length > 0,
    start({ source, onError, rules = tileRules, scope, headers = {} }) {
      const app = new Koa();
      app.silent = true;
      app.use(async (context, next) => {
        context.set(...hostTiming);
        context.set(headers);
        try {
          await next();
        } catch (error) {
          context.status = (error as { status?: number }).status ?? 500;
          context.body = broken;
        }
      });
      app.use(onKoa.queryErrorHandler({ onError }));
      for (const parser of parsers) app.use(parser());
      const all = onKoa.listEndpoint({
        source,
        rules,
        ...(scope && { scope }),
        serverTiming: true,
      });
      const one = onKoa.itemEndpoint({
        source,
        rules,
        key: ({ originalUrl }) => ({ id: idOf(originalUrl) }),
      });
      const routes = new Koa();
      routes.use((context) => (context.path === '/' ? all(context) : one(context)));
      app.use(mount('/tiles', routes));
      return listening(app.listen(0, '127.0.0.1'));
    },
  };
}

function onHonoHost(
  name: string,
  readFirst?: (request: { text(): unknown; parseBody(): unknown; formData(): unknown }) => unknown,
): ListHost {
  return {
    name,
    methods,
    hasParsers: readFirst !== undefined,
    start({ source, onError, rules = tileRules, scope, headers = {} }) {
      const app = new Hono();
      app.use(async (context, next) => {
        context.header(...hostTiming);
        for (const [header, value] of Object.entries(headers)) context.header(header, value);
        await next();
      });
      app.onError(
        onHono.queryErrorHandler({ onError }, (_error, context) => context.text(broken, 500)),
      );
      if (readFirst) {
        app.use(async ({ req }, next) => {
          await readFirst(req);
          await next();
        });
      }
      app.on(
        ['GET', ...methods],
        '/tiles',
        onHono.listEndpoint({ source, rules, ...(scope && { scope }), serverTiming: true }),
      );
      app.get('/tiles/:id', onHono.itemEndpoint({ source, rules }));
      return listenFetch(app.fetch);
    },
  };
}

/** Routes of the Fetch API, with their parameters as Next.js passes them. */
function onFetchHost(name: string, { listEndpoint, itemEndpoint }: typeof onFetch): ListHost {
  return {
    name,
    methods,
    hasParsers: false,
    start({ source, onError, rules = tileRules, scope }) {
      const all = listEndpoint(
        { source, rules, ...(scope && { scope }), serverTiming: true },
        { onError },
      );
      const one = itemEndpoint({ source, rules }, { onError });
      return listenFetch(async (request) => {
        const { pathname } = new URL(request.url);
        const params = Promise.resolve({ id: idOf(pathname) });
        const answer = pathname === '/tiles' ? all(request) : one(request, { params });
        return answer.catch(() => new Response(broken, { status: 500 }));
      });
    },
  };
}

const onNodeHost: ListHost = {
  name: 'node:http',
  methods,
  hasParsers: false,
  start({ source, onError, rules = tileRules, scope, headers = {} }) {
    const all = onNode.listEndpoint(
      { source, rules, ...(scope && { scope }), serverTiming: true },
      { onError },
    );
    const key = ({ url }: IncomingMessage) => ({ id: idOf(url) });
    const one = onNode.itemEndpoint({ source, rules, key }, { onError });
    return listen((request: IncomingMessage, response: ServerResponse) => {
      response.setHeader(...hostTiming);
      for (const [header, value] of Object.entries(headers)) response.setHeader(header, value);
      const answer = request.url?.startsWith('/tiles/') ? one : all;
      answer(request, response).catch(() => {
        response.statusCode = 500;
        response.end(broken);
      });
    });
  },
};

function onNestHost(
  name: string,
  create: (module: new () => unknown) => Promise<INestApplication>,
  hasParsers = true,
): ListHost {
  return {
    name,
    // NestJS has no decorator for the method QUERY.
    methods: ['POST'],
    hasParsers,
    async start({ source, onError, rules = tileRules, scope }) {
      @Controller('tiles')
      class TilesController {
        @Get()
        list(
          @onNest.ListQuery(rules) query: string,
          @onNest.QuerySignal() signal: AbortSignal,
        ): unknown {
          return runQuery(source, query, rules, { signal, ...(scope && { scope }) });
        }

        @Post()
        @HttpCode(200)
        search(@onNest.ListQuery(rules) query: string): unknown {
          return runQuery(source, query, rules);
        }

        @Get(':id')
        one(@Param('id') id: string, @onNest.ItemQuery(rules) query: string): unknown {
          return runOne(source, id, query, rules);
        }
      }

      @Module({
        imports: [onNest.QueryModule.forRoot({ onError })],
        controllers: [TilesController],
      })
      class TilesModule {}

      const app = await create(TilesModule);
      await app.listen(0, '127.0.0.1');
      return app.getHttpServer() as Server;
    },
  };
}

/** Every framework, without body parsers and with them. */
export const listHosts: readonly ListHost[] = [
  onExpressHost('Express 4', newExpress4),
  onExpressHost(
    'Express 4 with body parsers',
    newExpress4,
    parser4(express4.json()),
    parser4(express4.urlencoded({ extended: true })),
  ),
  onExpressHost('Express 5', express),
  onExpressHost(
    'Express 5 with body parsers',
    express,
    () => express.json(),
    () => express.urlencoded({ extended: true }),
  ),
  onExpressHost('Express 5 with bodies as text', express, () => express.text({ type: '*/*' })),
  onExpressHost('Express 5 with bodies as bytes', express, () => express.raw({ type: '*/*' })),
  onFastifyHost('Fastify 5', () => undefined),
  onFastifyHost('Fastify 5 with body parsers', (app) => {
    const type = 'application/x-www-form-urlencoded';
    app.addContentTypeParser(type, { parseAs: 'string' }, (_request, body, done) =>
      done(null, parse(String(body))),
    );
  }),
  onKoaHost('Koa 3'),
  onKoaHost('Koa 3 with body parsers', () => bodyParser()),
  onHonoHost('Hono 4'),
  onHonoHost('Hono 4 with bodies as text', (request) => request.text()),
  onHonoHost('Hono 4 with bodies as forms', (request) => request.parseBody()),
  onFetchHost('the Fetch API', onFetch),
  onFetchHost('route handlers of Next.js', onNext),
  onNodeHost,
  onNestHost('NestJS 11 on Express', (module) =>
    NestFactory.create(module, new ExpressAdapter(), { logger: false }),
  ),
  onNestHost(
    'NestJS 11 on Express without its parsers',
    (module) =>
      NestFactory.create(module, new ExpressAdapter(), { logger: false, bodyParser: false }),
    false,
  ),
  onNestHost('NestJS 11 on Fastify', (module) =>
    NestFactory.create(module, new FastifyAdapter(), { logger: false }),
  ),
];
