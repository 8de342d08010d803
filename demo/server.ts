/** The HTTP server of the demo: the list endpoints, the index page, and the data of the page. */

import type { Express, RequestHandler } from 'express';
import express from 'express';

import { pageFiles } from '../src/board/core/page/assets.ts';
import { page } from '../src/board/core/page/page.ts';
import { listEndpoint, queryErrorHandler } from '../src/http/express/index.ts';
import type { Endpoint } from './endpoints.ts';
import { examples } from './examples.ts';
import { explain } from './explain.ts';
import { demoBoards } from './jobs/links.ts';
import { describeEndpoint } from './meta.ts';
import { collectStatements } from './statements.ts';

const { entry, serve } = pageFiles(await import('./page-assets.generated.ts'));

/** Answers of the API are data; the page has a policy of its own. */
const secureHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
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
      boards: demoBoards.map(({ title, basePath }) => ({ title, path: basePath })),
    });
  });
  for (const endpoint of endpoints) {
    app.get(`/explain${endpoint.path}`, async (request, response) => {
      response.json(await explain(endpoint, rawQuery(request.originalUrl), collectStatements));
    });
  }
  app.get('/', (_request, response) => {
    const uiConfig = { boardTitle: 'Sluice demo' };
    const instead = { path: '/meta', name: 'endpoints and examples' };
    const { headers, body } = page({ entry, uiConfig, basePath: '', instead });
    response.set(headers).send(body);
  });
  app.get('/assets/:name', (request, response, next) => {
    serve(request.path, request.headers).then((file) => {
      if (!file) return next();
      response.status(file.status).set(file.headers).end(file.body);
    }, next);
  });
  app.use(queryErrorHandler());
  return app;
}
