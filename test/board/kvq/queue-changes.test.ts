/** Changes of whole queues, and of all their jobs in a state. */

import { expect } from 'vitest';
import { keyOf, suiteOf } from './suite.ts';
import type { Suite } from './suite.ts';
import { cells } from './cells.ts';
import { serveBoard } from './http-board.ts';

function queueChangesSuite({ cell, current, start, test }: Suite): void {
  test('pauses and resumes', async () => {
    const { board, path, listed } = await start();
    expect(await board.send('PUT', `${path}/pause`)).toMatchObject({ status: 200, body: {} });
    expect((await listed()).isPaused).toBe(true);
    expect(await board.send('PUT', `${path}/resume`)).toMatchObject({ status: 200, body: {} });
    expect((await listed()).isPaused).toBe(false);
    await board.send('PUT', '/api/queues/pause');
    expect((await listed()).isPaused).toBe(true);
    await board.send('PUT', '/api/queues/resume');
    expect((await listed()).isPaused).toBe(false);
  });

  test('pauses and resumes the queues that are named, and no other one', async () => {
    const { board, path, listed } = await start();
    const { name } = await listed();
    for (const queues of [[], ['absent'], [`${name} `]]) {
      const answer = await board.send('PUT', '/api/queues/pause', { queues });
      expect(answer).toMatchObject({ status: 200, body: {} });
      expect((await listed()).isPaused).toBe(false);
    }
    await board.send('PUT', '/api/queues/pause', { queues: ['absent', name, name] });
    expect((await listed()).isPaused).toBe(true);
    await board.send('PUT', '/api/queues/resume', { queues: [] });
    expect((await listed()).isPaused).toBe(true);
    await board.send('PUT', '/api/queues/resume', { queues: [name] });
    expect((await listed()).isPaused).toBe(false);
    for (const queues of [name, [7], null, ['x'.repeat(1_001)]]) {
      expect((await board.send('PUT', '/api/queues/pause', { queues })).status).toBe(400);
    }
    expect((await listed()).isPaused).toBe(false);
    expect((await board.get(path)).status).toBe(200);
  });

  test('adds jobs, and refuses input that the queue cannot accept', async () => {
    const { board, path } = await start();
    const added = await board.send('POST', `${path}/add`, {
      name: 'new',
      data: { a: 1 },
      options: { delay: 5_000 },
    });
    expect(added).toMatchObject({
      status: 200,
      body: { status: 'delayed', job: { name: 'new', data: { a: 1 }, delay: 5_000 } },
    });
    expect((await board.send('POST', `${path}/add`)).body).toMatchObject({
      status: 'waiting',
      job: { name: '', data: {} },
    });
    expect(keyOf(await board.send('POST', `${path}/add`, { name: 5 }))).toBe(
      '400 INVALID_REQUEST_BODY',
    );
    const odd = [
      { delay: 'soon' },
      { priority: -1 },
      { priority: 1.5 },
      { attempts: 'many' },
      { jobId: 7 },
      { timestamp: 'now' },
      { repeat: { pattern: 'not cron', cron: 'not cron' } },
    ];
    for (const options of odd) {
      const answer = await board.send('POST', `${path}/add`, { name: 'odd', options });
      if (current && 'repeat' in options && cell.name !== 'BullMQ 5 on Redis') continue;
      expect([options, keyOf(answer)]).toEqual([options, '400 INVALID_REQUEST_BODY']);
    }
  });

  test('validates added jobs against the schema of the queue', async () => {
    const schema = {
      type: 'object',
      properties: { to: { type: 'string' } },
      required: ['to'],
    };
    const { board, path } = await start({ jobDataSchema: schema });
    expect((await board.get(`${path}/job-data-schema`)).body).toEqual(schema);
    const refused = await board.send('POST', `${path}/add`, { name: 'a', data: { to: 5 } });
    expect(keyOf(refused)).toBe('400 INVALID_REQUEST_BODY');
    expect(refused.body.error.options.field).toBe('data.to');
    expect((await board.send('POST', `${path}/add`, { data: { to: 'x' } })).status).toBe(200);
  });

  test('retries all jobs of a state', async () => {
    const { queue, board, path, listed, runJobs } = await start();
    for (let index = 0; index < 5; index += 1) await queue.add('mail', { index });
    await runJobs(true);
    const answer = await board.send('PUT', `${path}/retry/failed`);
    expect(answer).toMatchObject({ status: 200, body: { retried: 5, skipped: 0 } });
    expect((await listed()).counts).toMatchObject({ waiting: 5, failed: 0 });
    const wrong = await board.send('PUT', `${path}/retry/active`);
    expect(keyOf(wrong)).toBe('400 STATUS_NOT_RETRIABLE');
    expect(wrong.body.error.options).toEqual({ status: 'active' });
    await runJobs(false);
    const completed = await board.send('PUT', `${path}/retry/completed`);
    if (current) expect(completed.body).toEqual({ retried: 5, skipped: 0 });
    else expect(keyOf(completed)).toBe('405 COMPLETED_RETRIES_DISABLED');
  });

  test('removes jobs of a state that are old enough', async () => {
    const { queue, board, path, listed } = await start();
    const old = { timestamp: Date.now() - 60_000 };
    for (let index = 0; index < 3; index += 1) await queue.add('old', {}, old);
    await queue.add('young', {});
    for (let index = 0; index < 3; index += 1) {
      await queue.add('later', {}, { ...old, delay: 600_000 });
    }
    expect((await board.send('PUT', `${path}/clean/wait`)).status).toBe(200);
    expect((await listed()).counts).toMatchObject({ waiting: 1, delayed: 3 });
    await board.send('PUT', `${path}/clean/delayed`);
    expect((await listed()).counts).toMatchObject({ waiting: 1, delayed: 0 });
    const odd = await board.send('PUT', `${path}/clean/odd`);
    expect(keyOf(odd)).toBe('400 INVALID_QUERY_PARAM');
    expect(odd.body.error.options).toEqual({ field: 'queueStatus' });
  });

  test('empties a queue, keeping its schedulers', async () => {
    const { queue, board, path, listed, runJobs } = await start();
    await queue.schedule('tick', { every: 600_000 });
    for (let index = 0; index < 3; index += 1) await queue.add('mail', {});
    await runJobs(true);
    for (let index = 0; index < 3; index += 1) await queue.add('mail', {});
    await runJobs(false);
    for (let index = 0; index < 3; index += 1) await queue.add('mail', {});
    await queue.add('later', {}, { delay: 60_000 });
    if (current) await queue.add('urgent', {}, { priority: 3 });
    expect((await board.send('PUT', `${path}/empty`)).status).toBe(200);
    const { counts, jobSchedulerCount } = await listed();
    expect(counts).toMatchObject({ waiting: 0, completed: 0, failed: 0, delayed: 1 });
    expect(jobSchedulerCount).toBe(1);
  });

  test('processes more jobs than one step handles', async () => {
    const { queue, board, path, listed } = await start();
    const size = 2_300;
    const old = { timestamp: Date.now() - 60_000 };
    const jobs = (opts: object) =>
      Array.from({ length: size }, (_, index) => ({ name: 'many', data: { index }, opts }));
    await queue.addBulk(jobs({ ...old, delay: 3_600_000 }));
    // The next run of the scheduler is due before the others, and stays.
    await queue.schedule('tick', { pattern: '0 0 1 1 *' });
    await queue.schedule('tack', { every: 1_800_000 });
    const spared = (await listed()).counts.delayed - size;
    // A command that takes long answers before its end, and leaves the rest to a run.
    const left = async (status: 'delayed' | 'waiting') => (await listed()).counts[status];
    await board.send('PUT', `${path}/clean/delayed`);
    await expect.poll(() => left('delayed')).toBe(spared);
    await queue.addBulk(jobs({ ...old, delay: 3_600_000 }));
    await board.send('PUT', `${path}/promote`);
    await expect.poll(() => left('delayed')).toBe(0);
    expect(await left('waiting')).toBeGreaterThanOrEqual(size);
    await board.send('PUT', `${path}/empty`);
    await expect.poll(() => left('waiting')).toBeLessThanOrEqual(2);
  });

  test('pauses all queues, one that was resumed elsewhere a moment ago as well', async () => {
    const { queue, board: other, path } = await start();
    const board = await serveBoard([queue.boardQueue()], { snapshotMs: 600_000 });
    try {
      await queue.pause();
      expect((await board.get('/api/queues')).body.queues).toMatchObject([{ isPaused: true }]);
      await other.send('PUT', `${path}/resume`);
      expect((await board.send('PUT', '/api/queues/pause')).status).toBe(200);
      expect((await other.get('/api/queues')).body.queues).toMatchObject([{ isPaused: true }]);
    } finally {
      await board.close();
    }
  });

  test('obliterates a paused queue only', async () => {
    const { queue, board, path, listed } = await start();
    await queue.add('mail', {});
    expect(keyOf(await board.send('PUT', `${path}/obliterate`, { force: true }))).toBe(
      '409 QUEUE_NOT_PAUSED',
    );
    await board.send('PUT', `${path}/pause`);
    expect((await board.send('PUT', `${path}/obliterate`, { force: true })).status).toBe(200);
    expect(Object.values((await listed()).counts).every((count) => count === 0)).toBe(true);
  });

  test('limits concurrency and rate', async () => {
    const { board, path, listed } = await start();
    expect((await board.send('PUT', `${path}/concurrency`, { concurrency: 3 })).status).toBe(200);
    expect((await listed()).globalConcurrency).toBe(current ? 3 : null);
    await board.send('PUT', `${path}/concurrency`, { concurrency: 0 });
    expect((await listed()).globalConcurrency).toBe(null);
    for (const concurrency of [-1, 1.5, 'x', 3_000_000_000]) {
      expect(keyOf(await board.send('PUT', `${path}/concurrency`, { concurrency }))).toBe(
        '400 INVALID_CONCURRENCY',
      );
    }
    const limit = { max: 10, duration: 1_000 };
    const set = await board.send('PUT', `${path}/rate-limit`, limit);
    const read = await board.get(`${path}/rate-limit`);
    if (current) {
      expect(set.status).toBe(200);
      expect(read.body).toEqual({ supported: true, rateLimit: limit });
      await board.send('PUT', `${path}/rate-limit`, { max: null });
      expect((await board.get(`${path}/rate-limit`)).body.rateLimit).toBe(null);
    } else {
      expect(keyOf(set)).toBe('400 RATE_LIMIT_NOT_SUPPORTED');
      expect(read.body).toEqual({ supported: false, rateLimit: null });
    }
    expect(keyOf(await board.send('PUT', `${path}/rate-limit`, { max: 0, duration: 1 }))).toBe(
      '400 INVALID_RATE_LIMIT',
    );
    expect((await board.send('PUT', `${path}/rate-limit/release`)).status).toBe(200);
    expect((await board.get(`${path}/default-job-options`)).body).toEqual({});
  });

  test('refuses every write of a read-only queue', async () => {
    const { queue, board, path, listed } = await start({ readOnlyMode: true });
    const id = await queue.add('mail', {});
    const writes: readonly [string, string, unknown?][] = [
      ['PUT', 'pause'],
      ['PUT', 'resume'],
      ['POST', 'add'],
      ['PUT', 'retry/failed'],
      ['PUT', 'promote'],
      ['PUT', 'clean/wait'],
      ['PUT', 'empty'],
      ['PUT', 'obliterate'],
      ['PUT', 'rate-limit/release'],
      ['PUT', 'rate-limit', { max: null }],
      ['PUT', 'concurrency', { concurrency: 1 }],
      ['PUT', `${id}/retry`],
      ['PUT', `${id}/clean`],
      ['PUT', `${id}/promote`],
      ['PATCH', `${id}/update-data`, { jobData: 1 }],
      ['PATCH', `${id}/delay`, { runAt: 1 }],
      ['PATCH', `${id}/priority`, { priority: 1 }],
      ['PUT', `${id}/remove-unprocessed-children`],
      ['PUT', 'job-schedulers/x/remove'],
      ['PUT', 'job-schedulers/x/run'],
      ['PATCH', 'job-schedulers/x', { every: 5 }],
    ];
    for (const [method, route, body] of writes) {
      const answer = await board.send(method, `${path}/${route}`, body);
      expect([route, keyOf(answer)]).toEqual([route, '405 QUEUE_READ_ONLY']);
    }
    await board.send('PUT', '/api/queues/pause');
    expect(await listed()).toMatchObject({
      isPaused: false,
      readOnlyMode: true,
      allowRetries: false,
    });
  });
}

for (const cell of cells) suiteOf(cell, queueChangesSuite);
