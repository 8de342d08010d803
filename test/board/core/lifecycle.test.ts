/** Boards in a process: several at once, base paths, closing, and invalid options. */

import { EventEmitter, once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { createBoard, ExpressAdapter, openApiDocument } from '../../../src/http/board/index.ts';
import { openBoard } from '../../../src/board/core/index.ts';
import type { HookContext } from '../../../src/board/core/index.ts';
import { memoryEngine } from './memory-engine.ts';
import { applications, recordLog, send, serveBoard } from './serve-board.ts';
import type { Served } from './serve-board.ts';

const open: Served[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((served) => served.close()));
});

describe.each(applications)('boards under $name', (application) => {
  it('run side by side', async () => {
    const engines = [memoryEngine(), memoryEngine()];
    engines[1]?.queues.clear();
    const [first, second] = await Promise.all(
      engines.map(({ factory }, index) =>
        serveBoard(application, factory, { mount: `/b${index}` }),
      ),
    );
    if (!first || !second) throw new Error('No boards');
    open.push(first, second);
    const count = async ({ port }: Served, path: string) =>
      JSON.parse((await send(port, path)).body).queues.length;
    expect(await count(first, '/b0/api/pgq/queues')).toBe(3);
    expect(await count(second, '/b1/api/pgq/queues')).toBe(0);
  });

  it.each(['', '/', '/a/b', 'a/b/', '//a//b//'])('use the base path %j', async (mount) => {
    const served = await serveBoard(application, memoryEngine().factory, {
      mount: mount === '' || mount === '/' ? mount : '/a/b',
    });
    open.push(served);
    served.adapter.setBasePath(mount);
    const base = mount.includes('a') ? '/a/b' : '';
    const document = JSON.parse((await send(served.port, `${base}/api/openapi.json`)).body);
    expect(document.servers).toEqual([{ url: base === '' ? '/' : base }]);
    expect(document.paths).toEqual(JSON.parse(JSON.stringify(openApiDocument(served.board).paths)));
    expect((await send(served.port, `${base}/`)).body).toContain(`href="${base}/api/openapi.json"`);
  });

  it('refuse every request once they close, before a function of the host sees it', async () => {
    const release = new EventEmitter();
    const engine = memoryEngine({ until: once(release, 'done') });
    const asked: string[] = [];
    const before = ({ method }: HookContext): void => void asked.push(method);
    const served = await serveBoard(application, engine.factory, {
      options: { handlerHooks: { before } },
    });
    open.push(served);
    const target = '/admin/queues/api/pgq/queues';
    const underWay = send(served.port, target);
    await expect.poll(() => engine.ran).toEqual(['listPgqQueues']);
    const closing = served.board.close();
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'PATCH']) {
      const { status, headers } = await send(served.port, `${target}/mail/jobs`, { method });
      expect([method, status, headers['retry-after']]).toEqual([method, 503, '3']);
    }
    expect([asked, engine.ran]).toEqual([['get'], ['listPgqQueues']]);
    release.emit('done');
    expect((await underWay).status).toBe(200);
    await closing;
  });

  it('finish pending requests before they close, and accept no new ones', async () => {
    const release = new EventEmitter();
    const engine = memoryEngine({ until: once(release, 'done') });
    const served = await serveBoard(application, engine.factory);
    open.push(served);
    const target = '/admin/queues/api/pgq/queues';
    const underWay = send(served.port, target);
    while (engine.ran.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const closing = served.board.close();
    const refused = await send(served.port, target);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '3']);
    expect(engine.closed).toBe(0);
    release.emit('done');
    expect((await underWay).status).toBe(200);
    await closing;
    await served.board.close();
    expect(engine.closed).toBe(1);
  });

  it('do not wait longer than configured', async () => {
    const engine = memoryEngine({ delayMs: 1500 });
    const served = await serveBoard(application, engine.factory, { options: { closeGraceMs: 20 } });
    open.push(served);
    let answered = false;
    const underWay = send(served.port, '/admin/queues/api/pgq/queues').then(
      () => (answered = true),
    );
    while (engine.ran.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await served.board.close();
    expect([engine.closed, answered]).toEqual([1, false]);
    await underWay;
  });

  it('handle clients that disconnect, without logging them', async () => {
    const engine = memoryEngine({ untilGone: true });
    const served = await serveBoard(application, engine.factory);
    open.push(served);
    engine.failure = new Error('cancelled');
    const gone = new AbortController();
    const request = fetch(`http://127.0.0.1:${served.port}/admin/queues/api/pgq/queues`, {
      signal: gone.signal,
    });
    while (engine.ran.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    gone.abort();
    await expect(request).rejects.toThrow();
    // Closing waits for the request, whose handler fails once the client has disconnected.
    await served.board.close();
    expect(served.log.lines).toEqual([]);
  });
});

describe('invalid options', () => {
  const { factory } = memoryEngine();
  const adapter = (): ExpressAdapter => new ExpressAdapter();

  it('are refused when the board is created', () => {
    const make = (options: object): unknown => createBoard({ serverAdapter: adapter(), options });
    expect(() => make({ maxBodyBytes: -1 })).toThrow(TypeError);
    expect(() => make({ closeGraceMs: Number.NaN })).toThrow(TypeError);
    // A timer cannot run longer than 2^31 - 1 ms; a longer one fires after 1 ms.
    expect(() => make({ closeGraceMs: 2 ** 31 })).toThrow(TypeError);
    expect(() => make({ snapshotMs: 2 ** 31 })).toThrow(TypeError);
    expect(() => make({ historyProvider: {} })).toThrow('must be a history provider');
    expect(() => adapter().setBasePath('https://elsewhere/?x')).toThrow(TypeError);
    expect(() => adapter().setBasePath('/a/../b')).toThrow(TypeError);
    const notText = (): unknown => Reflect.apply(adapter().setBasePath, adapter(), [{}]);
    expect(() => adapter().setBasePath('https://elsewhere/')).toThrow(TypeError);
    expect(notText).toThrow('"basePath" must be a path');
  });

  it('include a second board on one adapter', () => {
    const logger = recordLog();
    const shared = adapter();
    openBoard(factory, shared, { logger });
    expect(() => openBoard(factory, shared, { logger })).toThrow(/one board/);
  });

  it('include unknown engines', () => {
    const make = (config: object): unknown =>
      Reflect.apply(createBoard, undefined, [{ serverAdapter: adapter(), ...config }]);
    expect(() => make({ engine: 'kvq', queues: [{}] })).toThrow(TypeError);
    expect(() => make({ engine: 'constructor' })).toThrow(TypeError);
    expect(() => make({ engine: 'pgq', pgq: {} })).toThrow(/instance/);
    expect(make({})).toMatchObject({ engine: 'kvq' });
  });
});

describe('an adapter without a board', () => {
  it('passes requests on', () => {
    let passed = 0;
    const router = new ExpressAdapter().getRouter();
    Reflect.apply(router, undefined, [{}, {}, () => (passed += 1)]);
    expect(passed).toBe(1);
  });
});
