/** The errors of failed jobs: against a ledger that the workers write, for senders who may see a part, and under change. */

import { expect } from 'vitest';
import { writeCursor } from '../../../src/board/core/index.ts';
import { type Failed, factsOf, kinds, ledgerFacts, walkErrors } from '../ledger/errors.ts';
import { isQuick } from '../../setup/left-to-ci.ts';
import type { TestQueue } from './cell.ts';
import { cells } from './cells.ts';
import { type ServedBoard, serveBoard } from './http-board.ts';
import { keyOf, suiteOf, until } from './suite.ts';
import type { Suite } from './suite.ts';

const walk = (board: ServedBoard, query = '') =>
  walkErrors(async (path) => {
    const { status, body } = await board.get(path);
    expect(status).toBe(200);
    return body;
  }, query);

/** Lets workers fail as the data of each job says; returns when all have failed. */
async function failAll(queue: TestQueue): Promise<void> {
  const stop = await queue.work(async ({ data }) => {
    const { kind, at } = data as { kind: number; at: number };
    throw new Error(kinds[kind]?.[0](at));
  });
  await until(async () => {
    const { active = 0, waiting = 0, wait = 0 } = await queue.counts();
    return active + waiting + wait === 0;
  });
  await stop();
}

const releases = ['v1', null, 'v2', 7, { no: 'release' }, '', 'v"3', 'v\\4'] as const;

/** Adds jobs that fail in all kinds, names and releases. */
async function fill(queue: TestQueue, jobs: number): Promise<void> {
  const rows = Array.from({ length: jobs }, (_, at) => ({
    kind: at % kinds.length,
    at,
    name: `job-${at % 3}`,
    release: releases[at % releases.length],
  }));
  await queue.addBulk(
    rows.map(({ name, release, ...data }) => ({
      name,
      data:
        release === null
          ? { ...data, inner: { release: 'v5' }, list: [{ release: 'v6' }] }
          : { ...data, release, text: '"release"', inner: { other: 'v7' } },
    })),
  );
  await failAll(queue);
  expect((await queue.counts())['failed']).toBe(jobs);
}

