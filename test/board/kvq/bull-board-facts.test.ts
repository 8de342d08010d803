/**
 * The facts that the HTTP tests of bull-board state by their titles, where its API corresponds to this board, in every
 * library and datastore.
 */

import { expect } from 'vitest';
import { keyOf, until, suiteOf } from './suite.ts';
import type { Suite } from './suite.ts';
import { cells } from './cells.ts';

const hour = 3_600_000;

function factsSuite({ cell, current, world, start, test }: Suite): void {
  test('facts: retry all moves every failed job to waiting, and names a status without retries', async () => {
    const { queue, board, path, runJobs } = await start();
    const ids = [];
    for (const name of ['a', 'b', 'c']) ids.push(await queue.add(name, {}));
    await runJobs(true);
    const { status, body } = await board.send('PUT', `${path}/retry/failed`);
    expect([status, body]).toEqual([200, { retried: 3, skipped: 0 }]);
    for (const id of ids) expect(await queue.state(id)).toBe('waiting');
    const refused = await board.send('PUT', `${path}/retry/active`);
    expect(keyOf(refused)).toBe('400 STATUS_NOT_RETRIABLE');
    expect(refused.body.error.options).toEqual({ status: 'active' });
  });

  test('facts: a read-only queue refuses every write with 405 and stays as it is', async () => {
    const { queue, board, path } = await start({ readOnlyMode: true });
    const id = await queue.add('a', {}, { delay: hour });
    for (const [method, route, sent] of [
      ['PUT', `${path}/retry/failed`],
      ['PUT', `${path}/promote`],
      ['PUT', `${path}/${id}/promote`],
      ['PUT', `${path}/empty`],
      ['PUT', `${path}/obliterate`],
      ['PUT', `${path}/concurrency`, { concurrency: 5 }],
      ['PATCH', `${path}/${id}/update-data`, { jobData: 1 }],
      ['PATCH', `${path}/job-schedulers/x`, { every: hour }],
      ['POST', `${path}/add`, { name: 'b' }],
    ] as const) {
      const answer = await board.send(method, route, sent);
      expect([route, keyOf(answer)]).toEqual([route, '405 QUEUE_READ_ONLY']);
    }
    expect((await board.get(`${path}/workers`)).body).toEqual({ workers: [] });
    expect(await queue.state(id)).toBe('delayed');
  });

  test('facts: promotes one delayed job and all of them; clean keeps a job that was just added', async () => {
    const { queue, board, path } = await start();
    const [first] = [
      await queue.add('a', {}, { delay: hour }),
      await queue.add('b', {}, { delay: hour }),
    ];
    expect((await board.send('PUT', `${path}/clean/delayed`)).status).toBe(200);
    expect((await queue.counts())['delayed']).toBe(2);
    expect((await board.send('PUT', `${path}/${first}/promote`)).status).toBe(204);
    expect((await queue.counts())['delayed']).toBe(1);
    expect((await board.send('PUT', `${path}/promote`)).status).toBe(200);
    expect((await queue.counts())['delayed']).toBe(0);
  });

  test('facts: the limit of concurrency is null, set, and removed by 0', async () => {
    const { board, path, listed } = await start();
    const set = async (concurrency: unknown) =>
      keyOf(await board.send('PUT', `${path}/concurrency`, { concurrency }));
    expect((await listed()).globalConcurrency).toBeNull();
    for (const wrong of [-1, 2.5, 'high', null])
      expect(await set(wrong)).toBe('400 INVALID_CONCURRENCY');
    if (!current) return;
    expect(await set(5)).toBe('200 undefined');
    expect((await listed()).globalConcurrency).toBe(5);
    expect(await set(0)).toBe('200 undefined');
    expect((await listed()).globalConcurrency).toBeNull();
    const missing = await board.send('PUT', '/api/queues/NoSuchQueue/concurrency', {
      concurrency: 5,
    });
    expect(keyOf(missing)).toBe('404 QUEUE_NOT_FOUND');
  });

  test('facts: the rate limit is set, read and removed, and refused where it means nothing', async () => {
    const { board, path } = await start();
    const { supported } = (await board.get(`${path}/rate-limit`)).body;
    const set = (body: object) => board.send('PUT', `${path}/rate-limit`, body);
    for (const wrong of [
      { max: 0, duration: 9 },
      { max: 5, duration: -1 },
      { max: 1.5, duration: 9 },
      { max: 5 },
    ]) {
      expect(keyOf(await set(wrong))).toBe('400 INVALID_RATE_LIMIT');
    }
    expect(supported).toBe(current);
    if (!current) {
      expect(keyOf(await set({ max: 5, duration: 1000 }))).toBe('400 RATE_LIMIT_NOT_SUPPORTED');
      return;
    }
    expect((await set({ max: 5, duration: 1000 })).status).toBe(200);
    const rateLimit = { max: 5, duration: 1000 };
    expect((await board.get(`${path}/rate-limit`)).body).toEqual({ supported, rateLimit });
    expect((await set({})).status).toBe(200);
    expect((await board.get(`${path}/rate-limit`)).body).toEqual({ supported, rateLimit: null });
  });

  test('facts: a delayed job is rescheduled; a time in the past is now; others are refused', async () => {
    const { queue, board, path } = await start();
    const id = await queue.add('later', {}, { delay: hour });
    const move = (runAt: unknown, job = id) =>
      board.send('PATCH', `${path}/${job}/delay`, { runAt });
    if (!current) {
      expect(keyOf(await move(Date.now() + hour))).toBe('400 JOB_EDIT_NOT_SUPPORTED');
      return;
    }
    for (const wrong of ['soon', undefined, null])
      expect(keyOf(await move(wrong))).toBe('400 INVALID_RUN_AT');
    expect((await move(Date.now() + 300_000)).status).toBe(200);
    const delay = async () => (await board.get(`${path}/${id}`)).body.job.delay;
    expect(Math.abs((await delay()) - 300_000)).toBeLessThan(60_000);
    expect((await move(Date.now() - 60_000)).status).toBe(200);
    expect(await delay()).toBe(0);
    const waits = await queue.add('now', {});
    const refused = await move(Date.now() + 60_000, waits);
    expect([keyOf(refused), refused.body.error.options]).toEqual([
      '409 JOB_NOT_DELAYED',
      { status: 'waiting' },
    ]);
  });

  test('facts: a priority is changed and listed; fractions, negatives and texts are refused', async () => {
    const { queue, board, path, listed } = await start();
    if (!current) return;
    const id = await queue.add('urgent', {}, { priority: 10 });
    const set = (priority: unknown, job = id) =>
      board.send('PATCH', `${path}/${job}/priority`, { priority });
    for (const wrong of [1.5, -1, 2 ** 21, '3']) {
      const refused = await set(wrong);
      expect([keyOf(refused), refused.body.error.options]).toEqual([
        '400 INVALID_PRIORITY',
        { max: 2 ** 21 - 1 },
      ]);
    }
    expect((await set(3)).status).toBe(200);
    const [job] = (await listed('&status=prioritized')).jobs;
    expect(job).toMatchObject({ priority: 3, opts: { priority: 10 } });
    expect(keyOf(await set(1, 'nope'))).toBe('404 JOB_NOT_FOUND');
    const later = await queue.add('later', {}, { delay: 600_000 });
    expect((await set(5, later)).status).toBe(200);
    expect((await listed()).counts).toMatchObject({ prioritized: 1, delayed: 1, waiting: 0 });
  });

  test('facts: only a paused queue is obliterated, with everything in it', async () => {
    const { queue, board, path, runJobs } = await start();
    await queue.add('done', {});
    await runJobs(false);
    await queue.add('waits', {});
    await queue.add('later', {}, { delay: hour });
    expect(keyOf(await board.send('PUT', `${path}/obliterate`))).toBe('409 QUEUE_NOT_PAUSED');
    expect((await queue.counts())['completed']).toBe(1);
    await queue.pause();
    expect((await board.send('PUT', `${path}/obliterate`)).status).toBe(200);
    expect(Object.values(await queue.counts()).every((count) => count === 0)).toBe(true);
    if (queue.redis) expect(await queue.redis.client.keys(`${queue.redis.key('')}*`)).toEqual([]);
    const missing = await board.send('PUT', '/api/queues/NoSuchQueue/obliterate');
    expect(keyOf(missing)).toBe('404 QUEUE_NOT_FOUND');
  });

  test('facts: query values are checked and coerced, and empty ones are absent', async () => {
    const { queue, board } = await start();
    await queue.add('one', {});
    for (const [query, field] of [
      ['page=nope', 'page'],
      ['status=sideways', 'status'],
      ['jobsPerPage=0', 'jobsPerPage'],
    ]) {
      const { status, body } = await board.get(`/api/queues?${query}`);
      const error = { key: 'ERRORS.INVALID_QUERY_PARAM', options: { field } };
      expect([status, body]).toEqual([400, { error, code: 'INVALID_REQUEST' }]);
    }
    const one = await board.get(
      `/api/queues?activeQueue=${queue.name}&status=latest&page=1&jobsPerPage=1`,
    );
    expect(one.body.queues[0].pagination.range).toEqual({ start: 0, end: 0 });
    expect((await board.get('/api/queues?page=&jobsPerPage=')).status).toBe(200);
  });

  test('facts: workers are listed with address and age, and a queue without them has none', async () => {
    const { queue, board, path, listed } = await start();
    expect((await board.get(`${path}/workers`)).body).toEqual({ workers: [] });
    expect((await listed()).hasWorkers).toBe(false);
    const stop = await queue.work(async () => 'ok');
    try {
      await until(async () => (await board.get(`${path}/workers`)).body.workers?.length === 1);
      const [worker] = (await board.get(`${path}/workers`)).body.workers;
      expect(worker).toEqual({
        id: expect.stringMatching(/^\d+$/),
        // The worker of the test has a name; Bull has none for workers.
        name: current ? 'tester' : null,
        addr: expect.any(String),
        age: expect.any(Number),
      });
      await until(async () => (await listed()).hasWorkers === true);
    } finally {
      await stop();
    }
    expect(keyOf(await board.get('/api/queues/NoSuchQueue/workers'))).toBe('404 QUEUE_NOT_FOUND');
  });

  test('facts: a job shows only the diagnostics that it has', async () => {
    const { queue, board, path } = await start();
    const shown = async (id: string) => (await board.get(`${path}/${id}`)).body.job;
    const plain = await shown(await queue.add('plain', {}));
    for (const name of [
      'priority',
      'attemptsStarted',
      'stalledCounter',
      'deferredFailure',
      'deduplicationId',
    ]) {
      expect(plain).not.toHaveProperty(name);
    }
    if (!current) return;
    const options = { priority: 7, deduplication: { id: 'welcome' } };
    const job = await shown(await queue.add('welcome', {}, options));
    expect(job).toMatchObject({ priority: 7, deduplicationId: 'welcome' });
  });

  test('facts: default options of jobs are shown, and an empty object without them', async () => {
    const defaults = {
      attempts: 3,
      backoff: { type: 'exponential', delay: 2000 },
      removeOnComplete: 100,
    };
    const { board, path } = await start();
    expect((await board.get(`${path}/default-job-options`)).body).toEqual({});
    const made = await world().queue(`defaults-${cell.name.replaceAll(/\W/g, '-')}`, defaults);
    expect(made.boardQueue().driver.defaultJobOptions).toMatchObject(defaults);
  });

  if (!current) return;

  test('facts: schedulers tell their next run, and the previous one where it is known', async () => {
    const { queue, board } = await start();
    const list = async () => (await board.get('/api/job-schedulers')).body.schedulers;
    expect(await list()).toEqual([]);
    await queue.schedule('nightly', { pattern: '0 3 * * *' }, { scope: 'daily' }, { attempts: 3 });
    const [nightly] = await list();
    expect(nightly).toMatchObject({
      queueName: queue.name,
      pattern: '0 3 * * *',
      iterationCount: 1,
      nextRunJobId: `repeat:nightly:${nightly.next}`,
      template: { data: { scope: 'daily' }, opts: { attempts: 3 } },
    });
    expect(nightly).not.toHaveProperty('lastRun');
    expect(nightly).not.toHaveProperty('lastRunJobId');
    await queue.schedule('kept', { every: 200 });
    await queue.schedule('trimmed', { every: 200 }, {}, { removeOnComplete: true });
    await queue.schedule('cron', { pattern: '* * * * * *' });
    const ran = async (id: string) => (await list()).find((one: { id: string }) => one.id === id);
    const stop = await queue.work(async () => undefined);
    try {
      for (const id of ['kept', 'trimmed', 'cron']) {
        await until(async () => (await ran(id)).iterationCount > 2);
      }
      await until(async () => {
        const { lastRunJobId, next } = await ran('kept');
        return lastRunJobId === `repeat:kept:${next - 200}`;
      });
    } finally {
      await stop();
    }
    for (const id of ['trimmed', 'cron']) {
      const one = await ran(id);
      expect([id, typeof one.lastRun, one.lastRunJobId]).toEqual([id, 'number', undefined]);
    }
  });

  test('facts: an edit of a schedule replaces the schedule and keeps its job, or refuses and keeps both', async () => {
    const { queue, board, path } = await start();
    await queue.schedule('one', { every: 60_000 }, { scope: 'x' }, { attempts: 3 });
    const edit = (body: object, id = 'one') =>
      board.send('PATCH', `${path}/job-schedulers/${id}`, body);
    const shown = async () => (await board.get('/api/job-schedulers')).body.schedulers[0];
    for (const [body, key] of [
      [{ pattern: 'not a cron' }, 'INVALID_SCHEDULER_PATTERN'],
      [{ pattern: '0 3 * * *', every: 60_000 }, 'INVALID_SCHEDULER_SCHEDULE'],
      [{ tz: 'UTC' }, 'INVALID_SCHEDULER_SCHEDULE'],
      [{ every: 0 }, 'INVALID_SCHEDULER_INTERVAL'],
      [{ every: 60_000, endDate: Date.now() - 1000 }, 'INVALID_SCHEDULER_END_DATE'],
      [{ every: 60_000, limit: 1.5 }, 'INVALID_SCHEDULER_LIMIT'],
    ] as const) {
      expect([body, keyOf(await edit(body))]).toEqual([body, `400 ${key}`]);
    }
    expect(await shown()).toMatchObject({ every: 60_000 });
    const endDate = Date.now() + 7 * 24 * hour;
    const sent = { pattern: '0 4 * * *', tz: 'Europe/Warsaw', limit: 5, endDate };
    expect((await edit(sent)).status).toBe(204);
    const edited = await shown();
    expect(edited).toMatchObject({
      ...sent,
      template: { data: { scope: 'x' }, opts: { attempts: 3 } },
    });
    expect(edited).not.toHaveProperty('every');
    expect(keyOf(await edit({ every: 60_000 }, 'never'))).toBe('404 JOB_SCHEDULER_NOT_FOUND');
  });

  test('facts: a run on demand is a plain job from the template and leaves the schedule alone', async () => {
    const { queue, board, path } = await start();
    await queue.schedule(
      'billing',
      { pattern: '0 3 * * *' },
      { scope: 'nightly' },
      { attempts: 3 },
    );
    const list = async () => (await board.get('/api/job-schedulers')).body.schedulers;
    const before = await list();
    const { body } = await board.send('PUT', `${path}/job-schedulers/billing/run`);
    expect(body.job).toMatchObject({ data: { scope: 'nightly' }, opts: { attempts: 3 } });
    expect(body.job.opts).not.toHaveProperty('repeat');
    expect(await queue.state(body.job.id)).toBe('waiting');
    expect(await list()).toEqual(before);
    const pending = await board.send('PUT', `${path}/${before[0].nextRunJobId}/clean`);
    expect([keyOf(pending), pending.body.code, pending.body.jobSchedulerId]).toEqual([
      '400 JOB_BELONGS_TO_JOB_SCHEDULER',
      'JOB_BELONGS_TO_JOB_SCHEDULER',
      'billing',
    ]);
    expect((await board.send('PUT', `${path}/${body.job.id}/clean`)).status).toBe(204);
    expect((await board.send('PUT', `${path}/${body.job.id}/clean`)).status).toBe(404);
    expect((await board.send('PUT', `${path}/job-schedulers/billing/remove`)).status).toBe(204);
    expect(await list()).toEqual([]);
  });

  test('facts: a parent loses its unprocessed children, and stays', async () => {
    const { queue, board, path } = await start();
    const { flow } = world();
    if (!flow) return;
    const root = await flow({
      name: 'root',
      queue,
      children: [1, 2, 3].map((index) => ({ name: `leaf ${index}`, queue })),
    });
    const remove = (id: string) => board.send('PUT', `${path}/${id}/remove-unprocessed-children`);
    expect((await remove(root)).body).toEqual({ removed: 3 });
    expect((await board.get(`${path}/${root}`)).status).toBe(200);
    const lonely = await queue.add('lonely', {});
    expect(keyOf(await remove(lonely))).toBe('409 JOB_HAS_NO_UNPROCESSED_CHILDREN');
    expect(keyOf(await remove('nope'))).toBe('404 JOB_NOT_FOUND');
  });
}

for (const cell of cells) suiteOf(cell, factsSuite);
