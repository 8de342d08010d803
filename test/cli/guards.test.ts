/** Guards of `sluice board` against pages of other sites, passwords in messages, and writes of a read-only board. */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BoardQueue } from '../../src/board/index.ts';
import { Boot } from '../../src/cli/board/boot.ts';
import type { SourceStatus } from '../../src/cli/board/boot.ts';
import { BoardHistory } from '../../src/cli/board/history.ts';
import { openBoards } from '../../src/cli/board/open-boards.ts';
import { QueueSync } from '../../src/cli/board/queue-sync.ts';
import { isLocalHost, isLoopback } from '../../src/cli/board/settings/loopback.ts';
import { boardSettings } from '../../src/cli/board/settings/settings.ts';
import type { BoardSettings } from '../../src/cli/board/settings/settings.ts';
import { sourcesOf } from '../../src/cli/board/sources/index.ts';
import type { FoundQueue, Source } from '../../src/cli/board/sources/source.ts';
import { gateResponse } from '../../src/cli/board/status.ts';
import { NodeAdapter } from '../../src/http/node/board.ts';
import * as metrics from '../../src/metrics/index.ts';
import { listen } from '../http/serve.ts';
import { findRedis } from '../services/index.ts';
import { runBoard } from './run-board.ts';
import { masked } from '../../src/cli/board/settings/source-settings.ts';

const away = ['--redis', 'redis://127.0.0.1:1'];
let folder: string;
beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'sluice-guards-'))));
afterAll(() => rm(folder, { recursive: true }));

/** The settings of these flags and a config file. */
async function settingsOf(args: readonly string[], config: object = {}): Promise<BoardSettings> {
  const file = path.join(folder, `${randomBytes(6).toString('hex')}.json`);
  await writeFile(file, JSON.stringify(config));
  return boardSettings([...args, '--config', file], {}, folder, () => undefined);
}

