/**
 * Servers that answer the same list requests with the same bytes, on three HTTP frameworks: the driver by hand, Sluice, and
 * a constant body, which shows the share of HTTP.
 */

import { type RequestListener, type ServerResponse, createServer } from 'node:http';
import express from 'express';
import fastify from 'fastify';
import { listEndpoint, queryErrorHandler } from '../../src/http/express/index.ts';
import { runQuery } from '../../src/index.ts';
import type { Contender } from '../lists/contender.ts';
import { endpointPostgres } from '../lists/endpoint-pg.ts';
import { sluiceOnDrizzlePostgres } from '../lists/sluice-drizzle.ts';
import { rawPostgres } from '../lists/raw-pg.ts';
import { type RequestName, type RequestValues, perPage } from '../lists/requests.ts';
import { sluiceOnDriver } from '../lists/sluice-sql.ts';
import { sluiceOnTypeorm } from '../lists/sluice-typeorm.ts';

/** The requests that are measured: a counted page, and a page by cursor. */
export const httpRequests = ['Q0', 'Q7'] as const satisfies readonly RequestName[];

export type HttpRequest = (typeof httpRequests)[number];

type Open = (values: readonly RequestValues[]) => Contender | Promise<Contender>;

/**
 * How a server answers: Sluice; the driver by hand, which reads the same query string and sends the same bytes; the same
 * without a query string and cursors; or the bytes alone, which are known before, without a database or behind an answer
 * of the database that is not read.
 */
type Kind = 'sluice' | 'raw' | 'bare' | 'floor';

interface Server {
  readonly framework: 'Express' | 'node:http' | 'Fastify';
  readonly open: Open;
  readonly kind: Kind;
}

const bare: Open = () => rawPostgres(true);
const onDriver: Open = (values) => sluiceOnDriver('pg', values);

/** The servers by name. The reference of each framework comes first. */
export const servers = {
  'Express, raw named': { framework: 'Express', open: endpointPostgres, kind: 'raw' },
  'Express, raw named, without cursors': { framework: 'Express', open: bare, kind: 'bare' },
  'Express, constant': { framework: 'Express', open: endpointPostgres, kind: 'floor' },
  'Express, Sluice on the driver': { framework: 'Express', open: onDriver, kind: 'sluice' },
  'Express, Sluice on Drizzle': {
    framework: 'Express',
    open: sluiceOnDrizzlePostgres,
    kind: 'sluice',
  },
  'Express, Sluice on TypeORM': {
    framework: 'Express',
    open: (values) => sluiceOnTypeorm('pg', false, values),
    kind: 'sluice',
  },
  'node:http, raw named': { framework: 'node:http', open: endpointPostgres, kind: 'raw' },
  'node:http, constant': { framework: 'node:http', open: endpointPostgres, kind: 'floor' },
  'node:http, Sluice on the driver': { framework: 'node:http', open: onDriver, kind: 'sluice' },
  'Fastify, raw named': { framework: 'Fastify', open: endpointPostgres, kind: 'raw' },
  'Fastify, constant': { framework: 'Fastify', open: endpointPostgres, kind: 'floor' },
  'Fastify, Sluice on the driver': { framework: 'Fastify', open: onDriver, kind: 'sluice' },
} as const satisfies { readonly [name: string]: Server };

export type ServerName = keyof typeof servers;

/** The path and query string of a request. */
export function targetOf(contender: Contender, request: RequestName, variant: number): string {
  const { endpoint, byHand } = contender;
  return `/${request}/${variant}?${(endpoint ?? byHand)?.query(request, variant) ?? ''}`;
}

function partsOf(url: string): { request: RequestName; variant: number; query: string } {
  const mark = url.indexOf('?');
  const [, request = '', variant = ''] = url.slice(0, mark).split('/');
  return { request: request as RequestName, variant: Number(variant), query: url.slice(mark + 1) };
}

/** Answers a URL with a body; `parsed` has the parameters where the framework parses query strings. */
type Respond = (url: string, parsed?: Readonly<Record<string, unknown>>) => Promise<object>;

function respondOf(contender: Contender, values: readonly RequestValues[]): Respond {
  const { endpoint, byHand } = contender;
  if (endpoint) {
    return (url) => runQuery(endpoint.source, url.slice(url.indexOf('?') + 1), endpoint.rules);
  }
  if (byHand) {
    return (url, parsed) => {
      if (parsed) return byHand.answer((name) => parsed[name]);
      const parameters = new URLSearchParams(url.slice(url.indexOf('?') + 1));
      return byHand.answer((name) => parameters.get(name) ?? undefined);
    };
  }
  return async (url) => {
    const { request, variant } = partsOf(url);
    const asked = values[variant] as RequestValues;
    const { data, total } = await contender.answer(request, asked, variant);
    if (total === undefined) return { data, perPage, nextCursor: '', prevCursor: '' };
    return { data, page: 1, perPage, total, lastPage: Math.ceil(total / perPage) };
  };
}

/** The bodies of all targets, as text. */
async function bodiesOf(
  contender: Contender,
  respond: Respond,
  values: readonly RequestValues[],
): Promise<ReadonlyMap<string, string>> {
  const bodies = new Map<string, string>();
  for (const request of httpRequests) {
    for (const variant of values.keys()) {
      const url = targetOf(contender, request, variant);
      bodies.set(url, JSON.stringify(await respond(url)));
    }
  }
  return bodies;
}

const type = 'application/json; charset=utf-8';

/** A listener of a framework. */
export async function listenerOf(
  { framework, kind }: Server,
  contender: Contender,
  values: readonly RequestValues[],
): Promise<RequestListener> {
  const respond = respondOf(contender, values);
  const known = kind === 'floor' ? await bodiesOf(contender, respond, values) : undefined;
  switch (framework) {
    case 'Express': {
      const app = express();
      const { endpoint } = contender;
      const path = '/:request/:variant';
      if (known) {
        app.get(path, ({ originalUrl }, response) => {
          response.type(type).send(known.get(originalUrl));
        });
      } else if (endpoint) {
        const { source, rules } = endpoint;
        app.get(path, listEndpoint({ source, rules }));
        app.use(queryErrorHandler());
      } else {
        app.get(path, (request, response, next) => {
          respond(request.originalUrl, kind === 'raw' ? request.query : undefined).then(
            (answer) => response.json(answer),
            next,
          );
        });
      }
      return app;
    }
    case 'node:http': {
      const send = (response: ServerResponse, body: string): void => {
        const chunk = Buffer.from(body);
        response.writeHead(200, { 'Content-Type': type, 'Content-Length': chunk.length });
        response.end(chunk);
      };
      return ({ url = '' }, response) => {
        if (known) send(response, known.get(url) ?? '');
        else void respond(url).then((answer) => send(response, JSON.stringify(answer)));
      };
    }
    case 'Fastify': {
      const app = fastify();
      app.get('/:request/:variant', (request, reply) => {
        if (known) return reply.type(type).send(known.get(request.url));
        return respond(request.url, request.query as Record<string, unknown>);
      });
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
