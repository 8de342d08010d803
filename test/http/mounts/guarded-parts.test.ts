/** A board with `auth`, alone or one of two, mounted by itself or together: nothing answers without credentials. */

import { afterAll, describe, expect, it } from 'vitest';
import { createAuthMiddleware } from '../../../src/auth/index.ts';
import { ExpressAdapter, createBoard } from '../../../src/http/board/index.ts';
import type { ServedBoard } from '../../../src/http/board/index.ts';
import type { ServerAdapter } from '../../../src/board/core/index.ts';
import { openEvents } from '../../board/core/event-stream.ts';
import { listen } from '../serve.ts';
import { hosts } from './hosts.ts';
import { nestHosts } from './nestjs-hosts.ts';

const logger = { warn: () => undefined, error: () => undefined };
// Nothing of these tests asks a database.
const pgq = { connection: 'postgresql://127.0.0.1:1/none' };
const credentials = { authorization: `Basic ${btoa('ada:a-password-of-the-tests')}` };
const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** The answer of `onAuthenticated` in the tests. */
const door = { open: true };
const live = { intervalMs: 100, recheckMs: 100, heartbeatMs: 100 };
const options = { logger, live };

const makeAuth = (basePath?: string) =>
  createAuthMiddleware(
    {
      strategy: 'basic',
      user: 'ada',
      password: 'a-password-of-the-tests',
      onAuthenticated: () => door.open,
    },
    basePath === undefined ? {} : { basePath },
  );

/** Two boards with the path of their authentication; they are mounted once more by the tests. */
function two(basePath: string | undefined, serverAdapter: ServerAdapter = new ExpressAdapter()) {
  const auth = makeAuth(basePath);
  const boards = createBoard({ serverAdapter, auth, options, engines: { kvq: {}, pgq: { pgq } } });
  closing.push(() => boards.close());
  return boards;
}

/** Each way to have a board: how it is made, and where it answers. */
const ways: readonly {
  readonly name: string;
  readonly mountPath: string;
  readonly paths: readonly string[];
  open(serverAdapter?: ServerAdapter): ServedBoard;
}[] = [
  {
    name: 'both boards',
    mountPath: '/q',
    paths: ['/', '/api/queues', '/api/openapi.json', '/pgq/', '/pgq/api/openapi.json'],
    open: (adapter) => two('/q', adapter),
  },
  {
    name: 'the board of BullMQ of two',
    mountPath: '/q',
    paths: ['/', '/api/queues', '/api/openapi.json', '/metrics'],
    open: (adapter) => attached(two('/q').kvq, adapter),
  },
  {
    name: 'the board of pg-boss of two',
    mountPath: '/q/pgq',
    paths: ['/', '/api/openapi.json'],
    open: (adapter) => attached(two('/q').pgq, adapter),
  },
  {
    name: 'the board of pg-boss of two, under any path',
    mountPath: '/any',
    paths: ['/', '/api/openapi.json'],
    open: (adapter) => attached(two(undefined).pgq, adapter),
  },
  {
    name: 'one board',
    mountPath: '/q',
    paths: ['/', '/api/queues', '/api/openapi.json'],
    open(serverAdapter) {
      const adapter = serverAdapter && { serverAdapter };
      const board = createBoard({ ...adapter, auth: makeAuth('/q'), options });
      closing.push(() => board.close());
      return board;
    },
  },
];

function attached(board: ServedBoard, adapter: ServerAdapter | undefined): ServedBoard {
  adapter?.attach(board);
  return board;
}

describe.each([...hosts, ...nestHosts])('in $name', (host) => {
  it.each(ways)('$name', async ({ mountPath, paths, open }) => {
    const place = { mountPath, basePath: mountPath, parsesFirst: false, open };
    const { port, close } = await host.start(place);
    closing.push(close);
    const at = (path: string) => `http://127.0.0.1:${port}${mountPath}${path}`;
    const html = await (await fetch(at('/'), { headers: credentials })).text();
    const [, file = ''] = /src="([^"]+)"/.exec(html) ?? [];
    expect(file).toMatch(new RegExp(`^${mountPath}/assets/`));
    for (const path of [...paths, file.slice(mountPath.length)]) {
      for (const method of ['GET', 'HEAD']) {
        const refused = await fetch(at(path), { method });
        expect([path, refused.status]).toEqual([path, 401]);
        const answered = await fetch(at(path), { method, headers: credentials });
        expect([path, answered.status]).toEqual([path, 200]);
      }
    }
    const write = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{}' };
    expect((await fetch(at('/api/queues/pause-all'), write)).status).toBe(401);
    expect((await fetch(at('/api/live'))).status).toBe(401);
  });
});

describe.each(['kvq', 'pgq'] as const)('the board %s of two, called in its process', (engine) => {
  it('answers only with credentials', async () => {
    for (const [basePath, path] of [
      ['/q', engine === 'pgq' ? '/q/pgq' : '/q'],
      [undefined, ''],
    ] as const) {
      const board = two(basePath)[engine];
      const ask = (headers: Record<string, string>) =>
        board.fetch(new Request(`http://x${path}/api/openapi.json`, { headers }));
      expect((await ask({})).status).toBe(401);
      const answer = await ask(credentials);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ security: [expect.anything()] });
    }
  });
});

it('ends live streams of two boards whose sender may no longer come in', async () => {
  const serverAdapter = new ExpressAdapter();
  two('/q', serverAdapter);
  const { default: express } = await import('express');
  const { port, close } = await listen(express().use('/q', serverAdapter.getRouter()));
  closing.push(close);
  const stream = await openEvents(`http://127.0.0.1:${port}/q/api/live`, credentials);
  await expect.poll(() => stream.events.length).toBe(1);
  door.open = false;
  try {
    await stream.ended;
  } finally {
    door.open = true;
    stream.close();
  }
  expect(stream.events.at(-1)?.event).toBe('revoked');
});