describe('pages of other sites', () => {
  it('reach no board of this machine by a name that only begins like an address of it', () => {
    for (const host of ['127.0.0.1', '127.9.9.9', 'localhost', '::1', '[::1]', 'LOCALHOST']) {
      expect([host, isLoopback(host)]).toEqual([host, true]);
    }
    for (const host of ['127.0.0.1.evil.test', '127.0.0.1x', 'localhost.evil.test', '0.0.0.0']) {
      expect([host, isLoopback(host), isLocalHost(host)]).toEqual([host, false, false]);
    }
  });

  it('reach no open board by names of their own, also where it has no public URL', async () => {
    const board = await runBoard(away);
    const { hostname, port } = new URL(board.origin);
    const statusFor = async (host: string): Promise<number | undefined> => {
      const sent = request({ hostname, port, path: '/api/status', headers: { host } }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    expect([await statusFor('evil.test'), await statusFor(`localhost:${port}`)]).toEqual([
      421, 503,
    ]);
    await board.stop();
  });

  it('put nothing on the waiting page by a message of a server', () => {
    const source: SourceStatus = {
      name: 'Redis',
      address: 'redis://<i>',
      board: 'kvq',
      datastore: 'kv',
      state: 'degraded',
      error: '<script>alert(1)</script>',
      attempts: 1,
    };
    const page = String(gateResponse([source], 'text/html').body);
    expect(page).toContain('Answers, but cannot be used: &lt;script&gt;');
    expect(page).not.toMatch(/<script|<i>/);
  });
});

describe('a password', () => {
  it.each([
    ['redis://:hunter2@a.test:1/2', 'redis://:***@a.test:1/2'],
    ['postgresql://me:hunter2@a.test/db?password=hunter2#hunter2', 'postgresql://me:***@a.test/db'],
    ['postgresql://me:hun#ter2@a.test:5432/db', 'postgresql:...'],
    ['postgresql://me:hunter2@a.test:port', 'postgresql:...'],
    ['hunter2', '...'],
    ['me:hunter2@a.test:5432/db', 'me:...'],
    ['/tmp/redis.sock?password=hunter2', '/tmp/redis.sock'],
  ])('of %s is not shown', (url, shown) => {
    expect(masked(url)).toBe(shown);
  });

  it('of a connection string in the config file is not shown, also where it cannot be read', async () => {
    for (const connectionString of ['postgresql://me:hun#ter2@a:5432/b', 'me:hun#ter2@a/b']) {
      const { sources } = await settingsOf([], { postgres: { connectionString } });
      expect(JSON.stringify(sources.postgres?.address)).not.toMatch(/hun|ter2/);
    }
  });

  it('is not quoted by an error of the config file', async () => {
    const file = path.join(folder, 'broken.json');
    await writeFile(file, '{ "password": "hunter2", }');
    const reading = boardSettings(['--config', file], {}, folder, () => undefined);
    await expect(reading).rejects.toThrow('broken.json cannot be loaded: its text is not valid.');
  });
});

describe('a read-only board', () => {
  it.each([
    { readOnly: true, settings: {}, records: false },
    { readOnly: true, settings: { record: true }, records: true },
    { readOnly: false, settings: {}, records: true },
    { readOnly: false, settings: { record: false }, records: false },
  ])('purges no history and records none by itself: %j', ({ readOnly, settings, records }) => {
    const history = new BoardHistory(metrics, settings, readOnly, () => undefined);
    expect(history.keep.records).toBe(records);
    expect('purge' in history.provider).toBe(!readOnly);
  });

  it.each([
    ['alone', []],
    ['beside Redis', away],
  ])('has no writes to pg-boss %s', async (_how, flags) => {
    const pgq = ['--pgq', 'postgresql://127.0.0.1:1/none', ...flags];
    const statuses: number[] = [];
    for (const args of [pgq, [...pgq, '--read-only']]) {
      const serverAdapter = new NodeAdapter();
      const logger = { warn: () => undefined, error: () => undefined };
      const settings = { ...(await settingsOf(args)), options: { logger } };
      const boards = openBoards(settings, {
        serverAdapter,
        auth: false,
        warn: () => undefined,
        sources: [],
        histories: {},
      });
      const { port, close } = await listen(serverAdapter.getListener());
      const base = flags.length > 0 ? '/pgq' : '';
      const url = `http://127.0.0.1:${port}${base}/api/pgq/queues/letters/retry-failed`;
      statuses.push((await fetch(url, { method: 'PUT' })).status);
      await close();
      await boards.close();
    }
    expect(statuses).toEqual([503, 404]);
  });

  it('is one for queues whose options say otherwise', async ({ skip }) => {
    const service = await findRedis();
    if ('missing' in service) return skip(service.advice);
    const prefix = `cli${randomBytes(4).toString('hex')}`;
    const redis = new Redis(service.url, { maxRetriesPerRequest: null });
    const queue = new Queue('mails', { connection: redis, prefix });
    await queue.add('job', {});
    await queue.close();
    const config = { queues: { mails: { readOnly: false, readOnlyMode: false } } };
    const args = ['--redis', service.url, '--prefix', prefix];
    const shown: unknown[] = [];
    for (const flags of [args, [...args, '--read-only']]) {
      const [source] = sourcesOf(await settingsOf(flags, config), () => undefined);
      const connected = await source?.connect();
      const [found] = (await connected?.discover()) ?? [];
      const open = await found?.open();
      shown.push([found?.name, open?.queue.readOnly]);
      await open?.close();
      await connected?.close();
    }
    await redis.del(await redis.keys(`${prefix}:*`));
    await redis.quit();
    await service.dispose();
    expect(shown).toEqual([
      ['mails', false],
      ['mails', true],
    ]);
  });
});

describe('a datastore', () => {
  it('with a queue that cannot be opened keeps the others on the board, open', async () => {
    const closed: string[] = [];
    const found = (name: string, open = true): FoundQueue => ({
      key: name,
      name,
      place: '',
      async open() {
        if (!open) throw new Error(`${name} cannot be opened`);
        return { queue: { name } as BoardQueue, close: async () => closed.push(name) };
      },
    });
    const sync = new QueueSync({ replaceQueues: () => undefined }, ['Redis'], () => undefined);
    await sync.update('Redis', [found('one'), found('two')]);
    const next = [found('one'), found('two'), found('new'), found('broken', false)];
    await expect(sync.update('Redis', next)).rejects.toThrow('broken cannot be opened');
    expect([closed, sync.queues.map(({ name }) => name)]).toEqual([['new'], ['one', 'two']]);
  });

  it('of two with a queue of one name shows that of the first, then that of the other', async () => {
    const own = {
      first: { name: 'mails' } as BoardQueue,
      second: { name: 'mails' } as BoardQueue,
    };
    const found = (source: keyof typeof own): FoundQueue => ({
      key: 'mails',
      name: 'mails',
      place: `in ${source}`,
      open: async () => ({ queue: own[source], close: async () => undefined }),
    });
    const warned: string[] = [];
    const none = { replaceQueues: () => undefined };
    const sync = new QueueSync(none, ['first', 'second'], (line) => void warned.push(line));
    const shownAfter = async (source: string, ...queues: FoundQueue[]): Promise<unknown[]> => {
      await sync.update(source, queues);
      return sync.queues.map((queue) => (queue === own.first ? 'first' : 'second'));
    };
    expect(await shownAfter('second', found('second'))).toEqual(['second']);
    expect(await shownAfter('first', found('first'))).toEqual(['first']);
    expect(await shownAfter('first', found('first'))).toEqual(['first']);
    expect(await shownAfter('first')).toEqual(['second']);
    expect(warned).toEqual([
      'a second queue "mails" in second is not shown: names must differ on a board.',
    ]);
  });

  it('that fails behind its connection is connected again', async () => {
    const connections: { isClosed: boolean }[] = [];
    const source: Source = {
      name: 'Redis',
      address: '',
      board: 'kvq',
      datastore: 'kv',
      load: async () => undefined,
      async connect() {
        const own = { isClosed: false };
        connections.push(own);
        return {
          async discover() {
            if (connections.length === 1) throw new Error('LOADING');
            return [];
          },
          openHistory: () => {
            throw new Error('no history');
          },
          close: async () => void (own.isClosed = true),
        };
      },
    };
    const boot = new Boot(source, {
      sync: new QueueSync({ replaceQueues: () => undefined }, ['Redis'], () => undefined),
      retry: false,
      scanInterval: 0,
      log: { info: () => undefined, warn: () => undefined },
      signal: new AbortController().signal,
      onReady: () => undefined,
    });
    await expect(boot.run()).rejects.toThrow('LOADING');
    await boot.run();
    expect([boot.status.state, connections.map(({ isClosed }) => isClosed)]).toEqual([
      'ready',
      [true, false],
    ]);
  });
});
