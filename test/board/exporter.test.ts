/** `GET /metrics`: text formats, guards, an absent datastore, and the cost of many queues. */

import * as bullmq from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { bullmqQueue } from '../../src/board/index.ts';
import type { BoardOptions } from '../../src/board/core/index.ts';
import { findRedis } from '../services/index.ts';
import type { Service } from '../services/index.ts';
import { openWire } from './kvq/counting-proxy.ts';
import type { Wire } from './kvq/counting-proxy.ts';
import { serveBoard } from './kvq/http-board.ts';
import type { ServedBoard } from './kvq/http-board.ts';
import { newestLibrary } from './pgq/libraries.ts';
import { makeWorld } from './pgq/world.ts';

let service: Service | undefined;
let wire: Wire;
let client: Redis;
let queues: bullmq.Queue[] = [];
const closing: (() => unknown)[] = [];
const odd = 'a"b\\c';

beforeAll(async () => {
  const found = await findRedis();
  if ('missing' in found) return;
  service = found;
  wire = await openWire(found.url);
  client = new Redis({ port: wire.port, host: '127.0.0.1', maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  const names = ['mail', odd, 'secret', ...Array.from({ length: 30 }, (_, at) => `more ${at}`)];
  queues = names.map(
    (name) =>
      new bullmq.Queue(name, {
        connection: client as unknown as bullmq.ConnectionOptions,
        prefix: `numbers${process.pid}`,
        skipMetasUpdate: true,
      }),
  );
  for (const queue of queues) queue.on('error', () => undefined);
  await Promise.all(queues.map((queue) => queue.waitUntilReady()));
});

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
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
  count: number,
  options: BoardOptions = { exporter: true },
): Promise<ServedBoard> {
  const shown = queues.slice(0, count).map((queue) =>
    bullmqQueue(queue, {
      ...(queue.name === 'secret' && {
        visibilityGuard: ({ headers }: { headers: object }) => 'x-boss' in headers,
      }),
    }),
  );
  const board = await serveBoard(shown, options);
  closing.push(() => board.close());
  return board;
}

async function scrape(board: ServedBoard, headers: Record<string, string> = { accept: '*/*' }) {
  const response = await fetch(`${board.url}/metrics`, { headers });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    lines: (await response.text()).split('\n'),
  };
}

it('is off unless the host wants it, and leaves the page to browsers', async (context) => {
  if (!service) return context.skip();
  const off = await serve(1, {});
  expect((await scrape(off)).type).toMatch(/^text\/html/);
  const on = await serve(1);
  expect((await scrape(on)).type).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect((await scrape(on, { accept: 'text/html,*/*;q=0.8' })).type).toMatch(/^text\/html/);
});

it('tells the numbers of visible queues in both formats', async (context) => {
  if (!service) return context.skip();
  await queues[0]?.addBulk([1, 2, 3].map((at) => ({ name: `${at}`, data: {} })));
  await queues[1]?.pause();
  const board = await serve(3, {
    exporter: {
      bullmqNames: true,
      collect: () => [
        {
          name: 'runs',
          type: 'counter',
          help: 'Runs "of" \\ the\nday.',
          samples: [{ labels: {}, value: 5 }],
        },
        { name: 'walks_total', type: 'counter', help: 'W.', samples: [{ labels: {}, value: 6 }] },
      ],
    },
  });
  const plain = await scrape(board);
  expect(plain.lines).toContain('sluice_store_up 1');
  expect(plain.lines).toContain('sluice_queue_jobs{queue="mail",state="waiting"} 3');
  expect(plain.lines).toContain('bullmq_job_count{queue="mail",state="waiting"} 3');
  expect(plain.lines).toContain('sluice_queue_paused{queue="a\\"b\\\\c"} 1');
  expect(plain.lines).toContain('sluice_queue_workers{queue="mail"} 0');
  expect(plain.lines).toContain('# TYPE runs_total counter');
  expect(plain.lines).toContain('# TYPE walks_total counter');
  expect(plain.lines).toContain('walks_total 6');
  // The two formats escape a text differently.
  expect(plain.lines).toContain('# HELP runs_total Runs "of" \\\\ the\\nday.');
  expect(plain.lines.join('\n')).not.toContain('secret');
  expect(
    plain.lines.some((line) =>
      /^sluice_queue_oldest_waiting_seconds\{queue="mail"\} [\d.]+$/.test(line),
    ),
  ).toBe(true);
  // A queue whose workers count nothing has no sample.
  expect(plain.lines).toContain('# TYPE sluice_queue_jobs_per_minute gauge');
  // Every sample stands below its type, and each type is declared once.
  const types = plain.lines
    .filter((line) => line.startsWith('# TYPE '))
    .map((line) => line.split(' ')[2]);
  expect(new Set(types).size).toBe(types.length);
  const open = await scrape(board, {
    accept: 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5',
    'x-boss': '1',
  });
  expect(open.type).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
  expect(open.lines.slice(-2)).toEqual(['# EOF', '']);
  expect(open.lines).toContain('# TYPE runs counter');
  expect(open.lines).toContain('# HELP runs Runs \\"of\\" \\\\ the\\nday.');
  expect(open.lines).toContain('runs_total 5');
  expect(open.lines).toContain('# TYPE walks counter');
  expect(open.lines).toContain('walks_total 6');
  expect(open.lines.join('\n')).toContain('queue="secret"');
  await queues[1]?.resume();
});

