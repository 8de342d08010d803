/** Reasons that hold jobs of pg-boss back, on the oldest and the newest version, with its own workers and policies. */

import { afterEach, describe, expect, it } from 'vitest';
import type { PgBoss } from 'pg-boss';
import { newestLibrary, oldestLibrary } from './libraries.ts';
import { type BoardUnderTest, type World, makeWorld } from './world.ts';

let world: World | undefined;
const boards: BoardUnderTest[] = [];

afterEach(async () => {
  for (const board of boards.splice(0)) await board.close();
  await world?.close();
});

const open = async (library = newestLibrary) => {
  const made = await makeWorld(library, 'pgq_holds');
  world = made;
  const board = await made.board();
  boards.push(board);
  const path = (queue: string, id: string) => `/api/pgq/queues/${queue}/jobs/${id}/holds`;
  const answer = async (queue: string, id: string, on = board) =>
    (await on.get(path(queue, id))).body as unknown as {
      holds: { reason: string; until?: number; count?: number; jobId?: string }[];
      deduplication?: { key: string; jobId: string; until: number | null };
    };
  /** The reasons besides the lack of workers, which the board knows of newer versions. */
  const holds = async (queue: string, id: string, on = board) =>
    (await answer(queue, id, on)).holds.filter(({ reason }) => reason !== 'no-worker');
  const send = async (boss: PgBoss, queue: string, options: object = {}) =>
    String(await boss.send(queue, {}, options));
  return { world: made, board, path, answer, holds, send };
};

describe.each([
  ['the oldest', oldestLibrary],
  ['the newest', newestLibrary],
])('%s version', (_name, library) => {
  it('tells the order, the time and the backoff', async () => {
    const { world, holds, send } = await open(library);
    const { boss } = world;
    await boss.createQueue('mail');
    const low = await send(boss, 'mail');
    const late = await send(boss, 'mail');
    const high = await send(boss, 'mail', { priority: 5 });
    expect(await holds('mail', high)).toEqual([]);
    expect(await holds('mail', low)).toEqual([{ reason: 'order', count: 1 }]);
    expect(await holds('mail', late)).toEqual([{ reason: 'order', count: 2 }]);
    const due = Date.now() + 3_600_000;
    const delayed = await send(boss, 'mail', { startAfter: 3_600, priority: 9 });
    const [delay] = await holds('mail', delayed);
    expect(delay?.reason).toBe('delayed');
    expect(Math.abs((delay?.until ?? 0) - due)).toBeLessThan(10_000);
    // A job that runs later does not come first now.
    expect(await holds('mail', low)).toEqual([{ reason: 'order', count: 1 }]);
    await boss.createQueue('retries');
    const failing = await send(boss, 'retries', { retryLimit: 2, retryDelay: 3_600 });
    await boss.fetch('retries');
    expect(await holds('retries', failing)).toEqual([]);
    await boss.fail('retries', failing, { message: 'not yet' });
    const [backoff] = await holds('retries', failing);
    expect(backoff?.reason).toBe('backoff');
    expect(backoff?.until).toBeGreaterThan(Date.now() + 3_000_000);
  });

  it('tells the job of the same key that must end first, and what is not added beside it', async () => {
    const { world, holds, answer, send } = await open(library);
    const { boss } = world;
    for (const policy of ['singleton', 'stately', 'exclusive', 'short'] as const) {
      await boss.createQueue(policy, { policy });
    }
    const first = await send(boss, 'singleton', { singletonKey: 'a' });
    await boss.fetch('singleton');
    const second = await send(boss, 'singleton', { singletonKey: 'a' });
    const other = await send(boss, 'singleton', { singletonKey: 'b', priority: 1 });
    expect(await holds('singleton', second)).toEqual([
      { reason: 'singleton', jobId: first },
      { reason: 'order', count: 1 },
    ]);
    expect(await holds('singleton', other)).toEqual([]);
    expect(await answer('singleton', second)).not.toHaveProperty('deduplication');
    for (const policy of ['exclusive', 'short', 'stately']) {
      const id = await send(boss, policy, { singletonKey: 'a' });
      expect(await boss.send(policy, {}, { singletonKey: 'a' })).toBe(null);
      expect((await answer(policy, id)).deduplication).toEqual({
        key: 'a',
        jobId: id,
        until: null,
      });
      await boss.fetch(policy);
      // Which policies add another job while the first one is active.
      const refuses = (await answer(policy, id)).deduplication !== undefined;
      expect([policy, refuses]).toEqual([policy, policy === 'exclusive']);
      const next = await boss.send(policy, {}, { singletonKey: 'a' });
      expect([policy, next === null]).toEqual([policy, refuses]);
      await boss.complete(policy, id);
      expect(await answer(policy, id)).toEqual({ holds: [] });
    }
    await boss.createQueue('slots');
    const slot = await send(boss, 'slots', { singletonSeconds: 3_600 });
    expect(await boss.send('slots', {}, { singletonSeconds: 3_600 })).toBe(null);
    expect((await answer('slots', slot)).deduplication).toEqual({
      key: '',
      jobId: slot,
      until: null,
    });
    // How long the slot lasts is not stored: of a job that has ended, it may be over.
    await boss.fetch('slots');
    await boss.complete('slots', slot);
    expect(await answer('slots', slot)).toEqual({ holds: [] });
  });
});

