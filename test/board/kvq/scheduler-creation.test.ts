/** New schedulers: a preview tells when they run, and of two that are created under one id, one remains. */

import { expect } from 'vitest';
import { serveBoard } from './http-board.ts';
import type { Answer } from './http-board.ts';
import { keyOf, until, suiteOf } from './suite.ts';
import type { Stage, Suite } from './suite.ts';
import { cells } from './cells.ts';

const hour = 3_600_000;

/** Bodies that no library accepts, and the answers. */
const odd: readonly [object, string][] = [
  [{}, 'INVALID_SCHEDULER_SCHEDULE'],
  [{ pattern: ' ', every: null }, 'INVALID_SCHEDULER_SCHEDULE'],
  [{ pattern: '* * * * *', every: 1_000 }, 'INVALID_SCHEDULER_SCHEDULE'],
  [{ pattern: 5 }, 'INVALID_SCHEDULER_PATTERN'],
  [{ pattern: 'not cron' }, 'INVALID_SCHEDULER_PATTERN'],
  [{ pattern: '61 * * * *' }, 'INVALID_SCHEDULER_PATTERN'],
  [{ pattern: '0 0 30 2 *' }, 'INVALID_SCHEDULER_PATTERN'],
  [{ pattern: '0 0 31 4,6,9,11 *' }, 'INVALID_SCHEDULER_PATTERN'],
  [{ pattern: `${'0,'.repeat(500)}0 0 * * *` }, 'INVALID_SCHEDULER_PATTERN'],
  [{ pattern: '* * * * *', tz: 'Nowhere/Else' }, 'INVALID_SCHEDULER_PATTERN'],
  [{ every: 1_000, tz: 'Nowhere/Else' }, 'INVALID_SCHEDULER_PATTERN'],
  [{ every: 1_000, tz: 'a\0b' }, 'INVALID_REQUEST_BODY'],
  [{ every: -1 }, 'INVALID_SCHEDULER_INTERVAL'],
  [{ every: 1e300 }, 'INVALID_SCHEDULER_INTERVAL'],
  [{ every: 1_000, limit: 0 }, 'INVALID_SCHEDULER_LIMIT'],
  [{ every: 1_000, endDate: 5 }, 'INVALID_SCHEDULER_END_DATE'],
  [{ every: 1_000, startDate: 'soon' }, 'INVALID_REQUEST_BODY'],
  [{ every: 1_000, startDate: 1e14 }, 'INVALID_REQUEST_BODY'],
  [{ every: 1_000, startDate: 9e13, endDate: 9e13 - 1 }, 'INVALID_SCHEDULER_PATTERN'],
];

