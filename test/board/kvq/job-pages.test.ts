/** Pages of jobs in brief: order, paging while jobs come and go, fields, and the beginning of long parts. */

import { expect } from 'vitest';
import { serveBoard } from './http-board.ts';
import { keyOf, until, suiteOf } from './suite.ts';
import type { Suite } from './suite.ts';
import { cells } from './cells.ts';

interface Brief {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly [field: string]: unknown;
}

const names = (jobs: readonly Brief[]): string[] => jobs.map(({ name }) => name);

function jobPagesSuite({ start, test, current, world }: Suite): void {
  const numbered = (from: number, to: number, opts: object = {}) =>
    Array.from({ length: to - from }, (_, index) => ({
      name: `job ${from + index}`,
      data: { index: from + index },
      opts,
    }));

  test('lists jobs in brief, and only the fields that were asked for', async () => {
    const { queue, board, path, runJobs } = await start();
    const long = 'é'.repeat(5_000);
    await queue.add('long', { long }, { attempts: 1 });
    await runJobs(true);
    await queue.add('short', { a: 1 }, { delay: 600_000 });
    const { status, body } = await board.get(`${path}/jobs`);
    expect(status).toBe(200);
    expect([names(body.jobs), body.total, body.nextCursor]).toEqual([['short', 'long'], 2, null]);
    const [short, failed] = body.jobs;
    expect(short).toMatchObject({ state: 'delayed', delay: 600_000, processedOn: null });
    expect(JSON.parse(short.data)).toEqual({ a: 1 });
    expect(failed).toMatchObject({
      state: 'failed',
      failedReason: 'it broke',
      finishedOn: expect.any(Number),
      attempts: current ? 1 : expect.any(Number),
    });
    expect(failed.data).toHaveLength(200);
    expect(failed.data.replaceAll(' ', '')).toMatch(/^\{"long":"é+$/);
    expect(JSON.stringify(body)).not.toMatch(/stack|opts|returnValue/);
    const some = await board.get(`${path}/jobs?status=failed&fields=name,attempts`);
    const { id, attempts } = failed;
    expect(some.body.jobs).toEqual([{ id, state: 'failed', name: 'long', attempts }]);
  });

  test('has progress that is not a number as text, unless it is long', async () => {
    const { queue, board, path } = await start();
    for (const name of ['short', 'long']) await queue.add(name, {});
    const stop = await queue.work(async (job) => {
      await job.progress({ step: job.name === 'short' ? 'sorting' : 'é'.repeat(300) });
    });
    await until(async () => (await queue.counts())['completed'] === 2);
    await stop();
    const { jobs } = (await board.get(`${path}/jobs?status=completed&fields=name,progress`)).body;
    const texts = jobs.map(({ name, progressText = null }: Brief) => [name, progressText]);
    expect(new Map(texts).get('long')).toBeNull();
    expect(JSON.parse(String(new Map(texts).get('short')))).toEqual({ step: 'sorting' });
    const formatted = queue.boardQueue().setFormatter('progress', () => 'hidden');
    const other = await serveBoard([formatted]);
    const hidden = await other.get(`${path}/jobs?status=completed&fields=name,progress`);
    expect(hidden.body.jobs).toHaveLength(2);
    expect(JSON.stringify(hidden.body)).not.toContain('sorting');
    await other.close();
  });

  test('shares no page with those who ask for another queue', async () => {
    const { queue } = await start();
    const other = await world().queue(`other-${queue.name}`);
    await queue.add('own', {});
    await other.add('foreign', {});
    const board = await serveBoard([queue.boardQueue(), other.boardQueue()], {
      snapshotMs: 600_000,
    });
    const seen = async ({ name }: { readonly name: string }) => {
      const { jobs } = (await board.get(`/api/queues/${name}/jobs?status=waiting`)).body;
      const { queues } = (await board.get(`/api/queues?activeQueue=${name}&status=waiting`)).body;
      const listed = queues.flatMap((each: { jobs: Brief[] }) => each.jobs);
      const activity = (await board.get(`/api/activity?queueName=${name}`)).body.queues;
      return [names(jobs), names(listed), activity.map((each: Brief) => each['queueName'])];
    };
    expect(await seen(queue)).toEqual([['own'], ['own'], [queue.name]]);
    expect(await seen(other)).toEqual([['foreign'], ['foreign'], [other.name]]);
    await board.close();
  });

  test('pages through each status without a gap, although jobs come and go', async () => {
    const { queue, board, path } = await start();
    await queue.addBulk(numbered(0, 25));
    const first = await board.get(`${path}/jobs?status=waiting&limit=10`);
    expect([first.body.total, names(first.body.jobs)[0]]).toEqual([25, 'job 24']);
    await queue.addBulk(numbered(25, 30));
    const second = await board.get(
      `${path}/jobs?status=waiting&limit=10&cursor=${first.body.nextCursor}`,
    );
    expect(names(second.body.jobs)).toEqual(
      numbered(5, 15)
        .map(({ name }) => name)
        .toReversed(),
    );
    const third = await board.get(
      `${path}/jobs?status=waiting&limit=10&cursor=${second.body.nextCursor}`,
    );
    expect(third.body.jobs).toHaveLength(5);
    expect(third.body.nextCursor).toBeNull();
    const later = await board.get(`${path}/jobs?status=waiting&limit=3&start=2`);
    expect(names(later.body.jobs)).toEqual(['job 27', 'job 26', 'job 25']);
  });

  test('continues after a job that has left a sorted status', async () => {
    const { queue, board, path } = await start();
    await queue.addBulk(
      numbered(0, 6).map((job, index) => ({ ...job, opts: { delay: 100_000 + index * 1_000 } })),
    );
    const first = await board.get(`${path}/jobs?status=delayed&limit=3`);
    expect(names(first.body.jobs)).toEqual(['job 5', 'job 4', 'job 3']);
    const last = first.body.jobs.at(-1);
    await board.send('PUT', `${path}/${last.id}/clean`);
    const second = await board.get(
      `${path}/jobs?status=delayed&limit=3&cursor=${first.body.nextCursor}`,
    );
    expect(names(second.body.jobs)).toEqual(['job 2', 'job 1', 'job 0']);
    // The last page is full, and no empty one follows.
    expect(second.body.nextCursor).toBeNull();
  });

  test('loses no job of the same time as one that has left', async () => {
    const { queue, board, path } = await start();
    await queue.addBulk(numbered(0, 6, { delay: 100_000 }));
    if (queue.redis) {
      const { client, key } = queue.redis;
      for (const id of await client.zrange(key('delayed'), '0', '-1')) {
        await client.zadd(key('delayed'), 5_000_000, id);
      }
    }
    const page = async (more = '') =>
      (await board.get(`${path}/jobs?status=delayed&limit=3${more}`)).body;
    const first = await page();
    await board.send('PUT', `${path}/${first.jobs.at(-1).id}/clean`);
    const found = new Set(names(first.jobs));
    let { nextCursor } = first;
    while (nextCursor !== null) {
      const next = await page(`&cursor=${nextCursor}`);
      for (const name of names(next.jobs)) found.add(name);
      ({ nextCursor } = next);
    }
    expect(found.size).toBe(6);
  });

  test('shows names and data as formatted, and leaves out what is too large', async () => {
    const { queue } = await start();
    await queue.add('secret', { password: 'hunter2', big: 'x'.repeat(50_000) });
    const board = await serveBoard([
      queue
        .boardQueue()
        .setFormatter('data', () => ({ password: '***' }))
        .setFormatter('name', ({ name }) => `*${String(name)}`),
    ]);
    const { body } = await board.get(`/api/queues/${queue.name}/jobs?status=waiting`);
    expect(body.jobs).toEqual([
      expect.objectContaining({ name: '*secret', data: '{"password":"***"}' }),
    ]);
    await board.close();
    const small = await serveBoard([queue.boardQueue()], { maxReadBytes: 1_000 });
    const cut = await small.get(`/api/queues/${queue.name}/jobs`);
    expect([cut.status, names(cut.body.jobs)]).toEqual([200, ['secret']]);
    await small.close();
  });

  test('refuses unusable parameters', async () => {
    const { board, path } = await start();
    const { body } = await board.get(`${path}/jobs?status=completed`);
    expect(body).toEqual({ jobs: [], total: 0, nextCursor: null });
    for (const query of [
      'status=stuck',
      'limit=0',
      'limit=101',
      'fields=name,stack',
      'fields=',
      'start=1',
      'cursor=x',
      'status=failed&cursor=x',
      'status=failed&cursor=W10',
      'state=failed',
    ]) {
      const answer = await board.get(`${path}/jobs?${query}`);
      expect([query, query === 'fields=' ? 200 : 400]).toEqual([query, answer.status]);
    }
    expect(keyOf(await board.get('/api/queues/none/jobs'))).toBe('404 QUEUE_NOT_FOUND');
  });

  test('reads any window of a log, and tells the state of every job', async () => {
    const { queue, board, path, listed } = await start();
    const id = await queue.add('talks', {});
    const stop = await queue.work(async (job) => {
      for (let line = 0; line < 25; line += 1) await job.log(`line ${line}`);
    });
    await until(async () => (await queue.state(id)) === 'completed');
    await stop();
    const window = async (query: string) => (await board.get(`${path}/${id}/logs?${query}`)).body;
    expect(await window('start=10&limit=3')).toEqual({
      lines: ['line 10', 'line 11', 'line 12'],
      total: 25,
      truncated: false,
      start: 10,
    });
    expect((await window('start=23')).lines).toEqual(['line 23', 'line 24']);
    expect(await window('start=30')).toEqual({ lines: [], total: 25, truncated: false, start: 30 });
    expect(await window('limit=1')).toMatchObject({ lines: ['line 0'], start: 0 });
    expect(await window('window=true')).toMatchObject({ total: 25, start: 0 });
    expect(await window('')).toHaveLength(25);
    expect((await board.get(`${path}/${id}/logs?limit=1001`)).status).toBe(400);
    expect((await listed('&status=completed')).jobs[0].state).toBe('completed');
    expect((await board.get(`${path}/${id}`)).body.job.state).toBe('completed');
  });

  test('leaves out the jobs of the active queue on request', async () => {
    const { queue, listed } = await start();
    await queue.add('one', {});
    expect((await listed('&jobs=false')).jobs).toEqual([]);
    expect((await listed()).jobs).toHaveLength(1);
  });
}

for (const cell of cells) suiteOf(cell, jobPagesSuite);
