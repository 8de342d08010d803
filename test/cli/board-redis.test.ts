/** `sluice board` as a process on Redis: discovery, what it serves and prints, and how it ends. */

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Bull from 'bull';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRedis } from '../services/index.ts';
import { outageProxy } from '../services/outage-proxy.ts';
import { runBoard, sluice } from './run-board.ts';
import type { RunningBoard } from './run-board.ts';

/** Runs the health check of the image on a board. */
async function isHealthy({ origin }: RunningBoard): Promise<boolean> {
  const dockerfile = await readFile(path.join(import.meta.dirname, '../../Dockerfile'), 'utf8');
  const [program = '', ...args] = JSON.parse(
    /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]',
  ) as string[];
  expect(program).toBe('node');
  const { port } = new URL(origin);
  const env = { ...process.env, BOARD_PORT: port };
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
  return ((await once(child, 'exit')) as [number])[0] === 0;
}

const service = await findRedis();
const isMissing = 'missing' in service;
const redisUrl = isMissing ? '' : service.url;
const unique = `cli${randomBytes(4).toString('hex')}`;
const prefixes = [`${unique}a`, `{${unique}b}`, `${unique}c`];
const [first = '', second = '', third = ''] = prefixes;

describe.skipIf(isMissing)('sluice board on Redis', () => {
  let redis: Redis;
  const add = async (prefix: string, name: string): Promise<void> => {
    const queue = new Queue(name, { connection: redis, prefix });
    await queue.add('job', { n: 1 });
    await queue.close();
  };
  const drop = async (prefix: string, name: string): Promise<void> => {
    const keys = await redis.keys(`${prefix}:${name}:*`);
    if (keys.length > 0) await redis.del(...keys);
  };
  let folder: string;

  beforeAll(async () => {
    redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
    folder = await mkdtemp(path.join(tmpdir(), 'sluice-board-'));
    await add(first, 'mails');
    await add(first, 'orders');
    await add(second, 'mails');
    const legacy = new Bull('old:imports', redisUrl, { prefix: first });
    await legacy.add({ n: 1 }, { jobId: 'id' });
    await legacy.close();
    // A job with the id `meta` or `id` is not a queue, and neither is a key of a longer prefix.
    await redis.hset(`${first}:orders:id:id`, 'name', 'x');
    await redis.hset(`${first}:x:y:meta`, 'name', 'x');
    // Names that no address holds.
    for (const name of ['', 'a\0b']) await redis.hset(`${first}:${name}:meta`, 'name', 'x');
  });
  afterAll(async () => {
    for (const prefix of prefixes) await drop(prefix, '*');
    await redis.quit();
    await rm(folder, { recursive: true, force: true });
    if (!isMissing) await service.dispose();
  });

  it('finds the queues of BullMQ and Bull, new ones and vanished ones, and ends with 0', async () => {
    const args = [
      '-r',
      redisUrl,
      '--prefix',
      `${first},${second},${third}`,
      '--scan-interval',
      '1',
    ];
    const board = await runBoard(args);
    await expect.poll(() => board.printed.out).toContain('3 queues');
    expect(board.printed.out).toContain(`Redis at ${redisUrl}`);
    expect(board.printed.err).toContain(
      `a second queue "mails" under prefix "${second}" is not shown`,
    );
    expect(await board.queues()).toEqual(['mails', 'old:imports', 'orders']);
    const { queues } = (await board.json('/api/queues?activeQueue=old:imports')) as {
      queues: { name: string; library: string; jobs: unknown[] }[];
    };
    expect(queues.map(({ library }) => library)).toEqual(['current', 'legacy', 'current']);
    await add(third, 'late');
    await expect.poll(() => board.queues()).toContain('late');
    expect(board.printed.out).toContain('Redis: new queue "late"');
    await drop(third, 'late');
    await expect.poll(() => board.queues()).not.toContain('late');
    expect(board.printed.out).toContain('Redis: queue "late" is gone');
    // The second `mails` takes the place of the first, and the warning was given once.
    await drop(first, 'mails');
    await expect.poll(() => board.printed.out).toContain('Redis: queue "mails" is gone');
    await expect.poll(() => board.queues()).toContain('mails');
    expect(board.printed.err.match(/second queue/g)).toHaveLength(1);
    expect(await board.stop()).toBe(0);
  });

  it('shows queues without writing to them', async () => {
    await redis.hdel(`${first}:orders:meta`, 'version', 'opts.maxLenEvents');
    await redis.hset(`${first}:orders:meta`, 'kept', '1');
    const board = await runBoard(['-r', redisUrl, '--prefix', first, '--read-only']);
    await expect.poll(() => board.queues().catch(() => [])).toContain('orders');
    const write = (headers = {}) =>
      fetch(`${board.origin}/api/queues/orders/pause`, { method: 'PUT', headers });
    expect(await (await write()).json()).toMatchObject({
      error: { key: 'ERRORS.QUEUE_READ_ONLY' },
    });
    expect(await redis.hgetall(`${first}:orders:meta`)).toEqual({ kept: '1' });
    expect(await board.stop('SIGINT')).toBe(0);
  });

  it('serves under a base path, with a title, options of queues and the queues named', async () => {
    const file = path.join(folder, 'options.mjs');
    await writeFile(
      file,
      `export default {
        kv: ${JSON.stringify(redisUrl)}, prefix: [${JSON.stringify(first)}], host: 'localhost',
        queues: { orders: { displayName: 'Orders', formatters: { data: () => 'hidden' } } },
        options: { hideKvDetails: true },
      };`,
    );
    const args = ['--config', file, '--queues', 'orders,absent', '--base-path', 'jobs'];
    const board = await runBoard([...args, '--board-title', 'Mine']);
    await expect
      .poll(() => board.json('/api/queues?activeQueue=orders').catch(() => ({})))
      .toMatchObject({
        queues: [
          { name: 'orders', displayName: 'Orders', jobs: [{ data: 'hidden' }] },
          { name: 'absent' },
        ],
      });
    expect(board.origin).toMatch(/^http:\/\/localhost:\d+\/jobs$/);
    const root = board.origin.slice(0, -'/jobs'.length);
    expect((await fetch(root, { redirect: 'manual' })).headers.get('location')).toBe('/jobs/');
    expect((await fetch(`${root}/jobsite`)).status).toBe(404);
    expect((await board.get('/api/kv/stats')).status).toBe(403);
    const page = await (await board.get('')).text();
    expect(page).toContain('<title>Mine</title>');
    expect(page).toContain('"basePath":"/jobs"');
    expect((await board.get('/none')).status).toBe(404);
  });

  it('records the history, and only shows it on a read-only board', async () => {
    const file = path.join(folder, 'history.mjs');
    await writeFile(
      file,
      `export default { prefix: ${JSON.stringify(first)}, history: { prefix: '${unique}:h', latency: false } };`,
    );
    const worker = new Worker('orders', async () => 'done', { connection: redis, prefix: first });
    await expect.poll(() => redis.zcard(`${first}:orders:completed`)).toBeGreaterThan(0);
    await worker.close();
    const args = ['-r', redisUrl, '--config', file];
    const board = await runBoard([...args, '--history-retention-days', '9', '--history']);
    await expect.poll(() => redis.keys(`{${unique}:h}:*`)).not.toEqual([]);
    const range = `from=${Date.now() - 3_600_000}&to=${Date.now() + 3_600_000}`;
    const route = `/api/metrics/history?metric=completed&granularity=day&${range}`;
    await expect.poll(async () => (await board.get(route)).status).toBe(200);
    expect((await board.get('/api/metrics/history/usage')).status).toBe(200);
    expect(await (await board.get('/')).text()).toContain('"canPurgeHistory":true');
    expect(await board.stop()).toBe(0);
    const own = await redis.keys(`{${unique}:h}:*`);
    await redis.del(...own);
    const reader = await runBoard([...args, '--read-only']);
    await expect.poll(async () => (await reader.get(route)).status).toBe(200);
    const purge = await fetch(`${reader.origin}/api/metrics/history/purge`, { method: 'POST' });
    expect(purge.status).toBe(404);
    expect(await redis.keys(`{${unique}:h}:*`)).toEqual([]);
    expect(await reader.stop()).toBe(0);
  });

  it('answers to no other name than this machine without authentication', async () => {
    const args = ['-r', redisUrl, '--prefix', first, '--public-url', 'https://own.test/q'];
    const board = await runBoard(args);
    await expect.poll(() => board.printed.out).toContain('behind a proxy: https://own.test/q');
    const statusFor = async (host: string) => {
      const { hostname, port } = new URL(board.origin);
      const sent = request({ hostname, port, path: '/api/status', headers: { host } });
      sent.end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    for (const host of ['evil.test', 'localhost.evil.test', '127.0.0.1.evil.test', 'x:y:z']) {
      expect(await statusFor(host)).toBe(421);
    }
    for (const host of ['localhost:3000', '127.0.0.1', '[::1]:1', 'a.localhost', 'own.test']) {
      expect(await statusFor(host)).not.toBe(421);
    }
  });

  it('asks for the password, the token, or the provider', async () => {
    const common = ['-r', redisUrl, '--prefix', first, '--host', '0.0.0.0'];
    const basic = await runBoard([...common, '--user', 'ann'], { env: { BOARD_PASSWORD: 'word' } });
    expect((await basic.get('/api/status')).status).toBe(401);
    const headers = { authorization: `Basic ${btoa('ann:word')}` };
    await expect.poll(async () => (await basic.get('/', headers)).status).toBe(200);
    expect(await basic.json('/auth/me', headers)).toMatchObject({ strategy: 'basic' });
    expect(await isHealthy(basic)).toBe(true);
    const token = 'a-token-of-the-tests-that-is-long-enough';
    const byToken = await runBoard([...common, '--token-header', 'x-board'], {
      env: { BOARD_TOKENS: `other,${token}` },
    });
    expect((await byToken.get('/', { accept: 'text/html' })).headers.get('location')).toBe(
      '/auth/login?returnTo=%2F',
    );
    expect((await byToken.get('/auth/login')).status).toBe(200);
    await expect
      .poll(async () => (await byToken.get('/api/queues', { 'x-board': token })).status)
      .toBe(200);
    expect(`${basic.printed.out}${byToken.printed.err}`).not.toMatch(/word|a-token/);
  });

  it('shows a page until Redis answers, and leaves later outages to the board', async () => {
    const proxy = await outageProxy(redisUrl.replace('//', '//:hunter2@'));
    await proxy.close();
    try {
      const board = await runBoard(['-r', proxy.url, '--prefix', first]);
      const html = { accept: 'text/html,*/*' };
      await expect.poll(() => board.printed.err).toContain('ECONNREFUSED');
      expect(board.printed.err).toContain('trying again every 3 s');
      const page = await board.get('/', html);
      expect([page.status, page.headers.get('retry-after')]).toEqual([503, '3']);
      const text = await page.text();
      expect(text).toContain('Waiting for a datastore');
      expect(text).toContain('Cannot be reached: connect ECONNREFUSED');
      const api = await board.get('/api/queues');
      expect([api.status, await api.json()]).toEqual([
        503,
        { error: { key: 'ERRORS.KV_UNAVAILABLE' }, code: 'KV_UNAVAILABLE' },
      ]);
      const status = await board.get('/api/status');
      expect(status.status).toBe(503);
      expect(await status.json()).toMatchObject({
        status: 'connecting',
        sources: [{ name: 'Redis', board: 'kvq', state: 'connecting' }],
      });
      expect(await isHealthy(board)).toBe(false);
      await proxy.open();
      await expect.poll(async () => (await board.get('/api/status')).status).toBe(200);
      expect(await isHealthy(board)).toBe(true);
      expect((await board.get('/', html)).status).toBe(200);
      expect(await board.queues()).toContain('orders');
      await proxy.close();
      await expect.poll(async () => (await board.get('/api/kv/stats')).status).toBe(503);
      expect((await board.get('/', html)).status).toBe(200);
      await proxy.open();
      await expect.poll(() => board.queues().catch(() => [])).toContain('orders');
      expect(board.printed.err).not.toContain('hunter2');
      expect(JSON.stringify(await board.json('/api/status'))).toContain('redis://:***@');
      expect(await board.stop()).toBe(0);
    } finally {
      await proxy.close();
    }
  });

  it('shows a page where Redis refuses the board', async () => {
    const board = await runBoard(['-r', redisUrl.replace('//', '//me:hunter2@')]);
    await expect.poll(() => board.printed.err).toContain('WRONGPASS');
    expect(await board.json('/api/status')).toMatchObject({
      status: 'degraded',
      sources: [{ state: 'degraded', error: expect.stringContaining('WRONGPASS') }],
    });
    const page = await (await board.get('/', { accept: 'text/html' })).text();
    expect(page).toContain('Answers, but cannot be used: WRONGPASS');
    expect(`${page}${board.printed.err}`).not.toContain('hunter2');
    expect(await board.stop('SIGHUP')).toBe(0);
  });

  it('shows no queues of another database where Redis does not have the one asked for', async () => {
    const board = await runBoard(['-r', `${redisUrl.replace(/\/\d*$/, '')}/9999`]);
    await expect.poll(() => board.printed.err).toContain('DB index is out of range');
    expect(await board.json('/api/status')).toMatchObject({ status: 'degraded' });
    expect(await board.stop()).toBe(0);
  });
});

describe('sluice board that does not start', () => {
  it('ends with 1 where the port is taken, or the datastore is away and is not waited for', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const taken = await sluice(['board', '-p', String(port), '-r', 'redis://127.0.0.1:1']);
    other.close();
    expect(taken).toEqual({
      code: 1,
      out: '',
      err: `sluice board: port ${port} is taken: --port chooses another one, 0 a free one.\n`,
    });
    const away = await sluice(
      ['board', '-p', '0', '-r', 'redis://:hunter2@127.0.0.1:1', '--no-retry'],
      { FORCE_COLOR: '0' },
    );
    expect(away.code).toBe(1);
    expect(away.err).toBe(
      'sluice board: Redis at redis://:***@127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1\n',
    );
  });

  it('ends with 2 where an option of the config file is wrong, and says which', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'sluice-board-'));
    const file = path.join(folder, 'board.mjs');
    await writeFile(file, `export default { options: { readonly: true } };`);
    const wrong = await sluice(['board', '--config', file]);
    await writeFile(file, `export default { token: { tokens: ['t'], headr: 'x' } };`);
    const auth = await sluice(['board', '--config', file]);
    await rm(folder, { recursive: true });
    expect(wrong.err).toContain(
      'sluice board: "readonly" is not an option of createBoard; did you mean "readOnly"?\n',
    );
    expect(auth.err).toContain(
      'sluice board: authentication: "headr" is not an option of createAuthMiddleware; did you mean "header"?\n',
    );
    expect([wrong.code, auth.code]).toEqual([2, 2]);
  });
});
