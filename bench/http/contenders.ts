/** Servers that answer the same list requests: the driver by hand, and Sluice, on three HTTP frameworks. */

import { createServer, type RequestListener } from 'node:http';
import express from 'express';
import fastify from 'fastify';
import { listEndpoint, queryErrorHandler } from '../../src/http/express/index.ts';
import { runQuery } from '../../src/index.ts';
import type { Contender } from '../lists/contender.ts';
import { sluiceOnDrizzlePostgres } from '../lists/sluice-drizzle.ts';
import { rawPostgres } from '../lists/raw-pg.ts';
import { type RequestName, type RequestValues, perPage } from '../lists/requests.ts';
import { sluiceOnPg } from '../lists/sluice-sql.ts';
import { sluiceOnTypeorm } from '../lists/sluice-typeorm.ts';

/** The requests that are measured: a counted page, and a page by cursor. */
export const httpRequests = ['Q0', 'Q7'] as const satisfies readonly RequestName[];

export type HttpRequest = (typeof httpRequests)[number];

type Open = (values: readonly RequestValues[]) => Contender | Promise<Contender>;

interface Server {
  readonly framework: 'Express' | 'node:http' | 'Fastify';
  readonly open: Open;
  readonly isRaw: boolean;
}

const raw: Open = () => rawPostgres(true);

/** The servers by name. The reference of each framework comes first. */
export const servers = {
  'Express, raw named': { framework: 'Express', open: raw, isRaw: true },
  'Express, Sluice on the driver': { framework: 'Express', open: sluiceOnPg, isRaw: false },
  'Express, Sluice on Drizzle': {
    framework: 'Express',
    open: sluiceOnDrizzlePostgres,
    isRaw: false,
  },
  'Express, Sluice on TypeORM': {
    framework: 'Express',
    open: (values) => sluiceOnTypeorm('pg', false, values),
    isRaw: false,
  },
  'node:http, raw named': { framework: 'node:http', open: raw, isRaw: true },
  'node:http, Sluice on the driver': { framework: 'node:http', open: sluiceOnPg, isRaw: false },
  'Fastify, raw named': { framework: 'Fastify', open: raw, isRaw: true },
  'Fastify, Sluice on the driver': { framework: 'Fastify', open: sluiceOnPg, isRaw: false },
} as const satisfies { readonly [name: string]: Server };

export type ServerName = keyof typeof servers;

/** The target of a request. The reference reads its variant and no filters, which favours it. */
export function targetOf(contender: Contender, request: RequestName, variant: number): string {
  return `/${request}/${variant}?${contender.endpoint?.query(request, variant) ?? ''}`;
}

function partsOf(url: string): { request: RequestName; variant: number; query: string } {
  const mark = url.indexOf('?');
  const [, request = '', variant = ''] = url.slice(0, mark).split('/');
  return { request: request as RequestName, variant: Number(variant), query: url.slice(mark + 1) };
}

/** The body of an answer: the members of an offset page, or of a page by cursor. */
async function body(contender: Contender, url: string, values: readonly RequestValues[]) {
  const { request, variant, query } = partsOf(url);
  const { endpoint } = contender;
  if (endpoint) return runQuery(endpoint.source, query, endpoint.rules);
  const { data, total } = await contender.answer(
    request,
    values[variant] as RequestValues,
    variant,
  );
  if (total === undefined) return { data, perPage, nextCursor: '', prevCursor: '' };
  return { data, page: 1, perPage, total, lastPage: Math.ceil(total / perPage) };
}

/** A listener of a framework; `null` where the framework listens by itself. */
export async function listenerOf(
  { framework, isRaw }: Server,
  contender: Contender,
  values: readonly RequestValues[],
): Promise<RequestListener> {
  switch (framework) {
    case 'Express': {
      const app = express();
      const { endpoint } = contender;
      if (endpoint && !isRaw) {
        const { source, rules } = endpoint;
        app.get('/:request/:variant', listEndpoint({ source, rules }));
        app.use(queryErrorHandler());
      } else {
        app.get('/:request/:variant', (request, response, next) => {
          body(contender, request.originalUrl, values).then(
            (answer) => response.json(answer),
            next,
          );
        });
      }
      return app;
    }
    case 'node:http':
      return (request, response) => {
        void body(contender, request.url ?? '', values).then((answer) => {
          const chunk = Buffer.from(JSON.stringify(answer));
          response.writeHead(200, {
            'Content-Type': 'application/json; charset=utf-8',
            'Content-Length': chunk.length,
          });
          response.end(chunk);
        });
      };
    case 'Fastify': {
      const app = fastify();
      app.get('/:request/:variant', (request) => body(contender, request.url, values));
      await app.ready();
      return (request, response) => app.routing(request, response);
    }
  }
}

/** Starts to listen on a free port of the loopback interface. */
export async function portOf(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : Number.NaN;
}
