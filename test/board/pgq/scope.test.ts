/** The scope of a request holds in every read and command of jobs; other jobs respond like missing ones. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobScope } from '../../../src/board/index.ts';
import { newestLibrary } from './libraries.ts';
import { type BoardUnderTest, type World, createListingIndexes, makeWorld } from './world.ts';

const states = ['created', 'retry', 'active', 'completed', 'cancelled', 'failed'] as const;

const scope: JobScope = async ({ headers }) => ({
  type: 'condition',
  path: 'groupId',
  operator: 'eq',
  value: String(headers['x-group'] ?? 'one'),
});

let world: World;
let board: BoardUnderTest;

/** The ids of a queue by group and state. */
async function idsOf(queue: string): Promise<Record<string, string>> {
  const { rows } = await world.admin.query<{ id: string; group_id: string; state: string }>(
    'select id, group_id, state from pgboss.job where name = $1',
    [queue],
  );
  return Object.fromEntries(rows.map((row) => [`${row.group_id} ${row.state}`, row.id]));
}

/** A queue with one job per group and state. */
async function makeQueue(queue: string): Promise<Record<string, string>> {
  await world.boss.createQueue(queue);
  await world.admin.query(
    `insert into pgboss.job (name, state, policy, group_id)
     select $1, state, 'standard', g from unnest(enum_range(null::pgboss.job_state)) state,
       unnest(array['one', 'two']) g`,
    [queue],
  );
  return idsOf(queue);
}

beforeAll(async () => {
  world = await makeWorld(newestLibrary, 'pgq_scope');
  await createListingIndexes(world.admin);
  board = await world.board({ scope });
});
afterAll(() => world?.close());

describe('reads', () => {
  it('show the jobs of the scope only', async () => {
    const ids = await makeQueue('reads');
    const own = states.map((state) => ids[`one ${state}`]);
    const page = await board.get('/api/pgq/queues/reads/jobs');
    const jobs = page.body['jobs'] as unknown as { id: string }[];
    expect(jobs.map(({ id }) => id).sort()).toEqual(own.toSorted());
    const counts = await board.get('/api/pgq/queues/reads/counts');
    const one = { count: 1, capped: false };
    expect(counts.body['counts']).toEqual(Object.fromEntries(states.map((state) => [state, one])));
    for (const path of [
      'queues/reads/jobs/{id}',
      'jobs/{id}',
      'queues/reads/jobs/{id}/dependencies',
    ]) {
      const of = (id: string | undefined) =>
        board.get(`/api/pgq/${path.replace('{id}', String(id))}`);
      expect((await of(ids['one failed'])).status).toBe(200);
      const hidden = await of(ids['two failed']);
      const missing = await of(randomUUID());
      expect([path, hidden.status, hidden.text]).toEqual([path, 404, missing.text]);
    }
    const filtered = '/api/pgq/queues/reads/jobs?filter[groupId][eq]=two';
    expect((await board.get(filtered)).body['jobs']).toEqual([]);
  });

  it('name dependencies within the scope only', async () => {
    await world.boss.createQueue('flows');
    const ids = await world.boss.flow([
      { ref: 'own', name: 'flows', options: { group: { id: 'one' } } },
      { ref: 'other', name: 'flows', options: { group: { id: 'two' } } },
      {
        ref: 'child',
        name: 'flows',
        options: { group: { id: 'one' } },
        dependsOn: ['own', 'other'],
      },
    ]);
    const { body } = await board.get(`/api/pgq/queues/flows/jobs/${ids['child']}/dependencies`);
    expect(body).toEqual({
      dependencies: [{ queueName: 'flows', id: ids['own'] }],
      dependents: [],
    });
  });

  it('accept no cursor of another scope', async () => {
    await makeQueue('cursors');
    const path = '/api/pgq/queues/cursors/jobs?limit=2';
    const cursor = String((await board.get(path)).body['nextCursor']);
    expect((await board.get(`${path}&cursor=${cursor}`)).status).toBe(200);
    expect((await board.get(`${path}&cursor=${cursor}`, { 'x-group': 'two' })).status).toBe(400);
  });
});

