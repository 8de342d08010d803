import { request } from 'node:http';
import type { RequestListener } from 'node:http';
import { build } from 'esbuild';
import express from 'express';
import type { Request as Request5, RequestHandler as Handler5 } from 'express';
import express4 from 'express-4';
import type { Request as Request4, RequestHandler as Handler4 } from 'express-4';
import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { QueryError, defineQueryRules } from '../../src/index.ts';
import type { ListResult, QueryPlan } from '../../src/index.ts';
import { itemEndpoint, listEndpoint, queryErrorHandler } from '../../src/http/express/index.ts';
import type { QueryErrorHandlerOptions } from '../../src/http/express/index.ts';
import { advanceClock } from '../clock.ts';
import { applications, listen, send } from './serve.ts';
import type { Listening, QueryParser } from './serve.ts';
import { byColour, tileRegistry, tileRules, tiles, tileSource } from './tiles.ts';
import type { ReadTiles, Tile } from './tiles.ts';

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const open: Listening[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function start(listener: RequestListener): Promise<number> {
  const server = await listen(listener);
  open.push(server);
  return server.port;
}

/** Serves the tiles at `/tiles`, query errors as envelopes, and the names of other errors as plain text. */
function serveTiles(
  application: (typeof applications)[number],
  parser: QueryParser,
  answer?: ReadTiles,
): Promise<number> {
  const handler = listEndpoint({ source: tileSource(answer), rules: tileRules });
  const last = (
    error: unknown,
    _request: unknown,
    response: { status(code: number): { end(text: string): unknown } },
    _next: unknown,
  ) => void response.status(500).end(`unhandled: ${(error as Error).name}`);
  if (application.name === 'Express 4') {
    return start(
      application.create(parser, (app) => {
        app.get('/tiles', handler);
        app.use(queryErrorHandler());
        app.use(last);
      }),
    );
  }
  return start(
    application.create(parser, (app) => {
      app.get('/tiles', handler);
      app.use(queryErrorHandler());
      app.use(last);
    }),
  );
}

const page = (data: readonly Tile[]) => ({
  data,
  page: 1,
  perPage: 10,
  total: data.length,
  lastPage: 1,
});

describe.each(applications)('list endpoint under $name', (application) => {
  describe.each([undefined, 'simple', 'extended', false] as const)(
    'with query parser %s',
    (parser) => {
      it('reads the raw query string', async () => {
        const port = await serveTiles(application, parser);
        const answer = await send(port, '/tiles?filter[colour][in]=red,%22red%20%26%20blue%22');
        expect(answer.status).toBe(200);
        expect(answer.headers['content-type']).toContain('application/json');
        expect(JSON.parse(answer.body)).toEqual(page([tiles[0] as Tile, tiles[2] as Tile]));
      });

      it('responds to a refused request with the status and envelope of the error', async () => {
        const port = await serveTiles(application, parser);
        const answer = await send(port, '/tiles?filter[colour][like]=secret');
        expect(answer.status).toBe(400);
        expect(JSON.parse(answer.body)).toEqual({
          statusCode: 400,
          code: 'OPERATOR_NOT_ALLOWED',
          message: expect.any(String),
          details: { path: 'colour', operator: 'like' },
        });
        expect(answer.body).not.toContain('secret');
      });
    },
  );

  it('accepts a request without a query string, and one with an empty query string', async () => {
    const port = await serveTiles(application, undefined);
    expect(JSON.parse((await send(port, '/tiles')).body)).toEqual(page(tiles));
    expect(JSON.parse((await send(port, '/tiles?')).body)).toEqual(page(tiles));
  });

  it('responds to HEAD like GET without a body', async () => {
    const port = await serveTiles(application, undefined);
    const get = await send(port, '/tiles?filter[colour]=red');
    const head = await send(port, '/tiles?filter[colour]=red', 'HEAD');
    expect(head.status).toBe(200);
    expect(head.body).toBe('');
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
    expect((await send(port, '/tiles?nothing=1', 'HEAD')).status).toBe(400);
  });

  it('passes an error other than a QueryError to the next error handler', async () => {
    const port = await serveTiles(application, undefined, async () => {
      throw new SyntaxError('connection lost');
    });
    expect(await send(port, '/tiles')).toMatchObject({
      status: 500,
      body: 'unhandled: SyntaxError',
    });
  });

  it('responds to a server error with its envelope, without its cause', async () => {
    const port = await serveTiles(application, undefined, async () => {
      throw new QueryError(
        'ADAPTER_CONTRACT_VIOLATION',
        'The source gave no rows.',
        { model: 'tile' },
        {
          cause: new Error('select "secret" from tiles'),
        },
      );
    });
    const answer = await send(port, '/tiles');
    expect(answer.status).toBe(500);
    expect(JSON.parse(answer.body)).toEqual({
      statusCode: 500,
      code: 'ADAPTER_CONTRACT_VIOLATION',
      message: 'The source gave no rows.',
      details: { model: 'tile' },
    });
  });

  describe('an endpoint of one row', () => {
    const byId: ReadTiles = async ({ where }) =>
      tiles.filter(({ id }) => where?.type === 'condition' && where.value === id);
    const serve = async (): Promise<number> => {
      const config = { source: tileSource(byId), rules: tileRules };
      const one = itemEndpoint(config);
      const named = itemEndpoint({ ...config, key: ({ params }) => String(params['tile']) });
      const errors = queryErrorHandler();
      if (application.name === 'Express 4') {
        return start(
          application.create(undefined, (app) =>
            app.get('/tiles/:id', one).get('/named/:tile', named).use(errors),
          ),
        );
      }
      return start(
        application.create(undefined, (app) =>
          app.get('/tiles/:id', one).get('/named/:tile', named).use(errors),
        ),
      );
    };

    it('answers the row of the key, 404 where there is none, and 400 to parameters of lists', async () => {
      const port = await serve();
      for (const path of ['/tiles/2', '/tiles/2?fields=id,colour', '/named/2']) {
        const answer = await send(port, path);
        expect([answer.status, JSON.parse(answer.body)]).toEqual([200, tiles[1]]);
      }
      for (const path of ['/tiles/9', '/tiles/two', '/tiles/2%00', '/named/constructor']) {
        const answer = await send(port, path);
        expect([answer.status, JSON.parse(answer.body)]).toEqual([
          404,
          {
            statusCode: 404,
            code: 'ROW_NOT_FOUND',
            message: 'There is no row with this key.',
            details: { model: 'tile' },
          },
        ]);
      }
      const ofLists = [
        'filter[id]=2',
        'filter',
        'sort[]',
        'search=',
        'page=1',
        'cursor=',
        'perPage',
        'paginate',
      ];
      for (const text of ofLists) {
        const answer = await send(port, `/tiles/2?${text}`);
        expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
          400,
          { code: 'QUERY_SYNTAX_UNKNOWN_PARAM', details: { param: /^[a-zA-Z]+/.exec(text)?.[0] } },
        ]);
      }
    });

    it('says which parameter the route does not have', async () => {
      const told: unknown[] = [];
      const handler = itemEndpoint({ source: tileSource(), rules: tileRules });
      const errors = queryErrorHandler({ onError: (error) => void told.push(error) });
      const port = await start(
        application.name === 'Express 4'
          ? application.create(undefined, (app) => app.get('/tiles/:tile', handler).use(errors))
          : application.create(undefined, (app) => app.get('/tiles/:tile', handler).use(errors)),
      );
      expect((await send(port, '/tiles/2')).status).toBe(500);
      expect(told).toMatchObject([
        {
          code: 'SOURCE_CONFIGURATION_INVALID',
          message:
            'The route of itemEndpoint has no parameter "id"; name it so, or give the option "key".',
        },
      ]);
    });

    it('refuses what is wrong in its configuration', () => {
      const config = { source: tileSource(), rules: tileRules };
      // @ts-expect-error -- not an option
      expect(() => itemEndpoint({ ...config, keys: () => 1 })).toThrow(/keys/);
      // @ts-expect-error -- a page has a cursor, a row has none
      expect(() => itemEndpoint({ ...config, options: { cursorScope: 'a' } })).toThrow(
        /cursorScope/,
      );
    });
  });

  describe('a condition of transformPlan that cannot be', () => {
    const wrong = (plan: QueryPlan): QueryPlan => ({
      ...plan,
      where: { type: 'condition', path: 'id', operator: 'eq', value: 'tenant' },
    });
    const serveWrong = async (options?: QueryErrorHandlerOptions): Promise<number> => {
      const handler = listEndpoint({
        source: tileSource(),
        rules: tileRules,
        options: { transformPlan: wrong },
      });
      const errors = queryErrorHandler(options);
      if (application.name === 'Express 4') {
        return start(
          application.create(undefined, (app) => app.get('/tiles', handler).use(errors)),
        );
      }
      return start(application.create(undefined, (app) => app.get('/tiles', handler).use(errors)));
    };

    it('is a mistake of the host: 500, and logged', async () => {
      const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
      try {
        const { status, body } = await send(await serveWrong(), '/tiles?filter[colour]=red');
        expect(status).toBe(500);
        expect(JSON.parse(body)).toMatchObject({
          code: 'SOURCE_CONFIGURATION_INVALID',
          details: { path: 'id' },
        });
        expect(body).not.toContain('tenant"');
        expect(log.mock.calls).toEqual([[expect.any(QueryError)]]);
        await send(await serveWrong(), '/tiles?colour=red');
        expect(log).toHaveBeenCalledTimes(1);
      } finally {
        log.mockRestore();
      }
    });

    it('is passed to onError where there is one', async () => {
      const seen: unknown[] = [];
      const port = await serveWrong({ onError: (error) => seen.push(error.code) });
      expect((await send(port, '/tiles')).status).toBe(500);
      expect((await send(port, '/tiles?colour=red')).status).toBe(400);
      expect(seen).toEqual(['SOURCE_CONFIGURATION_INVALID']);
    });
  });

  it('responds with 503 and Retry-After while the database is unavailable', async () => {
    const port = await serveTiles(application, undefined, async () => {
      throw new QueryError('SOURCE_UNAVAILABLE', 'Try again later.', { retryAfterSeconds: 3 });
    });
    const answer = await send(port, '/tiles');
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('3');
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
  });

  it('logs why the database is unavailable, in one line a minute at most, and no statement', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const cause = new Error('Failed query: select secret', {
      cause: new AggregateError([new Error('connect ECONNREFUSED ::1:5432\n  further text')]),
    });
    const port = await serveTiles(application, undefined, async () => {
      throw new QueryError('SOURCE_UNAVAILABLE', 'Try again.', { retryAfterSeconds: 3 }, { cause });
    });
    const line =
      'A list could not be read, the database cannot answer: connect ECONNREFUSED ::1:5432';
    try {
      for (const told of [1, 1, 2]) {
        if (told > log.mock.calls.length) advanceClock(60_000);
        expect((await send(port, '/tiles')).status).toBe(503);
        expect(log.mock.calls).toEqual(Array.from({ length: told }, () => [line]));
      }
    } finally {
      log.mockRestore();
    }
  });

  it('aborts the running query when the client disconnects', async () => {
    const { promise: aborted, resolve } = deferred<string>();
    const { promise: started, resolve: start } = deferred<void>();
    const port = await serveTiles(application, undefined, (_plan, { signal }) => {
      start();
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          resolve((signal.reason as Error).name);
          reject(signal.reason as Error);
        });
      });
    });
    const outgoing = request({ port, host: '127.0.0.1', path: '/tiles' });
    outgoing.on('error', () => undefined);
    outgoing.end();
    await started;
    outgoing.destroy();
    expect(await aborted).toBe('AbortError');
  });

  it('does not abort after the response has been sent', async () => {
    const signals: AbortSignal[] = [];
    const port = await serveTiles(application, undefined, (plan, options) => {
      if (options.signal) signals.push(options.signal);
      return byColour(plan, options);
    });
    await send(port, '/tiles');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(signals.map((signal) => signal.aborted)).toEqual([false]);
  });
});

