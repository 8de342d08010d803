/**
 * Runs each board of the documents, as printed, in an empty folder with the packages that its page says to install, and
 * with no ORM: BullMQ on Redis and on PostgreSQL, Bull, and pg-boss.
 */

import { randomBytes, randomInt } from 'node:crypto';
import { rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Host, installedWith, root } from '../package/package.ts';
import { everyServiceRequired, findRedis, scratchDatabase } from '../services/index.ts';
import {
  type Listening,
  type Printed,
  printedAs,
  printedUnder,
  programIn,
  replaced,
  started,
} from './printed-program.ts';

const redis = await findRedis();
const database = await scratchDatabase('postgresql', 'newcomer');
for (const service of [redis, database]) {
  if ('missing' in service && everyServiceRequired()) throw new Error(service.advice);
}
const redisUrl = 'missing' in redis ? undefined : redis.url;
const databaseUrl = 'missing' in database ? undefined : database.url;
const prefix = `newcomer${randomBytes(4).toString('hex')}`;
const api = '/admin/queues/api';

/** A board with the address of its datastore in place of the printed one. */
interface PrintedBoard {
  readonly name: string;
  readonly printed: Printed;
  readonly printedAddress: string;
  /** The address in its place; undefined where the machine has no such datastore. */
  readonly address: string | undefined;
  /** Checks the answers of the board. */
  readonly check: (board: Listening) => Promise<void>;
}

/** Tries a run that takes every job for want of a condition. */
async function refusesBlank(board: Listening): Promise<void> {
  for (const filter of [{}, { from: '' }, { error: ' ' }]) {
    const answer = await board.answer(`${api}/bulk`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ queueName: 'mails', action: 'retry', filter }),
    });
    expect([filter, answer.status]).toEqual([filter, 400]);
  }
}

/** Adds a job to the queue `mails` and finds it. */
async function addsAndShows(board: Listening): Promise<void> {
  const added = await board.answer(`${api}/queues/mails/add`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'welcome', data: { to: 'ada' } }),
  });
  expect([added.status, await added.text()]).toEqual([200, expect.any(String)]);
  const listed = await board.answer(`${api}/queues?activeQueue=mails&status=waiting`);
  const { queues } = (await listed.json()) as { readonly queues: readonly { name: string }[] };
  expect(queues.find(({ name }) => name === 'mails')).toMatchObject({
    counts: { waiting: 1 },
    jobs: [{ name: 'welcome', data: { to: 'ada' } }],
  });
  await refusesBlank(board);
}

/** A database of the server that hardly another test uses, so that the connections of this board are told apart. */
const ownDatabase = 1 + randomInt(15);

/** Ten readers of long logs have a connection of the board, and what the host adds meanwhile does not wait for them. */
async function readsBesideHost(board: Listening): Promise<void> {
  await addsAndShows(board);
  const client = new Redis(`${redisUrl}/${ownDatabase}`);
  const connections = async (): Promise<string[]> =>
    String(await client.client('LIST'))
      .split('\n')
      .filter(
        (line) => line.includes(` db=${ownDatabase} `) && line.includes(' name=sluice-board '),
      );
  const add = () =>
    board.answer(`${api}/queues/mails/add`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'more' }),
    });
  for (let nth = 1; nth < 10; nth += 1) await add();
  const ids = Array.from({ length: 10 }, (_none, nth) => String(nth + 1));
  const line = 'x'.repeat(100);
  for (const id of ids) {
    const lines = Array.from({ length: 10_000 }, (_none, nth) => `${nth} ${line}`);
    await client.rpush(`${prefix}:mails:${id}:logs`, ...lines);
  }
  let read = 0;
  const logs = ids.map(async (id) => {
    const answer = await board.answer(`${api}/queues/mails/${id}/logs`);
    const lines: unknown = await answer.json();
    read += 1;
    // A slow machine cannot read all of them within the patience of a request.
    if (answer.status === 200) expect(lines).toHaveLength(10_000);
    return answer.status;
  });
  await expect.poll(connections, { interval: 5 }).toHaveLength(1);
  expect((await add()).status).toBe(200);
  expect(read).toBeLessThan(10);
  const statuses = await Promise.all(logs);
  expect(statuses).toContain(200);
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(await connections()).toHaveLength(1);
  await client.quit();
}

