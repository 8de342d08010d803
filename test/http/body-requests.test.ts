/** Lists whose parameters are the body of a POST or QUERY request: Express 4 and 5, with and without body parsers. */

import { request } from 'node:http';
import { connect } from 'node:net';
import type { RequestListener } from 'node:http';
import express from 'express';
import express4 from 'express-4';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyRequest, planQuery, runQuery } from '../../src/index.ts';
import { listEndpoint, queryErrorHandler } from '../../src/http/express/index.ts';
import { refusalOf } from '../unit/refusal.ts';
import { type Listening, listen } from './serve.ts';
import { tileRules, tileSource } from './tiles.ts';

interface Sent {
  readonly method?: string;
  readonly target?: string;
  readonly type?: string | undefined;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string;
}

interface Answered {
  readonly status: number;
  readonly body: unknown;
}

/** Sends a body; without a type, the header is absent. */
function send(
  port: number,
  { method = 'POST', target = '/tiles', ...sent }: Sent,
): Promise<Answered> {
  const { type = 'application/x-www-form-urlencoded', headers, body = '' } = sent;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        port,
        host: '127.0.0.1',
        path: target,
        method,
        headers: { ...(type && { 'content-type': type }), ...headers },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(text) as unknown });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const handler = () => listEndpoint({ source: tileSource(), rules: tileRules });

const applications: { readonly [name: string]: () => RequestListener } = {
  'Express 4': () => {
    const app = express4();
    app.all('/tiles', handler());
    return app.use(queryErrorHandler()) as unknown as RequestListener;
  },
  'Express 4 with body parsers': () => {
    const app = express4();
    app.use(express4.json(), express4.urlencoded({ extended: true }));
    app.all('/tiles', handler());
    return app.use(queryErrorHandler()) as unknown as RequestListener;
  },
  'Express 5': () => {
    const app = express();
    app.all('/tiles', handler());
    return app.use(queryErrorHandler()) as unknown as RequestListener;
  },
  'Express 5 with body parsers': () => {
    const app = express();
    app.use(express.json(), express.urlencoded({ extended: true }));
    app.all('/tiles', handler());
    return app.use(queryErrorHandler()) as unknown as RequestListener;
  },
  'Express 5 with bodies as text': () => {
    const app = express();
    app.use(express.text({ type: '*/*' }));
    app.all('/tiles', handler());
    return app.use(queryErrorHandler()) as unknown as RequestListener;
  },
  'Express 5 with bodies as bytes': () => {
    const app = express();
    app.use(express.raw({ type: '*/*' }));
    app.all('/tiles', handler());
    return app.use(queryErrorHandler()) as unknown as RequestListener;
  },
};

const query = 'filter[colour][in]=red,green&fields=id&perPage=2';
const expected = await runQuery(tileSource(), query, tileRules);