describe('list endpoint', () => {
  it('reads the query string of a request inside a mounted router', async () => {
    const app = express();
    const router = express.Router();
    router.get('/list', listEndpoint({ source: tileSource(), rules: tileRules }));
    app.use('/shop', router);
    const port = await start(app);
    const answer = await send(port, '/shop/list?filter[colour]=green');
    expect(JSON.parse(answer.body)).toEqual(page([tiles[1] as Tile]));
  });

  it('accepts functions of the request for source and options, synchronous or asynchronous', async () => {
    const app = express();
    const seen: unknown[] = [];
    app.get(
      '/:tenant/tiles',
      listEndpoint({
        source: async (incoming: Request5) =>
          tileSource(async () =>
            tiles.filter(({ id }) => String(id) === incoming.params['tenant']),
          ),
        rules: tileRules,
        options: (incoming) => ({
          transformPlan: (plan) => {
            seen.push(incoming.params['tenant'], plan.model);
            return plan;
          },
        }),
      }),
    );
    const port = await start(app);
    expect(JSON.parse((await send(port, '/2/tiles')).body)).toEqual(page([tiles[1] as Tile]));
    expect(seen).toEqual(['2', 'tile']);
  });

  it('takes the scope of a request from a function, and answers 500 where it has none', async () => {
    const rules = defineQueryRules(
      tileRegistry,
      'tile',
      { fields: { root: { allowed: ['id', 'colour'], default: ['id', 'colour'] } } },
      {
        scopes: {
          tile: ({ colour }: { readonly colour: string }) => ({
            type: 'condition',
            path: 'colour',
            operator: 'eq',
            value: colour,
          }),
        },
      },
    );
    const seen: unknown[] = [];
    const source = {
      ...tileSource((plan) => {
        seen.push(plan.scopes);
        return byColour(plan, {});
      }),
      servesScopes: true,
    };
    const app = express();
    app.get(
      '/:colour/tiles',
      listEndpoint({
        source,
        rules,
        scope: async (incoming: Request5) => ({ colour: String(incoming.params['colour']) }),
      }),
    );
    const options = { scope: { colour: 'blue' } };
    app.get('/options', listEndpoint({ source, rules, options }));
    app.get('/both', listEndpoint({ source, rules, scope: () => ({ colour: 'red' }), options }));
    app.get('/tiles', listEndpoint({ source, rules }));
    app.use(queryErrorHandler());
    const port = await start(app);
    expect((await send(port, '/green/tiles')).status).toBe(200);
    expect((await send(port, '/options')).status).toBe(200);
    // The scope of the endpoint stands over that of its options.
    expect((await send(port, '/both')).status).toBe(200);
    const eq = { type: 'condition', path: 'colour', operator: 'eq' };
    const values = ['green', 'blue', 'red'];
    expect(seen).toEqual(values.map((value) => ({ tile: { ...eq, value } })));
    const missing = await send(port, '/tiles');
    expect([missing.status, JSON.parse(missing.body)]).toMatchObject([
      500,
      { code: 'SCOPE_MISSING' },
    ]);
    expect(seen).toHaveLength(3);
  });

  it('passes an error of such a function to the error handler', async () => {
    const app = express4();
    app.get(
      '/tiles',
      listEndpoint({
        source: (): never => {
          throw new QueryError('FIELD_NOT_ALLOWED', 'No such tenant.');
        },
        rules: tileRules,
      }),
    );
    app.use(queryErrorHandler());
    expect((await send(await start(app), '/tiles')).status).toBe(400);
  });

  it('also respects the signal of the host', async () => {
    const own = new AbortController();
    const signals: (AbortSignal | undefined)[] = [];
    const app = express();
    app.get(
      '/tiles',
      listEndpoint({
        source: tileSource((plan, options) => {
          signals.push(options.signal);
          return byColour(plan, options);
        }),
        rules: tileRules,
        options: { signal: own.signal },
      }),
    );
    await send(await start(app), '/tiles');
    expect(signals).toEqual([own.signal]);
  });

  it('runs no query for a client that has already disconnected', async () => {
    let ran = false;
    const { promise: done, resolve } = deferred<void>();
    const app = express();
    const handler = listEndpoint({
      source: tileSource(async () => {
        ran = true;
        return tiles;
      }),
      rules: tileRules,
    });
    app.get('/tiles', (incoming, response, next) => {
      response.once('close', () => void handler(incoming, response, next).then(resolve));
      response.destroy();
    });
    const port = await start(app);
    await expect(send(port, '/tiles')).rejects.toThrow();
    await done;
    expect(ran).toBe(false);
  });

  it('imports no framework at run time', async () => {
    const { metafile } = await build({
      entryPoints: [new URL('../../src/http/express/index.ts', import.meta.url).pathname],
      bundle: true,
      packages: 'external',
      platform: 'neutral',
      metafile: true,
      write: false,
    });
    const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
    expect(imports).toEqual([]);
  });

  it('passes the QueryError to the error handlers of an application', async () => {
    const app = express();
    app.get('/tiles', listEndpoint({ source: tileSource(), rules: tileRules }));
    app.use(((error: unknown, _request, response, _next) => {
      response.status(418).end(error instanceof QueryError ? error.code : 'other');
    }) as express.ErrorRequestHandler);
    const answer = await send(await start(app), '/tiles?nothing=1');
    expect(answer).toMatchObject({ status: 418, body: 'QUERY_SYNTAX_UNKNOWN_PARAM' });
  });
});

