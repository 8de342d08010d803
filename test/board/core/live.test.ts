/** Live updates: one reader for all streams, resuming, slow clients, and senders who are checked again. */

import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { BoardOptions } from '../../../src/board/core/index.ts';
import { type EventStream, openEvents } from './event-stream.ts';
import { memoryEngine } from './memory-engine.ts';
import type { MemoryEngineOptions } from './memory-engine.ts';
import { type Served, applications, send, serveBoard } from './serve-board.ts';

const [, express5] = applications;
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const fast = { intervalMs: 100, recheckMs: 100, heartbeatMs: 100 };
const never = { intervalMs: 100, recheckMs: 600_000, heartbeatMs: 600_000 };

async function serve(options: BoardOptions = {}, engineOptions: MemoryEngineOptions = {}) {
  const engine = memoryEngine(engineOptions);
  const served: Served = await serveBoard(express5, engine.factory, {
    options: { live: never, ...options },
  });
  closing.push(() => served.close());
  const url = `http://127.0.0.1:${served.port}/admin/queues/api/live`;
  const watch = async (headers: Readonly<Record<string, string>> = {}): Promise<EventStream> => {
    const stream = await openEvents(url, headers);
    closing.push(() => stream.close());
    return stream;
  };
  return { engine, served, watch };
}

const names = ({ events }: EventStream): string[] => events.map(({ event }) => event);

