/** Middleware that rewrites the query string of a request: an endpoint reads it as the framework does. */

import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import Koa from 'koa';
import { describe, expect, it } from 'vitest';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import * as onFastify from '../../src/http/fastify/index.ts';
import * as onKoa from '../../src/http/koa/index.ts';
import * as onNest from '../../src/http/nestjs/index.ts';
import * as onNode from '../../src/http/node/index.ts';
import { listEndpoint } from '../../src/http/express/index.ts';
import { runQuery } from '../../src/index.ts';
import { applications, listen } from './serve.ts';
import { tileRules, tileSource } from './tiles.ts';

const source = tileSource();
const config = { source, rules: tileRules };

/** Asks for all tiles, of which middleware makes the green ones. */
async function colours(port: number): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}/tiles?token=secret`);
  const { data } = (await response.json()) as { data: readonly { colour: string }[] };
  return data.map(({ colour }) => colour);
}

const rewritten = (url = ''): string => url.replace('token=secret', 'filter[colour][eq]=green');

async function served(listener: RequestListener): Promise<unknown> {
  const { port, close } = await listen(listener);
  return colours(port).finally(close);
}

describe('a rewritten query string', () => {
  it.each(applications)('is read under $name', async ({ create }) => {
    const listener = (
      create as (parser: undefined, install: (app: never) => void) => RequestListener
    )(
      undefined,
      (app: {
        use(handler: (request: { url: string }, response: unknown, next: () => void) => void): void;
        get(path: string, handler: unknown): void;
      }) => {
        app.use((request, _, next) => {
          request.url = rewritten(request.url);
          next();
        });
        app.get('/tiles', listEndpoint(config));
      },
    );
    expect(await served(listener)).toEqual(['green']);
  });

  it('is read under node:http', async () => {
    const list = onNode.listEndpoint(config);
    const answer = await served((request, response) => {
      request.url = rewritten(request.url);
      void list(request, response);
    });
    expect(answer).toEqual(['green']);
  });

  it('is read under Koa', async () => {
    const app = new Koa();
    app.use((context, next) => {
      context.querystring = 'filter[colour][eq]=green';
      return next();
    });
    app.use(onKoa.listEndpoint(config));
    expect(await served(app.callback() as RequestListener)).toEqual(['green']);
  });

  it('is read under Fastify', async () => {
    const app = fastify({ rewriteUrl: ({ url }) => rewritten(url) });
    app.get('/tiles', onFastify.listEndpoint(config));
    await app.listen({ port: 0, host: '127.0.0.1' });
    const answer = colours((app.server.address() as AddressInfo).port);
    expect(await answer.finally(() => app.close())).toEqual(['green']);
  });

  it('is read under NestJS', async () => {
    @Controller('tiles')
    class Tiles {
      @Get()
      list(@onNest.ListQuery(tileRules) query: string): unknown {
        return runQuery(source, query, tileRules);
      }
    }
    @Module({ controllers: [Tiles] })
    class App {}
    const adapters = [
      undefined,
      new FastifyAdapter({
        rewriteUrl: (request: object) => rewritten((request as IncomingMessage).url),
      }),
    ];
    for (const adapter of adapters) {
      const app = await (adapter
        ? NestFactory.create(App, adapter, { logger: false })
        : NestFactory.create(App, { logger: false }));
      if (!adapter) {
        app.use((request: { url: string }, _: unknown, next: () => void) => {
          request.url = rewritten(request.url);
          next();
        });
      }
      await app.listen(0, '127.0.0.1');
      const { port } = (
        app.getHttpServer() as ReturnType<typeof createServer>
      ).address() as AddressInfo;
      expect(await colours(port).finally(() => app.close())).toEqual(['green']);
    }
  });
});
