/** Lists whose parameters are the body of a POST or QUERY request: every framework, with and without body parsers. */

import { type Server, request } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { RequestListener } from 'node:http';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyRequest, planQuery, runQuery } from '../../src/index.ts';
import { listEndpoint, queryErrorHandler } from '../../src/http/express/index.ts';
import { refusalOf } from '../unit/refusal.ts';
import { listHosts } from './mounts/list-hosts.ts';
import { listen } from './serve.ts';
import { tileRules, tileSource } from './tiles.ts';

interface Sent {
  readonly method?: string;
  readonly target?: string;
  /** The media type; the header is absent where it is empty. */
  readonly type?: string;
  readonly headers?: { readonly [name: string]: string };
  /** The body; a list is sent in chunks, without a length. */
  readonly body?: string | Uint8Array | readonly (string | Uint8Array)[];
}

interface Answered {
  readonly status: number;
  /** The parsed JSON, or the text where it is none. */
  readonly body: unknown;
}

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
        // A connection of its own: some refusals end it.
        agent: false,
        headers: { ...(type && { 'content-type': type }), ...headers },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: incoming.statusCode ?? 0, body: parsed(text) });
        });
      },
    );
    outgoing.on('error', reject);
    if (!Array.isArray(body)) {
      outgoing.end(body);
      return;
    }
    for (const chunk of body) outgoing.write(chunk);
    outgoing.end();
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The first bytes of the answer to bytes that are sent as they are. */
function answerTo(port: number, ...bytes: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      for (const each of bytes) socket.write(each);
    });
    socket.once('error', reject);
    socket.setTimeout(10_000, () => socket.destroy(new Error('no answer')));
    socket.once('data', (data) => {
      resolve(data.toString());
      socket.destroy();
    });
  });
}

const query = 'filter[colour][in]=red,green&fields=id&perPage=2';
const expected = await runQuery(tileSource(), query, tileRules);
const found = { status: 200, body: expected };
const refused = { status: 400, body: { code: 'QUERY_SYNTAX_INVALID' } };
const { maxBodyLength } = tileRules.limits;

/** A body of this many bytes that asks for the same list. */
function longBody(length: number): string {
  const of = (fill: string, last: string) => {
    const colours = Array.from({ length: 900 }, (_, at) => `red-${fill}-${at}`);
    return `filter[colour][in]=${['red', 'green', ...colours, last].join()}&fields=id&perPage=2`;
  };
  const left = length - of('', '').length;
  return of('x'.repeat(Math.floor(left / 900)), 'x'.repeat(left % 900));
}

/** Bodies that the parser of an application may take. */
const mayBeParsed: ReadonlySet<string> = new Set([
  'JSON without a body',
  'a text as JSON',
  'another charset, whose bytes are UTF-8 as well',
  'another charset',
  'a parameter that objects have',
]);
/** The parser of this application answers 500 to a body that it cannot inflate. */
const failsToInflate = 'Koa 3 with body parsers';

