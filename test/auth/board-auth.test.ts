/** `createBoard({ auth })`: authentication in front of a board, one path for both, and boards that have none. */

import express from 'express';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAuthMiddleware } from '../../src/auth/index.ts';
import type { AuthMount, AuthOptions } from '../../src/auth/index.ts';
import { ExpressAdapter, createBoard } from '../../src/http/board/index.ts';
import { listen } from '../http/serve.ts';
import { ask, navigation } from './support/agent.ts';
import { keepsSecrets, secret } from './support/transcript.ts';

keepsSecrets();
const token = secret('the-token-of-the-board-tests-0123456789');
const cookie = { secret: secret('the cookie secret of the board tests') };
const options: AuthOptions = { strategy: 'token', tokens: [token], cookie };
const protect = (mount?: AuthMount, more?: Partial<AuthOptions>) =>
  createAuthMiddleware({ ...options, ...more } as AuthOptions, mount);
afterEach(() => vi.unstubAllEnvs());

describe('a board with auth', () => {
  it('asks it before its page, its API and everything else under its mount', async () => {
    const serverAdapter = new ExpressAdapter();
    const board = createBoard({ serverAdapter, auth: protect() });
    const app = express().use('/admin/queues', serverAdapter.getRouter());
    const { port, close } = await listen(app);
    const path = (below: string) => ({ port, path: `/admin/queues${below}` });
    for (const below of ['/api/queues', '/api/openapi.json', '/', '/other']) {
      expect((await ask(path(below))).status).toBe(401);
    }
    const page = await ask(path('/queue/a'), { headers: navigation });
    expect(page.headers.location).toBe(
      '/admin/queues/auth/login?returnTo=%2Fadmin%2Fqueues%2Fqueue%2Fa',
    );
    const headers = { authorization: `Bearer ${token}` };
    const document = await ask(path('/api/openapi.json'), { headers });
    // The mount is the base path, for both, without being named.
    expect(document.json()).toMatchObject({ servers: [{ url: '/admin/queues' }] });
    expect((await ask(path('/auth/me'), { headers })).status).toBe(200);
    await close();
    await board.close();
  });

  it('has the path that browsers use, from publicUrl', async () => {
    const serverAdapter = new ExpressAdapter();
    const auth = protect({}, { publicUrl: 'https://tools.example.test/outside/board' });
    createBoard({ serverAdapter, auth });
    const { port, close } = await listen(express().use('/inside', serverAdapter.getRouter()));
    const headers = { authorization: `Bearer ${token}` };
    const document = await ask({ port, path: '/inside/api/openapi.json' }, { headers });
    expect(document.json()).toMatchObject({ servers: [{ url: '/outside/board' }] });
    await close();
  });

  it('cannot have another path than its authentication', () => {
    const auth = protect({ basePath: '/admin/queues' });
    const early = new ExpressAdapter().setBasePath('/queues');
    expect(() => createBoard({ serverAdapter: early, auth })).toThrow(
      '"basePath" must be the path',
    );
    const late = new ExpressAdapter();
    createBoard({ serverAdapter: late, auth });
    expect(() => late.setBasePath('/queues')).toThrow('"basePath" must be the path');
    expect(() => late.setBasePath('/admin/queues/')).not.toThrow();
  });

  it('takes nothing else for authentication', () => {
    for (const auth of [true, null, {}, 'auth', () => undefined]) {
      expect(() =>
        createBoard({ serverAdapter: new ExpressAdapter(), auth: auth as never }),
      ).toThrow('"auth" must be false or authentication made by createAuthMiddleware');
    }
  });
});

describe('a board without auth', () => {
  const warned = (config: object, hooks: object = {}): string[] => {
    const lines: string[] = [];
    const logger = { warn: (line: string) => void lines.push(line), error: () => undefined };
    const options = { logger, ...hooks };
    createBoard({ serverAdapter: new ExpressAdapter(), options, ...config });
    return lines;
  };

  it('says at boot that it is open', () => {
    expect(warned({})).toEqual([expect.stringContaining('This board is open')]);
    expect(warned({ auth: false })).toEqual([]);
    expect(warned({ auth: protect() })).toEqual([]);
    const handlerHooks = { before: () => ({ allow: true }) };
    expect(warned({}, { handlerHooks })).toEqual([]);
    expect(warned({}, { handlerHooks: { after: () => undefined } })).toHaveLength(1);
  });

  it('starts in production with the same warning, on the server of the host', () => {
    vi.stubEnv('NODE_ENV', 'production');
    expect(warned({})).toEqual([expect.stringContaining('This board is open')]);
    expect(warned({ auth: false })).toEqual([]);
  });

  it('does not start in production on a server to itself', () => {
    const serverAdapter = () => ({ attach: () => undefined, listens: true });
    expect(warned({ serverAdapter: serverAdapter() })).toHaveLength(1);
    vi.stubEnv('NODE_ENV', 'production');
    expect(() => warned({ serverAdapter: serverAdapter() })).toThrow('This board is open');
    expect(warned({ serverAdapter: serverAdapter(), auth: false })).toEqual([]);
    expect(warned({ serverAdapter: serverAdapter(), auth: protect() })).toEqual([]);
    const handlerHooks = { before: () => ({ allow: true }) };
    expect(warned({ serverAdapter: serverAdapter() }, { handlerHooks })).toEqual([]);
  });
});
