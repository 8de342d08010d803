/** Where a login may lead: never to another origin, never outside the board. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeReturnTo } from '../../src/auth/address/return-to.ts';
import { Agent, ask, navigation } from './support/agent.ts';
import { tokens, useBoard } from './support/use-board.ts';
import { anyText } from '../any-text.ts';
import { holds } from '../seed.ts';

const setting = useBoard();
const home = '/admin/queues/';

/** Spellings of somewhere else. */
const elsewhere = [
  'https://evil.test/',
  'HTTPS://evil.test/admin/queues/',
  '//evil.test/',
  '///evil.test/',
  '////evil.test/admin/queues/',
  '/\\evil.test/',
  '/\\/evil.test/',
  '\\\\evil.test/',
  '\\/evil.test/',
  '/\t/evil.test/',
  '/\n/evil.test/',
  '\t//evil.test/',
  ' //evil.test/',
  '/ /evil.test/',
  'http:evil.test',
  'https:/evil.test',
  'javascript:alert(1)',
  'JaVaScRiPt://%0aalert(1)',
  'data:text/html,x',
  'evil.test',
  '@evil.test/',
  '.evil.test/',
  ':80/',
  '/admin/queues@evil.test/',
  '/admin/queues.evil.test/',
  '/admin/queues/..//evil.test/',
  '/admin/queues/../../evil',
  '/admin/queues/%2e%2e/%2e%2e/evil',
  '/admin/queues/.%2E/evil',
  '/admin/queues/..\\..\\evil',
  '/admin/queues\\@evil.test',
  '/admin/queues/\r\nLocation: https://evil.test/',
  '/admin/queues/\u0000',
  '/other',
  '/',
  '',
  '?x=//evil.test',
  '#//evil.test',
  '/admin/queues/auth/logout',
  '/admin/queues/auth/login?returnTo=/admin/queues/',
  '/admin/queues/auth/callback?code=x',
  `/admin/queues/${'x'.repeat(2000)}`,
];

const here = [
  ['/admin/queues', '/admin/queues'],
  ['/admin/queues/', '/admin/queues/'],
  [
    '/admin/queues/queue/a?b=c&d=%2F%2Fevil.test#e',
    '/admin/queues/queue/a?b=c&d=%2F%2Fevil.test#e',
  ],
  ['/admin/queues/a/../b', '/admin/queues/b'],
  ['/admin/queues/%2F%2Fevil.test', '/admin/queues/%2F%2Fevil.test'],
  ['/admin/queues/größe', '/admin/queues/gr%C3%B6%C3%9Fe'],
  ['/admin/queues//evil.test', '/admin/queues//evil.test'],
] as const;

describe('returnTo', () => {
  it.each(elsewhere)('%j leads home', (value) => {
    expect(safeReturnTo(value, '/admin/queues')).toBe(home);
  });

  it.each(['/.//evil.test', '/..//evil.test', '/x/..//evil.test/', '/%2e//evil.test'])(
    '%j leads home to a board at the root',
    (value) => {
      expect(safeReturnTo(value, '')).toBe('/');
    },
  );

  it.each(here)('%j is followed', (value, expected) => {
    expect(safeReturnTo(value, '/admin/queues')).toBe(expected);
  });

  it('is always a path of the board, as a browser reads it', async () => {
    const somewhere = 'admin queues /admin/queues /admin/queues/ evil.test https: javascript:';
    const marks = '/ \\ . .. // @ : ? # %2e %5c %09';
    const piece = fc.constantFrom('\t', '\n', ' ', ...`${marks} ${somewhere}`.split(' '));
    const text = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      anyText({ maxLength: 40 }).map((tail) => `/admin/queues/${tail}`),
    );
    await holds(
      fc.property(text, fc.constantFrom('/admin/queues', ''), (value, basePath) => {
        const path = safeReturnTo(value, basePath);
        const origin = 'https://board.test';
        const url = new URL(path, `${origin}/page`);
        return (
          url.origin === origin &&
          `${url.pathname}/`.startsWith(`${basePath}/`) &&
          /^\/(?!\/)[\x21-\x7e]*$/.test(path)
        );
      }),
      2_000,
    );
  });

  it('is held to that in every place that takes one', async () => {
    const { board } = setting;
    board.protect(setting.options());
    for (const value of elsewhere) {
      const form = await ask(`${board.url}/auth/login?returnTo=${encodeURIComponent(value)}`);
      expect([value, form.body.includes(`name="returnTo" value="${home}"`)]).toEqual([value, true]);
      const post = await setting.post({ token: tokens[0], returnTo: value });
      expect([value, post.status, post.headers.location]).toEqual([value, 303, home]);
    }
    // The page that a request itself names goes through the same gate.
    for (const path of ['//evil.test/', '/\\evil.test/', '/admin/queues/../../x', '/elsewhere']) {
      const answer = await ask({ port: board.port, path }, { headers: navigation });
      expect([path, answer.status, answer.headers.location]).toEqual([
        path,
        302,
        '/admin/queues/auth/login?returnTo=%2Fadmin%2Fqueues%2F',
      ]);
      const reload = await ask(
        { port: board.port, path },
        { headers: { ...navigation, 'sec-fetch-site': 'cross-site' } },
      );
      expect(reload.body).toContain(`content="0; url=${home}"`);
    }
    const agent = new Agent();
    const root = board.protect(setting.options(), '/');
    expect(root).toBeTypeOf('function');
    const answer = await agent.ask(`${board.origin}//evil.test/`, { headers: navigation });
    expect(answer.headers.location).toBe('/auth/login?returnTo=%2F');
  });
});
