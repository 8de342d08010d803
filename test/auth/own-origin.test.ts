/** The origins that count as the board's own: exactly that of `publicUrl`, else that of the request, also behind TLS. */

import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { AuthOptions } from '../../src/auth/index.ts';
import { ask } from './support/agent.ts';
import { basePath } from './support/board.ts';
import { tokens, useBoard } from './support/use-board.ts';

const setting = useBoard();

const password = 'a-password-of-the-tests-0123456789';

/** The credentials of each strategy, which a browser sends by itself. */
const strategies: readonly (readonly [
  name: string,
  options: () => AuthOptions,
  credentials: (own: string) => Promise<Record<string, string>>,
])[] = [
  [
    'a password',
    () => ({ strategy: 'basic', user: 'ann', password }),
    async () => ({ authorization: `Basic ${Buffer.from(`ann:${password}`).toString('base64')}` }),
  ],
  [
    'a session',
    () => setting.options(),
    async (origin) => {
      const { status, cookies } = await setting.post({ token: tokens[0] }, { origin });
      expect(status).toBe(303);
      return { cookie: cookies[0]?.split(';')[0] ?? '' };
    },
  ],
];

/** Origins that browsers at `http://b.test:8080` are not of, beside the one that a proxy with TLS would give them. */
const foreign = [
  'http://b.test',
  'http://b.test:80',
  'http://b.test:8081',
  'http://a.b.test:8080',
  'ftp://b.test:8080',
  'null',
];
const behindTls = 'https://b.test:8080';

describe.each(strategies)('with %s', (_name, options, credentials) => {
  const places: readonly (readonly [
    publicUrl: string | undefined,
    own: readonly string[],
    others: readonly string[],
  ])[] = [
    ['http://b.test:8080', ['http://b.test:8080', 'http://B.test:8080'], [...foreign, behindTls]],
    ['http://b.test', ['http://b.test', 'http://b.test:80'], ['https://b.test', behindTls]],
    [behindTls, [behindTls], [...foreign, 'http://b.test:8080', 'https://b.test']],
    ['https://b.test', ['https://b.test', 'https://b.test:443'], ['http://b.test', behindTls]],
    [undefined, ['http://b.test:8080', behindTls], [...foreign, 'https://b.test']],
  ];

  it.each(places)(
    'at publicUrl %s only its own pages write and upgrade',
    async (publicUrl, own, others) => {
      const { board } = setting;
      const auth = board.protect({ ...options(), ...(publicUrl !== undefined && { publicUrl }) });
      const sent = { ...(await credentials(publicUrl ?? board.origin)), host: 'b.test:8080' };
      const upgrade = (origin: string) =>
        auth.authenticate({
          headers: { ...sent, upgrade: 'websocket', origin },
          method: 'GET',
          url: `${basePath}/socket`,
          socket: { remoteAddress: '192.0.2.9' },
        } as unknown as IncomingMessage);
      for (const [origins, isOwn] of [
        [own, true],
        [others, false],
      ] as const) {
        for (const origin of origins) {
          const { status } = await ask(`${board.url}/api`, {
            method: 'POST',
            headers: { ...sent, origin },
          });
          const user = await upgrade(origin);
          expect([origin, status, user !== null]).toEqual([origin, isOwn ? 200 : 403, isOwn]);
        }
      }
    },
  );
});

it('where a proxy says that the board is on https, pages on plain http are not its own', async () => {
  setting.board.protect(setting.options({ trustProxy: 1 }));
  const proxied = { host: 'b.test', 'x-forwarded-proto': 'https' };
  const statusOf = async (origin: string): Promise<number> =>
    (await setting.post({ token: tokens[0] }, { ...proxied, origin })).status;
  const origins = ['https://b.test', 'https://b.test:443', 'http://b.test', 'http://b.test:443'];
  expect(await Promise.all(origins.map(statusOf))).toEqual([303, 303, 403, 403]);
});

it('a form is taken from the page at publicUrl alone', async () => {
  setting.board.protect(setting.options({ publicUrl: 'http://b.test' }));
  const { status } = await setting.post({ token: tokens[0] }, { origin: 'http://b.test' });
  expect(status).toBe(303);
  const behind = await setting.post({ token: tokens[0] }, { origin: 'https://b.test' });
  expect(behind.status).toBe(403);
});
