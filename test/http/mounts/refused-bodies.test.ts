/** Bodies of requests that are refused: nobody waits for them, and the connection stays in a defined state. */

import { type ServerResponse } from 'node:http';
import { connect as connect2, createServer as createServer2 } from 'node:http2';
import { once } from 'node:events';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { openBoard } from '../../../src/board/core/index.ts';
import type { BoardOptions, HookDecision } from '../../../src/board/core/index.ts';
import { NodeAdapter } from '../../../src/http/node/board.ts';
import { memoryEngine } from '../../board/core/memory-engine.ts';
import { type Host, hosts } from './hosts.ts';
import { nestHosts } from './nestjs-hosts.ts';

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
const mountPath = '/admin/queues';
const jobs = '/api/pgq/queues/mail/jobs';
const silent = { warn: () => undefined, error: () => undefined };

/** A board in a framework, and its connections. */
async function start(host: Host, options: BoardOptions, parsesFirst = false) {
  const engine = memoryEngine();
  const { port, close } = await host.start({
    mountPath,
    basePath: mountPath,
    parsesFirst,
    open: (adapter) => openBoard(engine.factory, adapter, { logger: silent, ...options }, false),
  });
  closing.push(close);
  return { engine, open: () => new Connection(connect(port, '127.0.0.1')) };
}

/** The bytes that a server has sent on a connection. */
class Connection {
  readonly socket: Socket;
  text = '';
  isOver = false;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('latin1').on('data', (text: string) => (this.text += text));
    // A server may close while the client still sends.
    socket.on('error', () => undefined).on('close', () => (this.isOver = true));
    closing.push(() => socket.destroy());
  }

  /** The statuses that have arrived. */
  get statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  }

  send(method: string, path: string, headers: readonly string[], body = ''): this {
    const lines = [`${method} ${mountPath}${path} HTTP/1.1`, 'host: 127.0.0.1', ...headers];
    this.socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
    return this;
  }

  post(length: number, body = ''): this {
    return this.send(
      'POST',
      jobs,
      ['content-type: application/json', `content-length: ${length}`],
      body,
    );
  }
}

const refusals: readonly (readonly [string, BoardOptions])[] = [
  ['permissions', { permissions: () => ['queue.read', 'job.read'] }],
  ['the before-hook', { handlerHooks: { before: ({ method }) => ({ allow: method !== 'post' }) } }],
];
const large = 8_000_000;