it('an error after the beginning of a response is for the next error handler', async () => {
  const app = express();
  const told: unknown[] = [];
  app.get('/tiles', (_request, response, next) => {
    response.write('begun');
    next(new QueryError('SOURCE_UNAVAILABLE', 'Away.'));
  });
  app.use(queryErrorHandler());
  app.use(((error: unknown, _request, response, _next) => {
    told.push(error);
    response.end(', ended');
  }) as express.ErrorRequestHandler);
  expect(await send(await start(app), '/tiles')).toMatchObject({
    status: 200,
    body: 'begun, ended',
  });
  expect(told).toEqual([expect.objectContaining({ code: 'SOURCE_UNAVAILABLE' })]);
});

describe('types of the list endpoint', () => {
  it('fit both major versions without a cast and infer the rows', () => {
    const handler = listEndpoint({ source: tileSource(), rules: tileRules });
    expectTypeOf(handler).toExtend<Handler5>();
    expectTypeOf(handler).toExtend<Handler4>();
    expectTypeOf(handler).toExtend<Handler5<Record<string, string>, ListResult<Tile>>>();
    expectTypeOf(queryErrorHandler()).toExtend<express.ErrorRequestHandler>();
    expectTypeOf(queryErrorHandler()).toExtend<express4.ErrorRequestHandler>();
    const perRequest = listEndpoint({
      source: (incoming: Request4) => {
        expectTypeOf(incoming.ip).toEqualTypeOf<string | undefined>();
        return tileSource();
      },
      rules: tileRules,
    });
    expectTypeOf(perRequest).toExtend<Handler4>();
  });
});
