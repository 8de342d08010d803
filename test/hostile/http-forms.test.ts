/** Hostile requests over HTTP, read by the host in each of the three forms that a request may have. */

import querystring from 'node:querystring';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express from 'express';
import express4 from 'express-4';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QueryError, runQuery } from '../../src/index.ts';
import type { ListRequestInput } from '../../src/index.ts';
import { listEndpoint, queryErrorHandler } from '../../src/http/express/index.ts';
import { listen, send } from '../http/serve.ts';
import { holds, shareOf } from '../seed.ts';
import { sqliteCell } from './cells.ts';
import type { HostileCell } from './hostile-cell.ts';
import { hostileQueryString } from './request-strings.ts';
import { judge, patienceMs, Tally } from './verdict.ts';

let cell: HostileCell;
beforeAll(async () => {
  cell = await sqliteCell();
});
afterAll(() => cell.close());

const rawQuery = (target = ''): string => target.split('?').slice(1).join('?');
const rows = (input: ListRequestInput) => runQuery(cell.source, input, cell.rules);

type Next = (error: unknown) => void;
interface HostRequest {
  readonly url: string;
  readonly query: ListRequestInput;
}
interface HostResponse {
  json(body: unknown): unknown;
}

/** Routes of a host that passes what its framework has parsed. */
const byQuery = (request: HostRequest, response: HostResponse, next: Next): void =>
  void rows(request.query).then((result) => response.json(result), next);
const byParams = (request: HostRequest, response: HostResponse, next: Next): void =>
  void rows(new URLSearchParams(rawQuery(request.url))).then(
    (result) => response.json(result),
    next,
  );

function express4With(parser: 'simple' | 'extended'): RequestListener {
  const app = express4();
  app.set('query parser', parser);
  app.get('/raw', listEndpoint({ source: cell.source, rules: cell.rules }));
  app.get('/params', byParams);
  app.get('/object', byQuery);
  app.use(queryErrorHandler());
  return app;
}

function express5With(parser: 'simple' | 'extended'): RequestListener {
  const app = express();
  app.set('query parser', parser);
  app.get('/raw', listEndpoint({ source: cell.source, rules: cell.rules }));
  app.get('/params', byParams);
  app.get('/object', byQuery);
  app.use(queryErrorHandler());
  return app;
}

/** Node's server without a framework. */
function plainNode({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const text = rawQuery(url);
  const input = url.startsWith('/raw')
    ? text
    : url.startsWith('/params')
      ? new URLSearchParams(text)
      : querystring.parse(text);
  const answer = (status: number, body: unknown) => {
    response.statusCode = status;
    response.end(JSON.stringify(body));
  };
  rows(input).then(
    (result) => answer(200, result),
    (error: unknown) => answer(error instanceof QueryError ? error.status : 500, error),
  );
}

const hosts: readonly (readonly [string, () => RequestListener])[] = [
  ['Express 4 with qs', () => express4With('extended')],
  ['Express 4 with node:querystring', () => express4With('simple')],
  ['Express 5 with qs', () => express5With('extended')],
  ['Express 5 with node:querystring', () => express5With('simple')],
  ['node:http', () => plainNode],
];

describe.each(hosts)('up to 10,000 hostile requests to %s, in three forms', (_name, listener) => {
  it('are answered or refused, and mean the same', { timeout: 600_000 }, async () => {
    const server = await listen(listener());
    const tally = new Tally();
    try {
      await holds(
        fc.asyncProperty(hostileQueryString, async (request) => {
          const get = async (form: string) => {
            const start = performance.now();
            const outcome = await send(server.port, `/${form}?${request.input}`);
            expect(performance.now() - start).toBeLessThan(patienceMs);
            // The parser of an object may take a value for a name, which a refusal may repeat.
            judge(outcome, { ...request, ...(form === 'object' && { shifted: true }) }, tally);
            return outcome;
          };
          const raw = await get('raw');
          const params = await get('params');
          await get('object');
          // A repaired encoding is text; whatever is well encoded means the same.
          if (raw.status === 200) expect(params.body).toBe(raw.body);
        }),
        3334,
      );
    } finally {
      await server.close();
    }
    expect(tally.of('answered')).toBeGreaterThan(shareOf(500));
    expect(tally.total - tally.of('answered')).toBeGreaterThan(shareOf(500));
  });
});