describe.each([...hosts, ...nestHosts])('in $name', (host) => {
  it.each(refusals)('a write that %s refuse is answered before its body', async (_, options) => {
    const { engine, open } = await start(host, options);
    for (const length of [large, 10]) {
      const connection = open().post(length);
      await expect.poll(() => connection.statuses).toEqual([403]);
    }
    const chunked = open().send('POST', jobs, [
      'content-type: application/json',
      'transfer-encoding: chunked',
    ]);
    await expect.poll(() => chunked.statuses).toEqual([403]);
    expect(engine.ran).toEqual([]);
  });

  it('an unknown route and an unknown method are answered before the body', async () => {
    const { open } = await start(host, {});
    const json = ['content-type: application/json', `content-length: ${large}`];
    const unknown = open().send('POST', '/api/none', json);
    await expect.poll(() => unknown.statuses).toEqual([404]);
    const method = open().send('PATCH', jobs, json);
    await expect.poll(() => method.statuses).toEqual([405]);
  });

  it.each(refusals)('a request behind one that %s refuse is answered', async (_, options) => {
    const { engine, open } = await start(host, options);
    const connection = open()
      .post(11, '{"data":12}')
      .send('GET', '/api/pgq/queues', ['connection: close']);
    await expect.poll(() => connection.isOver).toBe(true);
    expect(connection.statuses).toEqual([403, 200]);
    expect(engine.ran).toEqual(['listPgqQueues']);
  });

  it('a client that sends the large body of a refused write gets the answer, and no other', async () => {
    const { engine, open } = await start(host, {
      permissions: ({ headers }) => (headers['x-role'] === 'writer' ? ['*'] : []),
    });
    const connection = open().post(large);
    await expect.poll(() => connection.statuses).toEqual([403]);
    connection.socket.write('x'.repeat(large));
    const behind = ['content-type: application/json', 'content-length: 10', 'x-role: writer'];
    connection.send('POST', jobs, behind, '{"data":1}');
    // A server of Node gives up the requests of a client that has closed its side, so the client waits before it does.
    await expect.poll(() => connection.isOver || connection.statuses.length === 2).toBe(true);
    const isCutOff = connection.isOver && host.closesSlowBodies;
    connection.socket.end();
    await expect.poll(() => connection.isOver).toBe(true);
    // Where the connection was announced to close, or the body was too slow, nothing behind the refused request is done.
    const isClosed = isCutOff || /^connection: close\r$/im.test(connection.text);
    expect(connection.statuses).toEqual(isClosed ? [403] : [403, 200]);
    expect(engine.ran).toEqual(isClosed ? [] : ['sendPgqJob']);
  });

  it.each([false, true])(
    'a hook that looks at the body gets it (read before: %s)',
    async (first) => {
      const seen: unknown[] = [];
      const before = async ({ request }: { request: { body: unknown } }): Promise<HookDecision> => {
        await Promise.resolve();
        const { body } = request;
        seen.push(body);
        return { allow: JSON.stringify(body) === '{"data":1}' };
      };
      const { engine, open } = await start(host, { handlerHooks: { before } }, first);
      const statuses = (body: string) => {
        const connection = open().post(body.length, body);
        return expect.poll(() => connection.statuses);
      };
      await statuses('{"data":1}').toEqual([200]);
      await statuses('{"data":2}').toEqual([403]);
      expect(seen).toEqual([{ data: 1 }, { data: 2 }]);
      expect(engine.ran).toEqual(['sendPgqJob']);
    },
  );

  it('permissions that look at the body get it', async () => {
    let asked = 0;
    const { engine, open } = await start(host, {
      permissions(request) {
        asked += 1;
        try {
          return JSON.stringify(request.body) === '{"data":1}' ? ['*'] : [];
        } catch {
          return ['*'];
        }
      },
    });
    for (const [body, status] of [
      ['{"data":1}', 200],
      ['{"data":2}', 403],
    ] as const) {
      const connection = open().post(body.length, body);
      await expect.poll(() => connection.statuses).toEqual([status]);
    }
    expect([asked, engine.ran]).toEqual([4, ['sendPgqJob']]);
  });

  it('a body that is cut short does nothing', async () => {
    const { engine, open } = await start(host, {});
    const connection = open().post(100, '{"data":1}');
    connection.socket.end();
    await expect.poll(() => connection.isOver).toBe(true);
    expect(connection.statuses.filter((status) => status < 400)).toEqual([]);
    expect(engine.ran).toEqual([]);
  });
});

it('a refused body of HTTP/2 leaves the other requests of its connection alone', async () => {
  const adapter = new NodeAdapter().setBasePath(mountPath);
  const { factory } = memoryEngine();
  openBoard(factory, adapter, { logger: silent, permissions: () => ['queue.read'] }, false);
  const listener = adapter.getListener();
  const server = createServer2((request, response) =>
    listener(request as never, response as unknown as ServerResponse),
  ).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const session = connect2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  closing.push(
    () => server.close(),
    () => session.destroy(),
  );
  const status = (headers: Record<string, string>, ends: boolean) =>
    new Promise((resolve, reject) => {
      const stream = session.request(headers, { endStream: ends });
      stream
        .on('error', reject)
        .on('response', (answer) => resolve(answer[':status']))
        .resume();
    });
  const post = { ':method': 'POST', ':path': mountPath + jobs, 'content-type': 'application/json' };
  expect(await status({ ...post, 'content-length': String(large) }, false)).toBe(403);
  expect(await status({ ':path': `${mountPath}/api/pgq/queues` }, true)).toBe(200);
  // The whole answer comes while the client may still send.
  const stream = session.request(
    { ...post, 'content-length': String(large) },
    { endStream: false },
  );
  const answer = stream.resume().on('error', () => undefined);
  const began = performance.now();
  await once(answer, 'end');
  expect(performance.now() - began).toBeLessThan(4_000);
});
