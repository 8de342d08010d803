/** Job schedulers, from their listing to their removal. */

import { expect } from 'vitest';
import { keyOf, until, suiteOf } from './suite.ts';
import type { Suite } from './suite.ts';
import { cells } from './cells.ts';

function schedulersSuite({ current, start, test }: Suite): void {
  test('lists, replaces, runs and removes schedulers', async () => {
    const { queue, board, path, listed } = await start();
    const pending = await queue.schedule('tick', { every: 600_000 }, { beat: 1 });
    const { schedulers } = (await board.get('/api/job-schedulers')).body;
    expect(schedulers).toMatchObject([
      { queueName: queue.name, name: 'tick', every: 600_000, nextRunJobId: pending },
    ]);
    const [{ id }] = schedulers;
    expect((await listed()).jobSchedulerCount).toBe(1);
    expect((await board.get('/api/job-schedulers?queueName=nobody')).body).toEqual({
      schedulers: [],
    });
    const one = `${path}/job-schedulers/${encodeURIComponent(id)}`;
    if (await queue.state(pending).then((state) => state === 'delayed')) {
      const refused = await board.send('PUT', `${path}/${encodeURIComponent(pending)}/clean`);
      expect(keyOf(refused)).toBe('400 JOB_BELONGS_TO_JOB_SCHEDULER');
      expect(refused.body).toMatchObject({
        code: 'JOB_BELONGS_TO_JOB_SCHEDULER',
        jobSchedulerId: id,
        message: {
          key: 'ERRORS.JOB_BELONGS_TO_JOB_SCHEDULER_DETAILS',
          options: { jobId: pending, jobSchedulerId: id },
        },
      });
    }
    const patch = { pattern: '0 3 * * *', tz: ' Europe/Berlin ', limit: 10 };
    const update = await board.send('PATCH', one, patch);
    const run = await board.send('PUT', `${one}/run`);
    if (current) {
      expect(update.status).toBe(204);
      const [replaced] = (await board.get(`/api/job-schedulers?queueName=${queue.name}`)).body
        .schedulers;
      expect(replaced).toMatchObject({
        id,
        name: 'tick',
        pattern: '0 3 * * *',
        tz: 'Europe/Berlin',
        limit: 10,
        template: { data: { beat: 1 } },
      });
      expect(replaced).not.toHaveProperty('every');
      expect(run).toMatchObject({
        status: 200,
        body: { job: { name: 'tick', data: { beat: 1 } } },
      });
      expect(keyOf(await board.send('PATCH', one, { pattern: 'not cron' }))).toBe(
        '400 INVALID_SCHEDULER_PATTERN',
      );
      const nobody = `${path}/job-schedulers/nobody`;
      expect(keyOf(await board.send('PATCH', nobody, patch))).toBe('404 JOB_SCHEDULER_NOT_FOUND');
      expect(keyOf(await board.send('PUT', `${nobody}/run`))).toBe('404 JOB_SCHEDULER_NOT_FOUND');
    } else {
      expect(keyOf(update)).toBe('405 JOB_SCHEDULER_EDIT_NOT_SUPPORTED');
      expect(keyOf(run)).toBe('405 JOB_SCHEDULER_RUN_NOT_SUPPORTED');
    }
    const bad = [
      [{}, 'INVALID_SCHEDULER_SCHEDULE'],
      [{ pattern: '* * * * *', every: 5 }, 'INVALID_SCHEDULER_SCHEDULE'],
      [{ every: 'x' }, 'INVALID_SCHEDULER_INTERVAL'],
      [{ every: 1_000, limit: 0 }, 'INVALID_SCHEDULER_LIMIT'],
      [{ every: 1_000, endDate: 5 }, 'INVALID_SCHEDULER_END_DATE'],
    ] as const;
    for (const [body, key] of bad) {
      expect(keyOf(await board.send('PATCH', one, body))).toBe(`400 ${key}`);
    }
    expect((await board.send('PUT', `${one}/remove`)).status).toBe(204);
    expect(keyOf(await board.send('PUT', `${one}/remove`))).toBe('404 JOB_SCHEDULER_NOT_FOUND');
    expect((await board.get('/api/job-schedulers')).body.schedulers).toEqual([]);
  });

  test('tells what became of the last runs of a scheduler', async () => {
    const { queue, board, path } = await start();
    await queue.schedule('tick', { every: 100 });
    // Its runs are not taken for those of the other.
    await queue.schedule('tick:tock', { pattern: '0 3 * * *' });
    let runs = 0;
    const stop = await queue.work(async (job) => {
      if (!job.name.startsWith('tick')) return;
      runs += 1;
      if (runs === 2) throw new Error('The clock has stopped.');
    });
    const id = (await board.get('/api/job-schedulers')).body.schedulers.find(
      ({ every }: { every?: number }) => every !== undefined,
    ).id;
    const one = `${path}/job-schedulers/${encodeURIComponent(id)}`;
    const read = async (query = '') => (await board.get(`${one}/runs${query}`)).body.runs;
    const ended = async () =>
      (await read()).filter(({ finishedOn }: { finishedOn: unknown }) => finishedOn !== null);
    await until(async () => (await ended()).length > 3);
    await stop();
    const all = await ended();
    const times = all.map(({ dueOn }: { dueOn: number }) => dueOn);
    expect(times).toEqual(times.toSorted((left: number, right: number) => right - left));
    const states = all.map(({ status }: { status: string }) => status).toReversed();
    expect(states.slice(0, 3)).toEqual(['completed', 'failed', 'completed']);
    for (const { jobId, status } of all) expect(await queue.state(jobId)).toBe(status);
    expect(await read('?limit=2')).toHaveLength(2);
    expect((await board.get(`${one}/runs?limit=0`)).status).toBe(400);
    const nobody = await board.get(`${path}/job-schedulers/nobody/runs`);
    expect(keyOf(nobody)).toBe('404 JOB_SCHEDULER_NOT_FOUND');
  });
}

for (const cell of cells) suiteOf(cell, schedulersSuite);
