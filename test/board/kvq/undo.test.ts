/** A run gives jobs back as they were when it is undone. */

import { expect } from 'vitest';
import { type Answer, type ServedBoard, serveBoard } from './http-board.ts';
import { keyOf, suiteOf, until } from './suite.ts';
import type { Suite } from './suite.ts';
import { cells } from './cells.ts';

function undoSuite({ cell, world, start, test, current }: Suite): void {
  async function ended(board: ServedBoard, answer: Answer): Promise<Answer['body']> {
    expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
    let { run } = answer.body;
    await until(async () => {
      ({ run } = (await board.get(`/api/bulk/${run.id}`)).body);
      return run.state !== 'running';
    }, 60_000);
    return run;
  }

  const undo = (board: ServedBoard, { id }: { id: string }) =>
    board.send('POST', `/api/bulk/${id}/undo`);

  /** A job as it is stored. */
  const shown = async (board: ServedBoard, path: string, id: string) => {
    const { job, status } = (await board.get(`${path}/${id}`)).body;
    const { failedReason, returnValue, finishedOn, processedOn, attemptsMade, delay, opts } = job;
    const times = { finishedOn, processedOn, delay };
    return { status, failedReason, returnValue, attemptsMade, opts, ...times };
  };

  test('gives failed and completed jobs back as they were, by ids and by filter', async () => {
    const { queue, board, path, runJobs, listed } = await start();
    const opts = { removeOnComplete: false, removeOnFail: false };
    const ids = [];
    for (const index of [0, 1, 2, 3]) {
      ids.push(
        await queue.add(
          'job',
          { index },
          index === 3 ? { ...opts, lifo: true, priority: 0 } : opts,
        ),
      );
    }
    await runJobs(true);
    const before = await Promise.all(ids.map((id) => shown(board, path, id)));
    expect(before[0]).toMatchObject({ status: 'failed', failedReason: expect.stringMatching(/./) });
    const order = await queue.names('failed');
    const dryRun = { queueName: queue.name, action: 'retry', all: true, dryRun: true };
    const { matched, found } = await ended(board, await board.send('POST', '/api/bulk', dryRun));
    const oldest = Math.min(...before.map(({ finishedOn }) => finishedOn));
    expect({ matched, found }).toEqual({ matched: 4, found: { errors: 1, oldest } });
    for (const jobs of [{ ids }, { filter: { status: 'failed' } }]) {
      const body = { queueName: queue.name, action: 'retry', ...jobs };
      const run = await ended(board, await board.send('POST', '/api/bulk', body));
      expect(run).toMatchObject({ changed: 4, undoable: true });
      expect((await listed()).counts).toMatchObject({ failed: 0, waiting: 4 });
      const undone = await ended(board, await undo(board, run));
      expect(undone).toMatchObject({ undoes: run.id, examined: 4, changed: 4, refused: [] });
      expect(await Promise.all(ids.map((id) => shown(board, path, id)))).toEqual(before);
      expect((await listed()).counts).toMatchObject({ failed: 4, waiting: 0 });
      expect(await queue.names('failed')).toEqual(order);
      const retried = ids.map((id) => queue.redis?.client.hget(queue.redis.key(id), 'retriedOn'));
      expect((await Promise.all(retried)).filter(Boolean)).toEqual([]);
    }
  });

  test('gives promoted jobs back with their delay, and passes over those that are gone', async () => {
    const { queue, board, path, listed } = await start();
    const opts = { delay: 600_000 };
    const ids = [];
    for (const index of [0, 1, 2]) ids.push(await queue.add('job', { index }, opts));
    const prioritized = await queue.add('job', { index: 3 }, { ...opts, priority: 5 });
    ids.push(prioritized);
    const before = await Promise.all(ids.map((id) => shown(board, path, id)));
    const body = { queueName: queue.name, action: 'promote', ids };
    const run = await ended(board, await board.send('POST', '/api/bulk', body));
    expect(run).toMatchObject({ changed: 4 });
    for (const id of ids.slice(0, 2)) {
      expect((await board.send('PUT', `${path}/${id}/clean`)).status).toBe(204);
    }
    const undone = await ended(board, await undo(board, run));
    expect(undone).toMatchObject({
      examined: 4,
      changed: 2,
      refused: [{ count: 2, reason: { key: 'ERRORS.JOB_NOT_FOUND' } }],
    });
    const after = await Promise.all(ids.slice(2).map((id) => shown(board, path, id)));
    expect(after).toEqual(before.slice(2));
    expect((await listed()).counts).toMatchObject({ delayed: 2, waiting: 0 });
    // The delayed job comes when it is due.
    expect((await board.send('PUT', `${path}/${prioritized}/promote`)).status).toBe(204);
    let met = 0;
    const stop = await queue.work(async () => void (met += 1));
    await until(async () => met === 1);
    await stop();
  });

  test('leaves jobs that have run since, though they wait again', async () => {
    const { queue, board, path, runJobs, listed } = await start();
    const id = await queue.add('job', {}, { removeOnFail: false });
    await runJobs(true);
    const body = { queueName: queue.name, action: 'retry', ids: [id] };
    const run = await ended(board, await board.send('POST', '/api/bulk', body));
    await runJobs(true);
    expect((await board.send('PUT', `${path}/${id}/retry`)).status).toBe(204);
    expect(await ended(board, await undo(board, run))).toMatchObject({
      changed: 0,
      refused: [{ count: 1, reason: { key: 'ERRORS.JOB_STARTED_SINCE' } }],
    });
    expect((await listed()).counts).toMatchObject({ failed: 0, waiting: 1 });
  });

  test('leaves a job that was added again under its id', async () => {
    const { queue, board, path, listed } = await start();
    const id = await queue.add('job', {}, { delay: 600_000, jobId: 'again', timestamp: 1e12 });
    const body = { queueName: queue.name, action: 'promote', ids: [id] };
    const run = await ended(board, await board.send('POST', '/api/bulk', body));
    expect(run).toMatchObject({ changed: 1 });
    expect((await board.send('PUT', `${path}/${id}/clean`)).status).toBe(204);
    await queue.add('job', {}, { jobId: 'again' });
    expect(await ended(board, await undo(board, run))).toMatchObject({
      changed: 0,
      refused: [{ count: 1, reason: { key: 'ERRORS.JOB_STARTED_SINCE' } }],
    });
    expect((await listed()).counts).toMatchObject({ delayed: 0, waiting: 1 });
  });

  test('gives jobs of a queue back whose name has letters of several bytes', async () => {
    const { queue: other } = await start();
    const queue = await world().queue('größe-✓');
    // The runs of both are kept in one place.
    const board = await serveBoard([queue.boardQueue(), other.boardQueue()]);
    const ids = [await queue.add('job', {}, { delay: 600_000 })];
    const body = { queueName: queue.name, action: 'promote', ids };
    const run = await ended(board, await board.send('POST', '/api/bulk', body));
    expect(run).toMatchObject({ state: 'completed', changed: 1 });
    expect(await ended(board, await undo(board, run))).toMatchObject({ changed: 1, refused: [] });
    expect(await queue.names('delayed')).toEqual(['job']);
    await board.close();
  });

  test('is not for removals, counts and runs that are undone', async () => {
    const { queue, board, runJobs } = await start();
    const id = await queue.add('job', {});
    await runJobs(true);
    const begin = async (more: object) =>
      ended(
        board,
        await board.send('POST', '/api/bulk', { queueName: queue.name, ids: [id], ...more }),
      );
    const counted = await begin({ action: 'retry', dryRun: true });
    const run = await begin({ action: 'retry' });
    const undone = await ended(board, await undo(board, run));
    const removed = await begin({ action: 'remove' });
    for (const other of [counted, undone, removed]) {
      expect(keyOf(await undo(board, other))).toBe('409 BULK_NOT_UNDOABLE');
    }
    const readOnly = await serveBoard([queue.boardQueue({ readOnlyMode: true })]);
    const reader = { id: run.id };
    expect((await undo(readOnly, reader)).status).toBe(405);
    await readOnly.close();
    const nobody = { id: '00000000-0000-4000-8000-000000000000' };
    expect(keyOf(await undo(board, nobody))).toBe('404 BULK_NOT_FOUND');
  });

  if (cell.datastore === 'kv') {
    test('leaves a job that a worker has taken and not begun', async () => {
      const { queue, board } = await start();
      const { client, key } = queue.redis ?? {};
      const id = await queue.add('job', {}, { delay: 600_000 });
      const body = { queueName: queue.name, action: 'promote', ids: [id] };
      const run = await ended(board, await board.send('POST', '/api/bulk', body));
      await client?.rpoplpush(String(key?.('wait')), String(key?.('active')));
      expect(await ended(board, await undo(board, run))).toMatchObject({
        changed: 0,
        refused: [{ count: 1, reason: { key: 'ERRORS.JOB_STARTED_SINCE' } }],
      });
      expect(await queue.counts()).toMatchObject({ active: 1, delayed: 0 });
    });

    test('gives all jobs back of a run that takes several steps', async () => {
      const { queue, board } = await start();
      const count = 450;
      const opts = { delay: 600_000 };
      await queue.addBulk(Array.from({ length: count }, () => ({ name: 'job', data: {}, opts })));
      const body = { queueName: queue.name, action: 'promote', all: true };
      const run = await ended(board, await board.send('POST', '/api/bulk', body));
      expect(run).toMatchObject({ changed: count });
      const undone = await ended(board, await undo(board, run));
      expect(undone).toMatchObject({ examined: count, changed: count, refused: [] });
      expect(await queue.counts()).toMatchObject({ delayed: count, waiting: 0 });
    });

    test('keeps nothing for ever of a run whose instance may be gone', async () => {
      const { queue, board } = await start();
      const { client, key } = queue.redis ?? {};
      const ids = [];
      for (const index of [0, 1, 2])
        ids.push(await queue.add('job', { index }, { delay: 600_000 }));
      const body = { queueName: queue.name, action: 'promote', ids, rate: 1 };
      const { run } = (await board.send('POST', '/api/bulk', body)).body;
      const read = async () => (await board.get(`/api/bulk/${run.id}`)).body.run;
      await until(async () => (await read()).changed > 0);
      const prefix = String(key?.('')).slice(0, -queue.name.length - 1);
      const keys = (await client?.keys(`${prefix}sluice-runs:${run.id}*`)) ?? [];
      const lives = await Promise.all(keys.map(async (each) => client?.pttl(each)));
      expect(keys.map((each) => each.split(run.id)[1])).toContain(':undo');
      expect((await read()).state).toBe('running');
      expect(Math.min(...lives.map(Number))).toBeGreaterThan(0);
      await board.send('POST', `/api/bulk/${run.id}/cancel`);
    });
  }

  if (!current) return;
  if (cell.datastore === 'kv') {
    test('wakes a worker that sleeps when a delayed job that it gives back is due', async () => {
      const { queue, board } = await start();
      const { client, key } = queue.redis ?? {};
      const opts = { delay: 600_000 };
      const ids = [await queue.add('job', {}, opts)];
      const due = Number(await client?.zscore(String(key?.('delayed')), ids[0] ?? '')) / 0x1000;
      const body = { queueName: queue.name, action: 'promote', ids };
      const run = await ended(board, await board.send('POST', '/api/bulk', body));
      // A worker that sleeps has taken the marker.
      await client?.del(String(key?.('marker')));
      expect(await ended(board, await undo(board, run))).toMatchObject({ changed: 1 });
      expect(Number(await client?.zscore(String(key?.('marker')), '1'))).toBe(due);
    });
  }

  test('leaves a child that its parent awaits again, and gives back one that it has always awaited', async () => {
    const { queue, board, listed, runJobs } = await start();
    const child = (name: string, opts: object) => ({ name, queue, opts });
    const body = { queueName: queue.name, action: 'retry' };
    const retried = async (name: string, status: string) =>
      ended(board, await board.send('POST', '/api/bulk', { ...body, filter: { name, status } }));
    await world().flow?.({ name: 'parent', queue, children: [child('done', {})] });
    await runJobs(false);
    const again = await retried('done', 'completed');
    expect(again).toMatchObject({ changed: 1 });
    expect(await ended(board, await undo(board, again))).toMatchObject({
      changed: 0,
      refused: [{ count: 1, reason: { key: 'ERRORS.JOB_AWAITED_AGAIN' } }],
    });
    await runJobs(false);
    await world().flow?.({ name: 'parent', queue, children: [child('awaited', {})] });
    await runJobs(true);
    const run = await retried('awaited', 'failed');
    expect(run).toMatchObject({ changed: 1 });
    expect(await ended(board, await undo(board, run))).toMatchObject({ changed: 1, refused: [] });
    expect(await queue.names('failed')).toEqual(['awaited']);
    expect((await listed()).counts).toMatchObject({ failed: 1, waiting: 0 });
  });
}

for (const cell of cells) suiteOf(cell, undoSuite);
