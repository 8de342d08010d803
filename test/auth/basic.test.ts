/** The strategy `basic`: a user name and a password, through the board's HTTP. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import express from 'express';
import { createAuthMiddleware } from '../../src/auth/index.ts';
import { ExpressAdapter, createBoard } from '../../src/http/board/index.ts';
import { listen } from '../http/serve.ts';
import { ask } from './support/agent.ts';
import { keepsSecrets, secret } from './support/transcript.ts';

keepsSecrets();
const password = secret('correct: horse bättery staple');
const header = (user: string, word: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${word}`).toString('base64')}`,
});
const events: string[] = [];
let served: Awaited<ReturnType<typeof listen>>;
const at = (path: string) => ({ port: served.port, path: `/b${path}` });

beforeAll(async () => {
  const serverAdapter = new ExpressAdapter();
  const auth = createAuthMiddleware({
    strategy: 'basic',
    user: 'ann',
    password,
    onEvent: (event) => void events.push(event.type),
  });
  createBoard({ serverAdapter, auth });
  served = await listen(express().use('/b', serverAdapter.getRouter()));
});
afterAll(() => served.close());

describe('basic authentication', () => {
  it('lets the user in and tells who it is', async () => {
    const headers = header('ann', password);
    expect((await ask(at('/api/queues'), { headers })).status).toBe(200);
    expect((await ask(at('/'), { headers })).status).toBe(200);
    const me = await ask(at('/auth/me'), { headers });
    expect(me.json()).toEqual({
      strategy: 'basic',
      user: { username: 'ann', roles: [] },
      logoutUrl: null,
    });
    expect((await ask(at('/api/queues/none/pause'), { headers, method: 'PUT' })).status).toBe(404);
  });

  it.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['a wrong password', header('ann', 'wrong')],
    ['a wrong user', header('bob', password)],
    ['an empty user and password', header('', '')],
    ['another scheme', { authorization: `Bearer ${password}` }],
    ['the credentials without encoding', { authorization: `Basic ann:${password}` }],
    ['a very long header', { authorization: `Basic ${'A'.repeat(9_000)}` }],
  ])('asks for the password on %s', async (_case, headers) => {
    const answer = await ask(at('/api/queues'), { headers });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Basic realm="board", charset="UTF-8"');
    expect(answer.json()).toEqual({ error: { key: 'ERRORS.UNAUTHORIZED' }, code: 'UNAUTHORIZED' });
  });

  it('reports wrong credentials, and refuses writes that other sites start', async () => {
    events.length = 0;
    await ask(at('/api/queues'), {});
    expect(events).toEqual([]);
    await ask(at('/api/queues'), { headers: header('ann', 'x') });
    expect(events).toEqual(['refusal']);
    const headers = { ...header('ann', password), 'sec-fetch-site': 'cross-site' };
    expect((await ask(at('/api/queues/a/pause'), { headers, method: 'PUT' })).status).toBe(403);
  });

  it('refuses a user with a colon and options of other strategies', () => {
    const make = (more: object) =>
      createAuthMiddleware({ strategy: 'basic', user: 'ann', password, ...more } as never);
    expect(() => make({ user: 'a:b' })).toThrow('"user" must be a user name without a colon');
    expect(() => make({ password: '' })).toThrow('"password" must be a non-empty string');
    expect(() => make({ tokens: ['t'] })).toThrow('"tokens" is not an option');
    expect(() => make({ store: {} })).toThrow('"store" is not an option');
  });
});
