/** Limits of attempts, the client that they count, and the origin of what a browser sends with a password by itself. */

import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAuthMiddleware } from '../../src/auth/index.ts';
import type { AuthOptions } from '../../src/auth/index.ts';
import { clientOf } from '../../src/auth/address/client-address.ts';
import { advanceClock } from '../clock.ts';
import { ask } from './support/agent.ts';
import { basePath } from './support/board.ts';
import { hosts } from './support/hosts.ts';
import type { Running } from '../listening.ts';
import { printed, secret } from './support/transcript.ts';
import { useBoard } from './support/use-board.ts';

const setting = useBoard();
const strong = secret('a strong secret of the attempts, 0123456789');
const weak = 'pin-4711';
const sealing = { secret: secret('the cookie secret of the attempt tests') };
const loginLimit = { failures: 3, seconds: 60 };

const requestFrom = (remoteAddress: string | undefined, forwarded?: string) => ({
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  socket: { remoteAddress },
});

describe('the client of a limit', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:61234', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:CB00:7107', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2:ffff::]:8080', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('%s is %s, from a proxy and from the connection', (given, client) => {
    expect(clientOf(requestFrom('192.0.2.1', `198.51.100.1, ${given}`), 1)).toBe(client);
    expect(clientOf(requestFrom(given), 1)).toBe(client);
  });

  it.each([
    '',
    ' ',
    'unknown',
    '_hidden',
    '300.1.1.1',
    '[::1',
    '::1]',
    '1.2.3.4:port',
    'a,',
    '\u00e9',
    '[]:1',
  ])('%j is not an address: the connection counts', (given) => {
    expect(clientOf(requestFrom('192.0.2.1', given), 1)).toBe('192.0.2.1');
  });

  it('is read behind as many proxies as are trusted', () => {
    const chain = '198.51.100.1, 198.51.100.2, 198.51.100.3';
    const at = (hops: number) => clientOf(requestFrom('192.0.2.1', chain), hops);
    expect([0, 1, 2, 3, 4].map(at)).toEqual([
      '192.0.2.1',
      '198.51.100.3',
      '198.51.100.2',
      '198.51.100.1',
      '198.51.100.1',
    ]);
    expect(clientOf(requestFrom(undefined), 0)).toBe('');
  });
});

/** How each strategy is sent a secret, and where it is told that it was good. */
const ways: Readonly<
  Record<
    string,
    {
      readonly options: (word: string) => AuthOptions;
      readonly send: (word: string, from?: string) => ReturnType<typeof ask>;
      readonly good: number;
    }
  >
> = {
  basic: {
    options: (password) => ({ strategy: 'basic', user: 'ann', password, loginLimit }),
    send: (word, from) =>
      ask(`${setting.board.url}/api`, {
        headers: {
          authorization: `Basic ${Buffer.from(`ann:${word}`).toString('base64')}`,
          ...(from && { 'x-forwarded-for': from }),
        },
      }),
    good: 200,
  },
  'token, in a header': {
    options: (token) => ({ strategy: 'token', tokens: [token], loginLimit }),
    send: (word, from) =>
      ask(`${setting.board.url}/api`, {
        headers: { authorization: `Bearer ${word}`, ...(from && { 'x-forwarded-for': from }) },
      }),
    good: 200,
  },
  'token, in the form': {
    options: (token) => ({ strategy: 'token', tokens: [token], cookie: sealing, loginLimit }),
    send: (token, from) => setting.post({ token }, from ? { 'x-forwarded-for': from } : {}),
    good: 303,
  },
  'token, by a function': {
    options: (token) => ({
      strategy: 'token',
      validate: async (given) => given === token,
      loginLimit,
    }),
    send: (word, from) =>
      ask(`${setting.board.url}/api`, {
        headers: { authorization: `Bearer ${word}`, ...(from && { 'x-forwarded-for': from }) },
      }),
    good: 200,
  },
};

