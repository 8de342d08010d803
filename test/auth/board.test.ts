/** A board behind the middleware: its hooks and visibility guards see the user, and its writes arrive whole. */

import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAuthMiddleware, getAuthUser } from '../../src/auth/index.ts';
import { ExpressAdapter, createBoard } from '../../src/http/board/index.ts';
import { cells } from '../board/kvq/cells.ts';
import type { CellWorld } from '../board/kvq/cell.ts';
import { listen } from '../http/serve.ts';
import type { Listening } from '../http/serve.ts';
import { everyServiceRequired } from '../services/service.ts';
import { ask } from './support/agent.ts';
import { basePath } from './support/board.ts';
import { keepsSecrets, secret } from './support/transcript.ts';

keepsSecrets();
const tokens: Readonly<Record<string, string>> = {
  [secret('token-of-an-admin-0123456789-0123456789')]: 'admin',
  [secret('token-of-a-viewer-0123456789-0123456789')]: 'viewer',
};
const [admin = '', viewer = ''] = Object.keys(tokens);

let world: CellWorld | null = null;
let server: Listening | null = null;
const seen: unknown[] = [];

beforeAll(async () => {
  const cell = cells.find(({ library, datastore }) => library === 'current' && datastore === 'kv');
  const opened = await cell?.open();
  if (opened === undefined || 'missing' in opened) {
    if (everyServiceRequired()) throw new Error('a Redis is needed');
    console.log('Left out: a board behind authentication needs a Redis.');
    return;
  }
  world = opened;
  const [open, closed] = [await world.queue('open'), await world.queue('closed')];
  const adapter = new ExpressAdapter().setBasePath(basePath);
  createBoard({
    queues: [
      open.boardQueue(),
      closed.boardQueue({
        visibilityGuard: (request) => getAuthUser(request)?.roles.includes('admin') ?? false,
      }),
    ],
    serverAdapter: adapter,
    options: {
      handlerHooks: {
        before: ({ request, method }) => {
          const user = getAuthUser(request);
          seen.push([method, user?.username]);
          return { allow: method === 'get' || user?.roles.includes('admin') === true };
        },
      },
    },
  });
  const auth = createAuthMiddleware(
    {
      strategy: 'token',
      validate: (token) => {
        const role = tokens[token];
        return role !== undefined && { username: `the ${role}`, roles: [role] };
      },
    },
    { basePath },
  );
  const app = express();
  app.use(basePath, auth, adapter.getRouter());
  server = await listen(app);
});

afterAll(async () => {
  await server?.close();
  await world?.close();
});

it('hooks and guards see the user', async ({ skip }) => {
  if (server === null) return skip();
  const { port } = server;
  const call = (token: string, method: string, path: string, body?: string) =>
    ask(
      { port, path: `${basePath}${path}` },
      {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body }),
      },
    );
  const names = async (token: string) => {
    const { queues } = (await call(token, 'GET', '/api/queues')).json() as {
      queues: readonly { name: string }[];
    };
    return queues.length;
  };
  expect(await names(admin)).toBe(2);
  expect(await names(viewer)).toBe(1);
  expect((await ask({ port, path: `${basePath}/api/queues` })).status).toBe(401);
  expect((await call(viewer, 'PUT', '/api/queues/pause')).status).toBe(403);
  expect((await call(admin, 'PUT', '/api/queues/pause')).status).toBe(200);
  expect(seen).toEqual([
    ['get', 'the admin'],
    ['get', 'the viewer'],
    ['put', 'the viewer'],
    ['put', 'the admin'],
  ]);
});

it('versions of jobs are those of boards with the same secret', async ({ skip }) => {
  if (world === null) return skip();
  const queue = await world.queue('versions');
  const id = await queue.add('mail', { a: 1 });
  const versionWith = async (cookieSecret: string): Promise<unknown> => {
    const serverAdapter = new ExpressAdapter();
    const auth = createAuthMiddleware(
      { strategy: 'token', tokens: [admin], cookie: { secret: cookieSecret } },
      { basePath },
    );
    const board = createBoard({ queues: [queue.boardQueue()], serverAdapter, auth });
    const own = await listen(express().use(basePath, serverAdapter.getRouter()));
    const answer = await ask(
      { port: own.port, path: `${basePath}/api/queues/${queue.name}/${id}` },
      { headers: { authorization: `Bearer ${admin}` } },
    );
    await own.close();
    await board.close();
    expect(answer.status).toBe(200);
    return (answer.json() as { readonly version: unknown }).version;
  };
  const one = secret('a secret of the boards 0123456789-0123456789');
  const version = await versionWith(one);
  expect(version).toMatch(/^[\w-]{22}$/);
  expect(await versionWith(one)).toBe(version);
  expect(await versionWith(secret('another secret 0123456789-0123456789'))).not.toBe(version);
});
