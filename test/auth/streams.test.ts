/** Live streams of a board behind `oidc` and `token`: they follow their session while other requests renew it. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import express from 'express';
import { Hono } from 'hono';
import { afterEach, describe, expect, it } from 'vitest';
import { createAuthMiddleware } from '../../src/auth/index.ts';
import type { AuthMiddleware, AuthOptions } from '../../src/auth/index.ts';
import { memoryAuthStore } from '../../src/auth/store/memory.ts';
import { ExpressAdapter, createBoard } from '../../src/http/board/index.ts';
import { HonoAdapter } from '../../src/http/hono/board.ts';
import { openEvents } from '../board/core/event-stream.ts';
import { advanceClock } from '../clock.ts';
import { Agent, ask } from './support/agent.ts';
import { basePath } from './support/board.ts';
import { logIn } from './support/log-in.ts';
import { useRealm } from './support/use-realm.ts';

const setting = useRealm();
/** The clock decides when streams are checked. */
const live = { intervalMs: 100, recheckMs: 100_000, heartbeatMs: 600_000 };
const name = 'board_session';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const mounts = {
  Express: (auth: AuthMiddleware) => {
    const serverAdapter = new ExpressAdapter();
    const board = createBoard({ serverAdapter, auth, options: { live } });
    const app = express().use(basePath, serverAdapter.getRouter());
    return { board, server: createServer(app).listen(0, '127.0.0.1') };
  },
  Hono: (auth: AuthMiddleware) => {
    const serverAdapter = new HonoAdapter();
    const board = createBoard({ serverAdapter, auth, options: { live } });
    const { fetch } = new Hono().route(basePath, serverAdapter.registerPlugin());
    return { board, server: serve({ fetch, port: 0, hostname: '127.0.0.1' }) };
  },
};

