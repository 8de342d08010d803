/** Guards of commands: each test has the job, the key or the run that a command must leave as it is, on every store. */

import { expect, vi } from 'vitest';
import { RunLost } from '../../../src/board/core/index.ts';
import type { RunStore } from '../../../src/board/core/index.ts';
import type { BulkSelection, JobCommand } from '../../../src/board/kvq/model/driver.ts';
import { changedBy, keyOf, suiteOf, until, whileActive } from './suite.ts';
import type { Suite } from './suite.ts';
import { cells } from './cells.ts';

const minute = 60_000;

/** The time up to which a command takes jobs: those of a test are not too young for it. */
const soon = (): number => Date.now() + minute;

/** The delayed jobs of a run that promotes those added up to a time. */
const delayedUpTo = (until: number): BulkSelection => ({
  act: 'promote',
  status: 'delayed',
  until,
  reach: [],
  dryRun: false,
  reasons: {},
  criteria: {},
  accepts: () => true,
  acceptsReason: () => true,
});

function guardsSuite({ cell, current, start, test }: Suite): void {
  test('guard: a command needs the state and the version that the client has seen', async () => {
    const { queue } = await start();
    const { driver } = queue.boardQueue();
    const id = await queue.add('mail', { a: 1 }, { delay: 10 * minute });
    const revision = (await driver.store.job(id))?.revision;
    const commands: readonly JobCommand[] = [
      { act: 'promote' },
      { act: 'remove', reach: [] },
      { act: 'data', data: 2 },
      ...(current
        ? ([
            { act: 'delay', delay: 5 },
            { act: 'priority', priority: 3 },
          ] as const)
        : []),
    ];
    for (const command of commands) {
      for (const conditions of [
        { expectedState: 'delayed', revision: 'another' },
        { expectedState: 'waiting', revision },
        { expectedState: 'waiting' },
        { revision: 'another' },
      ]) {
        const changing = driver.change(id, command, conditions);
        await expect(changing).rejects.toMatchObject({ refusal: 'changed' });
      }
    }
    expect((await driver.store.job(id))?.revision).toBe(revision);
    await driver.change(id, { act: 'promote' }, { expectedState: 'delayed', revision });
    expect(await queue.state(id)).toBe('waiting');
  });

  test('guard: the removal of an old job leaves the deduplication of a newer one', async () => {
    for (const isSingle of [true, false]) {
      const { queue, board, path, runJobs } = await start();
      const { driver } = queue.boardQueue();
      const opts = current ? { deduplication: { id: 'x' } } : { debounce: { id: 'x' } };
      const old = await queue.add('old', {}, opts);
      await runJobs(true);
      const newer = await queue.add('newer', {}, opts);
      expect(newer).not.toBe(old);
      if (isSingle) await board.send('PUT', `${path}/${old}/clean`);
      else expect(await changedBy(driver.cleanStep('failed', soon(), []))).toBe(1);
      expect(await queue.add('again', {}, opts)).toBe(newer);
      await board.send('PUT', `${path}/${newer}/clean`);
      expect(await queue.add('again', {}, opts)).not.toBe(newer);
    }
  });

  test('guard: a removal takes no other keys of the queue for jobs', async () => {
    const { queue, board, path, runJobs, listed } = await start();
    await queue.add('failed', {});
    await runJobs(true);
    await queue.add('waiting', {});
    await board.send('PUT', `${path}/concurrency`, { concurrency: 3 });
    await board.send('PUT', `${path}/pause`);
    const before = await listed();
    for (const key of ['meta', 'meta-paused', 'events', 'id', 'failed', 'wait', 'paused', 'pc'])
      expect([key, keyOf(await board.send('PUT', `${path}/${key}/clean`))]).toEqual([
        key,
        '404 JOB_NOT_FOUND',
      ]);
    expect(await listed()).toEqual(before);
  });

  test('guard: a paused queue keeps what is retried and promoted, and what is removed is gone', async () => {
    const { queue, board, path, runJobs, listed } = await start();
    const failed = [await queue.add('retried', {}), await queue.add('with others', {})];
    await runJobs(true);
    const delayed = await queue.add('promoted', {}, { delay: 10 * minute });
    await queue.add('promoted with others', {}, { delay: 10 * minute });
    await board.send('PUT', `${path}/pause`);
    const removed = await queue.add('removed', {});
    await queue.add('added', {});
    for (const route of [
      `${failed[0]}/retry`,
      `${delayed}/promote`,
      'retry/failed',
      'promote',
      `${removed}/clean`,
    ]) {
      expect([route, (await board.send('PUT', `${path}/${route}`)).status]).toEqual([
        route,
        route.includes('/') && !route.startsWith('retry') ? 204 : 200,
      ]);
    }
    const { counts } = await listed();
    expect((counts.waiting ?? 0) + (counts.paused ?? 0)).toBe(5);
    await board.send('PUT', `${path}/resume`);
    expect((await listed()).counts.waiting).toBe(5);
    const names: string[] = [];
    const stop = await queue.work(async ({ name }) => names.push(name));
    await until(async () => (await queue.counts())['completed'] === 5);
    await stop();
    expect(names.toSorted()).toEqual([
      'added',
      'promoted',
      'promoted with others',
      'retried',
      'with others',
    ]);
  });

  test('guard: a clean leaves active jobs whose worker is there', async () => {
    const { queue } = await start();
    const { driver } = queue.boardQueue();
    const id = await queue.add('held', {});
    await whileActive(queue, async () => {
      expect(await changedBy(driver.cleanStep('active', soon(), []))).toBe(0);
      expect(await queue.state(id)).toBe('active');
    });
    expect(await queue.state(id)).toBe('completed');
  });

  if (cell.datastore === 'kv') {
    test('guard: a clean leaves active jobs that a worker has taken and not begun', async () => {
      const { queue } = await start();
      const { driver } = queue.boardQueue();
      const { client, key } = queue.redis ?? {};
      const id = await queue.add('taken', {});
      await client?.rpoplpush(String(key?.('wait')), String(key?.('active')));
      expect(await changedBy(driver.cleanStep('active', soon(), []))).toBe(0);
      expect(await queue.state(id)).toBe('active');
    });

    test('guard: an active job without a lock is left while a worker may be about to lock it', async () => {
      const { queue } = await start();
      const { driver } = queue.boardQueue();
      const { client, key } = queue.redis ?? {};
      const name = (type: string) => String(key?.(type));
      const begun = { processedOn: Date.now() - 9 * minute };
      const [again, stalled] = [
        { ...begun, attemptsMade: 1 },
        { ...begun, stalledCounter: 1 },
      ];
      const isSeen = async (id: string) => void (await client?.sadd(name('stalled'), id));
      const isSeenNow = async (id: string) => {
        await isSeen(id);
        await client?.set(name('stalled-check'), Date.now());
      };
      const unseen = async (): Promise<void> => undefined;
      for (const [fields, see, isGone] of [
        [{}, unseen, false],
        [again, unseen, false],
        [stalled, unseen, false],
        // The library has just looked for stalled jobs, and may have met it before its lock.
        [again, isSeenNow, false],
        [stalled, isSeenNow, false],
        [again, isSeen, true],
        [stalled, isSeen, true],
        [begun, unseen, true],
      ] as const) {
        for (const how of ['release', 'remove', 'clean'] as const) {
          await client?.del(name('stalled'), name('stalled-check'));
          const id = await queue.add('taken', {}, { timestamp: Date.now() - 9 * minute });
          await client?.rpoplpush(name('wait'), name('active'));
          if (Object.keys(fields).length > 0) await client?.hset(name(id), fields);
          await see(id);
          if (how === 'clean') await changedBy(driver.cleanStep('active', soon(), []));
          else {
            const command = how === 'release' ? { act: how } : { act: how, reach: [] };
            const changing = driver.change(id, command, {});
            // BullMQ locks a job as it takes it.
            if (isGone || current) await changing;
            else await expect(changing).rejects.toMatchObject({ refusal: 'active' });
          }
          const goes = isGone || (current && (how !== 'clean' || 'processedOn' in fields));
          const state = how === 'release' ? 'waiting' : current ? 'unknown' : 'undefined';
          const left = String(await queue.state(id));
          expect([how, fields, left]).toEqual([how, fields, goes ? state : 'active']);
          await client?.del(name('wait'), name('active'));
        }
      }
    });

    test('guard: a removal takes a job that is in no state, and a past run of a scheduler', async () => {
      const { queue } = await start();
      const { driver } = queue.boardQueue();
      const id = await queue.add('lost', {});
      await queue.redis?.client.lrem(queue.redis.key('wait'), 0, id);
      await driver.change(id, { act: 'remove', reach: [] }, {});
      expect(await queue.described(id)).toEqual({});
      const next = await queue.schedule('tick', { pattern: '0 3 1 1 *' });
      const past = next.replace(/\d+$/, '1');
      const fields = await queue.redis?.client.hgetall(queue.redis.key(next));
      await queue.redis?.client.hset(queue.redis.key(past), { ...fields });
      await driver.change(past, { act: 'remove', reach: [] }, {});
      expect(await queue.described(past)).toEqual({});
    });

    test('guard: a clean removes the ids of active jobs whose data is gone, and leaves marks', async () => {
      const { queue } = await start();
      const { driver } = queue.boardQueue();
      const { client, key } = queue.redis ?? {};
      await client?.lpush(String(key?.('active')), 'gone');
      expect(await changedBy(driver.cleanStep('active', soon(), []))).toBe(1);
      expect((await queue.counts())['active']).toBe(0);
      // Early releases of BullMQ wake workers by a mark among the waiting jobs.
      await client?.lpush(String(key?.('wait')), '0:17');
      expect(await changedBy(driver.cleanStep('waiting', soon(), []))).toBe(0);
      expect(await client?.lrange(String(key?.('wait')), 0, -1)).toEqual(['0:17']);
    });

    test('guard: a clean of active jobs goes by their begin', async () => {
      const { queue } = await start();
      const { driver } = queue.boardQueue();
      const { client, key } = queue.redis ?? {};
      const id = await queue.add('waited long', {}, { timestamp: Date.now() - 9 * minute });
      // A worker whose process has ended leaves its job without a lock.
      await client?.rpoplpush(String(key?.('wait')), String(key?.('active')));
      await client?.hset(String(key?.(id)), 'processedOn', Date.now());
      expect(await changedBy(driver.cleanStep('active', Date.now() - minute, []))).toBe(0);
      expect(await queue.state(id)).toBe('active');
      expect(await changedBy(driver.cleanStep('active', soon(), []))).toBe(1);
    });
  }

  test('guard: a clean leaves the next runs of schedulers, and prioritized jobs to their own status', async () => {
    const { queue } = await start();
    const { driver } = queue.boardQueue();
    const next = await queue.schedule('tick', { pattern: '0 3 1 1 *' });
    const later = await queue.add('later', {}, { delay: minute });
    expect(await changedBy(driver.cleanStep('delayed', soon(), []))).toBe(1);
    expect([await queue.state(next), await queue.state(later)]).toEqual([
      'delayed',
      current ? 'unknown' : 'undefined',
    ]);
    if (!current) return;
    const urgent = await queue.add('urgent', {}, { priority: 3 });
    await queue.add('plain', {});
    expect(await changedBy(driver.cleanStep('waiting', soon(), []))).toBe(1);
    expect(await queue.state(urgent)).toBe('prioritized');
    expect(await changedBy(driver.cleanStep('prioritized', soon(), []))).toBe(1);
    const due = await queue.schedule('due', { pattern: '0 3 1 1 *' }, {}, { priority: 3 });
    await driver.change(due, { act: 'promote' }, {});
    expect(await changedBy(driver.cleanStep('prioritized', soon(), []))).toBe(0);
    expect(await queue.state(due)).toBe('prioritized');
  });

  test('guard: retries and promotions take no job that came later', async () => {
    const { queue, runJobs } = await start();
    const { driver } = queue.boardQueue();
    const failed = await queue.add('failed', {});
    await runJobs(true);
    const delayed = await queue.add('delayed', {}, { delay: minute });
    const before = Date.now() - minute;
    expect(await changedBy(driver.retryStep('failed', before))).toBe(0);
    expect(await changedBy(driver.promoteStep(before))).toBe(0);
    // Nor a failed one that a worker has locked.
    const { client, key } = queue.redis ?? {};
    const lock = String(key?.(`${failed}:lock`));
    if (await client?.set(lock, 'the token'))
      expect(await changedBy(driver.retryStep('failed', soon()))).toBe(0);
    expect([await queue.state(failed), await queue.state(delayed)]).toEqual(['failed', 'delayed']);
    await client?.del(lock);
    expect(await changedBy(driver.retryStep('failed', soon()))).toBe(1);
    expect(await changedBy(driver.promoteStep(soon()))).toBe(1);
  });

  test('guard: a run that removes needs a status, also for all jobs', async () => {
    const { queue, board } = await start();
    await queue.add('one', {});
    const body = { queueName: queue.name, action: 'remove' };
    for (const more of [{ all: true }, { filter: { name: 'one' } }, { filter: {}, all: true }]) {
      const answer = await board.send('POST', '/api/bulk', { ...body, ...more });
      expect([more, keyOf(answer)]).toEqual([more, '400 INVALID_REQUEST_BODY']);
      expect(answer.body.error.options).toEqual({ field: 'filter.status' });
    }
    expect((await queue.counts())['waiting']).toBe(1);
  });

  test('guard: data that is saved as text keeps what a formatter hides', async () => {
    const { queue, board, path } = await start({
      formatters: { data: (data) => ({ ...(data as object), pin: '****' }) },
    });
    const id = await queue.add('mail', { pin: '4711', n: 1 });
    const jobData = '{"pin":"****","n":2}';
    const saved = await board.send('PATCH', `${path}/${id}/update-data?raw=1`, { jobData });
    expect(saved.status).toBe(200);
    expect((await queue.described(id))['data']).toEqual({ pin: '4711', n: 2 });
  });

  test('guard: a scheduler is created under a free id only', async () => {
    const { queue, board } = await start();
    const { driver } = queue.boardQueue();
    const create = (data: unknown) =>
      driver.createScheduler('tick', { every: 10 * minute }, { name: 'tick', data, opts: {} });
    // A creation that fails leaves the id free; Bull has noted the schedule by then.
    if (current) await expect(create(1n)).rejects.toThrow(/BigInt/);
    expect(await create({ n: 1 })).toContain('tick');
    const schedulers = async () => (await board.get('/api/job-schedulers')).body.schedulers;
    const before = await schedulers();
    await expect(create({ n: 2 })).rejects.toMatchObject({ refusal: 'exists' });
    expect(before).toHaveLength(1);
    expect(await schedulers()).toEqual(before);
  });

  test('guard: a run has one owner, and a job that it has changed is not met again', async () => {
    const { queue } = await start();
    const { driver } = queue.boardQueue();
    const { runs } = driver;
    if (!runs) throw new Error('The store keeps no runs.');
    const first = await queue.add('later', {}, { delay: minute });
    const run = { id: `run-${queue.name}`, queueName: queue.name, action: 'promote' } as const;
    // A run that only counts is in nobody's way.
    const counting = { ...run, id: `count-${queue.name}`, dryRun: true, spec: '{}' };
    expect(await runs.start(counting)).toMatchObject({ fence: expect.any(Number) });
    const claim = await runs.start({ ...run, dryRun: false, spec: '{}' });
    if (typeof claim === 'string' || 'running' in claim) throw new Error('It has not begun.');
    expect(await runs.claim(run.id)).toBe(undefined);
    const step = (mark = claim) =>
      driver.selectionStep(delayedUpTo(soon()), {
        mark,
        position: undefined,
        note: async ({ examined, matched, changed }, within) =>
          void (await runs.write(mark, { examined, matched, changed }, within)),
      })();
    await step();
    expect((await runs.list(run.id))[0]?.changed).toBe(1);
    if (queue.redis) {
      // The job is delayed again while the run works.
      const { client, key } = queue.redis;
      await client.lrem(key('wait'), 1, first);
      await client.zadd(key('delayed'), (Date.now() + minute) * 0x1000, first);
      await step();
      expect(await queue.state(first)).toBe('delayed');
      // Nor is it met by its id.
      await driver.change(first, { act: 'promote' }, {}, claim);
      expect(await queue.state(first)).toBe('delayed');
      expect((await runs.list(run.id))[0]?.changed).toBe(1);
    }
    await runs.write(claim, { release: true });
    const second = await runs.claim(run.id);
    expect(second?.fence).toBe(claim.fence + 1);
    expect(await runs.write(claim, { changed: 7 })).toBe(undefined);
    if (!queue.redis) return;
    const later = await queue.add('later', {}, { delay: minute });
    await expect(step()).rejects.toBeInstanceOf(RunLost);
    await expect(driver.change(later, { act: 'promote' }, {}, claim)).rejects.toBeInstanceOf(
      RunLost,
    );
    expect(await queue.state(later)).toBe('delayed');
    await step(second);
    expect(await queue.state(later)).toBe('waiting');
  });

  test('guard: a run whose filter ends later takes no job that came after its start', async () => {
    const { queue } = await start();
    const { driver } = queue.boardQueue();
    const { runs } = driver;
    if (!runs) throw new Error('The store keeps no runs.');
    const later = await queue.add('later', {}, { delay: minute });
    const run = { id: `late-${queue.name}`, queueName: queue.name, action: 'promote' } as const;
    const mark = await runs.start({ ...run, dryRun: false, spec: '{}' });
    if (typeof mark === 'string' || 'running' in mark) throw new Error('It has not begun.');
    const begun = Date.now() - minute;
    for (const [until, state] of [
      [begun, 'delayed'],
      [soon(), 'waiting'],
    ] as const) {
      await driver.selectionStep(
        { ...delayedUpTo(until), criteria: { to: soon() } },
        { mark, position: undefined, note: async () => undefined },
      )();
      expect([until, await queue.state(later)]).toEqual([until, state]);
    }
  });

  test('guard: a run with a rate meets the jobs that are too many for a part in the next one', async () => {
    const { queue } = await start();
    const { driver } = queue.boardQueue();
    const ids = [];
    for (let at = 1; at < 4; at += 1)
      ids.push(await queue.add('later', {}, { delay: at * minute }));
    const run = { id: `rate-${queue.name}`, queueName: queue.name, action: 'promote' } as const;
    const mark = await driver.runs?.start({ ...run, dryRun: false, spec: '{}' });
    if (!mark || mark === 'limit' || 'running' in mark) throw new Error('It has not begun.');
    const paced = { mark, most: 1, position: undefined, note: async () => undefined };
    const step = driver.selectionStep(delayedUpTo(soon()), paced);
    for (const left of [2, 1, 0]) {
      await step();
      expect((await queue.counts())['delayed']).toBe(left);
    }
  });

  test('guard: a run changes nothing in a queue that has become read-only', async () => {
    const { queue, board } = await start();
    const writable = queue.boardQueue();
    const { runs } = writable.driver;
    if (!runs) throw new Error('The store keeps no runs.');
    const begin: RunStore['start'] = (run) => {
      board.registry.set([queue.boardQueue({ readOnly: true })]);
      return runs.start(run);
    };
    Object.defineProperty(writable.driver, 'runs', { value: { ...runs, start: begin } });
    const later = await queue.add('later', {}, { delay: minute });
    for (const part of [{ ids: [later] }, { all: true }]) {
      board.registry.set([writable]);
      const body = { queueName: queue.name, action: 'promote', ...part };
      let { run } = (await board.send('POST', '/api/bulk', body)).body;
      await until(async () => {
        ({ run } = (await board.get(`/api/bulk/${run.id}`)).body);
        return run.state !== 'running';
      });
      expect([part, run]).toMatchObject([
        part,
        { state: 'failed', changed: 0, problem: { key: 'ERRORS.QUEUE_READ_ONLY' } },
      ]);
    }
    expect(await queue.state(later)).toBe('delayed');
  });

  if (!current) return;

  test('guard: a run by ids retries jobs of either status, and refuses none of them', async () => {
    const { queue, board, runJobs } = await start();
    const failed = await queue.add('fails', {});
    await runJobs(true);
    const completed = await queue.add('completes', {});
    await runJobs(false);
    const waiting = await queue.add('waits', {});
    const body = { queueName: queue.name, action: 'retry', ids: [failed, completed, waiting] };
    let { run } = (await board.send('POST', '/api/bulk', body)).body;
    await until(async () => {
      ({ run } = (await board.get(`/api/bulk/${run.id}`)).body);
      return run.state !== 'running';
    });
    expect(run).toMatchObject({
      state: 'completed',
      changed: 2,
      refused: [{ count: 1, reason: { key: 'ERRORS.JOB_NOT_RETRIABLE' } }],
    });
  });

  if (cell.datastore === 'kv') {
    test('guard: a job that is moved to an earlier time wakes a worker that sleeps', async () => {
      const { queue, board, path } = await start();
      const { client, key } = queue.redis ?? {};
      const id = await queue.add('later', {}, { delay: 60 * minute });
      // A worker that sleeps has taken the marker.
      await client?.del(String(key?.('marker')));
      const runAt = Date.now() + minute;
      expect((await board.send('PATCH', `${path}/${id}/delay`, { runAt })).status).toBe(200);
      const wakes = Number(await client?.zscore(String(key?.('marker')), '1'));
      expect(Math.abs(wakes - runAt)).toBeLessThan(minute / 2);
    });

    test('guard: jobs that are moved to one time keep the order in which they were moved', async () => {
      const { queue } = await start();
      const { client, key } = queue.redis ?? {};
      const { driver } = queue.boardQueue();
      const ids = ['c', 'b', 'a'];
      for (const id of ids) await queue.add('later', {}, { jobId: id, delay: 60 * minute });
      const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
      try {
        for (const id of ids) await driver.change(id, { act: 'delay', delay: minute }, {});
      } finally {
        clock.mockRestore();
      }
      expect(await client?.zrange(String(key?.('delayed')), '0', '-1')).toEqual(ids);
    });

    test('guard: a job that is taken from a worker that is gone, or removed, is no longer one that may be stalled', async () => {
      const { queue, board, path } = await start();
      const { client, key } = queue.redis ?? {};
      const name = (type: string) => String(key?.(type));
      for (const route of ['clean', 'release']) {
        const id = await queue.add('left', {});
        await client?.lrem(name('wait'), 0, id);
        await client?.lpush(name('active'), id);
        await client?.sadd(name('stalled'), id);
        const answer = await board.send('PUT', `${path}/${id}/${route}`);
        expect(answer.status).toBe(204);
        expect([route, await client?.smembers(name('stalled'))]).toEqual([route, []]);
        expect(await client?.lrange(name('wait'), 0, -1)).toEqual(route === 'clean' ? [] : [id]);
      }
    });
  }
}

for (const cell of cells) suiteOf(cell, guardsSuite);
