/** Bulk changes of jobs and queues: each job is changed once despite concurrent work, and every change terminates. */

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { RunLost } from '../../../src/board/core/index.ts';
import { restRun } from '../../../src/board/kvq/handlers/bulk-runs.ts';
import { retryOnRedis } from '../../../src/board/kvq/redis/changes/bulk.ts';
import { RedisStore } from '../../../src/board/kvq/redis/store.ts';
import { serveBoard } from './http-board.ts';
import type { ServedBoard } from './http-board.ts';
import { until, suiteOf } from './suite.ts';
import type { Suite } from './suite.ts';
import type { BulkStep } from '../../../src/board/kvq/model/driver.ts';
import type { TestQueue } from './cell.ts';
import { cells } from './cells.ts';

function bulkSuite({ cell, world, start, test }: Suite): void {
  const jobs = (count: number, opts: object = {}) =>
    Array.from({ length: count }, (_, index) => ({ name: 'many', data: { index }, opts }));

  test('removes nothing for a status that the library does not have', async () => {
    const { queue, board, path, listed } = await start();
    await queue.addBulk(jobs(3, { timestamp: Date.now() - 60_000 }));
    for (const status of ['paused', 'prioritized']) {
      expect((await board.send('PUT', `${path}/clean/${status}`)).status).toBe(200);
    }
    expect((await listed()).counts.waiting).toBe(3);
  });

  test('runs each retried job once, however often the retry is requested', async () => {
    const { queue, board, path, runJobs } = await start();
    await queue.addBulk(jobs(1_200));
    await runJobs(true);
    const runs = new Map<string, number>();
    const stop = await queue.work(async ({ id }) => void runs.set(id, (runs.get(id) ?? 0) + 1));
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => board.send('PUT', `${path}/retry/failed`)),
    );
    for (const { status, body } of answers) expect([status, body.skipped]).toEqual([200, 0]);
    expect(answers.reduce((sum, { body }) => sum + body.retried, 0)).toBe(1_200);
    await until(async () => runs.size === 1_200, 30_000);
    await stop();
    expect(Math.max(...runs.values())).toBe(1);
  }, 240_000);

  if (cell.datastore === 'kv') {
    test('takes all jobs of one time, though the last one of a step has gone since', async () => {
      const { queue } = await start();
      const { client, key } = queue.redis ?? {};
      const { store } = queue.boardQueue().driver;
      if (!(store instanceof RedisStore)) throw new Error('The queue is not on Redis.');
      const name = (type: string) => String(key?.(type));
      const ids = Array.from({ length: 302 }, (_, at) => `j${1_000 + at}`);
      for (const id of ids) {
        await client?.hset(name(id), { name: 'job', data: '{}', opts: '{}', timestamp: '1' });
        await client?.zadd(name('failed'), 5, id);
      }
      const last = ids[299] ?? '';
      await client?.set(name(`${last}:lock`), 'a worker');
      const step = retryOnRedis(store.changed, 'failed', 10);
      expect(await step()).toMatchObject({ changed: 299, skipped: 1, more: true });
      await client?.zrem(name('failed'), last);
      expect(await step()).toMatchObject({ changed: 2, more: false });
    });
  }

  /** A board whose steps over whole queues take so long that the second one is left to a run. */
  async function slowBoard(queue: TestQueue): Promise<ServedBoard> {
    const given = queue.boardQueue();
    const { driver } = given;
    const slow = (step: BulkStep): BulkStep => {
      let isFirst = true;
      return async () => {
        const outcome = await step();
        if (isFirst) await new Promise((resolve) => void setTimeout(resolve, 2_100));
        isFirst = false;
        return outcome;
      };
    };
    const { retryStep, promoteStep, cleanStep, obliterateStep } = driver;
    driver.retryStep = (...args) => slow(retryStep.apply(driver, args));
    driver.promoteStep = (...args) => slow(promoteStep.apply(driver, args));
    driver.cleanStep = (...args) => slow(cleanStep.apply(driver, args));
    driver.obliterateStep = (...args) => slow(obliterateStep.apply(driver, args));
    return serveBoard([given]);
  }

  test('leaves the rest of a long command on a whole queue to a run, and answers 202', async () => {
    const { queue, path, runJobs, listed } = await start();
    const count = 1_300;
    const old = { timestamp: Date.now() - 60_000 };
    await queue.addBulk(jobs(count, old));
    await runJobs(true);
    const board = await slowBoard(queue);
    try {
      const command = async (name: string, counted: string, action: string, total = count) => {
        const { status, body } = await board.send('PUT', `${path}/${name}`);
        expect([status, body]).toEqual([
          202,
          expect.objectContaining({ run: expect.objectContaining({ action }) }),
        ]);
        expect(body[counted]).toBeLessThan(count);
        let { run } = body;
        await until(async () => {
          ({ run } = (await board.get(`/api/bulk/${run.id}`)).body);
          return run.state !== 'running';
        }, 60_000);
        expect(run).toMatchObject({
          state: 'completed',
          total,
          changed: count,
          refused: [],
        });
      };
      await command('retry/failed', 'retried', 'retry');
      // Jobs that come later stay.
      expect((await listed()).counts).toMatchObject({ failed: 0, waiting: count });
      await queue.add('later', {}, { timestamp: Date.now() + 600_000 });
      await command('clean/wait', 'removed', 'remove', count + 1);
      expect((await listed()).counts.waiting).toBe(1);
      await queue.addBulk(jobs(count, { ...old, delay: 3_600_000 }));
      await command('promote', 'promoted', 'promote');
      expect((await listed()).counts).toMatchObject({ delayed: 0, waiting: count + 1 });
      await command('empty', 'removed', 'remove', count + 1);
      expect((await listed()).counts.waiting).toBe(1);
    } finally {
      await board.close();
    }
  }, 240_000);

  test('counts the jobs of a command once when another instance goes on with its rest', async () => {
    const { queue, board } = await start();
    await queue.addBulk(jobs(3, { timestamp: Date.now() - 60_000 }));
    const { name: queueName, driver } = queue.boardQueue();
    // Came since, and stays.
    await queue.add('young', {});
    const done = 5;
    const until = Date.now() - 30_000;
    const command = { action: 'remove', statuses: ['waiting'], until, reach: [], done } as const;
    const { action, dryRun, spec } = restRun(queueName, command);
    const id = randomUUID();
    const run = { id, queueName, action, dryRun, spec: JSON.stringify(spec) };
    const claimed = await driver.runs?.start(run);
    if (typeof claimed !== 'object' || 'running' in claimed) throw new Error('It did not begin.');
    // The instance that began has counted what the request had changed, and ends.
    const counts = { examined: done, matched: done, changed: done };
    await driver.runs?.write(claimed, { ...counts, position: '', release: true });
    const state = async () => (await board.get(`/api/bulk/${id}`)).body.run;
    await expect.poll(state).toMatchObject({ state: 'completed', changed: done + 3 });
    expect((await queue.counts())['waiting']).toBe(1);
  });

  test('leaves the rest of the removal of a long queue to a run, which the host may stop', async () => {
    const { queue, path, listed } = await start();
    // On PostgreSQL, a step takes a thousand: one of the request, and one of the run before the host resumes the queue.
    const count = 2_300;
    const board = await slowBoard(queue);
    const begin = async () => {
      await queue.addBulk(jobs(count, { delay: 3_600_000 }));
      await queue.pause();
      const { status, body } = await board.send('PUT', `${path}/obliterate`);
      expect([status, body]).toEqual([
        202,
        { removed: expect.any(Number), run: expect.objectContaining({ action: 'remove' }) },
      ]);
      expect(body.removed).toBeLessThan(count);
      return body.run.id as string;
    };
    const ended = async (id: string) => {
      let run = (await board.get(`/api/bulk/${id}`)).body.run;
      await until(async () => {
        ({ run } = (await board.get(`/api/bulk/${id}`)).body);
        return run.state !== 'running';
      }, 60_000);
      return run;
    };
    try {
      const whole = { state: 'completed', total: count, examined: count, changed: count };
      expect(await ended(await begin())).toMatchObject({ ...whole, refused: [] });
      const { counts, isPaused } = await listed();
      expect([counts.delayed, isPaused]).toEqual([0, false]);
      const id = await begin();
      await queue.boardQueue().driver.resume();
      expect(await ended(id)).toMatchObject({
        state: 'failed',
        problem: { key: 'ERRORS.QUEUE_NOT_PAUSED' },
      });
      expect((await listed()).counts.delayed).toBeGreaterThan(0);
    } finally {
      board.errors.length = 0;
      await board.close();
    }
  }, 240_000);

  test('a removal that is begun again after its last step removes nothing more, and nothing of a later queue', async () => {
    const { queue, listed } = await start();
    const { driver } = queue.boardQueue();
    const { runs: store } = driver;
    if (!store) throw new Error('The library keeps no runs.');
    const begun = await store.start({
      id: randomUUID(),
      queueName: queue.name,
      action: 'remove',
      dryRun: false,
      spec: '{}',
    });
    if (begun === 'limit' || 'running' in begun) throw new Error('The run has not begun.');
    await queue.addBulk(jobs(5, { delay: 3_600_000 }));
    await queue.pause();
    const removal = () =>
      driver.obliterateStep(false, [], {
        mark: begun.marks ? begun : undefined,
        note: async ({ changed, more }, within) => {
          const position = more ? undefined : 'obliterated';
          const kept = await store.write(begun, { changed, position }, within);
          if (!kept) throw new RunLost();
        },
      });
    const step = removal();
    while ((await step()).more);
    await store.write(begun, { release: true });
    expect(await store.claim(begun.id)).toMatchObject({ position: 'obliterated' });
    // Its first owner has lost it.
    await queue.add('later', {}, { delay: 3_600_000 });
    await queue.pause();
    const late = removal();
    const all = async () => {
      while ((await late()).more);
    };
    await expect(all()).rejects.toBeInstanceOf(RunLost);
    expect((await listed()).counts.delayed).toBe(1);
  });

  test('runs each delayed job once when it is promoted as it becomes due', async () => {
    const { queue, board, path } = await start();
    const runs = new Map<string, number>();
    const stop = await queue.work(async ({ id }) => void runs.set(id, (runs.get(id) ?? 0) + 1));
    const count = 300;
    await queue.addBulk(
      jobs(count).map((job, index) => ({ ...job, opts: { delay: 50 + index * 3 } })),
    );
    while (runs.size < count) {
      expect((await board.send('PUT', `${path}/promote`)).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await stop();
    expect(Math.max(...runs.values())).toBe(1);
  });

  test('finishes every started job while the others are removed', async () => {
    const { queue, board, path, listed } = await start();
    await queue.addBulk(jobs(2_000, { timestamp: Date.now() - 60_000 }));
    const begun = new Set<string>();
    const stop = await queue.work(async ({ id }) => {
      begun.add(id);
      await new Promise((resolve) => setTimeout(resolve, 10));
    });
    await until(async () => begun.size > 20);
    expect((await board.send('PUT', `${path}/clean/wait`)).status).toBe(200);
    await until(async () => {
      const { active = 0, waiting = 0 } = (await listed()).counts;
      return active + waiting === 0;
    });
    await stop();
    expect(begun.size).toBeLessThan(2_000);
    expect((await listed()).counts).toMatchObject({ completed: begun.size, failed: 0 });
  });

  test('terminates although jobs are being added', async () => {
    const { queue, board, path } = await start();
    await queue.addBulk(jobs(500));
    let over = false;
    const producer = (async () => {
      while (!over) await queue.addBulk(jobs(20));
    })();
    const answers = [
      await board.send('PUT', `${path}/empty`),
      await board.send('PUT', `${path}/clean/wait`),
    ];
    over = true;
    await producer;
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('pauses and resumes all queues that the sender may write', async () => {
    const { queue } = await start();
    const [locked, hidden] = [
      await world().queue(`locked-${queue.name}`),
      await world().queue(`hidden-${queue.name}`),
    ];
    const isAdmin = (request: { headers: object }) => 'x-admin' in request.headers;
    const board = await serveBoard([
      queue.boardQueue(),
      locked.boardQueue({ readOnly: true }),
      hidden.boardQueue({ visibilityGuard: isAdmin }),
    ]);
    const paused = async (): Promise<boolean[]> => {
      const response = await fetch(`${board.url}/api/queues`, { headers: { 'x-admin': '1' } });
      const { queues } = (await response.json()) as { queues: { isPaused: boolean }[] };
      return queues.map(({ isPaused }) => isPaused);
    };
    for (const [action, result] of [
      ['pause', true],
      ['pause', true],
      ['resume', false],
      ['resume', false],
    ] as const) {
      const answers = await Promise.all([
        board.send('PUT', `/api/queues/${action}`),
        board.send('PUT', `/api/queues/${action}`),
      ]);
      expect(answers).toMatchObject([
        { status: 200, body: {} },
        { status: 200, body: {} },
      ]);
      expect(await paused()).toEqual([result, false, false]);
    }
    await board.close();
  });

  if (cell.library === 'legacy') return;

  test('releases a parent when its last unprocessed children are removed', async () => {
    const { queue, board, path } = await start();
    const children = [
      { name: 'one', queue },
      { name: 'two', queue, children: [{ name: 'x', queue }] },
    ];
    const id = String(await world().flow?.({ name: 'parent', queue, children }));
    const route = `${path}/${id}/remove-unprocessed-children`;
    expect(await board.send('PUT', route)).toMatchObject({ status: 200, body: { removed: 2 } });
    expect((await board.get(`${path}/${id}/flow`)).body.isFlowNode).toBe(false);
    const names: string[] = [];
    const stop = await queue.work(async ({ name }) => names.push(name));
    await until(async () => (await queue.state(id)) === 'completed');
    await stop();
    expect(names).toEqual(['parent']);
  });
}

for (const cell of cells) suiteOf(cell, bulkSuite);
