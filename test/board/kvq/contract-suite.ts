/** The contract suite of the kvq engine: every route, run once per library and datastore. */

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { QueueOptions } from '../../../src/board/kvq/index.ts';
import { everyServiceRequired } from '../../services/index.ts';
import type { Cell, CellWorld, TestQueue } from './cell.ts';
import type { Answer, ServedBoard } from './http-board.ts';
import { serveBoard } from './http-board.ts';

/** Waits until something holds. */
export async function until(holds: () => Promise<boolean>, patience = 10_000): Promise<void> {
  const end = Date.now() + patience;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('It never came to hold.');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** The error key of an answer, without its prefix. */
export const keyOf = (answer: Answer): string =>
  `${answer.status} ${String(answer.body?.error?.key).replace('ERRORS.', '')}`;

/** Runs the suite for a cell. */
export function contractSuite(cell: Cell): void {
  describe(`${cell.name}`, () => {
    const current = cell.library === 'current';
    let world: CellWorld;
    let queue: TestQueue;
    let board: ServedBoard;
    let number = 0;
    let path: string;
    const boards: ServedBoard[] = [];

    beforeAll(async () => {
      const opened = await cell.open();
      if ('missing' in opened) {
        if (everyServiceRequired()) throw new Error(opened.advice);
        return;
      }
      world = opened;
    });

    afterAll(() => world?.close());

    afterEach(async () => {
      await Promise.all(boards.splice(0).map((served) => served.close()));
    });

    const start = async (options: QueueOptions = {}): Promise<void> => {
      number += 1;
      queue = await world.queue(`queue-${number}`);
      board = await serveBoard([queue.boardQueue(options)]);
      boards.push(board);
      path = `/api/queues/${queue.name}`;
    };

    const test = (name: string, run: () => Promise<void>): void => {
      it(`${name}`, async (context) => {
        if (!world) context.skip();
        await run();
        expect(board.errors).toEqual([]);
      });
    };

    /** Runs jobs until none waits. */
    const runJobs = async (fails: boolean): Promise<void> => {
      const stop = await queue.work(async (job) => {
        await job.log('first line');
        await job.log('second line');
        await job.progress(50);
        if (fails) throw new Error('it broke');
        return { done: true };
      });
      await until(async () => {
        const { active = 0, waiting = 0, wait = 0 } = await queue.counts();
        return active + waiting + wait === 0;
      });
      await stop();
    };

    const listed = async (query = ''): Promise<Answer['body']> => {
      const answer = await board.get(`/api/queues?activeQueue=${queue.name}${query}`);
      expect(answer.status).toBe(200);
      return answer.body.queues[0];
    };

    test('lists a queue with counts, pages and jobs', async () => {
      await start({ displayName: 'Mails', description: 'All mails', delimiter: '.' });
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
      expect(delayed.jobs).toMatchObject([
        { name: 'later', delay: 60_000, opts: { delay: 60_000 } },
      ]);
      const other = await board.get('/api/queues');
      expect(other.body.queues[0].jobs).toEqual([]);
      expect((await listed('&status=prioritized')).jobs).toEqual([]);
    });

    test('refuses queries that do not fit', async () => {
      await start();
      for (const query of ['status=odd', 'page=0', 'page=x', 'jobsPerPage=1001']) {
        const answer = await board.get(`/api/queues?${query}`);
        expect(keyOf(answer)).toBe('400 INVALID_QUERY_PARAM');
        expect(answer.body.error.options.field).toBe(query.split('=')[0]);
      }
      expect((await board.get('/api/queues?page=')).status).toBe(200);
    });

    test('shows finished jobs, their logs, metrics and workers', async () => {
      await start();
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
      await start();
      const id = await queue.add('mail', {}, { attempts: 2 });
      await runJobs(true);
      await until(async () => (await queue.state(id)) === 'failed');
      const { job, status } = (await board.get(`${path}/${id}`)).body;
      expect(status).toBe('failed');
      expect(job).toMatchObject({ failedReason: 'it broke', isFailed: true });
      expect(job.stacktrace).toHaveLength(2);
      expect(job.stacktrace[0]).toContain('it broke');
    });

    test('answers for queues and jobs that are not there', async () => {
      await start();
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

    test('pauses and resumes', async () => {
      await start();
      expect(await board.send('PUT', `${path}/pause`)).toMatchObject({ status: 200, body: {} });
      expect((await listed()).isPaused).toBe(true);
      expect(await board.send('PUT', `${path}/resume`)).toMatchObject({ status: 200, body: {} });
      expect((await listed()).isPaused).toBe(false);
      await board.send('PUT', '/api/queues/pause');
      expect((await listed()).isPaused).toBe(true);
      await board.send('PUT', '/api/queues/resume');
      expect((await listed()).isPaused).toBe(false);
    });

    test('adds jobs, and refuses what the queue cannot take', async () => {
      await start();
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

    test('holds added jobs to the schema of the queue', async () => {
      const schema = {
        type: 'object',
        properties: { to: { type: 'string' } },
        required: ['to'],
      };
      await start({ jobDataSchema: schema });
      expect((await board.get(`${path}/job-data-schema`)).body).toEqual(schema);
      const refused = await board.send('POST', `${path}/add`, { name: 'a', data: { to: 5 } });
      expect(keyOf(refused)).toBe('400 INVALID_REQUEST_BODY');
      expect(refused.body.error.options.field).toBe('data.to');
      expect((await board.send('POST', `${path}/add`, { data: { to: 'x' } })).status).toBe(200);
    });

    test('retries one job', async () => {
      await start();
      const id = await queue.add('mail', {});
      expect(keyOf(await board.send('PUT', `${path}/${id}/retry`))).toBe('400 JOB_NOT_RETRIABLE');
      await runJobs(true);
      expect((await board.send('PUT', `${path}/${id}/retry`)).status).toBe(204);
      expect(await queue.state(id)).toBe('waiting');
      await runJobs(false);
      const again = await board.send('PUT', `${path}/${id}/retry`);
      if (current) expect(again.status).toBe(204);
      else expect(keyOf(again)).toBe('405 COMPLETED_RETRIES_DISABLED');
    });

    test('retries all jobs of a state', async () => {
      await start();
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

    test('refuses retries where the host does', async () => {
      await start({ allowRetries: false });
      const id = await queue.add('mail', {});
      await runJobs(true);
      expect(keyOf(await board.send('PUT', `${path}/${id}/retry`))).toBe('405 RETRIES_DISABLED');
      expect(keyOf(await board.send('PUT', `${path}/retry/odd`))).toBe('405 RETRIES_DISABLED');
    });

    test('promotes one job and all', async () => {
      await start();
      const id = await queue.add('later', {}, { delay: 60_000 });
      expect((await board.send('PUT', `${path}/${id}/promote`)).status).toBe(204);
      expect(await queue.state(id)).toBe('waiting');
      expect(keyOf(await board.send('PUT', `${path}/${id}/promote`))).toBe('400 JOB_NOT_DELAYED');
      for (let index = 0; index < 3; index += 1) await queue.add('later', {}, { delay: 60_000 });
      expect((await board.send('PUT', `${path}/promote`)).status).toBe(200);
      expect((await listed()).counts).toMatchObject({ waiting: 4, delayed: 0 });
    });

    test('replaces data, delay and priority', async () => {
      await start();
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
        const waiting = await queue.add('now', {});
        const refused = await board.send('PATCH', `${path}/${waiting}/delay`, { runAt });
        expect(keyOf(refused)).toBe('400 JOB_NOT_DELAYED');
        expect(refused.body.error.options).toEqual({ status: 'waiting' });
      } else {
        expect(keyOf(delay)).toBe('400 JOB_EDIT_NOT_SUPPORTED');
        expect(keyOf(priority)).toBe('400 JOB_EDIT_NOT_SUPPORTED');
      }
      expect(keyOf(await board.send('PATCH', `${path}/${id}/delay`, {}))).toBe(
        '400 INVALID_RUN_AT',
      );
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
      await start();
      const id = await queue.add('mail', {});
      expect((await board.send('PUT', `${path}/${id}/clean`)).status).toBe(204);
      expect(keyOf(await board.get(`${path}/${id}`))).toBe('404 JOB_NOT_FOUND');
      let finish = (): void => undefined;
      const finished = new Promise<void>((resolve) => (finish = resolve));
      const running = await queue.add('slow', {}, { timestamp: Date.now() - 60_000 });
      const stop = await queue.work(() => finished);
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
      finish();
      await stop();
    });

    test('cleans a state of jobs that are old enough', async () => {
      await start();
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
      await start();
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

    test('works through more jobs than one step takes', async () => {
      await start();
      const size = 2_300;
      const old = { timestamp: Date.now() - 60_000 };
      const jobs = (opts: object) =>
        Array.from({ length: size }, (_, index) => ({ name: 'many', data: { index }, opts }));
      await queue.addBulk(jobs({ ...old, delay: 3_600_000 }));
      // Its run is due before the others, and stays.
      await queue.schedule('tick', { pattern: '0 0 1 1 *' });
      await queue.schedule('tack', { every: 1_800_000 });
      const spared = (await listed()).counts.delayed - size;
      await board.send('PUT', `${path}/clean/delayed`);
      expect((await listed()).counts.delayed).toBe(spared);
      await queue.addBulk(jobs({ ...old, delay: 3_600_000 }));
      await board.send('PUT', `${path}/promote`);
      const { counts } = await listed();
      expect(counts.delayed).toBe(0);
      expect(counts.waiting).toBeGreaterThanOrEqual(size);
      await board.send('PUT', `${path}/empty`);
      expect((await listed()).counts.waiting).toBeLessThanOrEqual(2);
    });

    test('obliterates a paused queue only', async () => {
      await start();
      await queue.add('mail', {});
      expect(keyOf(await board.send('PUT', `${path}/obliterate`, { force: true }))).toBe(
        '400 QUEUE_NOT_PAUSED',
      );
      await board.send('PUT', `${path}/pause`);
      expect((await board.send('PUT', `${path}/obliterate`, { force: true })).status).toBe(200);
      expect(Object.values((await listed()).counts).every((count) => count === 0)).toBe(true);
    });

    test('limits concurrency and rate', async () => {
      await start();
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

    test('lists, replaces, runs and removes schedulers', async () => {
      await start();
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

    test('refuses every write of a read-only queue', async () => {
      await start({ readOnlyMode: true });
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

    test('hides queues from those who may not see them', async () => {
      await start({ visibilityGuard: (request) => request.headers['x-role'] === 'admin' });
      expect((await board.get('/api/queues')).body).toEqual({ queues: [] });
      expect(keyOf(await board.get(`${path}/metrics`))).toBe('404 QUEUE_NOT_FOUND');
      expect(keyOf(await board.get('/api/kv/stats'))).toBe('404 QUEUE_NOT_FOUND');
    });

    test('lets the host replace what is shown', async () => {
      await start({
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

    test('tells of the datastore', async () => {
      await start();
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

    test('finds jobs by id, name, data, error, state and time', async () => {
      await start();
      const before = Date.now();
      const ids: string[] = [];
      for (let index = 0; index < 30; index += 1) {
        ids.push(
          await queue.add(`mail 100%_${index % 3}`, { to: { id: index, name: `u${index}` } }),
        );
      }
      await runJobs(true);
      const late = await queue.add('mail late', {}, { delay: 60_000 });
      const search = async (query: Record<string, string>) => {
        const answer = await board.get(`${path}/search?${new URLSearchParams(query)}`);
        expect(answer.status).toBe(200);
        return answer.body;
      };
      const names = async (query: Record<string, string>): Promise<string[]> =>
        (await search(query)).jobs.map(({ job }: { job: { id: string } }) => job.id).toSorted();
      expect(await search({ id: late })).toMatchObject({
        jobs: [{ queueName: queue.name, status: 'delayed', job: { id: late } }],
        nextCursor: null,
      });
      expect((await search({ id: 'nobody' })).jobs).toEqual([]);
      const third = ids.filter((_id, index) => index % 3 === 2).toSorted();
      expect(await names({ name: '100%_2' })).toEqual(third);
      expect(await names({ path: 'to.id', value: '7' })).toEqual([ids[7]]);
      expect(await names({ path: 'to.name', value: 'u8' })).toEqual([ids[8]]);
      expect(await names({ path: 'to.nothing' })).toEqual([]);
      expect(await names({ path: '__proto__' })).toEqual([]);
      expect(await names({ error: 'broke', limit: '100' })).toEqual(ids.toSorted());
      expect(await names({ status: 'delayed' })).toEqual([late]);
      expect(await names({ to: String(before - 1) })).toEqual([]);
      expect(await names({ from: String(before), name: 'late' })).toEqual([late]);
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Answer['body'] = await search({
          name: 'mail 1',
          limit: '7',
          ...(cursor !== null && { cursor }),
        });
        seen.push(...page.jobs.map(({ job }: { job: { id: string } }) => job.id));
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(seen.toSorted()).toEqual(ids.toSorted());
      const { nextCursor } = await search({ name: 'mail 1', limit: '7' });
      for (const [query, field] of [
        [{ cursor: nextCursor, name: 'other' }, 'cursor'],
        [{ cursor: 'x' }, 'cursor'],
        [{ value: 'x' }, 'value'],
        [{ limit: '101' }, 'limit'],
        [{ name: 'a\0b' }, 'name'],
        [{ status: 'odd' }, 'status'],
      ] as const) {
        const answer = await board.get(`${path}/search?${new URLSearchParams(query)}`);
        expect([query, keyOf(answer)]).toEqual([query, '400 INVALID_QUERY_PARAM']);
        expect(answer.body.error.options?.field).toBe(field);
      }
      const everywhere = await board.get('/api/search?name=late');
      expect(everywhere.body.jobs).toMatchObject([{ queueName: queue.name, job: { id: late } }]);
      expect(
        (await board.get(`/api/search?id=${encodeURIComponent(late)}`)).body.jobs,
      ).toHaveLength(1);
      if (cell.datastore === 'kv') {
        expect((await search({ name: 'nobody' })).examined).toBe(31);
      }
    });

    test('shows flows, or says that a job has none', async () => {
      await start();
      const alone = await queue.add('alone', {});
      expect((await board.get(`${path}/${alone}/flow`)).body).toEqual({
        nodeId: alone,
        isFlowNode: false,
        flowRoot: null,
      });
      if (!world.flow) return;
      const children = Array.from({ length: 5 }, (_, index) => ({ name: `leaf ${index}`, queue }));
      const root = await world.flow({
        name: 'root',
        queue,
        children: [
          { name: 'middle', queue, children },
          { name: 'other', queue },
        ],
      });
      const whole = (await board.get(`${path}/${root}/flow`)).body;
      expect(whole).toMatchObject({
        nodeId: root,
        isFlowNode: true,
        flowRoot: {
          id: root,
          name: 'root',
          state: 'waiting-children',
          queueName: queue.name,
          dependencies: { processed: 0, unprocessed: 2, ignored: 0, failed: 0 },
        },
      });
      const middle = whole.flowRoot.children.find(
        (node: { name: string }) => node.name === 'middle',
      );
      expect(middle.children).toHaveLength(5);
      const [leaf] = middle.children;
      const fromLeaf = (await board.get(`${path}/${leaf.id}/flow`)).body;
      expect(fromLeaf.nodeId).toBe(leaf.id);
      expect(fromLeaf.flowRoot.id).toBe(root);
      const below = (await board.get(`${path}/${middle.id}/flow?root=node&maxChildren=2`)).body;
      expect(below.flowRoot).toMatchObject({ id: middle.id, truncated: true });
      expect(below.flowRoot.children).toHaveLength(2);
      const shallow = (await board.get(`${path}/${root}/flow?depth=2`)).body.flowRoot;
      expect(shallow.children).toHaveLength(2);
      expect(
        shallow.children.find((node: { name: string }) => node.name === 'middle'),
      ).toMatchObject({ children: [], truncated: true });
      const removed = await board.send('PUT', `${path}/${middle.id}/remove-unprocessed-children`);
      expect(removed.body).toEqual({ removed: 5 });
      expect(
        keyOf(await board.send('PUT', `${path}/${middle.id}/remove-unprocessed-children`)),
      ).toBe('400 JOB_HAS_NO_UNPROCESSED_CHILDREN');
    });

    if (!current) {
      test('says what the library cannot do', async () => {
        await start();
        const id = await queue.add('mail', {});
        expect(keyOf(await board.send('PUT', `${path}/${id}/remove-unprocessed-children`))).toBe(
          '400 JOB_UNPROCESSED_CHILDREN_NOT_SUPPORTED',
        );
      });
    }
  });
}