function schedulerCreationSuite({ current, start, test }: Suite): void {
  const create = ({ board, path }: Stage, body: object): Promise<Answer> =>
    board.send('POST', `${path}/job-schedulers`, body);

  const preview = ({ board, path }: Stage, body: object): Promise<Answer> =>
    board.send('POST', `${path}/job-schedulers/preview`, body);

  /** The previewed runs in milliseconds. */
  const runsOf = async (stage: Stage, body: object): Promise<number[]> =>
    (await preview(stage, body)).body.runs.map((run: string) => Date.parse(run));

  const listed = async ({ board }: Stage, query = ''): Promise<Answer['body']> =>
    (await board.get(`/api/job-schedulers${query}`)).body.schedulers;

  test('previews the runs of a schedule as the library computes them, and stores nothing', async () => {
    const stage = await start();
    const berlin = { pattern: ' 30 2 * * * ', tz: ' Europe/Berlin ', count: 20 };
    const nights = await runsOf(stage, berlin);
    expect(nights).toHaveLength(20);
    // The format of `pgq`.
    expect((await preview(stage, berlin)).body.runs).toEqual(
      nights.map((run) => new Date(run).toISOString()),
    );
    const clock = new Intl.DateTimeFormat('en', {
      timeZone: 'Europe/Berlin',
      hour: 'numeric',
      minute: 'numeric',
      hourCycle: 'h23',
    });
    for (const run of nights.slice(0, 3)) expect(clock.format(run)).toMatch(/^(02|03):[03]0$/);
    expect(nights).toEqual(nights.toSorted((a, b) => a - b));
    const every = await runsOf(stage, { every: '60000' });
    expect(every.map((run) => run - (every[0] ?? 0))).toEqual(
      [0, 1, 2, 3, 4].map((n) => n * 60_000),
    );
    const startDate = Date.now() + 9 * 24 * hour;
    const daily = { pattern: '@daily', tz: 'UTC' };
    const [later = 0] = await runsOf(stage, { ...daily, startDate, count: 1 });
    expect(later).toBeGreaterThan(startDate);
    expect(later).toBeLessThanOrEqual(startDate + 24 * hour);
    const ending = { ...daily, endDate: later + hour, count: 20 };
    expect((await runsOf(stage, ending)).at(-1)).toBe(later);
    expect((await preview(stage, { ...daily, limit: 2 })).body.runs).toHaveLength(2);
    expect(await listed(stage)).toEqual([]);
    for (const count of [0, 21, 1.5, '5']) {
      expect(keyOf(await preview(stage, { ...daily, count }))).toBe('400 INVALID_REQUEST_BODY');
    }
    const hidden = await stage.board.send('POST', '/api/queues/none/job-schedulers/preview', daily);
    expect(keyOf(hidden)).toBe('404 QUEUE_NOT_FOUND');
  });

  test('refuses schedules that do not exist, in a preview and in a creation', async () => {
    const stage = await start();
    for (const [body, key] of odd) {
      expect([body, keyOf(await preview(stage, body))]).toEqual([body, `400 ${key}`]);
      const created = await create(stage, { id: 'tick', ...body });
      expect([body, keyOf(created)]).toEqual([body, `400 ${key}`]);
    }
    const zone = await preview(stage, { pattern: '* * * * *', tz: 'Nowhere/Else' });
    expect(zone.body.error.options).toEqual({ field: 'tz' });
    const every = { id: 'tick', every: hour };
    const bodies: readonly (readonly [object, string])[] = [
      [{ ...every, options: { delay: 5 } }, 'options.delay'],
      [{ ...every, options: { jobId: 'a' } }, 'options.jobId'],
      [{ ...every, options: { repeat: { every: 5 } } }, 'options.repeat'],
      [{ ...every, options: { parent: { id: '1', queue: 'bull:mail' } } }, 'options.parent'],
      [{ ...every, options: { attempts: -1 } }, 'options.attempts'],
      [{ ...every, id: '' }, 'id'],
      [{ ...every, id: 'x'.repeat(501) }, 'id'],
      [{ ...every, id: 'ü'.repeat(500).concat('\0') }, 'id'],
      [{ ...every, id: 'a:b:c:d:e' }, 'id'],
      ...(current
        ? ([
            [{ every: hour }, 'id'],
            [{ ...every, id: 'tick:5' }, 'id'],
          ] as const)
        : []),
      ...(current ? [] : ([[{ ...every, name: 'a:b' }, 'name']] as const)),
    ];
    for (const [body, field] of bodies) {
      const { body: answer } = await create(stage, body);
      expect([body, answer.error]).toMatchObject([
        body,
        { key: 'ERRORS.INVALID_REQUEST_BODY', options: { field } },
      ]);
    }
    expect(await listed(stage)).toEqual([]);
  });

  test('creates a scheduler that runs its jobs, and tells its next runs', async () => {
    const stage = await start();
    const schedule = { pattern: '0 3 1 1 *', tz: 'America/New_York' };
    const { runs } = (await preview(stage, { ...schedule, count: 3 })).body;
    const job = { name: 'yearly', data: { of: ['a', 1] }, options: { attempts: 3 } };
    const created = await create(stage, { id: 'year', ...schedule, ...job });
    expect(created).toMatchObject({
      status: 200,
      body: { scheduler: { name: 'yearly', ...schedule, next: Date.parse(runs[0]) } },
    });
    const { id, nextRunJobId } = created.body.scheduler;
    expect(id).toBe(current ? 'year' : 'yearly:year::America/New_York:0 3 1 1 *');
    expect(await stage.queue.state(nextRunJobId)).toBe('delayed');
    expect(await stage.queue.described(nextRunJobId)).toMatchObject({
      name: 'yearly',
      data: job.data,
      opts: { attempts: 3 },
    });
    expect(await listed(stage, '?runs=3')).toMatchObject([{ id, nextRuns: runs }]);
    const [plain] = await listed(stage);
    expect(plain).not.toHaveProperty('nextRuns');
    expect(plain).toEqual(created.body.scheduler);
    for (const count of ['0', '21', 'x']) {
      const { status } = await stage.board.get(`/api/job-schedulers?runs=${count}`);
      expect(status).toBe(400);
    }
    expect(keyOf(await create(stage, { id: 'year', ...schedule, ...job }))).toBe(
      '409 JOB_SCHEDULER_EXISTS',
    );
    expect(await listed(stage)).toEqual([plain]);
    if (current) {
      // A run after the last date would have no time.
      await stage.queue.schedule('late', { every: hour, startDate: 8.64e15 });
      const late = (await listed(stage, '?runs=3')).find(
        (one: { id: string }) => one.id === 'late',
      );
      expect(late.nextRuns).toEqual([new Date(8.64e15).toISOString()]);
    }
    const removal = `${stage.path}/job-schedulers/${encodeURIComponent(id)}/remove`;
    expect((await stage.board.send('PUT', removal)).status).toBe(204);
    const met: unknown[] = [];
    const stop = await stage.queue.work(async ({ name, data }) => met.push([name, data]));
    const often = { id: 'often', every: 100, limit: 3, name: 'beat', data: { n: 1 } };
    expect((await create(stage, often)).status).toBe(200);
    await until(async () => met.length >= 3);
    await stop();
    expect(met.slice(0, 3)).toEqual(Array.from({ length: 3 }, () => ['beat', { n: 1 }]));
  });

  test('creates one scheduler of an id, of many boards that try it at the same moment', async () => {
    const stage = await start();
    const other = await serveBoard([stage.queue.boardQueue()]);
    try {
      for (const id of ['a', 'b', 'c']) {
        const answers = await Promise.all(
          Array.from({ length: 8 }, (_, index) =>
            (index % 2 === 0 ? stage.board : other).send('POST', `${stage.path}/job-schedulers`, {
              id,
              every: hour,
              data: { index },
            }),
          ),
        );
        const states = answers.map(({ status }) => status);
        expect([id, states.toSorted()]).toEqual([id, [200, ...Array(7).fill(409)]]);
        const { scheduler } = answers[states.indexOf(200)]?.body ?? {};
        expect(
          (await listed(stage)).filter((one: { id: string }) => one.id === scheduler.id),
        ).toEqual([scheduler]);
        const job = await stage.queue.described(scheduler.nextRunJobId);
        expect(job['data']).toEqual({ index: states.indexOf(200) });
      }
    } finally {
      await other.close();
    }
  });
}

for (const cell of cells) suiteOf(cell, schedulerCreationSuite);
