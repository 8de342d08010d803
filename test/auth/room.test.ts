/** Sessions that need room: many roles, long tokens, and what is kept of the claims. */

import { describe, expect, it } from 'vitest';
import { createAuthMiddleware } from '../../src/auth/index.ts';
import type { OidcOptions } from '../../src/auth/index.ts';
import { sealedLimit } from '../../src/auth/session/sealing.ts';
import { advanceClock } from '../clock.ts';
import { Agent, ask } from './support/agent.ts';
import { logIn } from './support/log-in.ts';
import { printed, secret } from './support/transcript.ts';
import { useRealm } from './support/use-realm.ts';

const setting = useRealm();
const cookie = { secret: secret('a cookie secret that is long enough') };

async function enter(account: string, more: Partial<OidcOptions>): Promise<Agent> {
  const { board } = setting;
  board.protect(setting.options(more));
  const agent = new Agent();
  expect((await logIn(agent, `${board.url}/`, account)).status).toBe(302);
  return agent;
}

const me = async (agent: Agent): Promise<unknown> =>
  (await agent.ask(`${setting.board.url}/auth/me`)).json();

/** Whether a session is refreshed once its access token has expired. */
async function survives(account: string, more: Partial<OidcOptions>): Promise<boolean> {
  const { board, realm } = setting;
  realm.behaviour.accessTokenSeconds = 10;
  const agent = await enter(account, more);
  advanceClock(11_000);
  realm.behaviour.accessTokenSeconds = 300;
  return (await agent.ask(`${board.url}/api`)).status === 200;
}

describe('a user with 120 roles', () => {
  it('keeps the roles that the board asks for, and the refresh token', async () => {
    const agent = await enter('lin', { requiredRoles: ['operator', 'viewer'] });
    expect(await me(agent)).toMatchObject({ user: { roles: ['operator'] } });
    expect(await survives('lin', { requiredRoles: ['operator'] })).toBe(true);
  });

  it('keeps those that the host chooses', async () => {
    const roles = (claims: Readonly<Record<string, unknown>>) => {
      const { roles: all } = claims['realm_access'] as { roles: readonly string[] };
      return all.filter((role) => /-(7|8)$/.test(role));
    };
    expect(await me(await enter('lin', { roles }))).toMatchObject({
      user: { roles: ['department-role-7', 'department-role-8'] },
    });
    const { board } = setting;
    board.protect(setting.options({ roles, requiredRoles: ['operator'] }));
    expect((await logIn(new Agent(), `${board.url}/`, 'lin')).status).toBe(403);
    board.protect(setting.options({ roles: () => 'operator' as unknown as string[] }));
    const text = new Agent();
    await logIn(text, `${board.url}/`, 'lin');
    expect(await me(text)).toMatchObject({ user: { roles: [] } });
  });

  it('is told of once when a token is left out, and does not outlive the access token then', async () => {
    setting.realm.behaviour.changeGrant = (answer) => {
      answer['refresh_token'] = `${String(answer['refresh_token'])}${'x'.repeat(1_500)}`;
    };
    printed.length = 0;
    expect(await survives('lin', {})).toBe(false);
    expect(printed).toEqual([
      expect.stringMatching(
        /kept without its refresh token, .*"roles", "claims" and "cookie.parts"/,
      ),
      expect.stringContaining('kept without its ID token'),
    ]);
    const { board } = setting;
    for (let turn = 0; turn < 2; turn += 1) await logIn(new Agent(), `${board.url}/`, 'lin');
    expect(printed).toHaveLength(2);
  });
});