/** A board whose streams are followed: `checks` counts the users that were let in. */
async function start(mount: keyof typeof mounts, options: AuthOptions) {
  const seen = { checks: 0 };
  const onAuthenticated = (): void => void (seen.checks += 1);
  const auth = createAuthMiddleware({ ...options, onAuthenticated }, { basePath });
  const { board, server } = mounts[mount](auth);
  if (!server.listening) await new Promise<void>((resolve) => server.once('listening', resolve));
  closing.push(async () => {
    await board.close();
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}`;
  const cookieOf = (agent: Agent) => ({ cookie: `${name}=${agent.cookie(name)}` });
  return {
    seen,
    /** Opens a stream, which keeps the cookie that the agent has now. */
    async watch(agent: Agent) {
      const stream = await openEvents(`${url}/api/live`, cookieOf(agent));
      closing.push(() => stream.close());
      await expect.poll(() => stream.events.length).toBe(1);
      return stream;
    },
    logIn: (agent: Agent, token: string) =>
      agent.ask(`${url}/auth/login`, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
          origin: new URL(url).origin,
        },
        body: new URLSearchParams({ token }).toString(),
      }),
    poll: (agent: Agent) => agent.ask(`${url}/api/queues`),
    logOut: (headers: Readonly<Record<string, string>>) => ask(`${url}/auth/logout`, { headers }),
    cookieOf,
    /** Lets the board check the streams again, and waits for one that may go on. */
    async recheck() {
      const { checks } = seen;
      advanceClock(live.recheckMs);
      await expect.poll(() => seen.checks).toBe(checks + 1);
    },
  };
}

const lastOf = ({ events }: { readonly events: readonly { readonly event: string }[] }) =>
  events.at(-1)?.event;

describe.each(['Express', 'Hono'] as const)('a stream under %s', (mount) => {
  /** Somebody who is logged in. */
  async function loggedIn(accessTokenSeconds: number): Promise<Agent> {
    const { board, realm } = setting;
    realm.behaviour.accessTokenSeconds = accessTokenSeconds;
    board.protect(setting.options());
    const agent = new Agent();
    await logIn(agent, `${board.url}/`, 'ada');
    realm.behaviour.accessTokenSeconds = 300;
    return agent;
  }

  it('goes on with the session that another request has refreshed, and ends with it', async () => {
    const board = await start(mount, setting.options());
    const agent = await loggedIn(10);
    const stream = await board.watch(agent);
    advanceClock(11_000);
    expect((await board.poll(agent)).cookies).toHaveLength(1);
    await board.recheck();
    await board.recheck();
    expect(stream.events.map(({ event }) => event)).toEqual(['snapshot']);
    await board.logOut(board.cookieOf(agent));
    advanceClock(live.recheckMs);
    await stream.ended;
    expect(lastOf(stream)).toBe('revoked');
  });

  it('goes on that was opened with an expired session, and ends once nobody refreshes it', async () => {
    const board = await start(mount, setting.options());
    const agent = await loggedIn(10);
    advanceClock(11_000);
    const stream = await board.watch(agent);
    await board.recheck();
    await board.recheck();
    expect(lastOf(stream)).toBe('snapshot');
    advanceClock(300_000);
    await stream.ended;
    expect(lastOf(stream)).toBe('revoked');
  });

  it('follows a session that another instance has refreshed', async () => {
    const store = memoryAuthStore();
    const options = setting.options({ store });
    const [here, there] = [await start(mount, options), await start(mount, options)];
    const agent = await loggedIn(live.recheckMs / 1000 - 10);
    const stream = await here.watch(agent);
    advanceClock(live.recheckMs - 5_000);
    expect((await there.poll(agent)).cookies).toHaveLength(1);
    const { checks } = here.seen;
    advanceClock(5_000);
    await expect.poll(() => here.seen.checks).toBe(checks + 1);
    await here.recheck();
    expect(lastOf(stream)).toBe('snapshot');
    await there.logOut(there.cookieOf(agent));
    advanceClock(live.recheckMs);
    await stream.ended;
    expect(lastOf(stream)).toBe('revoked');
  });

  it('goes on while other requests renew a session before its idle timeout', async () => {
    const token = 'a-token-of-the-tests-of-streams-0123456789';
    const board = await start(mount, {
      strategy: 'token',
      tokens: [token],
      cookie: { secret: 'a cookie secret of the tests of streams', idleSeconds: 150 },
    });
    const agent = new Agent();
    const { headers } = await board.logIn(agent, token);
    expect(headers.location).toBeDefined();
    const stream = await board.watch(agent);
    for (let time = 0; time < 3; time += 1) {
      expect((await board.poll(agent)).status).toBe(200);
      await board.recheck();
    }
    expect(lastOf(stream)).toBe('snapshot');
    advanceClock(live.recheckMs * 2);
    await stream.ended;
    expect(lastOf(stream)).toBe('revoked');
  });
});

it('a request that was not let in before is not let in by an old cookie', async () => {
  const auth = createAuthMiddleware(setting.options(), { basePath });
  const { realm, board } = setting;
  realm.behaviour.accessTokenSeconds = 10;
  board.protect(setting.options());
  const agent = new Agent();
  await logIn(agent, `${board.url}/`, 'ada');
  realm.behaviour.accessTokenSeconds = 300;
  advanceClock(11_000);
  const old = new Request(`${board.url}/api/live`, {
    headers: { cookie: `${name}=${agent.cookie(name)}` },
  });
  await auth.fetch(old, () => new Response());
  expect(await auth.authenticate(old)).toMatchObject({ username: 'ada' });
  expect(await auth.authenticate(new Request(old))).toBeNull();
});

it('a request that was not let in before is not let in by the cookie that a renewal has replaced', async () => {
  const token = 'a-token-of-the-tests-of-streams-0123456789';
  const cookie = { secret: 'a cookie secret of the tests of streams', idleSeconds: 30 };
  const auth = createAuthMiddleware({ strategy: 'token', tokens: [token], cookie }, { basePath });
  const { origin } = new URL(setting.board.url);
  const next = (): Response => new Response();
  const login = new Request(`${origin}${basePath}/auth/login`, {
    method: 'POST',
    headers: {
      origin,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ token }),
  });
  const [begun = ''] = (await auth.fetch(login, next)).headers.getSetCookie();
  const [sealed = ''] = begun.split(';');
  const asked = (): Request =>
    new Request(`${origin}${basePath}/api/live`, { headers: { cookie: sealed } });
  const stream = asked();
  expect((await auth.fetch(stream, next)).status).toBe(200);
  advanceClock(20_000);
  expect((await auth.fetch(asked(), next)).headers.getSetCookie()).toHaveLength(1);
  advanceClock(20_000);
  expect(await auth.authenticate(stream)).not.toBeNull();
  expect(await auth.authenticate(asked())).toBeNull();
});
