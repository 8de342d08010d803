/** Attacks on the session cookie: altered, foreign, expired, replayed, moved, planted, oversized. */

import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { createSealer, sealedLimit } from '../../src/auth/session/sealing.ts';
import { Agent, ask, navigation } from './support/agent.ts';
import { secret } from './support/transcript.ts';
import { tokens, useBoard } from './support/use-board.ts';
import { holds } from '../seed.ts';

const setting = useBoard();
const [token] = tokens;
const cookieSecret = secret('the cookie secret of the token tests');
const now = () => Math.floor(Date.now() / 1000);

async function session(): Promise<string> {
  setting.board.protect(setting.options());
  const agent = new Agent();
  await setting.post({ token }, {}, agent);
  return agent.cookie('board_session') ?? '';
}

/** The answer to a program with this Cookie header, and whether the cookie is taken away. */
async function answerTo(cookie: string): Promise<[number, boolean]> {
  const answer = await ask(`${setting.board.url}/api/queues`, { headers: { cookie } });
  return [answer.status, answer.cookies.some((one) => one.startsWith('board_session=; '))];
}

const refused = [401, true];

describe('a cookie', () => {
  it('that was altered anywhere does not open', async () => {
    const good = await session();
    expect(await answerTo(`board_session=${good}`)).toEqual([200, false]);
    await holds(
      fc.asyncProperty(
        fc.nat(good.length - 1),
        fc.constantFrom(...'Aq0_-.'),
        async (at, letter) => {
          fc.pre(good[at] !== letter);
          const altered = good.slice(0, at) + letter + good.slice(at + 1);
          expect(await answerTo(`board_session=${altered}`)).toEqual(refused);
        },
      ),
      60,
    );
    const ends = ['A', 'Q', 'g', 'w', ...'xyz012'].filter((letter) => !good.endsWith(letter));
    // Errors that a decoder would forgive: blanks, padding, and bits of the last letter that say nothing.
    const padded = [`${good}=`, `${good}==`, good.replace('..', '.=.')];
    const blank = `${good.slice(0, -3)} ${good.slice(-3)}`;
    const cut = ['', 'x', '....', good.slice(0, -8), `${good}.x`, good.split('.')[0]];
    const respelt = ends.map((letter) => good.slice(0, -1) + letter);
    for (const altered of [...cut, ...padded, blank, ...respelt]) {
      expect(await answerTo(`board_session=${altered}`)).toEqual(refused);
    }
  });

  it('that was sealed under another secret, or for another purpose, does not open', async () => {
    await session();
    const content = { v: 1, token, exp: now() + 60 };
    const own = await createSealer(cookieSecret, 'token session').seal(content);
    expect(await answerTo(`board_session=${own}`)).toEqual([200, false]);
    for (const [key, purpose] of [
      ['another secret', 'token session'],
      [cookieSecret, 'oidc login ["x","y"]'],
      [cookieSecret, 'oidc session ["x","y"]'],
      [cookieSecret, ''],
    ] as const) {
      const foreign = await createSealer(key, purpose).seal(content);
      expect(await answerTo(`board_session=${foreign}`)).toEqual(refused);
    }
  });

  it('of another form or version is not a session', async () => {
    await session();
    const sealer = createSealer(cookieSecret, 'token session');
    for (const content of [
      {},
      [],
      { v: 2, token, exp: now() + 60 },
      { v: 1, token: [token], exp: now() + 60 },
      { v: 1, token, exp: 'never' },
      { v: 1, token },
    ]) {
      expect(await answerTo(`board_session=${await sealer.seal(content)}`)).toEqual(refused);
    }
  });

  it('that has expired is removed, whatever the browser made of Max-Age', async () => {
    await session();
    const sealer = createSealer(cookieSecret, 'token session');
    const old = await sealer.seal({ v: 1, token, exp: now() - 1 });
    expect(await answerTo(`board_session=${old}`)).toEqual(refused);
  });

  it('replayed after its token was withdrawn is refused, also after a restart', async () => {
    const replayed = await session();
    setting.board.protect(setting.options({ tokens: [tokens[1]] }));
    expect(await answerTo(`board_session=${replayed}`)).toEqual(refused);
  });

  it('that is too long is not even opened', async () => {
    await session();
    const sealer = createSealer(cookieSecret, 'token session');
    const long = await sealer.seal({ v: 1, token, exp: now() + 60, pad: 'x'.repeat(3000) });
    expect(long.length).toBeGreaterThan(sealedLimit);
    expect(await answerTo(`board_session=${long}`)).toEqual(refused);
    expect(await answerTo(`board_session=${'a'.repeat(12_000)}`)).toEqual(refused);
  });

  it('of another name, or a name that only looks like it, says nothing', async () => {
    const good = await session();
    for (const header of [
      `board_sessio=${good}`,
      `xboard_session=${good}`,
      `board_session_flow=${good}`,
      `a="; board_sessions=${good}`,
    ]) {
      expect(await answerTo(header)).toEqual([401, false]);
    }
  });

  it('that a neighbour planted before the real one does not keep the user out', async () => {
    const good = await session();
    expect(await answerTo(`board_session=planted; x=y; board_session=${good}`)).toEqual([
      200,
      false,
    ]);
    const many = Array.from({ length: 50 }, () => 'board_session=planted').join('; ');
    expect(await answerTo(`${many}; board_session=${good}`)).toEqual(refused);
  });
});

describe('a session that was there before the login', () => {
  it('is not kept: the login makes a new one', async () => {
    const planted = await session();
    const agent = new Agent();
    agent.setCookie('board_session', planted, '/admin/queues');
    await setting.post({ token: tokens[1] }, {}, agent);
    expect(agent.cookie('board_session')).not.toBe(planted);
    const cookie = `board_session=${agent.cookie('board_session')}`;
    expect((await answerTo(cookie))[0]).toBe(200);
  });

  it('is not begun by looking at a page', async () => {
    await session();
    const page = await ask(`${setting.board.url}/auth/login`, { headers: navigation });
    expect(page.cookies).toEqual([]);
  });
});
