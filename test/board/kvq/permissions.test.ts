/** Permissions on queues of BullMQ: listings tell them, and reads and commands that span queues obey them. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Permissions } from '../../../src/board/core/index.ts';
import { tellingRoutes } from '../hidden-queues.ts';
import { expectGuardedRuns } from '../runs-of-others.ts';
import { cells } from './cells.ts';
import type { CellWorld, TestQueue } from './cell.ts';
import { serveBoard } from './http-board.ts';
import type { Answer, ServedBoard } from './http-board.ts';
import { keyOf, until } from './suite.ts';

const [cell] = cells;
let world: CellWorld | undefined;
let board: ServedBoard;
let mail: TestQueue;
let push: TestQueue;
let may: Permissions = {};

beforeAll(async () => {
  const opened = await cell?.open();
  if (!opened || 'missing' in opened) return;
  world = opened;
  [mail, push] = [await world.queue('mail'), await world.queue('push')];
  board = await serveBoard([mail.boardQueue(), push.boardQueue()], {
    permissions: () => may,
  });
});

afterAll(async () => {
  await board?.close();
  await world?.close();
});

const named = ({ body }: Answer): string[] => body.queues.map(({ name }: { name: string }) => name);

const paused = async (): Promise<boolean[]> =>
  (await board.get('/api/queues')).body.queues.map(
    ({ isPaused }: { isPaused: boolean }) => isPaused,
  );

it('are told in the listing and by a route of their own', async (context) => {
  if (!world) context.skip();
  may = { allowed: ['*.read'], queues: { mail: ['*.read', 'job.retry'] } };
  const { body } = await board.get('/api/queues');
  expect(body.allowed).toEqual(['board.read', 'queue.read', 'job.read', 'schedule.read']);
  const [first, second] = body.queues;
  expect([first.name, first.allowed]).toEqual([
    'mail',
    ['queue.read', 'job.read', 'job.retry', 'schedule.read'],
  ]);
  expect(second).not.toHaveProperty('allowed');
  expect((await board.get('/api/permissions')).body).toEqual({
    allowed: body.allowed,
    queues: { mail: first.allowed },
  });
});

it('leave out queues from reads and commands that span queues', async (context) => {
  if (!world) context.skip();
  await mail.add('found', {});
  await push.add('found', {});
  may = {
    allowed: ['*'],
    queues: { push: ['queue.read'] },
  };
  expect(named(await board.get('/api/queues'))).toEqual(['mail', 'push']);
  const { jobs } = (await board.get('/api/search?name=found')).body;
  expect(jobs.map(({ queueName }: { queueName: string }) => queueName)).toEqual(['mail']);
  expect(keyOf(await board.get('/api/queues/push/search'))).toBe('403 ACTION_NOT_ALLOWED');
  for (const queue of [mail, push]) await queue.schedule('tick', { every: 600_000 }, {});
  const { schedulers } = (await board.get('/api/job-schedulers')).body;
  expect(schedulers).toMatchObject([{ queueName: 'mail', name: 'tick' }]);
  await board.send('PUT', '/api/queues/pause');
  expect(await paused()).toEqual([true, false]);
  await push.pause();
  await board.send('PUT', '/api/queues/resume');
  expect(await paused()).toEqual([false, true]);
  const both = { queues: ['mail', 'push', 'absent'] };
  expect(await board.send('PUT', '/api/queues/resume', both)).toMatchObject({
    status: 200,
    body: {},
  });
  expect(await paused()).toEqual([false, true]);
  may = { allowed: ['*'] };
  await board.send('PUT', '/api/queues/resume');
  expect(await paused()).toEqual([false, false]);
  may = { queues: { push: ['queue.read'] } };
  expect(named(await board.get('/api/queues'))).toEqual(['push']);
});

it('protect a parent in a queue whose jobs may not be removed', async (context) => {
  if (!world?.flow) return context.skip();
  const spec = { name: 'parent', queue: push, children: [{ name: 'child', queue: mail }] };
  await world.flow(spec);
  may = { allowed: ['*'] };
  const [child] = (await board.get('/api/queues/mail/search?name=child')).body.jobs;
  const { id } = child.job;
  may = { allowed: ['*'], queues: { push: ['*.read'] } };
  expect(keyOf(await board.send('PUT', `/api/queues/mail/${id}/clean`))).toBe(
    '409 JOB_PARENT_PROTECTED',
  );
  may = { allowed: ['*'] };
  expect((await board.send('PUT', `/api/queues/mail/${id}/clean`)).status).toBe(204);
  expect(board.errors).toEqual([]);
});

it('let children be added only to parents in queues where jobs may be added', async (context) => {
  if (!world) return context.skip();
  const id = await push.add('parent', {});
  const parent = { id, queue: push.boardQueue().driver.store.qualifiedName };
  const add = () =>
    board.send('POST', '/api/queues/mail/add', { name: 'child', options: { parent } });
  may = { allowed: ['*'], queues: { push: ['*.read', 'job.remove'] } };
  expect(keyOf(await add())).toBe('400 INVALID_REQUEST_BODY');
  expect((await board.get(`/api/queues/push/${id}/flow`)).body.isFlowNode).toBe(false);
  may = { allowed: ['*'] };
  expect((await add()).status).toBe(200);
});

it('tell nobody of a queue that is hidden', async (context) => {
  if (!world) context.skip();
  may = { allowed: ['*'], queues: { push: [] } };
  expect(await tellingRoutes(board, 'push', 'nope')).toEqual([]);
  may = { allowed: ['*.read'], queues: { push: ['job.retry'] } };
  expect(await tellingRoutes(board, 'push', 'nope')).toEqual([]);
  may = { allowed: ['board.read'], queues: { mail: ['*'], push: ['job.retry'] } };
  expect(await tellingRoutes(board, 'push', 'nope')).toEqual([]);
  may = { allowed: ['*'], queues: { push: [] } };
  const spanning = ['queues', 'activity', 'workers', 'running', 'errors', 'permissions'];
  for (const path of [...spanning, 'job-schedulers', 'search?name=found']) {
    const { status, body } = await board.get(`/api/${path}`);
    expect([path, status]).toEqual([path, 200]);
    expect([path, JSON.stringify(body)]).toEqual([path, expect.not.stringContaining('push')]);
  }
});

it('keep the children of a parent in a queue whose jobs may not be removed', async (context) => {
  if (!world?.flow) return context.skip();
  const id = await world.flow({
    name: 'parent',
    queue: mail,
    children: [{ name: 'child', queue: push }],
  });
  const remove = () => board.send('PUT', `/api/queues/mail/${id}/remove-unprocessed-children`);
  may = { allowed: ['*'], queues: { push: ['*.read'] } };
  expect(keyOf(await remove())).toBe('405 QUEUE_READ_ONLY');
  may = { allowed: ['*'] };
  expect(await remove()).toMatchObject({ status: 200, body: { removed: 1 } });
});

it('name no job of a queue in which jobs may not be read', async (context) => {
  if (!world?.flow) return context.skip();
  const id = await world.flow({
    name: 'above',
    queue: mail,
    children: [{ name: 'below', queue: push }],
  });
  const reason = `child ${push.boardQueue().driver.store.qualifiedName}:1 failed`;
  const failing = await mail.add('failing', {}, { attempts: 1 });
  const stop = await mail.work(async () => {
    throw new Error(reason);
  });
  await until(async () => (await mail.state(failing)) === 'failed');
  await stop();
  const seen = async (): Promise<unknown[]> => {
    const { job } = (await board.get(`/api/queues/mail/${failing}`)).body;
    const flow = JSON.stringify((await board.get(`/api/queues/mail/${id}/flow`)).body);
    const filter = { name: 'failing', error: 'push' };
    const counted = { queueName: 'mail', action: 'retry', filter, dryRun: true };
    const { run } = (await board.send('POST', '/api/bulk', counted)).body;
    const read = async () => (await board.get(`/api/bulk/${run.id}`)).body.run;
    await until(async () => (await read()).state === 'completed');
    return [job.failedReason, flow.includes('below'), (await read()).matched];
  };
  may = { allowed: ['*'] };
  expect(await seen()).toEqual([reason, true, 1]);
  may = { allowed: ['*'], queues: { push: ['queue.read'] } };
  expect(await seen()).toEqual(['child failed', false, 0]);
});

it('guard runs by their queue and action', async (context) => {
  if (!world) context.skip();
  await expectGuardedRuns(board, (granted) => (may = granted), 'push', 'mail');
});
