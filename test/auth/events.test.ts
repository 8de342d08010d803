/** Events for the host, and requests that no middleware sees: upgrades and streams. */

import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { getAuthUser } from '../../src/auth/index.ts';
import type { AuthEvent, AuthMiddleware } from '../../src/auth/index.ts';
import { advanceClock } from '../clock.ts';
import { Agent, ask } from './support/agent.ts';
import { logIn } from './support/log-in.ts';
import { secret } from './support/transcript.ts';
import { tokens } from './support/use-board.ts';
import { useRealm } from './support/use-realm.ts';

const setting = useRealm();
const cookie = { secret: secret('a cookie secret that is long enough') };

/** The events in short. */
function recorder(): { readonly told: string[]; readonly onEvent: (event: AuthEvent) => void } {
  const told: string[] = [];
  return {
    told,
    onEvent: (event) => {
      const reason = event.type === 'refusal' ? event.reason : '';
      told.push([event.type, reason, event.user?.id ?? ''].join(' ').trim());
      throw new Error('of the hook');
    },
  };
}

describe('onEvent', () => {
  it('is told of logins, refreshes, refusals and logouts of oidc', async () => {
    const { board, realm } = setting;
    const { told, onEvent } = recorder();
    board.protect(setting.options({ onEvent }));
    const agent = new Agent();
    realm.behaviour.accessTokenSeconds = 10;
    await logIn(agent, `${board.url}/`, 'ada');
    realm.behaviour.accessTokenSeconds = 300;
    await agent.ask(`${board.url}/api`);
    advanceClock(11_000);
    await agent.ask(`${board.url}/api`);
    await agent.ask(`${board.url}/api`, { method: 'POST', headers: { origin: 'https://x.test' } });
    const copy = agent.cookie('board_session');
    await agent.ask(`${board.url}/auth/logout`);
    agent.setCookie('board_session', copy, '/admin/queues');
    expect((await agent.ask(`${board.url}/api`)).status).toBe(401);
    await ask(`${board.url}/api`, { headers: { authorization: 'Bearer x' } });
    await ask(`${board.url}/auth/callback?code=x&state=y`);
    await ask(`${board.url}/api`);
    expect(told).toEqual([
      'login  ada',
      'refresh  ada',
      'refusal origin ada',
      'logout  ada',
      'refusal revoked ada',
      'refusal credentials',
      'refusal login',
    ]);
  });

  it('is told why a user was refused', async () => {
    const { board } = setting;
    const { told, onEvent } = recorder();
    board.protect(setting.options({ onEvent, requiredRoles: ['operator'] }));
    await logIn(new Agent(), `${board.url}/`, 'bob');
    board.protect(setting.options({ onEvent, onAuthenticated: () => false }));
    const agent = new Agent();
    await logIn(agent, `${board.url}/`, 'ada');
    await agent.ask(`${board.url}/api`);
    expect(told).toEqual(['refusal role bob', 'login  ada', 'refusal onAuthenticated ada']);
  });

  it('is told the same of token', async () => {
    const { board } = setting;
    const { told, onEvent } = recorder();
    board.protect({ strategy: 'token', tokens, cookie, onEvent, user: { id: 'ops' } });
    const post = (token: string) =>
      ask(`${board.url}/auth/login`, {
        method: 'POST',
        headers: { origin: board.origin, 'content-type': 'application/x-www-form-urlencoded' },
        body: `token=${token}`,
      });
    await post('wrong');
    await post(tokens[0]);
    await ask(`${board.url}/api`, { headers: { authorization: 'Bearer wrong' } });
    await ask(`${board.url}/auth/logout`);
    expect(told).toEqual(['refusal login', 'login  ops', 'refusal credentials', 'logout']);
  });
});

describe('authenticate', () => {
  /** A server that answers upgrades by itself, as one for WebSockets does. */
  const upgrading = async (auth: AuthMiddleware) => {
    const server = createServer();
    const users: unknown[] = [];
    server.on('upgrade', (request: IncomingMessage, socket) => {
      void auth.authenticate(request).then((user) => {
        users.push((user ?? undefined) === getAuthUser(request) ? (user?.id ?? null) : 'another');
        socket.end(`HTTP/1.1 ${user === null ? 403 : 101} x\r\n\r\n`);
      });
    });
    server.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const statusOf = (headers: Record<string, string>) =>
      new Promise<string>((resolve, reject) => {
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
        const socket = connect(port, '127.0.0.1', () =>
          socket.write(
            `GET /admin/queues/live HTTP/1.1\r\nHost: board.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${lines.join('')}\r\n`,
          ),
        );
        socket.once('data', (text) => resolve(String(text).split(' ')[1] ?? ''));
        socket.on('error', reject);
      });
    return { statusOf, users, close: () => server.close() };
  };

  it('lets an upgrade with a session in from the board’s own pages only', async () => {
    const { board } = setting;
    const auth = board.protect(setting.options({ requiredRoles: ['operator'] }));
    const agent = new Agent();
    await logIn(agent, `${board.url}/`, 'ada');
    const session = { cookie: `board_session=${agent.cookie('board_session')}` };
    const { statusOf, users, close } = await upgrading(auth);
    const origin = 'http://board.test';
    expect(await statusOf({ ...session, origin })).toBe('101');
    expect(await statusOf({ ...session, origin, 'sec-fetch-site': 'same-origin' })).toBe('101');
    for (const headers of [
      {},
      { origin: 'http://evil.test' },
      { origin: 'http://board.test:8080' },
      { origin: 'null' },
      { origin, 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'same-origin' },
    ] as Record<string, string>[]) {
      expect([headers, await statusOf({ ...session, ...headers })]).toEqual([headers, '403']);
    }
    expect(await statusOf({ origin })).toBe('403');
    expect(await statusOf({ origin, cookie: 'board_session=x' })).toBe('403');
    expect(users.slice(0, 2)).toEqual(['ada', 'ada']);
    expect(users.slice(2).every((user) => user === null)).toBe(true);
    await agent.ask(`${board.url}/auth/logout`);
    expect(await statusOf({ ...session, origin })).toBe('403');
    close();
  });

  it('checks tokens, roles and the host’s own say', async () => {
    const { board, realm } = setting;
    const bearer = async (claims: object) => ({
      authorization: `Bearer ${await realm.sign(claims as Record<string, unknown>)}`,
    });
    const seen: unknown[] = [];
    const auth = board.protect(
      setting.options({
        requiredRoles: ['operator'],
        onAuthenticated: (user) => {
          seen.push(user.id);
          return user.id !== 'refused';
        },
      }),
    );
    const { statusOf, close } = await upgrading(auth);
    const realm_access = { roles: ['operator'] };
    expect(await statusOf(await bearer({ realm_access }))).toBe('101');
    expect(await statusOf(await bearer({ realm_access, sub: 'refused' }))).toBe('403');
    expect(await statusOf(await bearer({}))).toBe('403');
    expect(await statusOf({ authorization: 'Bearer x' })).toBe('403');
    expect(seen).toEqual(['script', 'refused']);
    await realm.down();
    board.protect(setting.options());
    const fresh = await upgrading(board.protect(setting.options()));
    expect(await fresh.statusOf(await bearer({}))).toBe('403');
    await realm.up();
    close();
    fresh.close();
  });
});
