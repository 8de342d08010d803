/** Changes of schedulers: an edit loses nothing, is atomic, and does not restore a removed scheduler. */

import { expect } from 'vitest';
import type { Answer } from './http-board.ts';
import { keyOf, until, suiteOf } from './suite.ts';
import type { Stage, Suite } from './suite.ts';
import { cells } from './cells.ts';

const day = 86_400_000;

/** A pattern whose next time is months away. */
const halfYearFromNow = (): string => `0 0 1 ${((new Date().getMonth() + 6) % 12) + 1} *`;

function schedulerWritesSuite({ cell, current, start, test }: Suite): void {
  const onlyOf = async ({ board }: Stage): Promise<Answer['body']> =>
    (await board.get('/api/job-schedulers')).body.schedulers[0];

  const edit = ({ board, path }: Stage, id: string, body: object): Promise<Answer> =>
    board.send('PATCH', `${path}/job-schedulers/${encodeURIComponent(id)}`, body);

  if (!current) {
    test('keeps the next run of a schedule that is due while the queue is paused', async () => {
      for (const route of ['empty', 'clean/paused']) {
        const { queue, board, path, listed } = await start();
        await queue.schedule('tick', { every: 1_000 });
        let runs = 0;
        const stop = await queue.work(async () => (runs += 1));
        await board.send('PUT', `${path}/pause`);
        await until(async () => (await listed()).counts.paused === 1);
        await queue.addBulk(
          Array.from({ length: 3 }, () => ({
            name: 'old',
            data: {},
            opts: { timestamp: Date.now() - day },
          })),
        );
        expect((await board.send('PUT', `${path}/${route}`)).status).toBe(200);
        expect((await listed()).counts.paused).toBe(1);
        const before = runs;
        await board.send('PUT', `${path}/resume`);
        await until(async () => runs > before + 1);
        await stop();
      }
    });
    return;
  }

  test('refuses schedules that no datastore can keep, and leaves the stored one as it is', async () => {
    const stage = await start();
    await stage.queue.schedule('tick', { every: 600_000 }, { a: 1 });
    const before = await onlyOf(stage);
    const odd: readonly [object, string][] = [
      [{ every: 0.5 }, 'INVALID_SCHEDULER_INTERVAL'],
      [{ every: 1e300 }, 'INVALID_SCHEDULER_INTERVAL'],
      [{ every: '1e14' }, 'INVALID_SCHEDULER_INTERVAL'],
      [{ every: true }, 'INVALID_SCHEDULER_INTERVAL'],
      [{ every: 1_000, limit: 2_147_483_648 }, 'INVALID_SCHEDULER_LIMIT'],
      [{ every: 1_000, limit: '3' }, 'INVALID_SCHEDULER_LIMIT'],
      [{ every: 1_000, endDate: 1e300 }, 'INVALID_SCHEDULER_END_DATE'],
      [{ every: 1_000, endDate: 8.64e15 + 1 }, 'INVALID_SCHEDULER_END_DATE'],
      [{ every: 1_000, endDate: '2099-01-01' }, 'INVALID_SCHEDULER_END_DATE'],
      [{ every: 1_000, tz: 'a\0b' }, 'INVALID_REQUEST_BODY'],
      [{ pattern: '* * * * *', tz: 'Nowhere/Else' }, 'INVALID_SCHEDULER_PATTERN'],
      [{ pattern: '0 0 30 2 *' }, 'INVALID_SCHEDULER_PATTERN'],
      [{ pattern: halfYearFromNow(), endDate: Date.now() + day }, 'INVALID_SCHEDULER_PATTERN'],
      [{ pattern: 'a\0b' }, 'INVALID_SCHEDULER_PATTERN'],
      [{ pattern: ' ', every: ' ' }, 'INVALID_SCHEDULER_SCHEDULE'],
    ];
    for (const [body, key] of odd) {
      expect([body, keyOf(await edit(stage, 'tick', body))]).toEqual([body, `400 ${key}`]);
    }
    expect(await onlyOf(stage)).toEqual(before);
    expect(await stage.queue.state(before.nextRunJobId)).toMatch(/waiting|delayed/);
  });

  test('keeps the job of a schedule, its start and its count when it is edited', async () => {
    const stage = await start();
    const opts = {
      attempts: 3,
      backoff: { type: 'exponential', delay: 500 },
      removeOnComplete: { age: 5, count: 7 },
      keepLogs: 5,
      deduplication: { id: 'only one' },
    };
    const startDate = Date.now() - 3 * day;
    await stage.queue.schedule('tick', { every: 600_000, startDate }, { to: ['a'], n: null }, opts);
    const before = await onlyOf(stage);
    expect(before).toMatchObject({ startDate, template: { data: { to: ['a'], n: null }, opts } });
    expect((await edit(stage, 'tick', { every: '600000', limit: 5 })).status).toBe(204);
    const { lastRun: _lastRun, ...after } = await onlyOf(stage);
    expect(after).toEqual({ ...before, limit: 5, version: expect.any(String) });
    expect(after.version).not.toBe(before.version);
    const run = (await stage.board.get(`${stage.path}/${after.nextRunJobId}`)).body.job;
    expect(run).toMatchObject({ name: 'tick', data: { to: ['a'], n: null }, opts });
    const end = Date.now() + day;
    await edit(stage, 'tick', { every: 600_000, endDate: String(end) });
    expect(await onlyOf(stage)).toEqual({
      ...before,
      endDate: end,
      version: expect.any(String),
    });
    await edit(stage, 'tick', { every: 600_000, endDate: null, limit: null });
    expect(await onlyOf(stage)).toEqual(before);
  });

  test('edits the data of a schedule and of its next run, and keeps everything else', async () => {
    const stage = await start();
    const { board, path, queue } = stage;
    const opts = { attempts: 3, keepLogs: 5 };
    const startDate = Date.now() - 3 * day;
    await queue.schedule('tick', { every: 600_000, startDate }, { to: 'a', n: 1 }, opts);
    await edit(stage, 'tick', { every: 600_000, limit: 5 });
    const before = await onlyOf(stage);
    const raw = `${path}/job-schedulers/tick?raw=1`;
    const text = '{"to":"b","n":12345678901234567890}';
    const body = { every: 600_000, limit: 5, ifUnchanged: before.version };
    expect((await board.send('PATCH', raw, { ...body, data: text })).status).toBe(204);
    const shown = (await board.get('/api/job-schedulers?raw=1')).body.schedulers[0];
    expect(JSON.parse(shown.raw.data)).toEqual(JSON.parse(text));
    expect(shown.raw.data).toContain('12345678901234567890');
    const after = await onlyOf(stage);
    expect({ ...after, template: before.template, version: before.version }).toEqual(before);
    expect(after.version).not.toBe(before.version);
    const run = (await board.get(`${path}/${after.nextRunJobId}?raw=1`)).body.job;
    expect(run).toMatchObject({ name: 'tick', opts });
    expect(run.raw.data).toContain('12345678901234567890');
    // A number that was shown rounded keeps its digits.
    const { data } = after.template;
    await edit(stage, 'tick', { every: 600_000, limit: 5, data: { ...data, to: 'c' } });
    const last = (await board.get('/api/job-schedulers?raw=1')).body.schedulers[0];
    expect(last.raw.data).toContain('12345678901234567890');
    expect(JSON.parse(last.raw.data)).toMatchObject({ to: 'c' });
    // One that has changed since is left alone, and the count of its runs is no change.
    const late = await edit(stage, 'tick', { every: 1_000, ifUnchanged: before.version });
    expect(keyOf(late)).toBe('409 JOB_CHANGED');
    const odd = await board.send('PATCH', raw, { every: 600_000, data: '{' });
    expect(keyOf(odd)).toBe('400 INVALID_REQUEST_BODY');
    expect((await onlyOf(stage)).version).toBe(last.version);
  });

  test('keeps the version of a schedule that runs', async () => {
    const stage = await start();
    await stage.queue.schedule('tick', { every: 50 }, { a: 1 });
    const before = await onlyOf(stage);
    let runs = 0;
    const stop = await stage.queue.work(async () => (runs += 1));
    await until(async () => runs >= 3);
    await stop();
    expect((await onlyOf(stage)).version).toBe(before.version);
  });

  test('does not reset the count when a limited schedule is edited', async () => {
    const stage = await start();
    const { queue } = stage;
    await queue.schedule('tick', { every: 50, limit: 1_000 });
    let runs = 0;
    const work = () => queue.work(async () => (runs += 1));
    const stop = await work();
    await until(async () => runs >= 5);
    await stop();
    const before = runs;
    const { iterationCount } = await onlyOf(stage);
    expect(keyOf(await edit(stage, 'tick', { every: 50, limit: 2 }))).toBe(
      '400 INVALID_SCHEDULER_PATTERN',
    );
    expect((await edit(stage, 'tick', { every: 50, limit: before + 3 })).status).toBe(204);
    expect((await onlyOf(stage)).iterationCount).toBe(iterationCount);
    const stopAgain = await work();
    const atRest = async () => {
      const { active = 0, waiting = 0, delayed = 0 } = (await stage.listed()).counts;
      return active + waiting + delayed === 0;
    };
    await until(atRest);
    expect(runs).toBe(before + 3);
    expect((await edit(stage, 'tick', { every: 50, limit: before + 5 })).status).toBe(204);
    await until(atRest);
    expect(runs).toBe(before + 5);
    await stopAgain();
  });

  test('replaces the next run also in a paused queue', async () => {
    const stage = await start();
    const { queue, board, path } = stage;
    const first = await queue.schedule('tick', { every: 600_000 });
    await board.send('PUT', `${path}/pause`);
    expect((await edit(stage, 'tick', { pattern: '0 3 1 1 *' })).status).toBe(204);
    const { nextRunJobId } = await onlyOf(stage);
    expect(nextRunJobId).not.toBe(first);
    expect(await queue.state(first)).toBe('unknown');
    expect(await queue.state(nextRunJobId)).toBe('delayed');
  });

  test('refuses an end before a future start', async () => {
    const stage = await start();
    const startDate = Date.now() + 10 * day;
    await stage.queue.schedule('later', { every: 60_000, startDate });
    const early = await edit(stage, 'later', { every: 60_000, endDate: Date.now() + day });
    expect(keyOf(early)).toBe('400 INVALID_SCHEDULER_PATTERN');
    const late = await edit(stage, 'later', { every: 60_000, endDate: startDate + day });
    expect(late.status).toBe(204);
    expect(await onlyOf(stage)).toMatchObject({ startDate, next: startDate });
  });

  test('refuses a schedule whose next run has already run', async () => {
    const stage = await start();
    const { queue, board, path } = stage;
    const id = await queue.schedule('yearly', { pattern: '0 0 1 1 *', limit: 1 });
    await board.send('PUT', `${path}/${encodeURIComponent(id)}/promote`);
    await stage.runJobs(false);
    const again = await edit(stage, 'yearly', { pattern: '0 0 1 1 *', limit: 3 });
    expect(keyOf(again)).toBe('400 INVALID_SCHEDULER_PATTERN');
    expect(await queue.state(id)).toBe('completed');
    expect((await edit(stage, 'yearly', { pattern: '0 0 2 1 *', limit: 3 })).status).toBe(204);
  });

  test('keeps a schedule going whose next run has already run and is its next run again', async () => {
    for (const ended of ['completed', 'failed']) {
      const stage = await start();
      const { queue, board, path } = stage;
      const id = await queue.schedule('yearly', { pattern: '0 0 1 1 *' });
      const route = `${path}/${encodeURIComponent(id)}`;
      const counts = async () => {
        const all = (await stage.listed()).counts;
        return { ended: all[ended], delayed: all.delayed };
      };
      const promoted = () => board.send('PUT', `${route}/promote`);
      await promoted();
      await stage.runJobs(ended === 'failed');
      expect(await counts()).toEqual({ ended: 1, delayed: 1 });
      expect((await edit(stage, 'yearly', { pattern: '0 0 1 1 *', limit: 9 })).status).toBe(204);
      expect(await onlyOf(stage)).toMatchObject({ nextRunJobId: id });
      expect(await counts()).toEqual({ ended: 0, delayed: 1 });
      const { job, status } = (await board.get(route)).body;
      expect([status, job]).toMatchObject(['delayed', { attempts: 0, finishedOn: null }]);
      expect((await board.send('PUT', `${path}/clean/${ended}`)).body.removed).toBe(0);
      const removal = await board.send('PUT', `${route}/clean`);
      expect(keyOf(removal)).toBe('400 JOB_BELONGS_TO_JOB_SCHEDULER');
      await promoted();
      await stage.runJobs(ended === 'failed');
      await until(async () => (await onlyOf(stage)).nextRunJobId !== id);
      expect(await onlyOf(stage)).toMatchObject({
        id: 'yearly',
        nextRunJobId: expect.stringMatching(/^repeat:yearly:\d+$/),
      });
      expect(await counts()).toEqual({ ended: 1, delayed: 1 });
    }
  });

  test('does not restore a concurrently removed scheduler', async () => {
    const stage = await start();
    const { queue, board, path } = stage;
    for (let round = 0; round < 10; round += 1) {
      const id = `tick ${round}`;
      await queue.schedule(id, { every: 600_000 });
      const remove = board.send('PUT', `${path}/job-schedulers/${encodeURIComponent(id)}/remove`);
      const [removed, ...others] = await Promise.all([
        remove,
        edit(stage, id, { every: 5_000 }),
        edit(stage, id, { pattern: '0 3 * * *' }),
        board.send('PUT', `${path}/job-schedulers/${encodeURIComponent(id)}/run`),
      ]);
      expect(removed.status).toBe(204);
      for (const answer of others) expect([200, 204, 404]).toContain(answer.status);
    }
    expect((await board.get('/api/job-schedulers')).body.schedulers).toEqual([]);
    await board.send('PUT', `${path}/empty`);
    expect((await stage.listed()).counts).toMatchObject({ waiting: 0, delayed: 0 });
  });

  test('runs a schedule at once without validating its job data', async () => {
    const stage = await start({ jobDataSchema: { required: ['to'] } });
    const { queue, board, path } = stage;
    await queue.schedule(
      'tick',
      { pattern: '0 3 * * *' },
      { beat: 1 },
      { attempts: 4, priority: 3 },
    );
    const before = await onlyOf(stage);
    const run = await board.send('PUT', `${path}/job-schedulers/tick/run`);
    expect(run).toMatchObject({
      status: 200,
      body: { job: { name: 'tick', data: { beat: 1 }, opts: { attempts: 4 }, priority: 3 } },
    });
    expect(run.body.job.opts).not.toHaveProperty('repeat');
    expect(await onlyOf(stage)).toEqual(before);
    expect((await stage.listed()).counts).toMatchObject({ prioritized: 1, delayed: 1 });
  });

  test('removes past runs, and not the next one', async () => {
    const stage = await start();
    const { queue, board, path } = stage;
    const first = await queue.schedule('tick', { every: 600_000 });
    await stage.runJobs(true);
    const { nextRunJobId } = await onlyOf(stage);
    expect(nextRunJobId).not.toBe(first);
    const next = await board.send('PUT', `${path}/${encodeURIComponent(nextRunJobId)}/clean`);
    expect(keyOf(next)).toBe('400 JOB_BELONGS_TO_JOB_SCHEDULER');
    expect(next.body.jobSchedulerId).toBe('tick');
    expect((await board.send('PUT', `${path}/${encodeURIComponent(first)}/clean`)).status).toBe(
      204,
    );
    expect((await stage.listed()).counts).toMatchObject({ failed: 0, delayed: 1 });
    expect(await onlyOf(stage)).toMatchObject({ nextRunJobId });
  });

  if (cell.name !== 'BullMQ 5 on Redis') return;

  test('keeps the data of repeatable jobs that predate schedulers', async () => {
    const stage = await start();
    const { queue, board, path } = stage;
    await queue.add('old', { kept: [1] }, { repeat: { every: 600_000 }, attempts: 7 });
    const { id } = await onlyOf(stage);
    const run = await board.send('PUT', `${path}/job-schedulers/${encodeURIComponent(id)}/run`);
    const job = { name: 'old', data: { kept: [1] }, opts: { attempts: 7 } };
    expect(run).toMatchObject({ status: 200, body: { job } });
    expect((await edit(stage, id, { every: 300_000 })).status).toBe(204);
    const after = await onlyOf(stage);
    expect(after).toMatchObject({ id, name: 'old', every: 300_000 });
    const next = await board.get(`${path}/${encodeURIComponent(after.nextRunJobId)}`);
    expect(next.body.job).toMatchObject(job);
    expect((await board.send('PUT', `${path}/job-schedulers/${id}/remove`)).status).toBe(204);
    expect(await onlyOf(stage)).toBe(undefined);
  });
}

for (const cell of cells) suiteOf(cell, schedulerWritesSuite);
