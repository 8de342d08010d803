/** Boards as OpenTelemetry sees them: spans of routes, and the gauge of jobs with the reads of one snapshot. */

import { SpanStatusCode } from '@opentelemetry/api';
import * as bullmq from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { bullmqQueue } from '../../src/board/index.ts';
import type { BoardOptions } from '../../src/board/core/index.ts';
import { openWire } from '../board/kvq/counting-proxy.ts';
import type { Wire } from '../board/kvq/counting-proxy.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import { findRedis } from '../services/index.ts';
import type { Service } from '../services/index.ts';
import { openTelemetry } from './support.ts';
import type { Telemetry } from './support.ts';

const gauge = 'sluice.queue.jobs';
let telemetry: Telemetry;
let service: Service | undefined;
let wire: Wire;
let client: Redis;
let queues: bullmq.Queue[] = [];
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  telemetry = openTelemetry();
  const found = await findRedis();
  if ('missing' in found) return;
  service = found;
  wire = await openWire(found.url);
  client = new Redis({ port: wire.port, host: '127.0.0.1', maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  const names = ['mail', ...Array.from({ length: 20 }, (_, at) => `more ${at}`)];
  queues = names.map(
    (name) =>
      new bullmq.Queue(name, {
        connection: client as unknown as bullmq.ConnectionOptions,
        prefix: `telemetry${process.pid}`,
        skipMetasUpdate: true,
      }),
  );
  for (const queue of queues) queue.on('error', () => undefined);
  await Promise.all(queues.map((queue) => queue.waitUntilReady()));
  await queues[0]?.addBulk([1, 2, 3].map((at) => ({ name: `${at}`, data: {} })));
});
beforeEach(() => telemetry.reset());
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
afterAll(async () => {
  await telemetry.close();
  if (!service) return;
  for (const queue of queues) await queue.obliterate({ force: true });
  await Promise.all(queues.map((queue) => queue.close()));
  client.disconnect();
  await wire.close();
  await service.dispose();
});

async function serve(count: number, options: BoardOptions = {}): Promise<ServedBoard> {
  const shown = queues.slice(0, count).map((queue) =>
    bullmqQueue(queue, {
      // Telemetry belongs to the host: it sees what a sender may not.
      ...(queue.name === 'mail' && {
        visibilityGuard: ({ headers }) => !('x-stranger' in headers),
      }),
    }),
  );
  const board = await serveBoard(shown, options);
  closing.push(() => board.close());
  return board;
}

/** The spans of routes; pg-boss's reads are spans too. */
const told = () =>
  telemetry
    .spans()
    .filter(({ attributes }) => 'http.route' in attributes)
    .map(({ name, attributes }) => [name, attributes['http.response.status_code']]);

it('a request has a span of its route, without its path and parameters', async (context) => {
  if (!service) return context.skip();
  const board = await serve(2);
  await board.get('/api/queues?jobs=false');
  await board.get('/api/queues/a%20queue%20of%20the%20client/job-7');
  await fetch(`${board.url}/`);
  await fetch(`${board.url}/api/no-such-route`);
  const etag = (await fetch(`${board.url}/api/queues?jobs=false`)).headers.get('etag') ?? '';
  const known = { 'if-none-match': etag };
  expect((await fetch(`${board.url}/api/queues?jobs=false`, { headers: known })).status).toBe(304);
  await fetch(`${board.url}/api/queues`, { method: 'HEAD' });
  expect(told()).toEqual([
    ['GET /api/queues', 200],
    ['GET /api/queues/{queueName}/{jobId}', 404],
    ['GET /api/queues', 200],
    ['GET /api/queues', 304],
    ['HEAD /api/queues', 200],
  ]);
  const [listing] = telemetry.spans();
  expect(listing?.attributes).toEqual({
    'http.request.method': 'GET',
    'http.route': '/api/queues',
    'http.response.status_code': 200,
    'sluice.board.engine': 'kvq',
    'sluice.board.operation': 'listQueues',
  });
  const text = JSON.stringify(telemetry.spans().map(({ name, attributes }) => [name, attributes]));
  expect(text).not.toContain('client');
});

it('a span ends with its stream’s start, and is an error when the board fails', async (context) => {
  if (!service) return context.skip();
  const board = await serve(1, {
    handlerHooks: {
      before: ({ method }) => {
        if (method === 'put') throw new Error('a hook that fails');
        return { allow: true };
      },
    },
    live: true,
  });
  const gone = new AbortController();
  const stream = await fetch(`${board.url}/api/live`, { signal: gone.signal });
  await stream.body?.getReader().read();
  gone.abort();
  await expect.poll(told).toEqual([['GET /api/live', 200]]);
  telemetry.reset();
  expect((await board.send('PUT', '/api/queues/mail/pause')).status).toBe(500);
  const [failed] = telemetry.spans();
  expect([failed?.status.code, failed?.attributes['error.type']]).toEqual([
    SpanStatusCode.ERROR,
    '500',
  ]);
});

it('the gauge tells jobs by queue and state, until the board is closed', async (context) => {
  if (!service) return context.skip();
  const board = await serve(2);
  const jobs = (await telemetry.points(gauge)).map(({ value, attributes }) => ({
    value,
    ...attributes,
  }));
  expect(jobs).toContainEqual({
    value: 3,
    'sluice.board.engine': 'kvq',
    'sluice.queue.name': 'mail',
    'sluice.job.state': 'waiting',
  });
  await board.close();
  expect(await telemetry.points(gauge)).toEqual([]);
});

it('a collection costs as many commands for many queues as for a few', async (context) => {
  if (!service) return context.skip();
  const writesOf = async (count: number): Promise<number> => {
    const board = await serve(count);
    await telemetry.points(gauge);
    wire.writes.length = 0;
    const points = await telemetry.points(gauge);
    const writes = wire.writes.length;
    expect(points.length).toBeGreaterThanOrEqual(count);
    await board.close();
    return writes;
  };
  const few = await writesOf(3);
  expect(few).toBeGreaterThan(0);
  expect(await writesOf(queues.length)).toBeLessThanOrEqual(few);
});

it('a board without telemetry has none, and a datastore that is away gives no values', async (context) => {
  if (!service) return context.skip();
  const silent = await serve(1, { telemetry: false });
  await silent.get('/api/queues');
  expect([telemetry.spans(), await telemetry.points(gauge)]).toEqual([[], []]);
  await serve(1);
  wire.cut();
  expect(await telemetry.points(gauge)).toEqual([]);
  wire.mend();
  await expect.poll(async () => (await telemetry.points(gauge)).length).toBeGreaterThan(0);
});

it('pg-boss: the same span and gauge, from the counts that it keeps', async () => {
  const world = await makeWorld(newestLibrary, 'pgq_telemetry');
  closing.push(() => world.close());
  await world.boss.createQueue('mail');
  await world.admin.query(`update pgboss.queue set queued_count = 7 where name = 'mail'`);
  const board = await world.board();
  await board.get('/api/pgq/queues');
  expect(told()).toEqual([['GET /api/pgq/queues', 200]]);
  expect(await telemetry.points(gauge)).toContainEqual({
    value: 7,
    attributes: {
      'sluice.board.engine': 'pgq',
      'sluice.queue.name': 'mail',
      'sluice.job.state': 'queued',
    },
  });
});
