/** The course of a job and what holds it back, in every library on every datastore, with real workers. */

import { expect } from 'vitest';
import { cells } from './cells.ts';
import { serveBoard } from './http-board.ts';
import { keyOf, suiteOf, until, whileActive } from './suite.ts';
import type { Suite } from './suite.ts';

interface Moment {
  readonly at: number;
  readonly event: string;
  readonly until?: number;
  readonly jobId?: string;
}

function courseSuite({ cell, start, test, current, world }: Suite): void {
  test('tells each attempt of a job with its times', async () => {
    const { queue, board, path } = await start();
    const before = Date.now();
    const id = await queue.add('job', {}, { attempts: 3, backoff: { type: 'fixed', delay: 60 } });
    // Another job of the queue is not a part of its course.
    await queue.add('other', {});
    const ran: [number, number][] = [];
    const stop = await queue.work(async ({ name }) => {
      if (name === 'other') return;
      const from = Date.now();
      await new Promise((resolve) => setTimeout(resolve, 20));
      ran.push([from, Date.now()]);
      if (ran.length < 3) throw new Error('not yet');
    });
    await until(async () => (await queue.counts())['completed'] === 2);
    await stop();
    const { status, body } = await board.get(`${path}/${id}/course`);
    expect(status).toBe(200);
    if (!current) return expect(body).toEqual({ moments: [], since: null });
    const moments: Moment[] = body.moments;
    const again = ['delayed', 'waiting', 'active'];
    expect(moments.map(({ event }) => event)).toEqual([
      'added',
      'waiting',
      'active',
      ...again,
      ...again,
      'completed',
    ]);
    expect(body.since).toBeLessThanOrEqual(moments[0]?.at ?? 0);
    const began = moments.filter(({ event }) => event === 'active');
    for (const [at, [from, to]] of ran.entries()) {
      const place = moments.indexOf(began[at] as Moment);
      expect(began[at]?.at).toBeGreaterThanOrEqual(before);
      expect(began[at]?.at).toBeLessThanOrEqual(from + 1);
      expect(moments[place + 1]?.at).toBeGreaterThanOrEqual(to - 1);
    }
    const [delayed] = moments.filter(({ event }) => event === 'delayed');
    // The worker tells the time, and may be late to write it.
    expect(delayed?.until).toBeGreaterThanOrEqual((ran[0]?.[1] ?? 0) + 60);
  });

  test('keeps only the latest moments of a job with very many', async () => {
    if (!current || cell.datastore !== 'kv') return;
    const { queue, board, path } = await start();
    const id = await queue.add('job', {});
    const { client, key } = queue.redis ?? {};
    if (!client || !key) throw new Error('There are no keys.');
    const write = async (count: number, of: string) => {
      const pipeline = client.pipeline();
      for (let at = 0; at < count; at += 1)
        pipeline.xadd(key('events'), '*', 'event', 'stalled', 'jobId', of);
      await pipeline.exec();
    };
    await write(600, id);
    const cut = (await board.get(`${path}/${id}/course`)).body;
    expect(cut.moments).toHaveLength(500);
    expect(new Set(cut.moments.map(({ event }: Moment) => event))).toEqual(new Set(['stalled']));
    // Of those before the first moment, none is told.
    expect(cut.since).toBe(cut.moments[0].at);
    // Events of others push those of the job out of what is read.
    await write(10_000, 'other');
    const { moments, since } = (await board.get(`${path}/${id}/course`)).body;
    expect(moments).toEqual([]);
    expect(since).toBeGreaterThanOrEqual(cut.since);
    await client.del(key('events'));
    await client.set(key('events'), 'of another type');
    expect((await board.get(`${path}/${id}/course`)).body).toEqual({ moments: [], since: null });
  });

  test('tells an event once at which a further part of the stream is read', async () => {
    if (!current || cell.datastore !== 'kv') return;
    const { queue, board, path } = await start();
    const { client, key } = queue.redis ?? {};
    await client?.xadd(String(key?.('events')), '1-1', 'event', 'stalled', 'jobId', 'other');
    const id = await queue.add('job', {});
    const events = client?.pipeline();
    events?.xadd(String(key?.('events')), '*', 'event', 'active', 'jobId', id);
    for (let at = 0; at < 999; at += 1)
      events?.xadd(String(key?.('events')), '*', 'event', 'stalled', 'jobId', 'other');
    await events?.exec();
    const { moments, since } = (await board.get(`${path}/${id}/course`)).body;
    expect(moments.map(({ event }: Moment) => event)).toEqual(['added', 'waiting', 'active']);
    // All events since before the job was added are kept.
    expect(since).toBeLessThan(moments[0].at - 30_000);
  });

  test('tells the events of a job that a client has dated into the future', async () => {
    if (!current) return;
    const { queue, board, path } = await start();
    const id = await queue.add('job', {}, { timestamp: Date.now() + 3_600_000 });
    const { moments } = (await board.get(`${path}/${id}/course`)).body;
    expect(moments[0]).toMatchObject({ event: 'added' });
  });

  test('tells nothing of an earlier job with the same id', async () => {
    if (!current) return;
    const { queue, board, path, runJobs } = await start();
    await queue.add('first', {}, { jobId: 'daily' });
    await runJobs(true);
    await board.send('PUT', `${path}/daily/clean`);
    await queue.add('second', {}, { jobId: 'daily' });
    const { moments } = (await board.get(`${path}/daily/course`)).body;
    expect(moments.map(({ event }: Moment) => event)).toEqual(['added', 'waiting']);
  });

  test('tells of jobs that were deduplicated with a job long after its end', async () => {
    if (!current || cell.datastore !== 'kv') return;
    const { queue, board, path, runJobs } = await start();
    const timestamp = Date.now() - 3_600_000;
    const deduplication = { id: 'mail:7', ttl: 7_200_000 };
    const id = await queue.add('job', {}, { timestamp, deduplication });
    await runJobs(false);
    const { client, key } = queue.redis ?? {};
    // The job has ended an hour ago.
    await client?.hset(String(key?.(id)), 'finishedOn', timestamp);
    await queue.add('job', {}, { deduplication, jobId: 'left-out' });
    const { moments } = (await board.get(`${path}/${id}/course`)).body;
    expect(moments.at(-1)).toMatchObject({ event: 'deduplicated', jobId: 'left-out' });
  });

  test('tells what holds a waiting job back', async () => {
    const { queue, board, path } = await start();
    const holds = async (id: string) => (await board.get(`${path}/${id}/holds`)).body.holds;
    const reasons = async (id: string) =>
      (await holds(id)).filter(({ reason }: { reason: string }) => reason !== 'no-worker');
    const [first, second, third] = [
      await queue.add('first', {}),
      await queue.add('second', {}),
      await queue.add('third', {}, { priority: 2 }),
    ];
    // Bull runs jobs with a priority before those without one, BullMQ after them.
    const orders = current ? [0, 1, 2] : [1, 2, 0];
    for (const [at, id] of [first, second, third].entries()) {
      const count = orders[at] ?? 0;
      expect(await reasons(id)).toEqual(count === 0 ? [] : [{ reason: 'order', count }]);
    }
    const order = (count: number) => ({ reason: 'order', count });
    if (current) {
      const fourth = await queue.add('fourth', {}, { priority: 1 });
      expect(await reasons(fourth)).toEqual([order(2)]);
      expect(await reasons(third)).toEqual([order(3)]);
    }
    await queue.pause();
    expect((await reasons(second))[0]).toEqual({ reason: 'paused' });
    const due = Date.now() + 3_600_000;
    const delayed = await queue.add('later', {}, { delay: 3_600_000 });
    const [later] = await reasons(delayed);
    expect(later.reason).toBe('delayed');
    expect(Math.abs(later.until - due)).toBeLessThan(5_000);
  });

  test('tells nothing of a mark among the jobs, of a time that has come, and of a key that is free', async () => {
    const { queue, board, path } = await start();
    const answer = async (id: string) => {
      const { holds, ...others } = (await board.get(`${path}/${id}/holds`)).body;
      const own = holds.filter(({ reason }: { reason: string }) => reason !== 'no-worker');
      return { holds: own, ...others };
    };
    const first = await queue.add('first', {});
    const second = await queue.add('second', {});
    // Early releases of BullMQ have a mark at the end from which workers take.
    await queue.redis?.client.rpush(queue.redis.key('wait'), '0:0');
    expect((await answer(first)).holds).toEqual([]);
    expect((await answer(second)).holds).toEqual([{ reason: 'order', count: 1 }]);
    const opts = current ? { deduplication: { id: 'x', ttl: 40 } } : {};
    const due = await queue.add('due', {}, { delay: 40, ...opts });
    const end = Date.now() + 60;
    await until(async () => Date.now() > end);
    expect(await answer(due)).toEqual({ holds: [] });
  });

  test('tells a job without workers, and one behind a limit', async () => {
    const { queue, board, path } = await start();
    const id = await queue.add('held', {});
    const listed = (await board.get('/api/queues')).body.queues[0];
    const holds = async (of: string) => (await board.get(`${path}/${of}/holds`)).body.holds;
    expect(await holds(id)).toEqual(listed.hasWorkers === false ? [{ reason: 'no-worker' }] : []);
    if (!current) return;
    expect(listed.capabilities.globalConcurrency).toBe(true);
    await board.send('PUT', `${path}/concurrency`, { concurrency: 1 });
    await whileActive(queue, async () => {
      const waiting = await queue.add('second', {});
      await until(async () =>
        (await holds(waiting)).some(({ reason }: { reason: string }) => reason === 'concurrency'),
      );
      expect(await holds(waiting)).toContainEqual({ reason: 'concurrency', count: 1, limit: 1 });
      await queue.pause();
    });
    if (!listed.supportsGlobalRateLimit) return;
    const limited = await start();
    const set = await limited.board.send('PUT', `${limited.path}/rate-limit`, {
      max: 1,
      duration: 600_000,
    });
    expect(set.status).toBe(200);
    await limited.queue.add('goes', {});
    const stays = await limited.queue.add('stays', {});
    const stop = await limited.queue.work(async () => undefined);
    await until(async () => (await limited.queue.counts())['completed'] === 1);
    await stop();
    const { body } = await limited.board.get(`${limited.path}/${stays}/holds`);
    const [limit] = body.holds.filter(({ reason }: { reason: string }) => reason === 'rate-limit');
    expect(limit.until - Date.now()).toBeGreaterThan(300_000);
    expect(limit.until - Date.now()).toBeLessThanOrEqual(600_000);
  });

  test('tells the backoff of a job, and the children that it waits for', async () => {
    const { queue, board, path } = await start();
    const id = await queue.add('fails', {}, { attempts: 2, backoff: 3_600_000 });
    const stop = await queue.work(async () => {
      throw new Error('not yet');
    });
    await until(async () => (await queue.state(id)) === 'delayed');
    await stop();
    const [hold] = (await board.get(`${path}/${id}/holds`)).body.holds;
    expect(hold.reason).toBe('backoff');
    expect(hold.until).toBeGreaterThan(Date.now() + 3_000_000);
    const { flow } = world();
    if (!flow) return;
    const children = [1, 2].map((at) => ({ name: `child ${at}`, queue }));
    const parent = await flow({ name: 'parent', queue, children });
    expect((await board.get(`${path}/${parent}/holds`)).body.holds).toEqual([
      { reason: 'children', count: 2 },
    ]);
    let finish = (): void => undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    const end = await queue.work(async ({ name }) => (name === 'child 1' ? undefined : held));
    try {
      await until(
        async () => (await board.get(`${path}/${parent}/holds`)).body.holds[0]?.count === 1,
        20_000,
      );
    } finally {
      finish();
      await end();
    }
  });

  test('tells the job that others are deduplicated with', async () => {
    if (!current) return;
    const { queue, board, path } = await start();
    const opts = { deduplication: { id: 'mail:7', ttl: 600_000 } };
    const id = await queue.add('job', {}, { ...opts, jobId: 'kept' });
    const until = Date.now() + 600_000;
    expect(await queue.add('job', {}, { ...opts, jobId: 'left-out' })).toBe(id);
    const { deduplication } = (await board.get(`${path}/${id}/holds`)).body;
    expect(deduplication).toMatchObject({ key: 'mail:7', jobId: id });
    expect(Math.abs(deduplication.until - until)).toBeLessThan(5_000);
    const { moments } = (await board.get(`${path}/${id}/course`)).body;
    expect(moments).toContainEqual({
      at: expect.any(Number),
      event: 'deduplicated',
      jobId: 'left-out',
    });
    const forever = await queue.add('job', {}, { deduplication: { id: 'mail:8' } });
    expect((await board.get(`${path}/${forever}/holds`)).body.deduplication).toEqual({
      key: 'mail:8',
      jobId: forever,
      until: null,
    });
  });

  test('tells nobody of jobs that are missing, or in hidden queues', async () => {
    const { queue, board, path } = await start();
    const id = await queue.add('job', {});
    const hidden = await serveBoard([queue.boardQueue({ visibilityGuard: () => false })]);
    const barred = await serveBoard([queue.boardQueue()], {
      permissions: () => ({ allowed: ['queue.read'] }),
    });
    const frozen = await serveBoard([queue.boardQueue({ readOnly: true })]);
    for (const part of ['course', 'holds']) {
      expect(keyOf(await board.get(`${path}/absent/${part}`))).toBe('404 JOB_NOT_FOUND');
      expect(keyOf(await hidden.get(`${path}/${id}/${part}`))).toBe('404 QUEUE_NOT_FOUND');
      expect(keyOf(await barred.get(`${path}/${id}/${part}`))).toBe('403 ACTION_NOT_ALLOWED');
      expect((await frozen.get(`${path}/${id}/${part}`)).status).toBe(200);
    }
    for (const other of [hidden, barred, frozen]) await other.close();
  });
}

for (const cell of cells) suiteOf(cell, courseSuite);
