/** Listings of queues, their finished jobs and their datastore, and their visibility. */

import { expect } from 'vitest';
import { keyOf, until, suiteOf } from './suite.ts';
import type { Suite } from './suite.ts';
import { cells } from './cells.ts';

function listingSuite({ cell, current, start, test }: Suite): void {
  test('lists a queue with counts, pages and jobs', async () => {
    const { queue, board, listed } = await start({
      displayName: 'Mails',
      description: 'All mails',
      delimiter: '.',
    });
    for (let index = 0; index < 12; index += 1) await queue.add(`job ${index}`, { index });
    await queue.add('later', {}, { delay: 60_000 });
    const all = await listed();
    expect(all).toMatchObject({
      name: queue.name,
      displayName: 'Mails',
      description: 'All mails',
      delimiter: '.',
      counts: { active: 0, waiting: 12, completed: 0, failed: 0, delayed: 1 },
      pagination: { pageCount: 1, range: { start: 0, end: 9 } },
      readOnlyMode: false,
      allowRetries: true,
      allowCompletedRetries: current,
      isPaused: false,
      type: cell.library,
      library: cell.library,
      datastore: cell.datastore,
      globalConcurrency: null,
      activeRateLimitTtl: 0,
      supportsGlobalRateLimit: current,
      jobSchedulerCount: 0,
      hasWorkers: false,
    });
    expect(all.statuses).toEqual([
      'latest',
      'active',
      'waiting',
      ...(current ? ['waiting-children', 'prioritized'] : []),
      'completed',
      'failed',
      'delayed',
      ...(cell.hasPaused ? ['paused'] : []),
    ]);
    expect(all.jobs).toHaveLength(11);
    const second = await listed('&status=waiting&page=2&jobsPerPage=5');
    expect(second.pagination).toEqual({ pageCount: 3, range: { start: 5, end: 9 } });
    expect(second.jobs.map((job: { name: string }) => job.name)).toEqual(
      [6, 5, 4, 3, 2].map((index) => `job ${index}`),
    );
    const delayed = await listed('&status=delayed');
    expect(delayed.jobs).toMatchObject([{ name: 'later', delay: 60_000, opts: { delay: 60_000 } }]);
    const other = await board.get('/api/queues');
    expect(other.body.queues[0].jobs).toEqual([]);
    expect((await listed('&status=prioritized')).jobs).toEqual([]);
  });

  test('refuses invalid queries', async () => {
    const { board } = await start();
    for (const query of ['status=odd', 'page=0', 'page=x', 'jobsPerPage=1001']) {
      const answer = await board.get(`/api/queues?${query}`);
      expect(keyOf(answer)).toBe('400 INVALID_QUERY_PARAM');
      expect(answer.body.error.options.field).toBe(query.split('=')[0]);
    }
    expect((await board.get('/api/queues?page=')).status).toBe(200);
  });

  test('shows finished jobs, their logs, metrics and workers', async () => {
    const { queue, board, path, listed, runJobs } = await start();
    const id = await queue.add('mail', { to: 'a@example.org' });
    await runJobs(false);
    const { body } = await board.get(`${path}/${id}`);
    expect(body).toMatchObject({
      status: 'completed',
      job: {
        id,
        name: 'mail',
        data: { to: 'a@example.org' },
        returnValue: { done: true },
        progress: 50,
        isFailed: false,
        stacktrace: [],
        attempts: 1,
      },
    });
    expect(body.job.finishedOn).toBeGreaterThanOrEqual(body.job.processedOn);
    expect((await board.get(`${path}/${id}/logs`)).body).toEqual(['first line', 'second line']);
    expect((await board.get(`${path}/nobody/logs`)).body).toEqual([]);
    const metrics = await board.get(`${path}/metrics`);
    expect(metrics.body).toMatchObject({ completed: { data: [] }, failed: { data: [] } });
    expect((await board.get(`${path}/workers`)).body).toEqual({ workers: [] });
    const stop = await queue.work(async () => 1);
    await until(async () => (await listed()).hasWorkers === true);
    const { workers } = (await board.get(`${path}/workers`)).body;
    expect(workers).toMatchObject([{ name: current ? 'tester' : null, age: expect.any(Number) }]);
    expect(workers[0].addr).toMatch(/:\d+$|\[local\]/);
    await stop();
  });

  test('shows why a job failed, newest attempt first', async () => {
    const { queue, board, path, runJobs } = await start();
    const id = await queue.add('mail', {}, { attempts: 2 });
    await runJobs(true);
    await until(async () => (await queue.state(id)) === 'failed');
    const { job, status } = (await board.get(`${path}/${id}`)).body;
    expect(status).toBe('failed');
    expect(job).toMatchObject({ failedReason: 'it broke', isFailed: true });
    expect(job.stacktrace).toHaveLength(2);
    expect(job.stacktrace[0]).toContain('it broke');
  });

  test('responds for missing queues and jobs', async () => {
    const { board, path } = await start();
    expect(keyOf(await board.get('/api/queues/nobody/metrics'))).toBe('404 QUEUE_NOT_FOUND');
    expect(keyOf(await board.get('/api/queues/nobody/1'))).toBe('404 QUEUE_NOT_FOUND');
    expect(keyOf(await board.get(`${path}/nobody`))).toBe('404 JOB_NOT_FOUND');
    expect(keyOf(await board.get(`${path}/nobody/flow`))).toBe('404 JOB_NOT_FOUND');
    const bodies = {
      'update-data': { jobData: {} },
      delay: { runAt: 1 },
      priority: { priority: 1 },
    };
    for (const [name, body] of Object.entries(bodies)) {
      expect(keyOf(await board.send('PATCH', `${path}/nobody/${name}`, body))).toBe(
        '404 JOB_NOT_FOUND',
      );
    }
    for (const name of ['retry', 'clean', 'promote', 'remove-unprocessed-children']) {
      expect(keyOf(await board.send('PUT', `${path}/nobody/${name}`))).toBe('404 JOB_NOT_FOUND');
    }
  });

  test('hides queues from those who may not see them', async () => {
    const { board, path } = await start({
      visibilityGuard: (request) => request.headers['x-role'] === 'admin',
    });
    expect((await board.get('/api/queues')).body).toEqual({ queues: [] });
    expect(keyOf(await board.get(`${path}/metrics`))).toBe('404 QUEUE_NOT_FOUND');
    expect(keyOf(await board.get('/api/kv/stats'))).toBe('404 QUEUE_NOT_FOUND');
  });

  test('applies the formatters of the host', async () => {
    const { queue, board, path, listed } = await start({
      formatters: {
        data: () => 'secret',
        name: (job) => `${String(job['name'])}!`,
        progress: () => 'half',
        returnValue: () => undefined,
      },
      externalJobUrl: (job) => ({ href: `https://jobs.example/${String(job['id'])}` }),
    });
    const id = await queue.add('mail', { password: 'x' });
    const shown = {
      name: 'mail!',
      data: 'secret',
      progress: 'half',
      returnValue: null,
      externalUrl: { href: `https://jobs.example/${id}` },
    };
    expect((await board.get(`${path}/${id}`)).body.job).toMatchObject(shown);
    expect((await listed()).jobs).toMatchObject([shown]);
  });

  test('reports the datastore', async () => {
    const { board } = await start();
    const { body } = await board.get('/api/kv/stats');
    expect(body).toMatchObject({
      backend: cell.datastore,
      version: expect.stringMatching(/^\d+\./),
      port: expect.any(Number),
      uptime: expect.any(Number),
      clients: { connected: expect.any(Number), blocked: expect.any(Number) },
    });
    if (cell.datastore === 'kv') {
      expect(body).toMatchObject({ mode: 'standalone', memory: { used: expect.any(Number) } });
    } else {
      expect(body).not.toHaveProperty('memory');
    }
  });
}

for (const cell of cells) suiteOf(cell, listingSuite);