const boards: readonly PrintedBoard[] = [
  {
    name: 'BullMQ on Redis',
    printed: printedUnder('README.md', 'A board', 'board for BullMQ'),
    printedAddress: `{ connection: { host: 'localhost' } }`,
    address: redisUrl && JSON.stringify({ connection: { url: redisUrl, db: ownDatabase }, prefix }),
    check: readsBesideHost,
  },
  {
    name: 'BullMQ on PostgreSQL',
    printed: printedAs('docs/board.md', 'bullmq-on-postgresql.ts'),
    printedAddress: `'postgres://localhost/app', migrate`,
    address: databaseUrl && `${JSON.stringify(databaseUrl)}, max: 2, migrate`,
    check: addsAndShows,
  },
  {
    name: 'Bull',
    printed: printedAs('docs/board.md', 'bull-board.ts'),
    printedAddress: `'redis://localhost'`,
    address: redisUrl && `${JSON.stringify(redisUrl)}, { prefix: '${prefix}-bull' }`,
    check: addsAndShows,
  },
  {
    name: 'pg-boss',
    printed: printedAs('docs/board.md', 'pg-boss-board.ts'),
    printedAddress: 'postgres://localhost/app',
    address: databaseUrl,
    async check(board) {
      const info = await board.answer(`${api}/pgq/info`);
      expect([info.status, await info.json()]).toEqual([
        200,
        expect.objectContaining({ installed: true, readable: true, writable: true }),
      ]);
      const queues = await board.answer(`${api}/pgq/queues`);
      expect([queues.status, await queues.json()]).toEqual([200, { queues: [] }]);
      await refusesBlank(board);
    },
  },
];

let host: Host;
let board: Listening | undefined;
beforeAll(() => {
  host = installedWith();
});
afterEach(async () => {
  await board?.stop();
  board = undefined;
});
afterAll(async () => {
  host?.remove();
  if (redisUrl !== undefined) {
    const client = new Redis(redisUrl);
    for (const used of [0, ownDatabase]) {
      await client.select(used);
      const keys = await client.keys(`${prefix}*`);
      if (keys.length > 0) await client.del(...keys);
    }
    await client.quit();
  }
  if (!('missing' in redis)) await redis.dispose();
  if (!('missing' in database)) await database.drop();
});

it('has no ORM and no queue library installed', () => {
  const resolve = `
    const names = ['drizzle-orm', 'typeorm', '@prisma/client', 'knex', 'kysely', 'bullmq', 'bull', 'pg-boss'];
    const found = names.filter((name) => {
      try {
        return import.meta.resolve(name);
      } catch {
        return false;
      }
    });
    console.log(JSON.stringify(found));
  `;
  expect(host.run(resolve)).toEqual([]);
});

describe.each(boards)('the board of $name', ({ printed, printedAddress, address, check }) => {
  const links = printed.packages.map((name) => [path.join(root, 'node_modules', name), name]);
  const inHost = (name = '') => path.join(host.directory, 'node_modules', name);
  beforeAll(() => {
    for (const [from = '', name] of links) symlinkSync(from, inHost(name));
  });
  afterAll(() => {
    for (const [, name] of links) rmSync(inHost(name));
  });

  it.runIf(address !== undefined)('runs as printed, and responds', async () => {
    board = await started(host, 'board', replaced(printed.code, printedAddress, address ?? ''));
    await check(board);
    const page = await board.answer('/admin/queues/');
    expect(page.headers.get('content-type')).toContain('text/html');
  });
});

it('gives out neither of two boards without credentials', () => {
  const program = `
    import { createAuthMiddleware } from 'sluice/auth';
    import { createBoard } from 'sluice/board';
    import { nextBoard } from 'sluice/board/next';

    const auth = createAuthMiddleware({ strategy: 'basic', user: 'ada', password: 'a-password-of-the-tests' });
    const boards = createBoard({
      serverAdapter: { attach: () => undefined },
      auth,
      options: { logger: { warn() {}, error() {} } },
      engines: { kvq: {}, pgq: { pgq: { connection: 'postgres://127.0.0.1:1/none' } } },
    });
    const statuses = [];
    for (const headers of [{}, { authorization: 'Basic ' + btoa('ada:a-password-of-the-tests') }]) {
      for (const board of [boards, boards.kvq, boards.pgq]) {
        const request = new Request('http://x/api/openapi.json', { headers });
        const params = Promise.resolve({ path: ['api', 'openapi.json'] });
        statuses.push((await board.fetch(request)).status);
        statuses.push((await nextBoard(board).GET(request, { params })).status);
      }
    }
    console.log(JSON.stringify(statuses));
    await boards.close();
  `;
  expect(host.run(program)).toEqual([...Array(6).fill(401), ...Array(6).fill(200)]);
});

it.runIf(databaseUrl !== undefined)('the board of the page ends on SIGTERM', async () => {
  const { code } = programIn('docs/board.md', 'pgq-board.ts');
  const links = ['pg', 'pg-boss', 'express'].map((name) => [
    name,
    path.join(host.directory, 'node_modules', name),
  ]);
  for (const [name = '', to = ''] of links) symlinkSync(path.join(root, 'node_modules', name), to);
  vi.stubEnv('BOARD_TOKEN', randomBytes(24).toString('hex'));
  board = await started(
    host,
    'ending',
    replaced(code, 'postgres://board@localhost/app', databaseUrl ?? ''),
  );
  expect((await board.answer('/admin/jobs/api/pgq/info')).status).toBe(401);
  await board.stop();
  vi.unstubAllEnvs();
  for (const [, to = ''] of links) rmSync(to);
});