describe('cookie.parts', () => {
  it('spread a session over several cookies', async () => {
    const { board } = setting;
    const parts = { cookie: { ...cookie, parts: 4 } };
    for (const account of ['lin', 'eve', 'max']) {
      const agent = await enter(account, parts);
      const names = agent.cookieNames('board_session');
      expect(names.length).toBeGreaterThan(1);
      for (const name of names) {
        expect((agent.cookie(name) ?? '').length).toBeLessThanOrEqual(sealedLimit + 2);
      }
      expect((await agent.ask(`${board.url}/api`)).status).toBe(200);
      const out = await agent.ask(`${board.url}/auth/logout`);
      expect(out.headers.location).toContain('id_token_hint=');
      expect(agent.cookieNames('board_session')).toEqual([]);
    }
    expect(await survives('lin', parts)).toBe(true);
  });

  it('leave a short session in one cookie, and take the parts of a longer one away', async () => {
    const { board } = setting;
    const parts = { cookie: { ...cookie, parts: 4 } };
    const agent = await enter('max', parts);
    expect(agent.cookieNames('board_session').length).toBeGreaterThan(1);
    await logIn(agent, `${board.url}/auth/login`, 'ada').catch(() => undefined);
    const short = await enter('bob', parts);
    expect(short.cookieNames('board_session')).toEqual(['board_session']);
  });

  it('of two sessions on different paths are told apart, and both end at the logout', async () => {
    const { board } = setting;
    const parts = { cookie: { ...cookie, parts: 4 } };
    /** The cookies of a session, name by name. */
    const cookiesOf = async (account: string): Promise<ReadonlyMap<string, string>> => {
      const agent = await enter(account, parts);
      const names = agent.cookieNames('board_session').toSorted();
      return new Map(names.map((name) => [name, `${name}=${agent.cookie(name)}`]));
    };
    const [long, short] = [await cookiesOf('max'), await cookiesOf('eve')];
    expect([long.size > short.size, short.size > 1]).toEqual([true, true]);
    const planted = new Map([['board_session', 'board_session=2~planted']]);
    /** As a browser sends them: those of the longer path before the others of their name. */
    const sent = (...sessions: readonly ReadonlyMap<string, string>[]): string =>
      [...long.keys()]
        .flatMap((name) => sessions.map((session) => session.get(name) ?? []).flat())
        .join('; ');
    const statusOf = async (header: string): Promise<number> =>
      (await ask(`${board.url}/api`, { headers: { cookie: header } })).status;
    const nameOf = async (header: string): Promise<unknown> =>
      (await ask(`${board.url}/auth/me`, { headers: { cookie: header } })).json();
    board.protect(setting.options(parts));
    for (const [header, username] of [
      [sent(long, short), 'max'],
      [sent(short, long), 'eve'],
      [sent(planted, long), 'max'],
    ] as const) {
      expect(await nameOf(header)).toMatchObject({ user: { username } });
    }
    for (const [front, behind] of [
      [long, short],
      [short, long],
    ] as const) {
      board.protect(setting.options(parts));
      await ask(`${board.url}/auth/logout`, { headers: { cookie: sent(front, behind) } });
      expect([await statusOf(sent(front)), await statusOf(sent(behind))]).toEqual([401, 401]);
    }
  });

  it('of which one is missing, altered or foreign are not a session', async () => {
    const { board } = setting;
    const agent = await enter('max', { cookie: { ...cookie, parts: 4 } });
    const values = Object.fromEntries(
      agent.cookieNames('board_session').map((name) => [name, agent.cookie(name) ?? '']),
    );
    const statusOf = async (changed: Record<string, string>) => {
      const all = Object.entries({ ...values, ...changed });
      const header = all.map(([name, value]) => `${name}=${value}`).join('; ');
      return (await ask(`${board.url}/api`, { headers: { cookie: header } })).status;
    };
    const first = values['board_session'] ?? '';
    expect(await statusOf({})).toBe(200);
    expect(await statusOf({ 'board_session.2': '' })).toBe(401);
    expect(await statusOf({ 'board_session.2': first.slice(2) })).toBe(401);
    for (const start of ['1~', '9~', '0~', '~~', '4~', '']) {
      expect(await statusOf({ board_session: start + first.slice(2) })).toBe(401);
    }
  });
});

describe('claims', () => {
  it('id is the subject, and an address counts only where the provider has verified it', async () => {
    expect(await me(await enter('ada', {}))).toMatchObject({
      user: { id: 'ada', email: 'ada@example.test' },
    });
    expect(await me(await enter('mal', {}))).toMatchObject({
      user: { id: 'mal', username: 'mal' },
    });
    expect(JSON.stringify(await me(await enter('mal', {})))).not.toContain('ceo@');
  });

  it('reach onAuthenticated, by a session, after a refresh and by a token', async () => {
    const { board, realm } = setting;
    const seen: unknown[] = [];
    const more: Partial<OidcOptions> = {
      claims: ['email', 'email_verified', 'groups'],
      onAuthenticated: (user, _request, claims) => void seen.push([user.id, claims]),
    };
    realm.behaviour.accessTokenSeconds = 10;
    const agent = await enter('mal', more);
    realm.behaviour.accessTokenSeconds = 300;
    await agent.ask(`${board.url}/api`);
    advanceClock(11_000);
    await agent.ask(`${board.url}/api`);
    const kept = { email: 'ceo@example.test', email_verified: false };
    const authorization = `Bearer ${await realm.sign({ groups: ['a'], other: 1 })}`;
    await ask(`${board.url}/api`, { headers: { authorization } });
    expect(seen).toEqual([
      ['mal', kept],
      ['mal', kept],
      ['script', { groups: ['a'] }],
    ]);
  });
});

it('the name of a board is the end of its cookie’s name', async () => {
  const { board } = setting;
  const auth = createAuthMiddleware(setting.options(), { basePath: '/admin/queues', name: 'mail' });
  expect(auth).toBeTypeOf('function');
  board.protect(setting.options(), { basePath: '/admin/queues', name: 'mail' });
  const agent = new Agent();
  await logIn(agent, `${board.url}/`, 'ada');
  expect(agent.cookieNames('board_session')).toEqual(['board_session_mail']);
});