it('tells the queues, and then each change, in gzip and without', async () => {
  const { engine, watch } = await serve();
  const streams = [
    await watch({ 'accept-encoding': 'gzip, br' }),
    await watch({ 'accept-encoding': 'identity' }),
  ];
  expect(streams.map(({ headers }) => headers.get('content-encoding'))).toEqual(['gzip', null]);
  expect(streams[0]?.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  for (const stream of streams) await expect.poll(() => names(stream)).toEqual(['snapshot']);
  engine.queues.get('mail')?.push('new');
  engine.queues.delete('secret');
  engine.queues.set('fresh', []);
  for (const stream of streams) {
    await expect.poll(() => names(stream)).toEqual(['snapshot', 'diff']);
    const [snapshot, diff] = stream.events;
    const told = (queues: { name: string; counts: object }[]) => queues.map(({ name }) => name);
    expect(told(snapshot?.data.queues)).toEqual(['mail', 'a/b %', 'secret']);
    expect(told(diff?.data.changed)).toEqual(['mail', 'fresh']);
    expect(diff?.data.changed[0].counts.total).toBe(3);
    expect(diff?.data.removed).toEqual(['secret']);
  }
  expect(streams[0]?.events).toEqual(streams[1]?.events);
});

it('reads once for all, and only while somebody listens', async () => {
  const { engine, watch } = await serve();
  const before = engine.listed;
  expect(before).toBe(0);
  const streams = await Promise.all(Array.from({ length: 50 }, () => watch()));
  for (const stream of streams) await expect.poll(() => names(stream)).toEqual(['snapshot']);
  const joined = engine.listed;
  engine.queues.get('mail')?.push('new');
  for (const stream of streams) await expect.poll(() => names(stream)).toContain('diff');
  // Each stream reads when it opens; afterwards, one read serves them all.
  expect(engine.listed - joined).toBeLessThan(50);
  for (const stream of streams) stream.close();
  const idle = async (): Promise<boolean> => {
    const seen = engine.listed;
    await new Promise((resolve) => setTimeout(resolve, 300));
    return engine.listed === seen;
  };
  await expect.poll(idle).toBe(true);
});

it('resumes behind the last event, or begins again where it cannot', async () => {
  const { engine, watch } = await serve();
  const first = await watch();
  await expect.poll(() => names(first)).toEqual(['snapshot']);
  const last = first.events[0]?.id ?? '';
  const steps = 3;
  for (let step = 1; step <= steps; step += 1) {
    engine.queues.get('mail')?.push('new');
    await expect.poll(() => first.events.length).toBe(step + 1);
  }
  const resumed = await watch({ 'last-event-id': last });
  await expect.poll(() => resumed.events).toEqual(first.events.slice(1));
  const current = await watch({ 'last-event-id': first.events.at(-1)?.id ?? '' });
  engine.queues.get('mail')?.push('new');
  await expect.poll(() => names(current)).toEqual(['diff']);
  for (const id of [
    '',
    'x',
    `${last}0000000`,
    last.replace(/\d+$/, '-1'),
    last.replace(/^./, '!'),
  ]) {
    const again = await watch({ 'last-event-id': id });
    await expect.poll(() => names(again)).toEqual(['snapshot']);
  }
  // After a while without listeners, the next one gets what it has missed.
  const id = current.events.at(-1)?.id ?? '';
  for (const stream of [first, resumed, current]) stream.close();
  engine.queues.get('mail')?.push('unseen');
  const late = await watch({ 'last-event-id': id });
  await expect.poll(() => names(late)).toEqual(['diff']);
});

it('keeps a hundred changes', async () => {
  const { engine, watch, served } = await serve();
  const first = await watch();
  await expect.poll(() => names(first)).toEqual(['snapshot']);
  const [{ id = '' } = {}] = first.events;
  for (let step = 1; step <= 101; step += 1) {
    engine.queues.get('mail')?.push('new');
    // A command makes the board read at once.
    await send(served.port, '/admin/queues/api/pgq/queues/none/delete-queued', { method: 'PUT' });
    await expect.poll(() => first.events.length, { interval: 5 }).toBe(step + 1);
  }
  const tooLate = await watch({ 'last-event-id': id });
  await expect.poll(() => names(tooLate)).toEqual(['snapshot']);
  const inTime = await watch({ 'last-event-id': first.events[1]?.id ?? '' });
  await expect.poll(() => inTime.events).toEqual(first.events.slice(2));
});

it('tells a slow reader to begin again', async () => {
  const { engine, served, watch } = await serve();
  for (let at = 0; at < 3000; at += 1) engine.queues.set(`queue ${at}`, []);
  const socket = connect(served.port, '127.0.0.1');
  closing.push(() => socket.destroy());
  let text = '';
  socket.setEncoding('utf8');
  socket.write('GET /admin/queues/api/live HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
  socket.once('data', () => socket.pause());
  socket.on('data', (chunk: string) => (text += chunk));
  const other = await watch({ 'accept-encoding': 'gzip' });
  for (let step = 1; step <= 20; step += 1) {
    for (const jobs of engine.queues.values()) jobs.push('new');
    await expect.poll(() => other.events.length).toBeGreaterThanOrEqual(step + 1);
  }
  socket.resume();
  await expect.poll(() => text).toContain('event: resync\ndata: {}');
  await expect.poll(() => /resync[^]*event: snapshot\ndata: .*\n\n/.test(text)).toBe(true);
});

it('sends comments', async () => {
  const { watch } = await serve({ live: fast });
  const stream = await watch();
  await expect.poll(() => stream.comments).toBeGreaterThan(1);
});

it('asks guards, hooks and permissions again', async () => {
  let sees = true;
  let may: readonly ['*'] | readonly [] = ['*'];
  let open = true;
  const { watch, served } = await serve(
    {
      live: fast,
      permissions: () => may,
      handlerHooks: { before: () => ({ allow: open }) },
    },
    { visibilityGuard: (_request, name) => name !== 'secret' || sees },
  );
  const stream = await watch();
  await expect.poll(() => stream.events[0]?.data.queues).toHaveLength(3);
  sees = false;
  await expect
    .poll(() => stream.events[1])
    .toMatchObject({
      event: 'diff',
      data: { changed: [], removed: ['secret'] },
    });
  // Those who see the same now, but not before, learn nothing of what was shown before.
  const [first, second] = stream.events;
  for (const { id } of [first, second].filter((event) => event !== undefined)) {
    const other = await watch({ 'last-event-id': id ?? '' });
    await expect.poll(() => other.comments).toBeGreaterThan(0);
    expect(JSON.stringify(other.events)).not.toContain('secret');
  }
  may = [];
  await stream.ended;
  expect(stream.events.at(-1)).toMatchObject({
    event: 'revoked',
    data: { error: { key: 'ERRORS.ACTION_NOT_ALLOWED' }, code: 'ACTION_NOT_ALLOWED' },
  });
  expect((await watch()).status).toBe(403);
  may = ['*'];
  const last = await watch();
  open = false;
  await last.ended;
  expect(last.events.at(-1)).toMatchObject({ event: 'revoked' });
  expect(served.log.lines).toEqual([]);
});

it('shows a new queue only to those who may see it', async () => {
  const sees = (request: { headers: object }, name: string): boolean =>
    name !== 'vault' || Reflect.get(request.headers, 'x-who') === 'boss';
  const { engine, watch } = await serve({}, { visibilityGuard: sees });
  // Both see the same, until there is a queue of which only one may know.
  const boss = await watch({ 'x-who': 'boss' });
  const other = await watch();
  for (const stream of [boss, other]) await expect.poll(() => names(stream)).toEqual(['snapshot']);
  engine.queues.set('vault', ['gold']);
  await expect.poll(() => JSON.stringify(boss.events)).toContain('vault');
  engine.queues.get('mail')?.push('new');
  await expect.poll(() => names(other)).toContain('diff');
  expect(JSON.stringify(other.events)).not.toContain('vault');
});

it('shows one of those who see the same no longer what is hidden from that one alone', async () => {
  let sees = true;
  const visibilityGuard = ({ headers }: { headers: object }, name: string): boolean =>
    name !== 'secret' || sees || Reflect.get(headers, 'x-who') !== 'demoted';
  const { engine, watch } = await serve({ live: fast }, { visibilityGuard });
  // The first to join is asked for what all of them see.
  const other = await watch();
  const demoted = await watch({ 'x-who': 'demoted' });
  for (const stream of [other, demoted]) {
    await expect.poll(() => stream.events[0]?.data.queues).toHaveLength(3);
  }
  sees = false;
  await expect.poll(() => names(demoted)).toEqual(['snapshot', 'snapshot']);
  expect(demoted.events[1]?.data.queues).toHaveLength(2);
  for (const queue of ['secret', 'mail']) engine.queues.get(queue)?.push('new');
  for (const stream of [other, demoted]) await expect.poll(() => names(stream)).toContain('diff');
  expect(JSON.stringify(other.events.slice(1))).toContain('secret');
  expect(JSON.stringify(demoted.events.slice(1))).not.toContain('secret');
});

it('shows those who join nothing of what others saw until just now', async () => {
  let sees = true;
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  let isHeld = false;
  const visibilityGuard = async ({ headers }: { headers: object }, name: string) => {
    const who: unknown = Reflect.get(headers, 'x-who');
    if (who === 'demoted') return name !== 'secret' || sees;
    if (who !== 'slow') return name !== 'secret';
    if (sees) return name === 'mail';
    isHeld = true;
    return gate.then(() => name === 'mail');
  };
  const { watch } = await serve({ live: { ...never, recheckMs: 100 } }, { visibilityGuard });
  const demoted = await watch({ 'x-who': 'demoted' });
  await expect.poll(() => demoted.events[0]?.data.queues).toHaveLength(3);
  const slow = await watch({ 'x-who': 'slow' });
  await expect.poll(() => slow.events[0]?.data.queues).toHaveLength(1);
  sees = false;
  // The board now knows what the first one still sees, and waits for the guard about the other one.
  await expect.poll(() => isHeld, { interval: 5 }).toBe(true);
  const joined = await watch();
  await expect.poll(() => names(joined)[0]).toBe('snapshot');
  release();
  // A snapshot where the view of the one who joined was first, and the other is moved to it.
  await expect.poll(() => names(demoted)[1]).toMatch(/^(?:diff|snapshot)$/);
  expect(JSON.stringify(joined.events)).not.toContain('secret');
  const again = await watch({ 'last-event-id': demoted.events[0]?.id ?? '' });
  await expect.poll(() => names(again)).toEqual(['snapshot']);
  expect(JSON.stringify(again.events)).not.toContain('secret');
});

it('tells once that the datastore is away, and what has changed when it is back', async () => {
  const { engine, watch } = await serve();
  const stream = await watch();
  await expect.poll(() => names(stream)).toEqual(['snapshot']);
  engine.failure = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
  await expect.poll(() => names(stream)).toEqual(['snapshot', 'unavailable']);
  expect(stream.events.at(-1)?.data.error).toEqual({ key: 'ERRORS.KV_UNAVAILABLE' });
  const refused = await watch();
  expect(refused.status).toBe(503);
  const reads = engine.listed;
  await expect.poll(() => engine.listed).toBeGreaterThan(reads + 2);
  engine.failure = undefined;
  engine.queues.get('mail')?.push('new');
  await expect.poll(() => names(stream)).toEqual(['snapshot', 'unavailable', 'diff']);
});

it('ends when the board closes, and is not served where it is off', async () => {
  const { watch, served } = await serve();
  const stream = await watch();
  const { closeGraceMs } = { closeGraceMs: 3000 };
  const before = performance.now();
  await served.board.close();
  await stream.ended;
  expect(performance.now() - before).toBeLessThan(closeGraceMs);
  expect((await watch()).status).toBe(503);
  for (const options of [
    { live: false },
    { live: undefined, handlerHooks: { after: () => undefined } },
  ]) {
    const off = await serve(options as BoardOptions);
    expect((await off.watch()).status).toBe(404);
  }
});

it('answers HEAD without a stream', async () => {
  const { served, engine } = await serve();
  const answer = await send(served.port, '/admin/queues/api/live', { method: 'HEAD' });
  expect([answer.status, answer.body]).toEqual([200, '']);
  const reads = engine.listed;
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect(engine.listed).toBe(reads);
});
