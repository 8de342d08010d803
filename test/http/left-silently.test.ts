/** A client that leaves while its list is read is not an error of the server: nothing is logged as one. */

import 'reflect-metadata';
import { once } from 'node:events';
import { request as open } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, Get, type LoggerService, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import fastify from 'fastify';
import Koa from 'koa';
import { describe, expect, it } from 'vitest';
import * as onExpress from '../../src/http/express/index.ts';
import * as onFastify from '../../src/http/fastify/index.ts';
import * as onKoa from '../../src/http/koa/index.ts';
import * as onNest from '../../src/http/nestjs/index.ts';
import { runQuery } from '../../src/index.ts';
import { applications, listen } from './serve.ts';
import { tileRules, tileSource, tiles } from './tiles.ts';

/** A source that waits for the disconnect of the first client. */
function waitingSource() {
  const seen: AbortSignal[] = [];
  const source = tileSource(async (_plan, { signal }) => {
    if (signal && seen.length === 0) {
      seen.push(signal);
      await once(signal, 'abort');
      signal.throwIfAborted();
    }
    return tiles;
  });
  return { source, seen };
}

/** Leaves a request once its read has begun, and asks again; the second answer is the end of the first request. */
async function leave(port: number, seen: readonly AbortSignal[]): Promise<number> {
  const outgoing = open(`http://127.0.0.1:${port}/tiles`);
  outgoing.on('error', () => undefined).end();
  await expect.poll(() => seen.length).toBe(1);
  outgoing.destroy();
  await expect.poll(() => seen[0]?.aborted).toBe(true);
  return (await fetch(`http://127.0.0.1:${port}/tiles`)).status;
}

describe('a client that leaves', () => {
  it.each(applications)('is not an error of $name', async ({ create }) => {
    const { source, seen } = waitingSource();
    const told: unknown[] = [];
    const install = (app: { use(handler: unknown): unknown }): void => {
      app.use(onExpress.listEndpoint({ source, rules: tileRules }));
      app.use((error: unknown, _request: unknown, _response: unknown, next: () => void) => {
        told.push(error);
        next();
      });
    };
    const { port, close } = await listen(
      (create as (parser: undefined, use: typeof install) => RequestListener)(undefined, install),
    );
    expect(await leave(port, seen)).toBe(200);
    await close();
    expect(told).toEqual([]);
  });

  it('is not an error of Fastify', async () => {
    const { source, seen } = waitingSource();
    const told: unknown[] = [];
    const stream = {
      write: (line: string): void => {
        const { level, msg } = JSON.parse(line) as { level: number; msg: string };
        if (level > 30) told.push(msg);
      },
    };
    const app = fastify({ logger: { stream } });
    app.setErrorHandler(onFastify.queryErrorHandler());
    app.addHook('onError', async (_request, _reply, error) => void told.push(error));
    app.get('/tiles', onFastify.listEndpoint({ source, rules: tileRules }));
    await app.listen({ port: 0, host: '127.0.0.1' });
    expect(await leave((app.server.address() as AddressInfo).port, seen)).toBe(200);
    await app.close();
    expect(told).toEqual([]);
  });

  it('is not an error of Koa, and has a status of its own', async () => {
    const { source, seen } = waitingSource();
    const told: unknown[] = [];
    const statuses: number[] = [];
    const app = new Koa();
    app.on('error', (error: unknown) => told.push(error));
    app.use(async (context, next) => {
      await next();
      statuses.push(context.status);
    });
    app.use(onKoa.queryErrorHandler());
    app.use(onKoa.listEndpoint({ source, rules: tileRules }));
    const { port, close } = await listen(app.callback() as RequestListener);
    expect(await leave(port, seen)).toBe(200);
    await close();
    expect(told).toEqual([]);
    expect(statuses).toEqual([499, 200]);
  });

  it.each([
    ['Express', () => new ExpressAdapter()],
    ['Fastify', () => new FastifyAdapter()],
  ] as const)('is not an error of NestJS on %s', async (_, adapter) => {
    const { source, seen } = waitingSource();
    const told: unknown[] = [];
    const tell = (...given: unknown[]): void => void told.push(given);
    const logger: LoggerService = { log: () => undefined, warn: tell, error: tell, fatal: tell };
    @Controller('tiles')
    class Tiles {
      @Get()
      list(@onNest.QuerySignal() signal: AbortSignal): unknown {
        return runQuery(source, '', tileRules, { signal });
      }
    }
    @Module({ imports: [onNest.QueryModule.forRoot()], controllers: [Tiles] })
    class App {}
    const app = await NestFactory.create(App, adapter(), { logger });
    await app.listen(0, '127.0.0.1');
    const server = app.getHttpServer() as Server;
    expect(await leave((server.address() as AddressInfo).port, seen)).toBe(200);
    await app.close();
    expect(told).toEqual([]);
  });
});