it('tells active jobs of the group, and failed ones of a key in strict order', async () => {
  const { world, holds, send } = await open();
  const { boss } = world;
  await boss.createQueue('grouped');
  const options = { group: { id: 'tenant-1' } };
  await send(boss, 'grouped', options);
  await boss.fetch('grouped');
  const held = await send(boss, 'grouped', options);
  expect(await holds('grouped', held)).toEqual([{ reason: 'group', count: 1 }]);
  const alone = await send(boss, 'grouped', { group: { id: 'tenant-2' }, priority: 1 });
  expect(await holds('grouped', alone)).toEqual([]);
  await boss.createQueue('strict', { policy: 'key_strict_fifo' });
  const failed = await send(boss, 'strict', { singletonKey: 'a', retryLimit: 0 });
  await boss.fetch('strict');
  await boss.fail('strict', failed, {});
  const behind = await send(boss, 'strict', { singletonKey: 'a' });
  expect(await holds('strict', behind)).toEqual([{ reason: 'singleton', jobId: failed }]);
  // No index of the library keeps jobs of two policies apart.
  await world.admin.query(`update pgboss.job set policy = 'stately' where id = $1`, [behind]);
  expect(await holds('strict', behind)).toEqual([]);
  const again = await send(boss, 'strict', { singletonKey: 'b', retryLimit: 2, priority: 9 });
  await boss.fetch('strict');
  await boss.fail('strict', again, {});
  // A job does not wait for itself.
  expect(await holds('strict', again)).toEqual([]);
});

it('tells the jobs that a job depends on, and a queue without workers', async () => {
  const { world, answer, path } = await open();
  const { boss, admin } = world;
  await boss.createQueue('flow');
  const id = String(await boss.send('flow', {}));
  await admin.query(
    'update pgboss.job set blocked = true, pending_dependencies = 2 where id = $1',
    [id],
  );
  expect((await answer('flow', id)).holds).toEqual([{ reason: 'children', count: 2 }]);
  const later = String(await boss.send('flow', {}));
  // A job that waits for others does not run first.
  expect((await answer('flow', later)).holds).toEqual([{ reason: 'no-worker' }]);
  await admin.query('update pgboss.job set blocked = false where id = $1', [id]);
  expect((await answer('flow', id)).holds).toEqual([{ reason: 'no-worker' }]);
  const silent = await world.board({}, { showWorkers: false });
  boards.push(silent);
  expect((await silent.get(path('flow', id))).body).toEqual({ holds: [] });
  await admin.query(`update pgboss.instance set workers = '[{"id":"w","queue":"flow"}]'`);
  expect((await answer('flow', id)).holds).toEqual([]);
  // Where no process notes itself, it is not known who works.
  await admin.query('delete from pgboss.instance');
  expect((await answer('flow', id)).holds).toEqual([]);
});

it('tells nothing of jobs beyond a scope, of hidden queues, and of ids that are none', async () => {
  const { world, board, holds, answer, path, send } = await open();
  const { boss } = world;
  await boss.createQueue('singleton', { policy: 'singleton' });
  const hers = await send(boss, 'singleton', { singletonKey: 'a', group: { id: 'ada' } });
  await boss.fetch('singleton');
  const before = await send(boss, 'singleton', { priority: 3, group: { id: 'ada' } });
  const his = await send(boss, 'singleton', { singletonKey: 'a', group: { id: 'bob' } });
  expect(await holds('singleton', his)).toEqual([
    { reason: 'singleton', jobId: hers },
    { reason: 'order', count: 1 },
  ]);
  const scoped = await world.board({
    scope: () => ({ type: 'condition', path: 'groupId', operator: 'eq', value: 'bob' }),
  });
  boards.push(scoped);
  expect(await holds('singleton', his, scoped)).toEqual([]);
  expect((await scoped.get(path('singleton', before))).status).toBe(404);
  const hidden = await world.board({ visibilityGuard: () => false });
  boards.push(hidden);
  expect((await hidden.get(path('singleton', his))).status).toBe(404);
  const barred = await world.board({}, { permissions: () => ({ allowed: ['queue.read'] }) });
  boards.push(barred);
  expect((await barred.get(path('singleton', his))).status).toBe(403);
  expect((await board.get(path('singleton', 'x'))).status).toBe(400);
  expect((await board.get(path('singleton', crypto.randomUUID()))).status).toBe(404);
  expect(await answer('singleton', his.toUpperCase())).toEqual(await answer('singleton', his));
});
