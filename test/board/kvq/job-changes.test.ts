/** Changes of single jobs. */

import { expect } from 'vitest';
import { keyOf, until, suiteOf } from './suite.ts';
import type { Suite } from './suite.ts';
import { cells } from './cells.ts';

function jobChangesSuite({ current, start, test }: Suite): void {
  test('retries one job', async () => {
    const { queue, board, path, runJobs } = await start();
    const id = await queue.add('mail', {});
    expect(keyOf(await board.send('PUT', `${path}/${id}/retry`))).toBe('409 JOB_NOT_RETRIABLE');
    await runJobs(true);
    expect((await board.send('PUT', `${path}/${id}/retry`)).status).toBe(204);
    expect(await queue.state(id)).toBe('waiting');
    await runJobs(false);
    const again = await board.send('PUT', `${path}/${id}/retry`);
    if (current) expect(again.status).toBe(204);
    else expect(keyOf(again)).toBe('405 COMPLETED_RETRIES_DISABLED');
  });

  test('refuses retries when the host disables them', async () => {
    const { queue, board, path, runJobs } = await start({ allowRetries: false });
    const id = await queue.add('mail', {});
    await runJobs(true);
    expect(keyOf(await board.send('PUT', `${path}/${id}/retry`))).toBe('405 RETRIES_DISABLED');
    expect(keyOf(await board.send('PUT', `${path}/retry/odd`))).toBe('405 RETRIES_DISABLED');
  });

  test('promotes one job and all', async () => {
    const { queue, board, path, listed } = await start();
    const id = await queue.add('later', {}, { delay: 60_000 });
    expect((await board.send('PUT', `${path}/${id}/promote`)).status).toBe(204);
    expect(await queue.state(id)).toBe('waiting');
    expect(keyOf(await board.send('PUT', `${path}/${id}/promote`))).toBe('409 JOB_NOT_DELAYED');
    for (let index = 0; index < 3; index += 1) await queue.add('later', {}, { delay: 60_000 });
    expect((await board.send('PUT', `${path}/promote`)).status).toBe(200);
    expect((await listed()).counts).toMatchObject({ waiting: 4, delayed: 0 });
  });

  test('changes a job whose JSON the datastore cannot parse, and as its options say', async () => {
    const { queue, board, path, runJobs } = await start();
    const { redis, name: queueName } = queue;
    if (!redis) return;
    const half = '\\ud800';
    /** Options that are as stored with a text that the parser of Redis refuses. */
    const spoil = async (id: string, more: object = {}) => {
      const key = redis.key(id);
      const opts = JSON.parse((await redis.client.hget(key, 'opts')) ?? '{}') as object;
      const text = JSON.stringify({ ...opts, ...more, odd: 'HALF' });
      await redis.client.hset(key, { data: `{"a":"${half}"}`, opts: text.replace('HALF', half) });
    };
    const failing = [await queue.add('one', {}), await queue.add('two', {})];
    await runJobs(true);
    for (const id of failing) await spoil(id, { lifo: true });
    await queue.add('waits', {});
    expect((await board.send('PUT', `${path}/${failing[0]}/retry`)).status).toBe(204);
    const body = { queueName, action: 'retry', ids: [failing[1]] };
    const { run } = (await board.send('POST', '/api/bulk', body)).body;
    const now = async () => (await board.get(`/api/bulk/${run.id}`)).body.run;
    await expect.poll(now).toMatchObject({ changed: 1 });
    // They run before the one that waits, as their options say.
    const order: string[] = [];
    const stop = await queue.work(async ({ id }) => void order.push(id));
    await until(async () => order.length === 3);
    await stop();
    expect(order.slice(0, 2).toSorted()).toEqual(failing.toSorted());
    const later: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      later.push(await queue.add('later', {}, { delay: 600_000 }));
      await spoil(later[index] ?? '');
    }
    const [promoted, removed] = later;
    expect((await board.send('PUT', `${path}/${promoted}/promote`)).status).toBe(204);
    for (const ifUnchanged of ['\ud800', 'a\0b', '\udfff\ud800']) {
      const refused = await board.send('PUT', `${path}/${removed}/clean`, { ifUnchanged });
      expect(keyOf(refused)).toBe('409 JOB_CHANGED');
    }
    expect((await board.send('PUT', `${path}/${removed}/clean`)).status).toBe(204);
    expect((await board.send('PUT', `${path}/promote`)).status).toBe(200);
    expect((await board.send('PUT', `${path}/empty`)).status).toBe(200);
  });

  test('shows when a job runs again after a failure', async () => {
    const { queue, board, path } = await start();
    const later = await queue.add('later', {}, { delay: 60_000 });
    const id = await queue.add('mail', {}, { attempts: 2, backoff: 600_000 });
    const from = Date.now();
    const stop = await queue.work(() => Promise.reject(new Error('no')));
    await until(async () => (await queue.state(id)) === 'delayed');
    await stop();
    const latest = Date.now() + 600_000;
    const { jobs } = (await board.get(`${path}/jobs?status=delayed`)).body;
    const { job } = (await board.get(`${path}/${id}`)).body;
    for (const shown of [job, jobs.find((one: { id: string }) => one.id === id)]) {
      expect(shown.runsAt).toBeGreaterThanOrEqual(from + 600_000);
      expect(shown.runsAt).toBeLessThanOrEqual(latest);
    }
    // Its timestamp and delay tell it already.
    expect((await board.get(`${path}/${later}`)).body.job).not.toHaveProperty('runsAt');
  });

  test('replaces data, delay and priority', async () => {
    const { queue, board, path } = await start();
    const id = await queue.add('later', { old: true }, { delay: 60_000 });
    expect(
      await board.send('PATCH', `${path}/${id}/update-data`, { jobData: { fresh: [1, 'ü'] } }),
    ).toMatchObject({ status: 200, body: {} });
    expect((await board.get(`${path}/${id}`)).body.job.data).toEqual({ fresh: [1, 'ü'] });
    const runAt = Date.now() + 120_000;
    const delay = await board.send('PATCH', `${path}/${id}/delay`, { runAt });
    const priority = await board.send('PATCH', `${path}/${id}/priority`, { priority: 7 });
    if (current) {
      expect(delay.status).toBe(200);
      expect(priority.status).toBe(200);
      const { job } = (await board.get(`${path}/${id}`)).body;
      expect(job.priority).toBe(7);
      expect(Math.abs(job.delay - 120_000)).toBeLessThan(2_000);
      expect(Math.abs(job.runsAt - runAt)).toBeLessThan(2_000);
      const waiting = await queue.add('now', {});
      const refused = await board.send('PATCH', `${path}/${waiting}/delay`, { runAt });
      expect(keyOf(refused)).toBe('409 JOB_NOT_DELAYED');
      expect(refused.body.error.options).toEqual({ status: 'waiting' });
    } else {
      expect(keyOf(delay)).toBe('400 JOB_EDIT_NOT_SUPPORTED');
      expect(keyOf(priority)).toBe('400 JOB_EDIT_NOT_SUPPORTED');
    }
    expect(keyOf(await board.send('PATCH', `${path}/${id}/delay`, {}))).toBe('400 INVALID_RUN_AT');
    expect(keyOf(await board.send('PATCH', `${path}/${id}/update-data`, {}))).toBe(
      '400 INVALID_REQUEST_BODY',
    );
    for (const bad of [{ priority: -1 }, { priority: 2_097_152 }, { priority: 'x' }, {}]) {
      const answer = await board.send('PATCH', `${path}/${id}/priority`, bad);
      expect(keyOf(answer)).toBe('400 INVALID_PRIORITY');
      expect(answer.body.error.options).toEqual({ max: 2_097_151 });
    }
  });

  test('removes jobs, but not active ones', async () => {
    const { queue, board, path, listed } = await start();
    const id = await queue.add('mail', {});
    expect((await board.send('PUT', `${path}/${id}/clean`)).status).toBe(204);
    expect(keyOf(await board.get(`${path}/${id}`))).toBe('404 JOB_NOT_FOUND');
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const running = await queue.add('slow', {}, { timestamp: Date.now() - 60_000 });
    const stop = await queue.work(() => finished);
    try {
      await until(async () => (await queue.state(running)) === 'active');
      const refused = await board.send('PUT', `${path}/${running}/clean`);
      expect(keyOf(refused)).toBe('409 JOB_IS_ACTIVE');
      expect(refused.body.message).toEqual({
        key: 'ERRORS.JOB_IS_ACTIVE_DETAILS',
        options: { jobId: running },
      });
      expect((await listed()).counts.active).toBe(1);
      await board.send('PUT', `${path}/clean/active`);
      await board.send('PUT', `${path}/pause`);
      const busy = await board.send('PUT', `${path}/obliterate`);
      expect(keyOf(busy)).toBe('409 QUEUE_HAS_ACTIVE_JOBS');
      expect(busy.body.message.key).toBe('ERRORS.QUEUE_HAS_ACTIVE_JOBS_DETAILS');
      expect(await queue.state(running)).toBe('active');
    } finally {
      finish();
      await stop();
    }
  });
}

for (const cell of cells) suiteOf(cell, jobChangesSuite);
