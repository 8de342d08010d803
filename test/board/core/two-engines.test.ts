/** `createBoard({ engines })`: one board of each engine behind one mount and in one page. */

import { runInNewContext } from 'node:vm';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthMiddleware } from '../../../src/auth/index.ts';
import { ExpressAdapter, createBoard } from '../../../src/http/board/index.ts';
import type { Boards } from '../../../src/http/board/index.ts';
import { listen } from '../../http/serve.ts';
import { openEvents } from './event-stream.ts';

// Nothing of these tests asks a database.
const pgq = { connection: 'postgresql://127.0.0.1:1/none' };
const logger = { warn: () => undefined, error: () => undefined };
const make = (engines: object, more: object = {}): Boards =>
  createBoard({
    serverAdapter: new ExpressAdapter(),
    auth: false,
    options: { logger },
    engines: engines as never,
    ...more,
  });

/** The configuration in the page. */
async function pageOf(url: string): Promise<{ basePath: string; uiConfig: object }> {
  const html = await (await fetch(url)).text();
  const json = /<script type="application\/json" id="config">(.*?)<\/script>/.exec(html)?.[1];
  return JSON.parse(json ?? 'null') as { basePath: string; uiConfig: object };
}

describe('two boards behind one mount', () => {
  let served: Awaited<ReturnType<typeof listen>>;
  let boards: Boards;
  const at = (path: string) => `http://127.0.0.1:${served.port}/admin${path}`;

  beforeAll(async () => {
    const serverAdapter = new ExpressAdapter();
    boards = createBoard({
      serverAdapter,
      auth: false,
      options: { logger, ui: { boardTitle: 'Jobs' } },
      engines: {
        kvq: { title: 'Redis', options: { hideKvDetails: true } },
        pgq: { pgq, options: { readOnly: true, ui: { boardTitle: 'Boss' } } },
      },
    });
    served = await listen(express().use('/admin', serverAdapter.getRouter()));
  });
  afterAll(async () => {
    await boards.close();
    await served.close();
  });

  it('answer through `fetch` without a server adapter', async () => {
    const auth = createAuthMiddleware({
      strategy: 'token',
      tokens: ['a-token-of-the-tests-of-two-boards'],
    });
    const unmounted = createBoard({
      auth,
      options: { logger },
      engines: { kvq: {}, pgq: { pgq } },
    });
    const headers = { authorization: 'Bearer a-token-of-the-tests-of-two-boards' };
    const ask = (more: RequestInit) =>
      unmounted.fetch(new Request('http://localhost/api/queues', more));
    expect((await ask({ headers })).status).toBe(200);
    expect((await ask({})).status).toBe(401);
    await unmounted.close();
  });

  it('answer under their paths', async () => {
    expect(await (await fetch(at('/api/queues'))).json()).toMatchObject({ queues: [] });
    expect((await fetch(at('/api/pgq/info'))).status).toBe(404);
    expect((await fetch(at('/pgq/api/queues'))).status).toBe(404);
    const document = await (await fetch(at('/pgq/api/openapi.json'))).json();
    expect(document).toMatchObject({ servers: [{ url: '/admin/pgq' }] });
    expect((await fetch(at('/pgqueue'))).status).toBe(404);
  });

  it('link to each other in their pages', async () => {
    const both = [
      { title: 'Redis', basePath: '/admin', engine: 'kvq' },
      { title: 'pg-boss', basePath: '/admin/pgq', engine: 'pgq' },
    ];
    expect(await pageOf(at('/'))).toMatchObject({
      basePath: '/admin',
      uiConfig: { boards: both, engine: 'kvq', boardTitle: 'Jobs', hideKvDetails: true },
    });
    for (const path of ['/pgq', '/pgq/', '/pgq/queue/a']) {
      expect(await pageOf(at(path))).toMatchObject({
        basePath: '/admin/pgq',
        uiConfig: { boards: both, engine: 'pgq', boardTitle: 'Boss', readOnly: true },
      });
    }
  });

  it('answer requests of the Fetch API', async () => {
    const mount = { basePath: '/admin' };
    const one = await boards.fetch(new Request('http://x/admin/pgq/api/openapi.json'), mount);
    expect(await one.json()).toMatchObject({ servers: [{ url: '/admin/pgq' }] });
    expect((await boards.fetch(new Request('http://x/admin/api/queues'), mount)).status).toBe(200);
  });
});

