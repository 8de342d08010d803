/** Permissions on queues of pg-boss: listings tell them, and reads that span queues obey them. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Permissions } from '../../../src/board/core/index.ts';
import { tellingRoutes } from '../hidden-queues.ts';
import { expectGuardedRuns } from '../runs-of-others.ts';
import { newestLibrary } from './libraries.ts';
import { type BoardUnderTest, type World, makeWorld } from './world.ts';

let world: World;
let board: BoardUnderTest;
let may: Permissions = {};

beforeAll(async () => {
  world = await makeWorld(newestLibrary, 'pgq_permissions');
  for (const name of ['mail', 'push']) {
    await world.boss.createQueue(name);
    await world.boss.schedule(name, '* * * * *');
    await world.boss.send(name, {});
  }
  board = await world.board({}, { permissions: () => may });
});

afterAll(() => world.close());

it('are told in listings and by a route of their own', async () => {
  may = { allowed: ['*.read'], queues: { mail: ['queue.read', 'jobs.retry'] } };
  const { body } = await board.get('/api/pgq/queues');
  const reads = ['board.read', 'queue.read', 'job.read', 'schedule.read'];
  const own = ['queue.read', 'jobs.retry'];
  expect(body).toMatchObject({
    allowed: reads,
    queues: [{ name: 'mail', allowed: own }, { name: 'push' }],
  });
  expect((await board.get('/api/pgq/queues/mail')).body['queue']?.['allowed']).toEqual(own);
  expect((await board.get('/api/permissions')).body).toEqual({
    allowed: reads,
    queues: { mail: own },
  });
});

it('leave the fields of filters to those who may read the board', async () => {
  may = { allowed: ['*.read'] };
  const { body } = await board.get('/api/pgq/filters');
  const filters = body['filters']?.['filters'] as unknown as readonly object[];
  expect(filters).toContainEqual(
    expect.objectContaining({
      path: 'state',
      kind: 'enum',
      members: expect.arrayContaining(['failed']),
    }),
  );
  expect(filters).not.toContainEqual(expect.objectContaining({ path: 'queueName' }));
});

it('leave out queues from reads that span queues', async () => {
  may = { allowed: ['*'], queues: { push: ['queue.read'] } };
  const jobs = (await board.get('/api/pgq/jobs')).body['jobs'] as unknown as object[];
  expect(jobs).toEqual([expect.objectContaining({ queueName: 'mail' })]);
  const found = (await board.get('/api/pgq/search')).body['jobs'] as unknown as object[];
  expect(found).toEqual([expect.objectContaining({ queueName: 'mail' })]);
  for (const [name, status] of [
    ['mail', 200],
    ['push', 404],
  ] as const) {
    const { rows } = await world.admin.query('select id from pgboss.job where name = $1', [name]);
    const [{ id }] = rows as [{ id: string }];
    expect([name, (await board.get(`/api/pgq/jobs/${id}`)).status]).toEqual([name, status]);
  }
  const schedules = (await board.get('/api/pgq/schedules')).body['schedules'];
  expect(schedules).toEqual([expect.objectContaining({ queueName: 'mail' })]);
  const refused = await board.send('PUT', '/api/pgq/queues/push/retry-failed');
  expect(refused.status).toBe(403);
  may = {};
  expect((await board.get('/api/pgq/queues')).status).toBe(403);
});

it('to remove jobs are asked in each queue of those that wait for a removed one', async () => {
  const ids = await world.boss.flow([
    { ref: 'parent', name: 'mail' },
    { ref: 'child', name: 'push', dependsOn: ['parent'] },
  ]);
  const remove = async () => {
    const path = `/api/pgq/queues/mail/jobs/${ids['parent']}/remove`;
    const { status, body } = await board.send('PUT', path, { removeDependents: true });
    return [status, body['error']?.['key']];
  };
  const reads = ['queue.read', 'job.read'] as const;
  may = { allowed: ['*'], queues: { push: [...reads] } };
  expect(await remove()).toEqual([409, 'ERRORS.PGQ_JOB_HAS_DEPENDENTS']);
  may = { allowed: ['*'], queues: { push: [...reads, 'job.remove'] } };
  expect(await remove()).toEqual([200, undefined]);
});

it('tell nobody of a queue that is hidden', async () => {
  may = { allowed: ['*'], queues: { push: [] } };
  expect(await tellingRoutes(board, 'push', 'nope')).toEqual([]);
  may = { allowed: ['*.read'], queues: { push: ['job.retry'] } };
  expect(await tellingRoutes(board, 'push', 'nope')).toEqual([]);
  may = { allowed: ['board.read'], queues: { mail: ['*'], push: ['job.retry'] } };
  expect(await tellingRoutes(board, 'push', 'nope')).toEqual([]);
  expect((await board.get('/api/permissions')).text).not.toContain('push');
});

it('guard runs by their queue and action', async () => {
  await expectGuardedRuns(board, (granted) => (may = granted), 'push', 'mail');
});

it('leave to the before-hook the jobs that a sender finds: its filters are as those of the sender', async () => {
  await world.boss.createQueue('tenants');
  for (const priority of [1, 2]) await world.boss.send('tenants', {}, { priority });
  const ofTenant = await world.board(
    {},
    {
      handlerHooks: {
        before({ request }) {
          request.query = { ...Object(request.query), 'filter[priority]': '2' };
        },
      },
    },
  );
  for (const query of ['', '?limit=5', '?filter[priority][in]=1,2&order=asc']) {
    const { body } = await ofTenant.get(`/api/pgq/queues/tenants/jobs${query}`);
    expect([query, body['jobs']]).toEqual([query, [expect.objectContaining({ priority: 2 })]]);
  }
});
