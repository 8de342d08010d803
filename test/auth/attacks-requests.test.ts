/** Attacks by headers and bodies: hosts that are none, posts from elsewhere, long bodies, timing. */

import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { TokenList } from '../../src/auth/token/token-list.ts';
import { ask, navigation } from './support/agent.ts';
import { tokens } from './support/use-board.ts';
import { useRealm } from './support/use-realm.ts';

const setting = useRealm();
const [token] = tokens;
const tokenOptions = {
  strategy: 'token',
  tokens: [...tokens],
  cookie: { secret: 'the cookie secret of the token tests' },
} as const;

/** Sends bytes as they are, and gives the first that come back. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(setting.board.port, '127.0.0.1', () => socket.write(text, 'latin1'));
    let got = '';
    // A board that waits for more than was sent never answers.
    socket.setTimeout(10_000, () => socket.destroy(new Error('no answer')));
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => (got += chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(got));
  });
}

const bad = [
  'evil.test/path',
  'evil.test?x',
  'evil.test#x',
  'user@evil.test',
  'evil.test:99999999',
  'evil test',
  '"><script>',
  'evil.test\\x',
  'a\u0009b',
  "';--",
  '%0d%0aset-cookie:x=y',
  'ëvil.test',
];

describe('Host and X-Forwarded-*', () => {
  it.each(bad)('%j is not a host: the login does not begin there', async (host) => {
    const { board } = setting;
    board.protect(setting.options({ trustProxy: 1 }));
    const forwarded = await ask(`${board.url}/`, {
      headers: { ...navigation, 'x-forwarded-host': host, 'x-forwarded-proto': 'https' },
    });
    expect(forwarded.status).toBe(302);
    const to = new URL(forwarded.headers.location ?? '').searchParams.get('redirect_uri');
    expect(to).toBe(`https://127.0.0.1:${board.port}/admin/queues/auth/callback`);
    const direct = await ask(
      { port: board.port, path: '/admin/queues/' },
      { headers: { ...navigation, host } },
    );
    expect(direct.status).toBe(401);
    expect(JSON.stringify(direct.headers) + direct.body).not.toContain('evil');
  });

  it('cannot split the answer', async () => {
    const { board } = setting;
    board.protect(setting.options());
    for (const name of ['Host', 'X-Forwarded-Host', 'X-Forwarded-Proto']) {
      const other = name === 'Host' ? '' : 'Host: a.test\r\n';
      const answer = await raw(
        `GET /admin/queues/ HTTP/1.1\r\n${other}${name}: a.test\rX-Evil: 1\r\n` +
          'Accept: text/html\r\nConnection: close\r\n\r\n',
      );
      expect(answer).not.toMatch(/^x-evil/im);
      expect(answer).toMatch(/^HTTP\/1\.1 (302|400|401) /);
    }
  });

  it('of another scheme than http and https are not believed', async () => {
    const { board } = setting;
    board.protect(setting.options());
    for (const proto of ['javascript', 'httpsx', 'https:', '', 'ftp']) {
      const answer = await ask(`${board.url}/`, {
        headers: { ...navigation, 'x-forwarded-proto': proto },
      });
      expect(new URL(answer.headers.location ?? '').searchParams.get('redirect_uri')).toBe(
        `${board.url}/auth/callback`,
      );
    }
  });

  it('a request target with bytes of any kind never breaks the answer', async () => {
    const { board } = setting;
    for (const options of [setting.options(), tokenOptions]) {
      board.protect(options);
      for (const target of [
        '/admin/queues/\xff\xfe',
        '/admin/queues/?\xe4',
        '/admin/queues/%',
        '/%%%',
      ]) {
        const answer = await raw(
          `GET ${target} HTTP/1.1\r\nHost: a.test\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
        );
        expect(answer).toMatch(/^HTTP\/1\.1 (302|400|401) /);
      }
    }
  });
});

describe('a login posted from elsewhere', () => {
  const post = (headers: Record<string, string>) =>
    ask(`${setting.board.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: `token=${token}`,
    });

  it('is 403 without a cookie', async () => {
    const { board } = setting;
    board.protect(tokenOptions);
    const { origin } = board;
    for (const headers of [
      {},
      { origin: 'https://evil.test' },
      { origin: 'null' },
      { origin: 'x' },
      { origin: `${origin}.evil.test` },
      { origin: origin.replace(/\d+$/, '1') },
      { origin: 'http://evil.test', referer: `${origin}/admin/queues/auth/login` },
      { referer: 'https://evil.test/' },
      { referer: 'about:blank' },
      { origin, 'sec-fetch-site': 'cross-site' },
      { origin, 'sec-fetch-site': 'same-site' },
      { origin, 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'same-origin' },
      { origin: 'file://' },
      { origin: `ftp://127.0.0.1:${board.port}` },
    ] as Record<string, string>[]) {
      const answer = await post(headers);
      expect([headers, answer.status, answer.json()]).toEqual([
        headers,
        403,
        { error: { key: 'ERRORS.FORBIDDEN' }, code: 'FORBIDDEN' },
      ]);
      expect(answer.cookies).toEqual([]);
    }
  });

  it('is taken from the board’s own page, also from an old browser and behind TLS', async () => {
    const { board } = setting;
    board.protect({ ...tokenOptions, trustProxy: 1 });
    const { origin } = board;
    for (const headers of [
      { origin },
      { origin, 'sec-fetch-site': 'same-origin' },
      { referer: `${origin}/admin/queues/auth/login` },
      { origin: origin.replace('http:', 'https:') },
      { origin: 'https://b.test', 'x-forwarded-host': 'b.test', 'x-forwarded-proto': 'https' },
      { origin: 'https://b.test', 'x-forwarded-host': 'b.test:443', 'x-forwarded-proto': 'https' },
      { origin: 'https://b.test', host: 'b.test' },
    ] as Record<string, string>[]) {
      expect([headers, (await post(headers)).status]).toEqual([headers, 303]);
    }
    board.protect({ ...tokenOptions, publicUrl: 'https://b.test' });
    expect((await post({ origin: 'http://b.test' })).status).toBe(403);
    board.protect({ ...tokenOptions, trustProxy: 0 });
    expect((await post({ origin: 'https://b.test', 'x-forwarded-host': 'b.test' })).status).toBe(
      403,
    );
  });
});

describe('a body of the login form', () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    ask(`${setting.board.url}/auth/login`, {
      method: 'POST',
      headers: {
        origin: setting.board.origin,
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      body,
    });

  it('may have 16 KiB and not a byte more, with or without its length', async () => {
    setting.board.protect(tokenOptions);
    const start = `token=${token}&pad=`;
    const full = start + 'x'.repeat(16_384 - start.length);
    const chunked = { 'transfer-encoding': 'chunked' };
    expect((await post(full)).status).toBe(303);
    expect((await post(full, chunked)).status).toBe(303);
    for (const headers of [{}, chunked]) {
      const answer = await post(`${full}x`, headers as Record<string, string>);
      expect([answer.status, answer.cookies]).toEqual([413, []]);
      expect(answer.headers.connection).toBe('close');
      expect(answer.headers['x-frame-options']).toBe('DENY');
    }
  });

  it('is not read to its end when it is longer', async () => {
    setting.board.protect(tokenOptions);
    const length = 50_000_000;
    const answer = await raw(
      `POST /admin/queues/auth/login HTTP/1.1\r\nHost: a.test\r\nOrigin: http://a.test\r\n` +
        `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${length}\r\n\r\ntoken=`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    // Without a length, and without an end: the answer comes all the same.
    const chunk = `4e20\r\n${'x'.repeat(20_000)}\r\n`;
    const endless = await raw(
      `POST /admin/queues/auth/login HTTP/1.1\r\nHost: a.test\r\nOrigin: http://a.test\r\n` +
        `Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`,
    );
    expect(endless).toMatch(/^HTTP\/1\.1 413 /);
    // Nor in pieces of which each is short.
    const pieces = await raw(
      `POST /admin/queues/auth/login HTTP/1.1\r\nHost: a.test\r\nOrigin: http://a.test\r\n` +
        `Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n` +
        `3e8\r\n${'x'.repeat(1_000)}\r\n`.repeat(20),
    );
    expect(pieces).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('is only read as a form', async () => {
    setting.board.protect(tokenOptions);
    expect(
      (await post(JSON.stringify({ token }), { 'content-type': 'application/json' })).status,
    ).toBe(401);
    expect((await post(`token=${token}`, { 'content-type': 'text/plain' })).status).toBe(401);
    const charset = 'application/x-www-form-urlencoded; charset=UTF-8';
    expect((await post(`token=${token}`, { 'content-type': charset })).status).toBe(303);
    expect((await post('__proto__=x&token[]=y&%=%')).status).toBe(401);
    expect((await post(`token=wrong&token=${token}`)).status).toBe(401);
  });

  it('that never comes to its end leaves nothing behind', async () => {
    const { board } = setting;
    board.protect(tokenOptions);
    const before = board.reported.length;
    await new Promise<void>((resolve) => {
      const socket = connect(board.port, '127.0.0.1', () => {
        socket.write(
          'POST /admin/queues/auth/login HTTP/1.1\r\nHost: a.test\r\nOrigin: http://a.test\r\n' +
            'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\ntoken=',
        );
        setTimeout(() => socket.destroy(), 50);
      });
      socket.on('close', () => resolve());
    });
    expect((await post(`token=${token}`)).status).toBe(303);
    expect(board.reported.length).toBe(before);
  });
});

describe('tokens', () => {
  it('are compared by digest with every entry, in constant time', () => {
    const real = crypto.timingSafeEqual;
    const compared: number[][] = [];
    crypto.timingSafeEqual = (left, right) => {
      compared.push([left.byteLength, right.byteLength]);
      return real(left, right);
    };
    syncBuiltinESMExports();
    try {
      const list = new TokenList(['one', 'two', 'a longer token than the others']);
      const work = ['one', 'two', 'a longer token than the others', 'x', 'onf', 'One', ''].map(
        (text) => {
          compared.length = 0;
          return [list.has(text), compared.length];
        },
      );
      expect(work).toEqual([
        ...Array.from({ length: 3 }, () => [true, 3]),
        ...Array.from({ length: 4 }, () => [false, 3]),
      ]);
      expect(new Set(compared.flat())).toEqual(new Set([32]));
    } finally {
      crypto.timingSafeEqual = real;
      syncBuiltinESMExports();
    }
  });

  it('that the host puts in the list later and that are none let nobody in', () => {
    const tokens: string[] = ['one'];
    const list = new TokenList(tokens);
    Reflect.set(tokens, 1, undefined);
    tokens.push('');
    expect([list.has('one'), list.has(''), list.has('undefined')]).toEqual([true, false, false]);
  });
});
