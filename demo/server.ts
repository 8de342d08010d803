/** The HTTP server of the demo: the list endpoints, the index page, and the data of the page. */

import { fileURLToPath } from 'node:url';

import type { Express, RequestHandler } from 'express';
import express from 'express';

import { listEndpoint, queryErrorHandler } from '../src/http/express/index.ts';
import type { Endpoint } from './endpoints.ts';
import { examples } from './examples.ts';
import { explain } from './explain.ts';
import { describeEndpoint } from './meta.ts';

const page = fileURLToPath(new URL('page/', import.meta.url));

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const secureHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
  next();
};

const rawQuery = (url: string): string => url.split('?').slice(1).join('?');

/** A mounted board. */
export interface MountedBoard {
  /** Library and datastore of its queues. */
  readonly title: string;
  readonly path: string;
  readonly router: RequestHandler;
}

/** The demo's Express application. */
export function createApp(
  endpoints: readonly Endpoint[],
  boards: readonly MountedBoard[],
): Express {
  const app = express();
  app.disable('x-powered-by');
  // Boards set their own content security policy.
  for (const { path, router } of boards) app.use(path, router);
  app.use(secureHeaders);
  for (const { path, source, rules } of endpoints) {
    app.get(path, listEndpoint({ source, rules, options: { timeoutMs: 10_000 } }));
  }
  app.get('/meta', (_request, response) => {
    response.json({
      endpoints: endpoints.map((endpoint) => ({
        database: endpoint.database,
        list: endpoint.list,
        ...describeEndpoint(endpoint.rules),
      })),
      examples,
    });
  });
  for (const endpoint of endpoints) {
    app.get(`/explain${endpoint.path}`, async (request, response) => {
      response.json(await explain(endpoint, rawQuery(request.originalUrl)));
    });
  }
  app.use(express.static(page));
  app.use(queryErrorHandler());
  return app;
}
