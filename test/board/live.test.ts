/** Live updates of boards on Redis and PostgreSQL, with authentication, and in a browser. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as bullmq from 'bullmq';
import express from 'express';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAuthMiddleware } from '../../src/auth/index.ts';
import { ExpressAdapter, bullmqQueue, createBoard } from '../../src/http/board/index.ts';
import type { BoardOptions } from '../../src/board/core/index.ts';
import type { BoardAuth } from '../../src/board/core/index.ts';
import { chromiumRequired, findChromium, launch } from '../demo/chromium.ts';
import { findRedis } from '../services/index.ts';
import type { Service } from '../services/index.ts';
import { type EventStream, openEvents } from './core/event-stream.ts';
import { openWire } from './kvq/counting-proxy.ts';
import type { Wire } from './kvq/counting-proxy.ts';
import { newestLibrary } from './pgq/libraries.ts';
import { makeWorld } from './pgq/world.ts';

const timing = { intervalMs: 100, recheckMs: 600_000, heartbeatMs: 600_000 };
const names = ({ events }: EventStream): string[] => events.map(({ event }) => event);

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function watch(url: string, headers?: Readonly<Record<string, string>>) {
  const stream = await openEvents(url, headers);
  closing.push(() => stream.close());
  return stream;
}

describe('on Redis', () => {
  let service: Service | undefined;
  let wire: Wire;
  let client: Redis;
  let queues: bullmq.Queue[] = [];

  beforeAll(async () => {
    const found = await findRedis();
    if ('missing' in found) return;
    service = found;
    wire = await openWire(found.url);
    client = new Redis({ port: wire.port, host: '127.0.0.1', maxRetriesPerRequest: null });
    queues = ['mail', 'push'].map(
      (name) =>
        new bullmq.Queue(name, {
          connection: client as unknown as bullmq.ConnectionOptions,
          prefix: `live${process.pid}`,
          skipMetasUpdate: true,
        }),
    );
    await Promise.all(queues.map((queue) => queue.waitUntilReady()));
  });

  afterAll(async () => {
    if (!service) return;
    for (const queue of queues) await queue.obliterate({ force: true });
    await Promise.all(queues.map((queue) => queue.close()));
    client.disconnect();
    await wire.close();
    await service.dispose();
  });

  async function serve(
    options: BoardOptions = {},
    auth: BoardAuth | false = false,
  ): Promise<{ readonly url: string; cut(): void }> {
    const serverAdapter = new ExpressAdapter();
    const board = createBoard({
      queues: queues.map((queue) => bullmqQueue(queue)),
      serverAdapter,
      auth,
      options: { live: timing, ...options },
    });
    const app = express();
    app.get('/empty', (_request, response) => void response.send('<!doctype html>'));
    app.use('/board', serverAdapter.getRouter());
    const server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const cut = (): void => server.closeAllConnections();
    closing.push(async () => {
      await board.close();
      server.close();
      cut();
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/board`, cut };
  }

  it('tells what jobs and commands change', async (context) => {
    if (!service) return context.skip();
    const { url } = await serve();
    const stream = await watch(`${url}/api/live`);
    await expect.poll(() => names(stream)).toEqual(['snapshot']);
    const [mail] = stream.events[0]?.data.queues ?? [];
    const listed = (await (await fetch(`${url}/api/queues`)).json()) as { queues: object[] };
    expect({ ...mail, jobs: [], pagination: {} }).toEqual({
      ...listed.queues[0],
      jobs: [],
      pagination: {},
    });
    await queues[0]?.add('job', {});
    const last = (): unknown => stream.events.at(-1)?.data.changed?.[0];
    await expect.poll(last).toMatchObject({ name: 'mail', counts: { waiting: 1 } });
    await fetch(`${url}/api/queues/push/pause`, { method: 'PUT' });
    await expect.poll(last).toMatchObject({ name: 'push', isPaused: true });
    await queues[0]?.drain();
    await queues[1]?.resume();
  });

  it('costs Redis the commands of one viewer, however many watch', async (context) => {
    if (!service) return context.skip();
    const { url } = await serve({ snapshotMs: 0 } as BoardOptions);
    /** Milliseconds until the board has sent so much to Redis. */
    const timeFor = async (writes: number): Promise<number> => {
      wire.writes.length = 0;
      const from = performance.now();
      await expect.poll(() => wire.writes.length, { interval: 10 }).toBeGreaterThan(writes);
      return performance.now() - from;
    };
    const first = await watch(`${url}/api/live`);
    await expect.poll(() => names(first)).toEqual(['snapshot']);
    const ofOne = await timeFor(20);
    const more = await Promise.all(Array.from({ length: 49 }, () => watch(`${url}/api/live`)));
    for (const stream of more) await expect.poll(() => names(stream)).toEqual(['snapshot']);
    const ofFifty = await timeFor(20);
    // Fifty readers would send as much in a fiftieth of the time; a busy machine only takes longer.
    expect(ofFifty).toBeGreaterThan(ofOne / 5);
    await queues[0]?.add('job', {});
    for (const stream of more) await expect.poll(() => names(stream)).toContain('diff');
    await queues[0]?.drain();
  });

  it('ends when the session does', async (context) => {
    if (!service) return context.skip();
    let isValid = true;
    const auth = createAuthMiddleware({
      strategy: 'token',
      validate: () => (isValid ? { username: 'ada' } : false),
    });
    const { url } = await serve({ live: { ...timing, recheckMs: 100 } }, auth);
    const headers = { authorization: 'Bearer a-token-of-the-live-tests-0123456789ab' };
    const stream = await watch(`${url}/api/live`, headers);
    await expect.poll(() => names(stream)).toEqual(['snapshot']);
    await queues[0]?.add('job', {});
    await expect.poll(() => names(stream)).toContain('diff');
    isValid = false;
    await stream.ended;
    expect(stream.events.at(-1)).toMatchObject({
      event: 'revoked',
      data: { error: { key: 'ERRORS.UNAUTHORIZED' }, code: 'UNAUTHORIZED' },
    });
    expect((await watch(`${url}/api/live`, headers)).status).toBe(401);
    await queues[0]?.drain();
  });

  it('works in a browser: compressed, resumed after a lost connection, and refused', async (context) => {
    const path = findChromium();
    if (!service || !path) {
      if (chromiumRequired) throw new Error('This test needs Redis and Chromium.');
      return context.skip();
    }
    let open = true;
    const { url, cut } = await serve({
      live: { ...timing, recheckMs: 100 },
      handlerHooks: { before: () => ({ allow: open }) },
    });
    const browser = await launch(path);
    closing.push(() => browser.close());
    const page = await browser.newPage();
    await page.goto(new URL('/empty', url).href);
    // A string, because the types of a browser are not those of this file.
    await page.evaluate(`
      window.seen = [];
      window.source = new EventSource('${url}/api/live');
      for (const name of ['snapshot', 'diff', 'revoked'])
        source.addEventListener(name, ({ data, lastEventId }) => seen.push([name, JSON.parse(data), lastEventId]));
      undefined;
    `);
    type Seen = readonly [event: string, data: { changed?: { counts: object }[] }, id: string];
    const seen = (): Promise<Seen[]> => page.evaluate('seen');
    const events = async (): Promise<string[]> => (await seen()).map(([event]) => event);
    await expect.poll(events).toEqual(['snapshot']);
    await queues[0]?.add('job', {});
    await expect.poll(events).toEqual(['snapshot', 'diff']);
    expect((await seen())[1]?.[1].changed?.[0]?.counts).toMatchObject({ waiting: 1 });
    cut();
    await queues[0]?.add('job', {});
    // The browser connects again and gets only what it has missed.
    await expect.poll(events).toEqual(['snapshot', 'diff', 'diff']);
    expect((await seen())[2]?.[1].changed?.[0]?.counts).toMatchObject({ waiting: 2 });
    open = false;
    await expect.poll(events).toContain('revoked');
    await expect.poll(() => page.evaluate('source.readyState')).toBe(2);
    await queues[0]?.drain();
  });
});

describe('on pg-boss', () => {
  it('tells what the library counts', async () => {
    const world = await makeWorld(newestLibrary, 'pgq_live');
    closing.push(() => world.close());
    await world.boss.createQueue('mail');
    const board = await world.board({}, { live: timing });
    const stream = await watch(`${board.origin}/api/live`);
    await expect.poll(() => names(stream)).toEqual(['snapshot']);
    const listed = (await board.get('/api/pgq/queues')).body['queues'];
    expect(stream.events[0]?.data.queues).toEqual(listed);
    await world.boss.createQueue('push');
    await expect.poll(() => stream.events.at(-1)?.data.changed?.[0]?.name).toBe('push');
    await world.admin.query(`update pgboss.queue set queued_count = 7 where name = 'mail'`);
    const last = (): unknown => stream.events.at(-1)?.data.changed?.[0];
    await expect.poll(last).toMatchObject({ name: 'mail', counts: { queued: 7 } });
    await world.boss.deleteQueue('push');
    await expect.poll(() => stream.events.at(-1)?.data.removed).toEqual(['push']);
  });
});
