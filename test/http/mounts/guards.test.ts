/** Guards of the mounts of a board against long bodies, clients that have left, errors of the host, lost headers. */

import { request as open } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import express from 'express';
import { afterAll, describe, expect, it } from 'vitest';
import { createAuthMiddleware } from '../../../src/auth/index.ts';
import { RawBody, openBoard } from '../../../src/board/core/index.ts';
import type { BoardOptions } from '../../../src/board/core/index.ts';
import { ExpressAdapter } from '../../../src/http/express/board.ts';
import { nextBoard } from '../../../src/http/next/board.ts';
import { NodeAdapter } from '../../../src/http/node/board.ts';
import { memoryEngine } from '../../board/core/memory-engine.ts';
import { advanceClock } from '../../clock.ts';
import { applications, listen } from '../serve.ts';
import { hostCookie, hostMissing, hosts } from './hosts.ts';
import { createSite, token } from './site.ts';

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
const jobs = '/api/pgq/queues/mail/jobs';
const silent = { warn: () => undefined, error: () => undefined };

/** A board in memory on an adapter. */
function boardOn(adapter: ExpressAdapter | NodeAdapter, options: BoardOptions = {}) {
  const engine = memoryEngine();
  openBoard(engine.factory, adapter, { logger: silent, ...options }, false);
  return engine;
}

async function serve(listener: RequestListener): Promise<number> {
  const { port, close } = await listen(listener);
  closing.push(close);
  return port;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent in pieces, without a length. */
  readonly pieces?: readonly string[];
  /** The address from which the client connects. */
  readonly from?: string;
}

interface Answer {
  readonly status: number;
  readonly cookies: readonly string[];
  readonly text: string;
}

function send(port: number, path: string, sent: Sent = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, pieces = [], from = '127.0.0.1' } = sent;
  const to = { port, path, method, headers, host: '127.0.0.1', localAddress: from, agent: false };
  return new Promise((resolve, reject) => {
    const outgoing = open(to, (incoming: IncomingMessage) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      incoming.on('end', () => {
        const { statusCode: status = 0, headers: received } = incoming;
        resolve({ status, cookies: received['set-cookie'] ?? [], text });
      });
    });
    outgoing.on('error', reject);
    outgoing.setTimeout(10_000, () => outgoing.destroy(new Error('no answer')));
    for (const piece of pieces) outgoing.write(piece);
    outgoing.end();
  });
}

describe('an adapter', () => {
  it('takes no second board, and goes on with the first', async () => {
    const adapter = new NodeAdapter();
    boardOn(adapter).queues.set('of the first', []);
    expect(() => boardOn(adapter)).toThrow('A server adapter serves one board');
    const port = await serve(adapter.getListener());
    expect((await send(port, '/api/pgq/queues')).text).toContain('of the first');
  });
});

describe('a body without a length', () => {
  const post = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    pieces: ['{"data":"', ...Array.from({ length: 30 }, () => 'x'.repeat(100)), '"}'],
  };
  const limited: BoardOptions = { maxBodyBytes: 2_000 };

  it('has the limit of others, in whatever pieces it comes', async () => {
    const adapter = new NodeAdapter();
    const engine = boardOn(adapter, limited);
    const port = await serve(adapter.getListener());
    expect((await send(port, jobs, post)).status).toBe(413);
    expect(engine.ran).toEqual([]);
    const short = { ...post, pieces: ['{"data":', '"x"}'] };
    expect((await send(port, jobs, short)).status).toBe(200);
    for (const [length, status] of [
      [2_000, 200],
      [2_001, 413],
    ] as const) {
      const pieces = ['{"data":"', 'x'.repeat(length - '{"data":""}'.length), '"}'];
      const answer = await send(port, jobs, { ...post, pieces });
      expect([length, answer.status]).toEqual([length, status]);
    }
  });

  it.each([
    ['as bytes', express.raw({ type: () => true, limit: '1mb' })],
    ['as a text', express.text({ type: () => true, limit: '1mb' })],
  ])('has the limit also where a parser of the host has read it %s', async (_how, parser) => {
    const adapter = new ExpressAdapter();
    const engine = boardOn(adapter, limited);
    const port = await serve(express().use(parser).use(adapter.getRouter()));
    expect((await send(port, jobs, post)).status).toBe(413);
    expect(engine.ran).toEqual([]);
    const short = { ...post, pieces: ['{"data":', '"x"}'] };
    expect((await send(port, jobs, short)).status).toBe(200);
  });
});