function errorsSuite({ test, world, start }: Suite): void {
  test('are those of the ledger, of all queues', async () => {
    const jobs = isQuick ? 700 : 3_000;
    const queues = await Promise.all(
      ['errors-a', 'errors-b', 'errors-c'].map((name) => world().queue(name)),
    );
    const board = await serveBoard(queues.map((queue) => queue.boardQueue()));
    const ledger: Failed[] = [];
    for (const queue of queues) {
      await fill(queue, jobs);
      let cursor = '';
      do {
        const { body } = await board.get(
          `/api/queues/${queue.name}/search?status=failed&limit=100${cursor}`,
        );
        for (const { job } of body.jobs) {
          const { kind, release } = job.data as { kind: number; release?: unknown };
          ledger.push({
            queueName: queue.name,
            id: job.id,
            error: kinds[kind]?.[1] ?? '',
            name: job.name,
            release:
              (typeof release === 'string' || typeof release === 'number') && release !== ''
                ? String(release)
                : null,
            at: job.finishedOn,
          });
        }
        cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor)}`;
      } while (cursor !== '');
    }
    expect(ledger).toHaveLength(3 * jobs);
    const { steps, errors } = await walk(board);
    const [step] = steps;
    if (!step) throw new Error('There is no answer.');
    expect(factsOf(errors)).toEqual(ledgerFacts(ledger, step, true));
    expect(steps.reduce((sum, { examined }) => sum + examined, 0)).toBe(3 * jobs);
    expect(step.total).toBe(3 * jobs);
    // Of one queue, of one name, and of a part of the time.
    const middle = ledger.map(({ at }) => at).toSorted((a, b) => a - b)[2 * jobs] ?? 0;
    for (const [query, fits] of [
      ['queueName=errors-b', ({ queueName }: Failed) => queueName === 'errors-b'],
      ['name=ob-1', ({ name }: Failed) => name === 'job-1'],
      [`since=${middle}`, ({ at }: Failed) => at >= middle],
      [`since=${middle + 10 * 60_000}`, () => false],
    ] as const) {
      const part = await walk(board, query);
      expect(factsOf(part.errors)).toEqual(
        ledgerFacts(ledger.filter(fits), part.steps[0] ?? step, true),
      );
    }
    // The example is a job of the error, and the part to search for finds all of its jobs.
    for (const { example, search, error, count, queues: where, lastAt } of errors) {
      const job = await board.get(`/api/queues/${example?.queueName}/${example?.id}`);
      expect(job.body.job.failedReason.startsWith(example?.message)).toBe(true);
      expect(job.body.job.finishedOn).toBe(lastAt);
      const { body } = await board.send('POST', '/api/bulk', {
        queueName: 'errors-a',
        action: 'retry',
        dryRun: true,
        filter: { status: 'failed', error: search },
      });
      await until(
        async () => (await board.get(`/api/bulk/${body.run.id}`)).body.run.state === 'completed',
      );
      const { matched } = (await board.get(`/api/bulk/${body.run.id}`)).body.run;
      expect({ error, matched }).toEqual({ error, matched: where.get('errors-a') });
      expect(count).toBeGreaterThan(matched);
    }
    await board.close();
  }, 240_000);

  test('are read on behind jobs that are gone, and have none that failed later', async () => {
    const { queue, board } = await start();
    await fill(queue, 900);
    const store = board.registry.byName.get(queue.name)?.driver.store;
    if (!store) throw new Error('There is no queue.');
    const range = {
      since: 0,
      at: Date.now(),
      from: 0,
      bucketMs: 3_600_000,
      reads: 'jobs',
    } as const;
    const everywhere = async (gone: readonly string[]) => {
      const ids: string[] = [];
      let after: string | null = null;
      do {
        const step = await store.failures({ ...range, after });
        ids.push(...step.failures.map(({ id }) => id));
        if (ids.length === step.failures.length) {
          for (const id of [...gone, ids.at(-1)]) {
            await board.send('PUT', `/api/queues/${queue.name}/${id}/clean`);
          }
        }
        after = step.next;
      } while (after !== null);
      return ids;
    };
    const all = await everywhere([]);
    expect(new Set(all).size).toBe(900);
    const removed = all.find((_id, at) => at > 0 && at % 399 === 0) ?? '';
    const again = await everywhere([removed]);
    expect(again.length).toBeGreaterThanOrEqual(898);
    expect(new Set(again).size).toBe(again.length);
    await expect(store.failures({ ...range, after: 'nowhere' })).rejects.toThrow(/position/);
    await board.send('PUT', `/api/queues/${queue.name}/retry/failed`);
    await failAll(queue);
    const later = await store.failures({ ...range, after: null });
    expect(later.failures).toEqual([]);
    expect((await walk(board)).errors.length).toBe(kinds.length);
  });

  test('are those from the first moment to the last, both with what failed in it', async () => {
    const { queue, board } = await start();
    const id = await queue.add('job', { kind: 0, at: 1 });
    await failAll(queue);
    const { job } = (await board.get(`/api/queues/${queue.name}/${id}`)).body;
    const ended: number = job.finishedOn;
    const store = board.registry.byName.get(queue.name)?.driver.store;
    const rest = { from: 0, bucketMs: 3_600_000, reads: 'reasons', after: null } as const;
    const counted = async (since: number, at: number) =>
      (await store?.failures({ ...rest, since, at }))?.failures.map(({ count }) => count);
    expect(await counted(ended, ended)).toEqual([1]);
    expect(await counted(0, ended - 1)).toEqual([]);
    expect(await counted(ended + 1, ended + 2)).toEqual([]);
  });

  test('are told apart by digits where a reason may name the queue of a child', async () => {
    const { queue, board } = await start();
    const reasons = ['child a1:5 failed', 'child a2:5 failed', 'took 1 s', 'took 2 s'];
    await queue.addBulk(reasons.map((reason) => ({ name: 'job', data: { reason } })));
    const stop = await queue.work(async ({ data }) => {
      throw new Error((data as { reason: string }).reason);
    });
    await until(async () => (await queue.counts())['failed'] === reasons.length);
    await stop();
    const store = board.registry.byName.get(queue.name)?.driver.store;
    const range = { since: 0, at: Date.now(), from: 0, bucketMs: 7 * 86_400_000 };
    const read = await store?.failures({ ...range, reads: 'reasons', after: null });
    const counts = read?.failures.map(({ reason, count }) => [reason.slice(0, 8), count]);
    expect(counts?.toSorted()).toEqual([
      ['child a1', 1],
      ['child a2', 1],
      [expect.stringMatching(/^took [12]/), 2],
    ]);
  });

  test('have the fingerprint that the host tells, unless data is hidden', async () => {
    const { queue } = await start();
    await fill(queue, 30);
    const asked: unknown[] = [];
    const fingerprint = (job: { data: unknown; error: string; name?: string | undefined }) => {
      asked.push(job);
      const { kind, at } = job.data as { kind: number; at: number };
      if (kind === 0) throw new Error('It has none.');
      if (kind === 1) return null;
      return at % 2 === 0 ? 'even' : 'odd';
    };
    const board = await serveBoard([queue.boardQueue()], { fingerprint });
    const { errors } = await walk(board);
    expect(asked).toHaveLength(30);
    expect(asked[0]).toMatchObject({ queueName: queue.name, name: expect.stringMatching(/^job-/) });
    expect(errors.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual([5, 5, 10, 10]);
    await board.close();
    const shy = await serveBoard([queue.boardQueue({ formatters: { data: () => '(hidden)' } })], {
      fingerprint,
    });
    const hidden = await walk(shy);
    expect(asked).toHaveLength(30);
    expect(hidden.errors).toHaveLength(kinds.length);
    expect(hidden.errors.every((error) => error.releases.size === 0)).toBe(true);
    await shy.close();
  });

  test('tell nothing of what the sender may not see', async () => {
    const [open, secret] = await Promise.all(
      ['errors-open', 'errors-secret'].map((name) => world().queue(name)),
    );
    if (!open || !secret) throw new Error('There is no queue.');
    await fill(open, 12);
    await fill(secret, 12);
    const visible = open.boardQueue({ formatters: { name: () => '(hidden)' } });
    const others = [
      await serveBoard([visible, secret.boardQueue({ visibilityGuard: () => false })]),
      await serveBoard([visible, secret.boardQueue()], {
        permissions: () => ({ allowed: ['*'], queues: { [secret.name]: ['queue.read'] } }),
      }),
    ];
    for (const [place, board] of others.entries()) {
      const { steps, errors } = await walk(board);
      expect(steps[0]?.total).toBe(12);
      expect(errors.reduce((sum, { count }) => sum + count, 0)).toBe(12);
      expect(JSON.stringify(steps)).not.toContain(secret.name);
      expect(JSON.stringify(steps)).not.toContain('job-');
      expect(keyOf(await board.get(`/api/errors?queueName=${secret.name}`))).toBe(
        ['404 QUEUE_NOT_FOUND', '403 ACTION_NOT_ALLOWED'][place],
      );
      expect(keyOf(await board.get(`/api/errors?queueName=${open.name}&name=job`))).toBe(
        '400 SEARCH_FIELD_CLOSED',
      );
      await board.close();
    }
    const none = await serveBoard([open.boardQueue()], { permissions: () => ['queue.read'] });
    expect(keyOf(await none.get('/api/errors'))).toBe('403 ACTION_NOT_ALLOWED');
    await none.close();
  });

  test('name no hidden queue of a child, also where a recorder has kept it', async () => {
    const [open, secret] = await Promise.all(
      ['errors-parent', 'errors-child'].map((name) => world().queue(name)),
    );
    if (!open || !secret) throw new Error('There is no queue.');
    await open.addBulk([1, 2].map((at) => ({ name: 'parent', data: { at } })));
    const stop = await open.work(async ({ id }) => {
      throw new Error(`child bull:${secret.name}:${id} failed`);
    });
    await until(async () => (await open.counts())['failed'] === 2);
    await stop();
    const asked: unknown[] = [];
    const historyProvider = {
      getHistory: async () => [],
      getErrors: async ({ queues }: { readonly queues?: readonly string[] | undefined }) => {
        asked.push(queues);
        const example = `child bull:${secret.name}:9 failed`;
        const seen = { count: 3, firstAt: 7, lastAt: 8, hours: [] };
        return [{ error: '', example, queues: [open.name], ...seen }];
      },
    };
    const hidden = secret.boardQueue({ visibilityGuard: () => false });
    const board = await serveBoard([open.boardQueue(), hidden], { historyProvider });
    const { steps, errors } = await walk(board);
    expect(JSON.stringify(steps)).not.toContain(secret.name);
    expect(errors).toMatchObject([
      { error: 'child failed', count: 2, firstAt: 7, recorded: { count: 3 } },
    ]);
    expect(steps.at(-1)?.recorder).toBe('read');
    expect(asked).toEqual([[open.name]]);
    // Records have no names of jobs.
    expect((await walk(board, 'name=parent')).steps.at(-1)).not.toHaveProperty('recorder');
    // A cursor of somebody who sees the other queue leads nowhere.
    const cursor = writeCursor(JSON.stringify(['errors', {}]), {
      queue: secret.name,
      after: `${Date.now()} `,
    });
    const { body } = await board.get(`/api/errors?cursor=${cursor}`);
    expect(body).toMatchObject({ total: 2, examined: 2, nextCursor: null });
    expect(JSON.stringify(body)).not.toContain(secret.name);
    await board.close();
  });

  test('refuse what they do not know', async () => {
    const { board, queue } = await start();
    for (const [query, key] of [
      ['since=-1', '400 INVALID_DATE_RANGE'],
      ['since=x', '400 INVALID_DATE_RANGE'],
      ['since=1e99', '400 INVALID_DATE_RANGE'],
      ['cursor=none', '400 INVALID_QUERY_PARAM'],
      ['from=1', '400 INVALID_QUERY_PARAM'],
      ['queueName=none', '404 QUEUE_NOT_FOUND'],
    ]) {
      expect(keyOf(await board.get(`/api/errors?${query}`))).toBe(key);
    }
    expect((await walk(board)).errors).toEqual([]);
    expect((await walk(board, `queueName=${queue.name}`)).steps[0]).toMatchObject({ total: 0 });
  });
}

for (const cell of cells) suiteOf(cell, errorsSuite);