describe.each(Object.entries(applications))('%s', (name, create) => {
  let server: Listening;
  beforeAll(async () => {
    server = await listen(create());
  });
  afterAll(() => server.close());
  const sent = (each: Sent) => send(server.port, each);

  it.each(['POST', 'QUERY'])('answers a %s request as the same query string', async (method) => {
    expect(await sent({ method, body: query })).toEqual({ status: 200, body: expected });
    expect(await sent({ method, type: 'text/plain', body: query })).toEqual({
      status: 200,
      body: expected,
    });
  });

  it('adds the parameters of the address', async () => {
    const [filter = '', ...others] = query.split('&');
    const target = `/tiles?${others.join('&')}`;
    expect(await sent({ target, body: filter })).toEqual({ status: 200, body: expected });
    const twice = await sent({ target, body: 'perPage=3' });
    expect(twice).toMatchObject({ status: 400, body: { details: { param: 'perPage' } } });
  });

  it('answers an empty body as the address alone', async () => {
    expect(await sent({ target: `/tiles?${query}` })).toEqual({ status: 200, body: expected });
    expect(await sent({ target: `/tiles?${query}`, type: '' })).toEqual({
      status: 200,
      body: expected,
    });
  });

  it('takes lists that no address holds', async () => {
    const colours = Array.from({ length: 900 }, (_, at) => `red-${'x'.repeat(40)}-${at}`);
    const body = `filter[colour][in]=${[...colours, 'red', 'green'].join()}&fields=id&perPage=2`;
    expect(body.length).toBeGreaterThan(40_000);
    expect(await sent({ body })).toEqual({ status: 200, body: expected });
    expect(await sent({ method: 'GET', target: `/tiles?${body}` })).toMatchObject({ status: 400 });
  });

  it('refuses unknown parameters, and bodies of other types', async () => {
    expect(await sent({ body: 'colour=red' })).toMatchObject({
      status: 400,
      body: { code: 'QUERY_SYNTAX_UNKNOWN_PARAM' },
    });
    if (!name.includes(' with ')) {
      for (const each of [
        { type: 'application/json', body: '{"perPage":"2"}' },
        { type: 'multipart/form-data; boundary=x', body: '--x--' },
        { headers: { 'content-encoding': 'gzip' }, body: query },
      ]) {
        expect(await sent(each)).toMatchObject({
          status: 400,
          body: { code: 'QUERY_SYNTAX_INVALID' },
        });
      }
    }
  });

  it('refuses a body beyond the limit before it has read all of it', async () => {
    if (name.includes(' with ')) return;
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(server.port, '127.0.0.1', () => {
        socket.write(
          'POST /tiles HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\ncontent-length: 999999999\r\n\r\n',
        );
        socket.write('a'.repeat(300_000));
      });
      socket.once('error', reject);
      socket.once('data', (bytes) => {
        resolve(bytes.toString());
        socket.destroy();
      });
    });
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('"maxBodyLength":262144');
  });
});

describe('a body that was parsed', () => {
  it('is an object of parameters', async () => {
    const server = await listen(applications['Express 5 with body parsers']?.() as RequestListener);
    const body = JSON.stringify({
      filter: { colour: { in: ['red', 'green'] } },
      fields: 'id',
      perPage: 2,
    });
    expect(await send(server.port, { type: 'application/json', body })).toEqual({
      status: 200,
      body: expected,
    });
    await server.close();
  });

  it('is refused where nothing is left of it', async () => {
    const app = express();
    app.use((req, _res, next) => void req.resume().on('end', next));
    app.post('/tiles', handler());
    const server = await listen(app.use(queryErrorHandler()) as unknown as RequestListener);
    expect(await send(server.port, { body: query })).toMatchObject({
      status: 500,
      body: { code: 'SOURCE_CONFIGURATION_INVALID' },
    });
    await server.close();
  });
});

describe('bodyRequest', () => {
  it('has a limit of its own', () => {
    const long = `filter[colour]=${'x'.repeat(262_200)}`;
    expect(refusalOf(() => planQuery(bodyRequest(long), tileRules)).details).toEqual({
      maxBodyLength: 262_144,
    });
    expect(
      refusalOf(() =>
        planQuery(bodyRequest({ filter: { colour: 'x'.repeat(262_200) } }), tileRules),
      ).details,
    ).toEqual({ maxBodyLength: 262_144 });
    expect(refusalOf(() => planQuery(bodyRequest('', long), tileRules)).details).toEqual({
      maxQueryLength: 16_384,
    });
  });

  it('cannot be made by a parameter', () => {
    const error = refusalOf(() => planQuery({ body: 'a', query: 'b' }, tileRules));
    expect(error.code).toBe('QUERY_SYNTAX_UNKNOWN_PARAM');
  });

  it.each([null, undefined, 7])('refuses %s', (body) => {
    expect(refusalOf(() => bodyRequest(body as never)).code).toBe('SOURCE_CONFIGURATION_INVALID');
  });
});