describe.each(listHosts)('$name', ({ name, methods, hasParsers, start }) => {
  const failures: unknown[] = [];
  let server: Server;
  let port: number;
  beforeAll(async () => {
    server = await start({ source: tileSource(), onError: (error) => failures.push(error) });
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const sent = (each: Sent) => send(port, each);

  it.each(methods)('answers a %s request as the same query string', async (method) => {
    expect(await sent({ method, body: query })).toEqual(found);
    const type = 'application/x-www-form-urlencoded; charset="UTF-8"';
    expect(await sent({ method, type, body: [...query] })).toEqual(found);
    expect(await sent({ method, type: 'text/plain', body: query })).toEqual(found);
  });

  it('adds the parameters of the address', async () => {
    const [filter = '', ...others] = query.split('&');
    const target = `/tiles?${others.join('&')}`;
    expect(await sent({ target, body: filter })).toEqual(found);
    const twice = await sent({ target, body: 'perPage=3' });
    expect(twice).toMatchObject({ status: 400, body: { details: { param: 'perPage' } } });
  });

  it('answers an empty body as the address alone', async () => {
    const target = `/tiles?${query}`;
    expect(await sent({ target })).toEqual(found);
    expect(await sent({ target, body: [] })).toEqual(found);
    expect(await sent({ target, type: '' })).toEqual(found);
    expect(await sent({ target, type: '', headers: { 'content-length': '0' } })).toEqual(found);
  });

  it('takes lists that no address holds', async () => {
    const colours = Array.from({ length: 900 }, (_, at) => `red-${'x'.repeat(40)}-${at}`);
    const body = `filter[colour][in]=${[...colours, 'red', 'green'].join()}&fields=id&perPage=2`;
    expect(body.length).toBeGreaterThan(40_000);
    expect(await sent({ body })).toEqual(found);
    const asGet = await sent({ method: 'GET', target: `/tiles?${body}` });
    expect([400, 431]).toContain(asGet.status);
  });

  it('refuses unknown parameters', async () => {
    expect(await sent({ body: 'colour=red' })).toMatchObject({
      status: 400,
      body: { code: 'QUERY_SYNTAX_UNKNOWN_PARAM' },
    });
  });

  it.each<readonly [string, Sent]>([
    ['JSON', { type: 'application/json', body: '{"colour":"red"}' }],
    ['a number as JSON', { type: 'application/json', body: '7' }],
    ['null as JSON', { type: 'application/json', body: 'null' }],
    ['a text as JSON', { type: 'application/json', body: '"perPage=2"' }],
    ['a list as JSON', { type: 'application/json', body: '["perPage=2"]' }],
    [
      'nested JSON',
      { type: 'application/json', body: `{"filter":${'['.repeat(2000)}${']'.repeat(2000)}}` },
    ],
    ['JSON cut short', { type: 'application/json', body: '{"perPage":' }],
    ['JSON without a body', { type: 'application/json' }],
    ['a multipart form', { type: 'multipart/form-data; boundary=x', body: '--x--' }],
    ['a type that is not one', { type: 'perPage', body: query }],
    [
      'another charset',
      { type: 'text/plain; charset=utf-16le', body: Buffer.from(query, 'utf16le') },
    ],
    [
      'another charset, whose bytes are UTF-8 as well',
      { type: 'text/plain; charset=iso-8859-1', body: Buffer.from('search=\u00e9') },
    ],
    ['bytes that are not UTF-8', { body: Buffer.from([...Buffer.from('search='), 0xff]) }],
    ['a percent sequence that is not UTF-8', { body: 'search=%ff' }],
    [
      'a compressed body',
      { headers: { 'content-encoding': 'gzip' }, body: gzipSync('colour=red') },
    ],
    ['an unknown encoding', { headers: { 'content-encoding': 'perPage' }, body: 'colour=red' }],
    [
      'text that says it is compressed',
      { headers: { 'content-encoding': 'br' }, body: 'colour=red' },
    ],
    ['a parameter that objects have', { body: '__proto__[perPage]=2&constructor=1' }],
  ])('refuses %s', async (what, each) => {
    if (what === 'text that says it is compressed' && name === failsToInflate) return;
    const answer = await sent(each);
    if (!hasParsers) {
      const isSyntax = !String(each.body).startsWith('__proto__');
      expect(answer).toMatchObject(
        isSyntax ? refused : { status: 400, body: { code: 'QUERY_SYNTAX_UNKNOWN_PARAM' } },
      );
    }
    // A parser in front has errors of its own; some bodies it understands, or leaves nothing of them.
    else if (mayBeParsed.has(what)) expect([200, 400, 415]).toContain(answer.status);
    else expect([400, 413, 415]).toContain(answer.status);
  });

  it('takes a body of the longest length, and refuses one byte more', async () => {
    // Parsers in front have limits of their own, and change the length.
    if (hasParsers && !/^(Fastify 5|Hono 4 .*)$/.test(name)) return;
    const longest = longBody(maxBodyLength);
    expect(Buffer.byteLength(longest)).toBe(maxBodyLength);
    const tooLong = { status: 400, body: { details: { maxBodyLength } } };
    expect(await sent({ body: longest })).toEqual(found);
    expect(await sent({ body: [longest.slice(0, 9), longest.slice(9)] })).toEqual(found);
    expect(await sent({ body: longBody(maxBodyLength + 1) })).toMatchObject(tooLong);
    expect(await sent({ body: [longest, 'x'] })).toMatchObject(tooLong);
  });

  it('refuses a body beyond the limit before it has read all of it', async () => {
    if (hasParsers) return;
    const head = 'POST /tiles HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\n';
    const size = 300_000;
    for (const bytes of [
      `${head}content-length: 999999999\r\n\r\n${'a'.repeat(size)}`,
      `${head}transfer-encoding: chunked\r\n\r\n${size.toString(16)}\r\n${'a'.repeat(size)}\r\n`,
    ]) {
      const answer = await answerTo(port, bytes);
      expect(answer).toMatch(/^HTTP\/1.1 400 /);
      expect(answer).toContain('"maxBodyLength":262144');
    }
  });

  it.each([true, false])(
    'serves the next request of the connection after a refused body (with its length: %s)',
    async (hasLength) => {
      if (hasParsers && !/Fastify|Hono/.test(name)) return;
      const body = 'a'.repeat(maxBodyLength + 200_000);
      const [length, sentBody] = hasLength
        ? [`content-length: ${body.length}`, body]
        : ['transfer-encoding: chunked', `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`];
      const answers = await new Promise<string>((resolve, reject) => {
        let text = '';
        let isNextSent = false;
        const socket: Socket = connect(port, '127.0.0.1', () => {
          socket.write(
            `POST /tiles HTTP/1.1\r\nhost: a\r\ncontent-type: application/x-www-form-urlencoded\r\n${length}\r\n\r\n${sentBody}`,
          );
        });
        // A framework may close the connection instead.
        socket.on('error', reject).on('close', () => resolve(text));
        socket.setTimeout(10_000, () => socket.destroy());
        socket.on('data', (data) => {
          text += data.toString();
          if (!isNextSent) {
            isNextSent = true;
            socket.write(`GET /tiles?fields=id HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
          }
        });
      });
      expect(answers).toMatch(/^HTTP\/1.1 4\d\d /);
      if (!/\r\nconnection: close\r\n/i.test(answers.split('\r\n\r\n')[0] ?? '')) {
        expect(answers).toContain('HTTP/1.1 200 OK');
      }
    },
  );

  it('goes on after clients that leave in the middle of a body', async () => {
    const requests = Array.from({ length: 4 }, (_, at) => {
      const length = at % 2 === 0 ? 'content-length: 90' : 'transfer-encoding: chunked';
      const part = at % 2 === 0 ? 'filter' : '6\r\nfilter\r\n';
      return `POST /tiles HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\n${length}\r\n\r\n${part}`;
    });
    const reached = new Promise<void>((resolve) => {
      let left = requests.length;
      server.on('request', () => (left -= 1) === 0 && resolve());
    });
    const sockets = requests.map((bytes) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
      return socket.on('error', () => undefined).resume();
    });
    await reached;
    for (const socket of sockets.slice(0, 2)) socket.destroy();
    for (const socket of sockets.slice(2)) socket.end();
    await Promise.all(
      sockets.map((socket) => socket.closed || new Promise((ended) => socket.on('close', ended))),
    );
    expect(await sent({ body: query })).toEqual(found);
    // Nothing of this suite is a failure of the server.
    expect(failures).toEqual([]);
  });
});

describe('a body that was parsed', () => {
  it('is an object of parameters', async () => {
    const app = express();
    app.use(express.json(), express.urlencoded({ extended: true }));
    app.post('/tiles', listEndpoint({ source: tileSource(), rules: tileRules }));
    const server = await listen(app.use(queryErrorHandler()) as unknown as RequestListener);
    const body = JSON.stringify({
      filter: { colour: { in: ['red', 'green'] } },
      fields: 'id',
      perPage: 2,
    });
    expect(await send(server.port, { type: 'application/json', body })).toEqual(found);
    await server.close();
  });

  it('is refused where it is not an object', async () => {
    const app = express();
    app.use(express.json({ strict: false }));
    app.post('/tiles', listEndpoint({ source: tileSource(), rules: tileRules }));
    const server = await listen(app.use(queryErrorHandler()) as unknown as RequestListener);
    for (const body of ['7', 'null', 'true', '[]']) {
      const answer = await send(server.port, { type: 'application/json', body });
      expect([body, answer.status]).toEqual([body, body === '[]' ? 200 : 400]);
    }
    await server.close();
  });

  it('is refused where nothing is left of it', async () => {
    const app = express();
    app.use((req, _res, next) => void req.resume().on('end', next));
    app.post('/tiles', listEndpoint({ source: tileSource(), rules: tileRules }));
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
