/** Logouts that the provider sends: which sessions each one ends, and for how long. */

import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { advanceClock } from '../clock.ts';
import { Agent, ask } from './support/agent.ts';
import { logIn } from './support/log-in.ts';
import { useRealm } from './support/use-realm.ts';

const setting = useRealm();
const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };

/** Logs ada in; the session of the provider has this id. */
async function enter(sid: string): Promise<Agent> {
  const { board, realm } = setting;
  realm.behaviour.changeGrant = async (answer) => {
    answer['id_token'] = await realm.sign({ ...decodeJwt(String(answer['id_token'])), sid });
  };
  const agent = new Agent();
  expect((await logIn(agent, `${board.url}/`, 'ada')).status).toBe(302);
  realm.behaviour.changeGrant = null;
  return agent;
}

async function logOut(claims: Readonly<Record<string, unknown>>): Promise<number> {
  const { board, realm } = setting;
  const token = await realm.sign({ aud: 'board', events, sub: undefined, ...claims });
  const answer = await ask(`${board.url}/auth/backchannel-logout`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: token }).toString(),
  });
  return answer.status;
}

const now = (): number => Math.floor(Date.now() / 1000);
const statuses = (...agents: readonly Agent[]): Promise<number[]> =>
  Promise.all(agents.map(async (agent) => (await agent.ask(`${setting.board.url}/api`)).status));

describe('a logout of the provider', () => {
  it('that names a session and its user ends that session alone', async () => {
    setting.board.protect(setting.options());
    const [one, other] = [await enter('one'), await enter('other')];
    expect(await statuses(one, other)).toEqual([200, 200]);
    expect(await logOut({ sid: 'one', sub: 'ada' })).toBe(200);
    expect(await statuses(one, other)).toEqual([401, 200]);
    expect(await logOut({ sub: 'ada' })).toBe(200);
    expect(await statuses(other)).toEqual([401]);
  });

  it('ends a session that has been refreshed', async () => {
    const { board, realm } = setting;
    board.protect(setting.options());
    realm.behaviour.accessTokenSeconds = 10;
    const [one, other] = [await enter('one'), await enter('other')];
    advanceClock(11_000);
    realm.behaviour.accessTokenSeconds = 300;
    expect(await statuses(one, other)).toEqual([200, 200]);
    expect(await logOut({ sid: 'one' })).toBe(200);
    expect(await statuses(one, other)).toEqual([401, 200]);
  });

  it.each([
    ['an ID token', { nonce: 'x' }],
    ['a token for something else', { events: {} }],
    ['a token of events that are not told', { events: undefined }],
    ['a token without its time', { iat: undefined }],
    ['a token for another client', { aud: 'other', azp: undefined }],
    ['a token that names nobody', { sid: undefined }],
  ])('is refused as %s, and ends no session', async (_name, claims) => {
    setting.board.protect(setting.options());
    const agent = await enter('one');
    expect(await logOut({ sid: 'one', ...claims })).toBe(400);
    expect(await statuses(agent)).toEqual([200]);
  });

  it.each(['sid', 'sub'] as const)(
    'keeps its sessions ended when an older one of the %s comes after it, or again',
    async (kind) => {
      setting.board.protect(setting.options());
      const older = { [kind]: kind === 'sid' ? 'one' : 'ada', iat: now() };
      advanceClock(10_000);
      const agent = await enter('one');
      expect(await logOut(older)).toBe(200);
      expect(await statuses(agent)).toEqual([200]);
      const copy = new Agent();
      copy.setCookie('board_session', agent.cookie('board_session'), '/admin/queues');
      advanceClock(1_000);
      expect(await logOut({ ...older, iat: now() })).toBe(200);
      expect(await statuses(agent)).toEqual([401]);
      expect(await logOut(older)).toBe(200);
      expect(await statuses(copy)).toEqual([401]);
    },
  );
});
