/** Attacks by request lines: targets, methods and upgrades that somebody behind the middleware may read otherwise. */

import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createAuthMiddleware } from '../../src/auth/index.ts';
import { hosts } from './support/hosts.ts';
import type { Running } from '../listening.ts';

const token = 'the-token-of-the-target-tests-0123456789';
const basePath = '/admin/queues';

/** Sends a request line and headers as they are; gives what comes back until the connection ends. */
function raw(port: number, line: string, headers: readonly string[] = []): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = [line, 'Host: a.test', ...headers, 'Content-Length: 0', '', ''];
    const socket = connect(port, '127.0.0.1', () => socket.write(lines.join('\r\n'), 'latin1'));
    let got = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => (got += chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(got));
  });
}

/** Ways to write a path of the board, or one that looks like a route that needs no session. */
const targets = [
  '/admin/queues',
  '/admin/queues/',
  '/admin/queues//',
  '//admin/queues/',
  '/ADMIN/queues/api',
  '/admin/queues/auth',
  '/admin/queues/auth/',
  '/admin/queues/auth/me',
  '/admin/queues/auth/../api/queues',
  '/admin/queues/auth/%2e%2e/api/queues',
  '/admin/queues/auth/login/../../api/queues',
  '/admin/queues/auth/login/..%2f..%2fapi',
  '/admin/queues/auth/login/',
  '/admin/queues/auth/login/x',
  '/admin/queues/auth/login;x',
  '/admin/queues/auth/login%00',
  '/admin/queues/auth/login%3f',
  '/admin/queues/auth%2flogin',
  '/admin/queues/auth//login',
  '/admin/queues/AUTH/login',
  '/admin/queues/%61uth/login',
  '/admin/queues\\auth\\login',
  '/admin/queues/api\\..\\auth\\login',
  '/admin/queues/api?/admin/queues/auth/login',
  '/admin/queues/api#/admin/queues/auth/login',
  '/admin/queuesX/auth/login',
  '/admin/queues/../queues/api',
  '/admin/%71ueues/api',
  'http://evil.test/admin/queues/api',
  'http://evil.test/admin/queues/auth/../api',
  'http:/admin/queues/api',
  '*',
];

/** Requests that want to be taken for something else. */
const dresses: readonly (readonly string[])[] = [
  ['Connection: close'],
  ['Connection: close', 'Accept: text/html', 'Sec-Fetch-Dest: document'],
  ['Connection: Upgrade, close', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
];

describe.each(hosts)('$name', ({ start }) => {
  let running: Running;
  beforeAll(async () => {
    const cookie = { secret: 'the cookie secret of the target tests' };
    const auth = createAuthMiddleware({ strategy: 'token', tokens: [token], cookie }, { basePath });
    running = await start(auth);
  });
  afterAll(() => running.close());

  it.each(['GET', 'POST', 'OPTIONS'])('%s reaches nothing without a token', async (method) => {
    for (const target of targets) {
      for (const dress of dresses) {
        const answer = await raw(running.port, `${method} ${target} HTTP/1.1`, dress);
        // 404 and 405 are the framework's own, of what it does not see under the base path.
        expect([target, answer.split(' ')[1]]).toEqual([
          target,
          expect.stringMatching(/^(302|400|401|404|405)$/),
        ]);
        expect([target, answer.includes('"served"')]).toEqual([target, false]);
      }
    }
  });

  it.each(['HEAD', 'TRACE', 'PUT', 'PROPFIND', 'CONNECT', 'QUERY', 'get'])(
    '%s is not a way around it',
    async (method) => {
      // Hono on Node complains aloud that a HEAD has been answered already.
      const quiet = vi.spyOn(console, 'error').mockReturnValue();
      for (const target of ['/admin/queues/api', '/admin/queues/auth/../api']) {
        const answer = await raw(running.port, `${method} ${target} HTTP/1.1`, dresses[0]);
        // A CONNECT that nobody listens for is hung up on.
        expect([method, answer === '' ? 'hung up' : answer.split(' ')[1]]).toEqual([
          method,
          method === 'CONNECT' ? 'hung up' : expect.stringMatching(/^(400|401|404|405)$/),
        ]);
      }
      quiet.mockRestore();
    },
  );

  it('the same with a token is served', async () => {
    const answer = await raw(running.port, 'GET /admin/queues/api HTTP/1.1', [
      'Connection: close',
      `Authorization: Bearer ${token}`,
    ]);
    expect(answer).toContain('"served":"/admin/queues/api"');
  });
});
