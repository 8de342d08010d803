/** The answer of a list endpoint beside that of `res.json`, byte for byte, under settings and middleware of the host. */

import { createHash } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { type QuerySource, runQuery } from '../../src/index.ts';
import { RowsText, withText } from '../../src/rules/index.ts';
import { listEndpoint } from '../../src/http/express/index.ts';
import { type Listening, applications, listen } from './serve.ts';
import { type Tile, tileRules, tileSource } from './tiles.ts';

/** The part of an application that both versions of Express have. */
interface App {
  get(path: string, ...handlers: Handler[]): unknown;
  set(name: string, value: unknown): unknown;
  use(handler: Handler): unknown;
  readonly response: Response;
}

interface Response {
  statusCode: number;
  statusMessage: string;
  json(body: unknown): unknown;
  setHeader(name: string, value: string): unknown;
  set(name: string, value: string): unknown;
  end(...given: unknown[]): unknown;
}

type Handler = (request: { readonly url: string }, response: Response, next: () => void) => unknown;

const hosts: Readonly<Record<string, (app: App) => void>> = {
  'default settings': () => undefined,
  'no ETag': (app) => app.set('etag', false),
  'strong ETags': (app) => app.set('etag', 'strong'),
  'ETags of its own': (app) =>
    app.set('etag', (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`),
  spaces: (app) => app.set('json spaces', 2),
  'a replacer': (app) =>
    app.set('json replacer', (key: string, value: unknown) => (key === 'colour' ? 'x' : value)),
  'a replacer that looks at the object': (app) =>
    app.set('json replacer', function (this: Record<string, unknown>, key: string, value: unknown) {
      return Array.isArray(this[key]) ? { items: (this[key] as unknown[]).length } : value;
    }),
  escapes: (app) => app.set('json escape', true),
  'a status': (app) =>
    app.use((_, response, next) => {
      response.statusCode = 203;
      next();
    }),
  'an ETag': (app) =>
    app.use((_, response, next) => {
      response.setHeader('ETag', '"fixed"');
      next();
    }),
  'a type': (app) =>
    app.use((_, response, next) => {
      response.setHeader('Content-Type', 'application/vnd.tiles+json');
      next();
    }),
  'a header of Latin-1': (app) =>
    app.use((_, response, next) => {
      response.setHeader('X-Town', 'Z\u00fcrich');
      next();
    }),
  'a status message of Latin-1': (app) =>
    app.use((_, response, next) => {
      response.statusMessage = 'Gr\u00fcezi';
      next();
    }),
  'a wrapper of json': (app) =>
    app.use((_, response, next) => {
      const json = response.json.bind(response);
      response.json = (body) => json({ wrapped: body });
      next();
    }),
  'a wrapper of all responses': (app) => {
    const { json } = app.response;
    app.response.json = function (this: Response, body) {
      return json.call(this, { wrapped: body });
    };
  },
  'a wrapper of json that is set during the read': (app) =>
    app.use((_, response, next) => {
      next();
      const json = response.json.bind(response);
      response.json = (body) => json((body as { data: readonly unknown[] }).data.map(String));
    }),
  'a wrapper of set': (app) =>
    app.use((_, response, next) => {
      const set = response.set.bind(response);
      response.set = (name, value) => set(name, name === 'Content-Type' ? 'text/json' : value);
      next();
    }),
  'a wrapper of end': (app) =>
    app.use((_, response, next) => {
      const end = response.end.bind(response);
      response.end = (...given) => {
        response.setHeader('X-Length', String((given[0] as Buffer | undefined)?.length ?? 0));
        return end(...given);
      };
      next();
    }),
  'an end of the application': ({ response }) => {
    const { end } = response;
    response.end = function (this: Response, ...given) {
      this.setHeader('X-Given', given[0] === undefined ? 'nothing' : typeof given[0]);
      return end.apply(this, given);
    };
  },
  'a listener that reads headers': (app) =>
    app.use((_, response, next) => {
      const setHeader = response.setHeader.bind(response);
      response.setHeader = (name, value) => {
        if (name === 'Content-Length') setHeader('X-Length', typeof value);
        return setHeader(name, value);
      };
      next();
    }),
};

const open: Listening[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

interface Raw {
  readonly status: number | undefined;
  readonly headers: readonly string[];
  readonly body: string;
}

function ask(port: number, method: string, path: string, headers: object): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const read = (answer: IncomingMessage): void => {
      let body = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      answer.on('end', () => {
        const { statusCode: status, rawHeaders } = answer;
        const pairs = rawHeaders.flatMap((name, at) =>
          at % 2 === 0 && name !== 'Date' ? [`${name}: ${rawHeaders[at + 1]}`] : [],
        );
        resolve({ status, headers: pairs, body });
      });
    };
    const sent = request({ port, method, path, headers: { ...headers }, agent: false }, read);
    sent.on('error', reject).end();
  });
}

const colours = {
  ASCII: ['red', 'a "b"\\\n'],
  'Latin-1': ['red', 'gr\u00fcn'],
  'other letters': ['\u2028', '\u{1d11e} \ud800'],
  markup: ['</script><!--', '&lt;'],
} as const;

const cases = Object.entries(hosts).flatMap(([host, configure]) =>
  Object.entries(colours).map(([rows, [first, second]]) => ({
    host,
    configure,
    rows,
    tiles: [first, second].map((colour, index) => ({ id: index + 1, colour })),
  })),
);

/** A source whose rows may be text, as those of `pg` are. */
function textSource(tiles: readonly Tile[]): QuerySource<Tile> {
  const source = tileSource(async () => tiles);
  return withText({
    ...source,
    prepare(plan, rules, options) {
      const read = source.prepare(plan, rules, options);
      if (!options.asText) return read;
      const rows = new RowsText(JSON.stringify(tiles).slice(1, -1), tiles.length);
      return { ...read, rows: async () => ({ rows: rows as unknown as Tile[], hasMore: false }) };
    },
  });
}

describe.each(applications)('the answer under $name', ({ create }) => {
  it.each(cases)('is that of res.json with $host and rows in $rows', async (given) => {
    const { configure, tiles } = given;
    const source = textSource(tiles);
    const install = (app: unknown): void => {
      const application = app as App;
      configure(application);
      application.get('/list', listEndpoint({ source, rules: tileRules }) as unknown as Handler);
      application.get('/json', async ({ url }, response) => {
        const answer = await runQuery(source, url.split('?')[1] ?? '', tileRules);
        response.json(answer);
      });
    };
    const server = await listen(
      (create as (parser: undefined, use: typeof install) => never)(undefined, install),
    );
    open.push(server);
    const both = async (method: string, headers: object): Promise<Raw> => {
      const list = await ask(server.port, method, '/list?perPage=2', headers);
      expect(list).toEqual(await ask(server.port, method, '/json?perPage=2', headers));
      return list;
    };
    const { headers } = await both('GET', {});
    await both('HEAD', {});
    const etag = headers.find((header) => header.startsWith('ETag: '))?.slice(6);
    for (const tag of [etag ?? '"none"', '"other"', '*']) {
      await both('GET', { 'If-None-Match': tag });
      await both('HEAD', { 'If-None-Match': tag });
      await both('GET', { 'If-None-Match': tag, 'Cache-Control': 'no-cache' });
    }
    await both('GET', { 'If-Modified-Since': new Date().toUTCString() });
  });

  it('is that of res.json where a host replaces it after a request', async () => {
    const source = textSource([{ id: 1, colour: 'red' }]);
    let prototype = {} as Response;
    const install = (app: unknown): void => {
      const application = app as App;
      prototype = Object.getPrototypeOf(application.response) as Response;
      application.get('/list', listEndpoint({ source, rules: tileRules }) as unknown as Handler);
    };
    const server = await listen(
      (create as (parser: undefined, use: typeof install) => never)(undefined, install),
    );
    open.push(server);
    const first = await ask(server.port, 'GET', '/list', {});
    expect(JSON.parse(first.body)).toMatchObject({ data: [{ id: 1 }] });
    const { json } = prototype;
    prototype.json = function (this: Response, body) {
      return json.call(this, { rows: (body as { data: readonly unknown[] }).data.length });
    };
    const second = await ask(server.port, 'GET', '/list', {});
    prototype.json = json;
    expect(second.body).toBe('{"rows":1}');
  });
});