describe('commands', () => {
  it('change the jobs of the scope only', async () => {
    for (const [command, state] of [
      ['retry', 'failed'],
      ['cancel', 'created'],
      ['resume', 'cancelled'],
      ['remove', 'completed'],
    ] as const) {
      const ids = await makeQueue(`bulk-${command}`);
      const both = [ids[`one ${state}`], ids[`two ${state}`]];
      const path = `/api/pgq/queues/bulk-${command}/jobs`;
      const hidden = await board.send('PUT', `${path}/${both[1]}/${command}`);
      const missing = await board.send('PUT', `${path}/${randomUUID()}/${command}`);
      expect([command, hidden.status, hidden.text]).toEqual([command, 404, missing.text]);
      const answer = await board.send('PUT', `${path}/${command}`, { ids: both });
      // A job of others is one that does not exist.
      const skipped = [{ id: both[1], code: 'JOB_NOT_FOUND' }];
      expect([command, answer.body]).toEqual([command, { requested: 2, affected: 1, skipped }]);
      const after = await idsOf(`bulk-${command}`);
      expect(after[`two ${state}`]).toBe(both[1]);
      expect(after[`one ${state}`]).not.toBe(both[0]);
    }
  });

  it.each([
    ['retry', 'failed'],
    ['cancel', 'created'],
    ['resume', 'cancelled'],
    ['remove', 'completed'],
  ] as const)('%s by a filter changes the jobs of the scope only', async (action, state) => {
    const queueName = `run-${action}`;
    const before = await makeQueue(queueName);
    const ended = async (more: object) => {
      const body = { queueName, action, filter: { state }, ...more };
      const answer = await board.send('POST', '/api/bulk', body);
      const path = `/api/bulk/${String(answer.body['run']?.['id'])}`;
      const read = async () => (await board.get(path)).body['run'];
      await expect.poll(async () => (await read())?.['state']).not.toBe('running');
      return read();
    };
    expect(await ended({ dryRun: true })).toMatchObject({ state: 'completed', matched: 1 });
    expect(await idsOf(queueName)).toEqual(before);
    const run = await ended({});
    expect(run).toMatchObject({ state: 'completed', changed: 1, refused: [] });
    // Nothing of the number of the jobs of others.
    expect(Number(run?.['examined'])).toBeLessThanOrEqual(Number(run?.['total']));
    const after = await idsOf(queueName);
    for (const each of states) expect(after[`two ${each}`]).toBe(before[`two ${each}`]);
    expect(after[`one ${state}`]).not.toBe(before[`one ${state}`]);
  });

  it('remove no job of others that waits for a job', async () => {
    await world.boss.createQueue('waiting');
    const group = (id: string) => ({ options: { group: { id } } });
    const ids = await world.boss.flow([
      { ref: 'parent', name: 'waiting', ...group('one') },
      { ref: 'own', name: 'waiting', ...group('one'), dependsOn: ['parent'] },
      { ref: 'other', name: 'waiting', ...group('two'), dependsOn: ['parent'] },
    ]);
    const path = `/api/pgq/queues/waiting/jobs/${ids['parent']}`;
    const answer = await board.send('PUT', `${path}/remove`, { removeDependents: true });
    expect([answer.status, answer.body['error']?.['key']]).toEqual([
      409,
      'ERRORS.PGQ_JOB_HAS_DEPENDENTS',
    ]);
    const { rows } = await world.admin.query(`select 1 from pgboss.job where name = 'waiting'`);
    expect(rows).toHaveLength(3);
  });

  it.each([
    ['retry-failed', ['failed']],
    ['delete-queued', ['created', 'retry']],
    ['delete-stored', ['completed', 'cancelled', 'failed']],
  ] as const)('%s leaves the jobs of others', async (command, changed) => {
    const before = await makeQueue(command);
    const answer = await board.send('PUT', `/api/pgq/queues/${command}/${command}`);
    expect([answer.status, answer.body['affected']]).toEqual([200, changed.length]);
    const after = await idsOf(command);
    for (const state of states) expect(after[`two ${state}`]).toBe(before[`two ${state}`]);
    for (const state of changed) {
      expect(after[`one ${state}`]).not.toBe(before[`one ${state}`]);
    }
  });
});

describe('a scope without a condition', () => {
  it('shows nothing, and fails', async () => {
    await makeQueue('fails');
    const open = await world.board({ scope: () => undefined as never });
    for (const path of ['queues/fails/jobs', 'queues/fails/counts', `jobs/${randomUUID()}`]) {
      const { status, text } = await open.get(`/api/pgq/${path}`);
      expect([path, status, text]).toEqual([
        path,
        500,
        '{"error":{"key":"ERRORS.INTERNAL_SERVER_ERROR"},"code":"INTERNAL_SERVER_ERROR"}',
      ]);
    }
  });
});