describe.each(Object.entries(ways))('wrong attempts: %s', (_name, { options, send, good }) => {
  const statuses = async (words: readonly string[], from?: string): Promise<number[]> => {
    const found: number[] = [];
    for (const word of words) found.push((await send(word, from)).status);
    return found;
  };

  it('are limited, and do not lock out who has the right secret', async () => {
    const events: unknown[] = [];
    setting.board.protect({
      ...options(strong),
      onEvent: (event) => void events.push(event.type === 'refusal' && event.reason),
    });
    expect(await statuses(['a', 'b', `${strong}x`, 'd', `x${strong}`])).toEqual([
      401, 401, 401, 429, 429,
    ]);
    const limited = await send('e');
    expect(limited.headers['retry-after']).toBe('60');
    expect(limited.headers['www-authenticate']).toBeUndefined();
    expect(events.slice(-2)).toEqual(['limit', 'limit']);
    expect(await statuses([strong, strong, 'f'])).toEqual([good, good, 429]);
    advanceClock(61_000);
    expect(await statuses(['g', strong])).toEqual([401, good]);
  });

  it('end the guessing of a weak secret, which is not compared any more', async () => {
    setting.board.protect(options(weak));
    expect(await statuses(['0', '1', '2', weak, '3'])).toEqual([401, 401, 401, 429, 429]);
    advanceClock(61_000);
    expect(await statuses([weak])).toEqual([good]);
    // Right ones take no place, also many at the same time.
    const many = await Promise.all(Array.from({ length: 3 }, () => send(weak)));
    expect(many.map(({ status }) => status)).toEqual([good, good, good]);
    expect(await statuses(['0', '1', '2', '3'])).toEqual([401, 401, 401, 429]);
  });

  it('of a thousand addresses in one /64 are those of one client', async () => {
    setting.board.protect({ ...options(weak), trustProxy: 1 });
    const found: number[] = [];
    for (let index = 0; index < 1_000; index += 1) {
      const address = `2001:db8:7:7:${index.toString(16)}::1`;
      found.push(
        (await send(`guess ${index}`, index % 2 ? address : `[${address}]:${index}`)).status,
      );
    }
    expect(found.filter((status) => status === 401)).toHaveLength(3);
    expect(await statuses([weak], '2001:db8:7:8::1')).toEqual([good]);
  });

  it('are counted by the connection where no proxy is trusted', async () => {
    setting.board.protect(options(weak));
    const forged = Array.from({ length: 5 }, (_, index) => send(`guess`, `203.0.113.${index}`));
    const found = (await Promise.all(forged)).map(({ status }) => status);
    expect(found.filter((status) => status === 429).length).toBeGreaterThan(0);
    setting.board.protect({ ...options(weak), trustProxy: 1 });
    // Text of a client before the item of the proxy does not make it another one.
    for (const index of [1, 2, 3]) await send('guess', `203.0.113.${index}, 198.51.100.4`);
    expect(await statuses([weak], '203.0.113.9, 198.51.100.4')).toEqual([429]);
    // A chain that is longer than trusted: the inner proxy writes the outer one, whose clients are one.
    expect(await statuses([weak], '203.0.113.1, 198.51.100.5')).toEqual([good]);
  });
});