it('answers in the format that the client prefers', async (context) => {
  if (!service) return context.skip();
  const board = await serve(1);
  const open = 'application/openmetrics-text';
  const formats: readonly (readonly [accept: string, type: string])[] = [
    [`${open};q=0`, 'text/plain'],
    [`text/plain, ${open};q=0.5`, 'text/plain'],
    [`*/*, ${open};q=0.5`, 'text/plain'],
    [`${open.toUpperCase()}; q=0.5, text/plain;q=0.3, */*;q=0.2`, open],
    [`${open};version=1.0.0,${open};version=0.0.1;q=0.75,text/plain;q=0.8`, open],
    ['text/html;q=0, */*', 'text/plain'],
  ];
  for (const [accept, type] of formats) {
    const answer = await scrape(board, { accept });
    expect([accept, answer.type?.split(';')[0]]).toEqual([accept, type]);
  }
});

it('stands behind hooks and permissions', async (context) => {
  if (!service) return context.skip();
  const refused = await serve(1, { exporter: true, permissions: () => ['job.read'] });
  expect((await scrape(refused)).status).toBe(403);
  const hooked = await serve(1, {
    exporter: true,
    handlerHooks: { before: () => ({ allow: false }) },
  });
  expect((await scrape(hooked)).status).toBe(403);
});

it('costs as many commands for many queues as for a few', async (context) => {
  if (!service) return context.skip();
  const writesOf = async (count: number): Promise<number> => {
    const board = await serve(count);
    await scrape(board);
    wire.writes.length = 0;
    await scrape(board);
    return wire.writes.length;
  };
  const few = await writesOf(3);
  expect(few).toBeGreaterThan(0);
  expect(await writesOf(queues.length)).toBeLessThanOrEqual(few);
});

it('tells that the datastore is away', async (context) => {
  if (!service) return context.skip();
  const board = await serve(3);
  wire.cut();
  const away = await scrape(board);
  expect([away.status, away.lines]).toEqual([200, expect.arrayContaining(['sluice_store_up 0'])]);
  wire.mend();
  await expect.poll(async () => (await scrape(board)).lines).toContain('sluice_store_up 1');
});

it('tells the counts that pg-boss keeps', async () => {
  const world = await makeWorld(newestLibrary, 'pgq_numbers');
  closing.push(() => world.close());
  await world.boss.createQueue('mail');
  await world.admin
    .query(`update pgboss.queue set queued_count = 7, ready_count = 5, deferred_count = 2,
      active_count = 3, failed_count = 4, total_count = 20 where name = 'mail'`);
  const board = await world.board({}, { exporter: true });
  const { text } = await board.get('/metrics', { accept: '*/*' });
  const jobs = [...text.matchAll(/^sluice_queue_jobs\{queue="mail",state="(\w+)"\} (\d+)$/gm)];
  // Each job has one of these states, so that their sum is the number of jobs.
  expect(Object.fromEntries(jobs.map(([, state, count]) => [state, Number(count)]))).toEqual({
    queued: 7,
    active: 3,
    failed: 4,
    finished: 6,
  });
  expect(text).toContain('sluice_queue_queued_jobs{queue="mail",state="deferred"} 2\n');
  expect(text).toContain('sluice_store_up 1\n');
});