it('a stream that comes after its client has left is ended', async () => {
  let begun = (): void => undefined;
  let ended = (): void => undefined;
  const asked = new Promise<void>((resolve) => (begun = resolve));
  const closed = new Promise<void>((resolve) => (ended = resolve));
  let isEnded = false;
  const stream: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: true, value: undefined }),
      async return() {
        isEnded = true;
        return { done: true, value: undefined };
      },
    }),
  };
  const adapter = new NodeAdapter();
  boardOn(adapter, {
    handlerHooks: {
      async after() {
        begun();
        await closed;
        return { status: 200, body: new RawBody({ 'content-type': 'text/csv' }, stream) };
      },
    },
  });
  const listener = adapter.getListener();
  const port = await serve((request, response) => {
    response.on('close', ended);
    listener(request, response);
  });
  const outgoing = open({ port, host: '127.0.0.1', path: '/api/pgq/queues', agent: false });
  outgoing.on('error', () => undefined).end();
  await asked;
  outgoing.destroy();
  await expect.poll(() => isEnded, { timeout: 10_000 }).toBe(true);
});

it.each(applications)(
  'an answer that Node refuses is an error for the handler of the host under $name',
  async ({ create }) => {
    const adapter = new ExpressAdapter();
    boardOn(adapter, {
      handlerHooks: {
        after: () => {
          const headers = { 'content-disposition': 'attachment; filename="\u65e5\u672c.csv"' };
          return { status: 200, body: new RawBody(headers, new Uint8Array()) };
        },
      },
    });
    const install = (app: { use(...handlers: unknown[]): unknown }): void => {
      app.use(adapter.getRouter());
      app.use(
        (
          { code }: NodeJS.ErrnoException,
          _request: unknown,
          response: { end(text: string): void },
          _next: unknown,
        ) => response.end(`handled: ${code}`),
      );
    };
    const port = await serve(
      (create as (parser: undefined, use: typeof install) => RequestListener)(undefined, install),
    );
    expect((await send(port, '/api/pgq/queues')).text).toBe('handled: ERR_INVALID_CHAR');
  },
);

describe.each(hosts)('in $name', (host) => {
  const bearer = (word: string) => ({ authorization: `Bearer ${word}` });

  it.runIf(host.fallsThrough)(
    'an answer of the host has its cookies and a renewed session',
    async () => {
      const site = createSite();
      const { port, close } = await host.start(site);
      closing.push(close, () => site.close());
      const login = await send(port, `${site.mountPath}/auth/login`, {
        method: 'POST',
        headers: {
          origin: 'http://127.0.0.1',
          'content-type': 'application/x-www-form-urlencoded',
        },
        pieces: [new URLSearchParams({ token }).toString()],
      });
      const session = login.cookies.find((cookie) => cookie.startsWith('board_session=')) ?? '';
      const headers = { cookie: session.split(';', 1)[0] ?? '' };
      advanceClock(60_000);
      const answer = await send(port, `${site.mountPath}/none`, { headers });
      expect([answer.status, answer.text]).toEqual([404, hostMissing]);
      expect(answer.cookies).toHaveLength(2);
      expect(answer.cookies).toContain(hostCookie);
      expect(answer.cookies).toContainEqual(expect.stringMatching(/^board_session=[^;]/));
    },
  );

  it.skipIf(/Fetch|Next/.test(host.name))('one guesser does not lock others out', async () => {
    const site = createSite();
    const { port, close } = await host.start(site);
    closing.push(close, () => site.close());
    const statusFrom = async (from: string): Promise<number> => {
      const sent = { from, headers: bearer('a guess') };
      return (await send(port, `${site.mountPath}/api/pgq/queues`, sent)).status;
    };
    for (let turn = 0; turn < 10; turn += 1) await statusFrom('127.0.0.2');
    expect([await statusFrom('127.0.0.2'), await statusFrom('127.0.0.1')]).toEqual([429, 401]);
  });
});

it('a board in Next.js has the path of its authentication, wherever it is served', async () => {
  const engine = memoryEngine();
  const auth = createAuthMiddleware({
    strategy: 'token',
    tokens: [token],
    publicUrl: 'https://tools.example.test/outside/board',
  });
  const board = openBoard(engine.factory, undefined, { logger: silent }, auth);
  const request = new Request('http://127.0.0.1/inside/queue/mail', {
    headers: { authorization: `Bearer ${token}` },
  });
  const params = Promise.resolve({ path: ['queue', 'mail'] });
  const page = await (await nextBoard(board).GET(request, { params })).text();
  expect(page).toContain('src="/outside/board/assets/');
  await board.close();
});