describe('beyond the limit', () => {
  const basicOf = (user: string, password: string) =>
    `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const statusOf = async (headers: Record<string, string>): Promise<number> =>
    (await ask(`${setting.board.url}/api`, { headers })).status;

  it('a guess is not compared because a long token stands beside it', async () => {
    const options = { tokens: [weak], header: 'x-board-token', loginLimit };
    setting.board.protect({ strategy: 'token', ...options });
    const authorization = `Bearer x${strong}`;
    const sent = [
      { 'x-board-token': 'wrong' },
      { 'x-board-token': 'wrong', authorization },
      { authorization },
      { 'x-board-token': weak, authorization },
      { 'x-board-token': weak },
    ] as Record<string, string>[];
    const found: number[] = [];
    for (const headers of sent) found.push(await statusOf(headers));
    expect(found).toEqual([401, 401, 401, 429, 429]);
  });

  it('a short token in a header is not compared because the board has a form', async () => {
    setting.board.protect({ strategy: 'token', tokens: [weak], cookie: sealing, loginLimit });
    const found: number[] = [];
    for (const word of [weak, 'a', 'b', 'c', weak]) {
      found.push(await statusOf({ authorization: `Bearer ${word}` }));
    }
    expect(found).toEqual([200, 401, 401, 401, 429]);
  });

  it('a short password is not compared because the name before it is long', async () => {
    const user = 'somebody-whose-name-is-longer-than-any-password';
    setting.board.protect({ strategy: 'basic', user, password: weak, loginLimit });
    const found: number[] = [];
    for (const word of [weak, 'a', 'b', 'c', weak]) {
      found.push(await statusOf({ authorization: basicOf(user, word) }));
    }
    expect(found).toEqual([200, 401, 401, 401, 429]);
  });
});

it('a login that could not be decided is not counted as wrong', async () => {
  let isAway = true;
  const validate = async (given: string): Promise<boolean> => {
    if (isAway) throw new Error('away');
    return given === weak;
  };
  setting.board.protect({ strategy: 'token', validate, cookie: sealing, loginLimit });
  const statusOf = async (token: string): Promise<number> => (await setting.post({ token })).status;
  const found: number[] = [];
  for (let turn = 0; turn <= loginLimit.failures; turn += 1) found.push(await statusOf(weak));
  isAway = false;
  for (const word of [weak, 'a', 'b', 'c', weak]) found.push(await statusOf(word));
  expect(found).toEqual([500, 500, 500, 500, 303, 401, 401, 401, 429]);
});

it('a wrong login counts for its whole time, also after a right one', async () => {
  setting.board.protect({ strategy: 'token', tokens: [weak], cookie: sealing, loginLimit });
  const statusOf = async (token: string): Promise<number> => (await setting.post({ token })).status;
  const found = [await statusOf(weak)];
  // The place of the right one is used again, and what was noted of it would end before the wrong ones do.
  advanceClock(40_000);
  for (const word of ['a', 'b', 'c']) found.push(await statusOf(word));
  advanceClock(30_000);
  found.push(await statusOf(weak));
  advanceClock(31_000);
  found.push(await statusOf(weak));
  expect(found).toEqual([303, 401, 401, 401, 429, 303]);
});

it('warns once of headers of a proxy, unless the number is set', async () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.1' };
  const warned = async (more: object, headers: Record<string, string>): Promise<number> => {
    setting.board.protect({ strategy: 'token', tokens: [strong], ...more });
    printed.length = 0;
    await ask(`${setting.board.url}/api`, { headers });
    await ask(`${setting.board.url}/api`, { headers });
    return printed.filter((line) => line.includes('`trustProxy`')).length;
  };
  expect(await warned({}, {})).toBe(0);
  for (const name of ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded']) {
    expect(await warned({}, { [name]: 'https' })).toBe(1);
  }
  expect(await warned({ trustProxy: 0 }, forwarded)).toBe(0);
  expect(await warned({ trustProxy: 1 }, forwarded)).toBe(0);
  for (const trustProxy of [true, false, -1, 1.5, '1', 101, null]) {
    expect(() =>
      setting.board.protect({ strategy: 'token', tokens: [strong], trustProxy } as never),
    ).toThrow('"trustProxy" must be the number of proxies in front of the process');
  }
});

describe.each(hosts)('$name, strategy basic', ({ start }) => {
  let host: Running;
  let auth: ReturnType<typeof createAuthMiddleware>;
  beforeAll(async () => {
    auth = createAuthMiddleware(
      { strategy: 'basic', user: 'ann', password: strong, loginLimit },
      { basePath },
    );
    host = await start(auth);
  });
  afterAll(() => host.close());
  const authorization = `Basic ${Buffer.from(`ann:${strong}`).toString('base64')}`;
  const url = (): string => `http://127.0.0.1:${host.port}${basePath}/api`;

  it('refuses writes that another origin started', async () => {
    const own = new URL(url()).origin;
    const sent: readonly (readonly [Record<string, string>, number])[] = [
      [{}, 200],
      [{ origin: own }, 200],
      [{ 'sec-fetch-site': 'same-origin' }, 200],
      [{ 'sec-fetch-site': 'none' }, 200],
      [{ 'sec-fetch-site': 'same-site', origin: own }, 403],
      [{ 'sec-fetch-site': 'cross-site' }, 403],
      [{ origin: 'https://evil.test' }, 403],
      [{ origin: 'null' }, 403],
      [{ referer: 'https://evil.test/page' }, 403],
    ];
    for (const [headers, status] of sent) {
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const answer = await ask(url(), { method, headers: { authorization, ...headers } });
        expect([method, headers, answer.status]).toEqual([method, headers, status]);
      }
      expect((await ask(url(), { headers: { authorization, ...headers } })).status).toBe(200);
    }
  });

  it('refuses WebSockets that another origin opens', async () => {
    const opened = (headers: Record<string, string>) =>
      auth.authenticate({
        headers: { host: `127.0.0.1:${host.port}`, upgrade: 'websocket', ...headers },
        method: 'GET',
        url: `${basePath}/socket`,
        socket: { remoteAddress: '192.0.2.9' },
      } as unknown as IncomingMessage);
    const own = new URL(url()).origin;
    expect(await opened({ authorization, origin: own })).toMatchObject({ username: 'ann' });
    expect(await opened({ authorization })).toMatchObject({ username: 'ann' });
    expect(await opened({ authorization, origin: 'https://evil.test' })).toBeNull();
    expect(await opened({ authorization, 'sec-fetch-site': 'cross-site' })).toBeNull();
    expect(await opened({ authorization: 'Basic YW5uOng=' })).toBeNull();
  });

  it('limits wrong passwords', async () => {
    const wrong = { authorization: `Basic ${Buffer.from('ann:wrong').toString('base64')}` };
    const found: number[] = [];
    for (let turn = 0; turn < 4; turn += 1)
      found.push((await ask(url(), { headers: wrong })).status);
    expect(found).toEqual([401, 401, 401, 429]);
    expect((await ask(url(), { headers: { authorization } })).status).toBe(200);
  });
});

describe('a password or token that can be guessed', () => {
  beforeEach(() => void (printed.length = 0));
  const made = (option: 'password' | 'tokens', word: string): AuthOptions =>
    option === 'password'
      ? { strategy: 'basic', user: 'ann', password: word }
      : { strategy: 'token', tokens: [strong, word] };

  it.each(['password', 'tokens'] as const)(
    'is warned of, and refused in production: %s',
    (option) => {
      for (const word of ['a', 'fifteen letters', 'a'.repeat(40), 'abab'.repeat(10)]) {
        vi.unstubAllEnvs();
        printed.length = 0;
        createAuthMiddleware(made(option, word));
        expect(printed).toEqual([expect.stringContaining(`"${option}" is weak`)]);
        vi.stubEnv('NODE_ENV', 'production');
        expect(() => createAuthMiddleware(made(option, word))).toThrow(
          expect.objectContaining({
            code: 'AUTH_CONFIGURATION_INVALID',
            message: `"${option}" must have 16 characters or more in production, 5 of them distinct`,
          }),
        );
      }
      expect(() => createAuthMiddleware(made(option, strong))).not.toThrow();
      vi.unstubAllEnvs();
    },
  );
});