describe('the page of two boards', () => {
  /** The addresses that its first script asks for while the others load. */
  async function askedEarly(boards: Boards, path: string): Promise<string[]> {
    const answer = await boards.fetch(new Request(`http://x${path}`), { basePath: '/admin' });
    const html = await answer.text();
    const [, config = ''] =
      /<script type="application\/json" id="config">(.*?)<\/script>/.exec(html) ?? [];
    const [, script = ''] = /<script nonce="[^"]*">([^]*?)<\/script>/.exec(html) ?? [];
    expect(script).toContain('early');
    const asked: string[] = [];
    runInNewContext(script, {
      document: {
        documentElement: { dataset: {} },
        getElementById: () => ({ textContent: config }),
      },
      localStorage: { getItem: () => null },
      location: { pathname: path },
      fetch: async (address: string) => void asked.push(address),
    });
    return asked;
  }

  it('asks for the queues of each once, its own first', async () => {
    const boards = make({ kvq: {}, pgq: { pgq } });
    const [own, other] = ['/admin/api/queues?jobs=false', '/admin/pgq/api/pgq/queues'];
    expect(await askedEarly(boards, '/admin')).toEqual([own, other]);
    expect(await askedEarly(boards, '/admin/pgq/')).toEqual([other, own]);
    expect(await askedEarly(boards, '/admin/workers')).toEqual([]);
    await boards.close();
  });
});

it('the live stream of one of two boards ends with the session', async ({ onTestFinished }) => {
  let isValid = true;
  const auth = createAuthMiddleware({
    strategy: 'token',
    validate: () => (isValid ? { username: 'ada' } : false),
  });
  const serverAdapter = new ExpressAdapter();
  const live = { intervalMs: 100, recheckMs: 100, heartbeatMs: 100 };
  const boards = createBoard({
    serverAdapter,
    auth,
    options: { logger, live },
    engines: { kvq: {}, pgq: { pgq } },
  });
  const served = await listen(express().use('/admin', serverAdapter.getRouter()));
  const headers = { authorization: 'Bearer a-token-of-the-tests-of-two-boards' };
  const stream = await openEvents(`http://127.0.0.1:${served.port}/admin/api/live`, headers);
  onTestFinished(async () => {
    stream.close();
    await boards.close();
    await served.close();
  });
  await expect.poll(() => stream.events.map(({ event }) => event)).toEqual(['snapshot']);
  isValid = false;
  await expect
    .poll(() => stream.events.at(-1), { timeout: 20_000 })
    .toMatchObject({ event: 'revoked', data: { code: 'UNAUTHORIZED' } });
});

describe('two boards', () => {
  it('need two paths, neither a path of the other board', () => {
    for (const [kvq, boss] of [
      ['', ''],
      ['/pgq', '/pgq'],
      ['', '/api'],
      ['', '/queue/x'],
      ['/auth', ''],
      ['/a', '/a/assets'],
      ['', '/workers'],
    ]) {
      expect(() => make({ kvq: { path: kvq }, pgq: { path: boss, pgq } })).toThrow(
        '"engines" must have two paths',
      );
    }
    for (const [kvq, boss] of [
      ['/a', '/b'],
      ['/a', '/ab'],
      ['/a', '/a/b'],
      ['/a', ''],
    ]) {
      expect(() => make({ kvq: { path: kvq }, pgq: { path: boss, pgq } })).not.toThrow();
    }
  });

  it('refuse unknown options by their place', () => {
    expect(() => make({ kvq: {}, pgq: { pgq, titel: 'x' } })).toThrow(
      '"engines.pgq.titel" is not an option of createBoard; did you mean "engines.pgq.title"?',
    );
    expect(() => make({ kvq: { path: 'a' }, pgq: { pgq } })).toThrow('"engines.kvq.path" must be');
    expect(() => make({ pgq: { pgq } })).toThrow('"engines.kvq" must be');
    expect(() => make({ kvq: {}, pgq: {} })).toThrow('"engines.pgq.pgq" must be');
  });

  it('say once that they are open, unless both are guarded', () => {
    const warned = (kvq: object, boss: object, auth?: unknown): number => {
      let count = 0;
      const options = { logger: { ...logger, warn: () => (count += 1) } };
      make({ kvq, pgq: { pgq, ...boss } }, { auth, options });
      return count;
    };
    const guarded = { options: { handlerHooks: { before: () => undefined } } };
    expect(warned({}, {})).toBe(1);
    expect(warned(guarded, {})).toBe(1);
    expect(warned({}, guarded)).toBe(1);
    expect(warned(guarded, guarded)).toBe(0);
    expect(warned({}, {}, false)).toBe(0);
    const auth = createAuthMiddleware({ strategy: 'basic', user: 'a', password: 'b' });
    expect(warned({}, {}, auth)).toBe(0);
  });

  it('are asked for by their authentication once', async () => {
    const serverAdapter = new ExpressAdapter();
    const auth = createAuthMiddleware({ strategy: 'basic', user: 'a', password: 'b' });
    createBoard({ serverAdapter, auth, options: { logger }, engines: { kvq: {}, pgq: { pgq } } });
    const { port, close } = await listen(express().use('/q', serverAdapter.getRouter()));
    for (const path of ['/q/', '/q/api/queues', '/q/pgq/', '/q/pgq/api/openapi.json']) {
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(401);
      const headers = { authorization: `Basic ${btoa('a:b')}` };
      expect((await fetch(`http://127.0.0.1:${port}${path}`, { headers })).status).toBe(200);
    }
    await close();
  });
});
