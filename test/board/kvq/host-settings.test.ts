/** Host settings for the reads of the kvq engine: guards, hooks, formatters, workers, statistics. */

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { BoardOptions } from '../../../src/board/core/index.ts';
import type { BoardQueue } from '../../../src/board/kvq/index.ts';
import { everyServiceRequired } from '../../services/index.ts';
import type { Cell, CellWorld } from './cell.ts';
import { keyOf, until } from './suite.ts';
import type { ServedBoard } from './http-board.ts';
import { serveBoard } from './http-board.ts';
import { cells } from './cells.ts';

/** Runs the suite for a cell. */
function hostSuite(cell: Cell): void {
  describe(`${cell.name}`, () => {
    let world: CellWorld;
    const boards: ServedBoard[] = [];

    beforeAll(async () => {
      const opened = await cell.open();
      if (!('missing' in opened)) world = opened;
      else if (everyServiceRequired()) throw new Error(opened.advice);
    });

    afterAll(() => world?.close());

    afterEach(async () => {
      await Promise.all(boards.splice(0).map((board) => board.close()));
    });

    const boardOf = async (
      queues: readonly BoardQueue[],
      options?: BoardOptions,
    ): Promise<ServedBoard> => {
      const board = await serveBoard(queues, options);
      boards.push(board);
      return board;
    };

    const test = (name: string, run: () => Promise<void>): void => {
      it(`${name}`, async (context) => {
        if (!world) context.skip();
        await run();
      });
    };

    test('responds for a hidden queue as for a missing one', async () => {
      const hidden = await world.queue('hidden');
      const shown = await world.queue('shown');
      const id = await hidden.add('job', {});
      await hidden.schedule('tick', { every: 600_000 });
      const guarded = hidden.boardQueue().setVisibilityGuard(async ({ headers }, name) => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        return headers['x-role'] === 'admin' && name === hidden.name;
      });
      const board = await boardOf([guarded, shown.boardQueue()]);
      const routes = [
        'metrics',
        'default-job-options',
        'workers',
        'rate-limit',
        'job-data-schema',
        'search?name=x',
        id,
        `${id}/logs`,
        `${id}/flow`,
      ];
      for (const route of routes) {
        const answer = await board.get(`/api/queues/hidden/${route}`);
        const absent = await board.get(`/api/queues/absent/${route}`);
        expect([route, keyOf(answer)]).toEqual([route, '404 QUEUE_NOT_FOUND']);
        expect(answer.body).toEqual(absent.body);
      }
      const list = (await board.get('/api/queues?activeQueue=hidden')).body;
      expect(list.queues).toMatchObject([{ name: 'shown', jobs: [] }]);
      expect((await board.get('/api/job-schedulers')).body).toEqual({ schedulers: [] });
      expect((await board.get('/api/job-schedulers?queueName=hidden')).body).toEqual({
        schedulers: [],
      });
      expect((await board.get(`/api/search?id=${id}`)).body.jobs).toEqual([]);
      // Statistics come from the datastore of the first visible queue.
      expect((await board.get('/api/kv/stats')).body.backend).toBe(cell.datastore);
      expect(board.errors).toEqual([]);
    });

    test('fails a request whose guard throws, and shows nothing', async () => {
      const queue = await world.queue('guarded');
      const failing = queue.boardQueue().setVisibilityGuard(() => {
        throw new Error('who is there?');
      });
      const board = await boardOf([failing]);
      for (const path of ['/api/queues', '/api/queues/guarded/metrics', '/api/kv/stats']) {
        const answer = await board.get(path);
        expect(keyOf(answer)).toBe('500 INTERNAL_SERVER_ERROR');
        expect(JSON.stringify(answer.body)).not.toContain('who');
      }
      expect(board.errors.length).toBeGreaterThan(0);
    });

    test('hides a queue whose guard does not say that it is visible', async () => {
      const queue = await world.queue('unanswered');
      for (const answered of [undefined, null, 0]) {
        const guarded = queue.boardQueue().setVisibilityGuard(() => answered as unknown as boolean);
        const board = await boardOf([guarded]);
        expect((await board.get('/api/queues')).body.queues).toEqual([]);
        expect(keyOf(await board.get('/api/queues/unanswered/metrics'))).toBe(
          '404 QUEUE_NOT_FOUND',
        );
      }
    });

    test('calls hooks around every read', async () => {
      const queue = await world.queue('hooked');
      const id = await queue.add('job', {});
      const asked: string[] = [];
      const board = await boardOf([queue.boardQueue({ prefix: 'on ' })], {
        handlerHooks: {
          before: ({ method, route, request }) => {
            asked.push(`${method} ${route} ${[...request.queues.keys()].join()}`);
            return route.endsWith('/logs') ? { allow: false } : undefined;
          },
          after: ({ route }, result) =>
            route === '/api/queues'
              ? { ...result, body: { ...Object(result.body), also: 1 } }
              : undefined,
        },
      });
      const path = `/api/queues/${encodeURIComponent('on hooked')}`;
      expect(keyOf(await board.get(`${path}/${id}/logs`))).toBe('403 FORBIDDEN');
      expect((await board.get(`${path}/${id}`)).status).toBe(200);
      expect((await board.get('/api/queues')).body).toMatchObject({ also: 1, queues: [{}] });
      expect(asked).toEqual([
        'get /api/queues/:queueName/:jobId/logs on hooked',
        'get /api/queues/:queueName/:jobId on hooked',
        'get /api/queues on hooked',
      ]);
    });

    test('applies the formatters wherever jobs are shown', async () => {
      const queue = await world.queue('formatted');
      const id = await queue.add('job', { secret: 1 });
      await queue.schedule('tick', { every: 600_000 }, { secret: 1 });
      const seen: Readonly<Record<string, unknown>>[] = [];
      const formatted = queue
        .boardQueue()
        .setFormatter('data', () => 'redacted')
        .setFormatter('name', (job) => {
          seen.push(job);
          return `a ${String(job['name'])}`;
        })
        .setFormatter('progress', () => ({ done: 5 }))
        .setFormatter('returnValue', () => 'nothing to see');
      const board = await boardOf([formatted]);
      const shown = {
        name: 'a job',
        data: 'redacted',
        progress: { done: 5 },
        returnValue: 'nothing to see',
      };
      expect((await board.get(`/api/queues/formatted/${id}`)).body.job).toMatchObject(shown);
      const { queues } = (await board.get('/api/queues?activeQueue=formatted')).body;
      expect(queues[0].jobs).toContainEqual(expect.objectContaining(shown));
      const found = (await board.get(`/api/queues/formatted/search?id=${id}`)).body.jobs;
      expect(found).toMatchObject([{ job: shown }]);
      // The name formatter receives the job in the format of its library.
      expect(seen).toContainEqual(
        expect.objectContaining({ id, name: 'job', data: { secret: 1 }, attemptsMade: 0 }),
      );
      const { schedulers } = (await board.get('/api/job-schedulers')).body;
      expect(JSON.stringify(schedulers)).not.toContain('secret');
      if (cell.library === 'current') {
        expect(schedulers).toMatchObject([{ template: { data: 'redacted' } }]);
        const root = await world.flow?.({
          name: 'root',
          queue,
          children: [{ name: 'leaf', queue }],
        });
        const flow = (await board.get(`/api/queues/formatted/${root}/flow`)).body;
        expect(flow.flowRoot).toMatchObject({
          name: 'a root',
          progress: { done: 5 },
          children: [{ name: 'a leaf' }],
        });
      }
    });

    test('omits workers when they are not to be shown', async () => {
      const queue = await world.queue('unseen');
      const stop = await queue.work(async () => 1);
      const board = await boardOf([queue.boardQueue()], { showWorkers: false });
      const { queues } = (await board.get('/api/queues')).body;
      expect(queues).toMatchObject([{ hasWorkers: null, capabilities: { workers: false } }]);
      expect(keyOf(await board.get('/api/queues/unseen/workers'))).toBe('403 WORKERS_DISABLED');
      expect(keyOf(await board.get('/api/queues/absent/workers'))).toBe('404 QUEUE_NOT_FOUND');
      await stop();
    });

    test('hides statistics when configured', async () => {
      const queue = await world.queue('kept');
      const board = await boardOf([queue.boardQueue()], { hideKvDetails: true });
      expect(keyOf(await board.get('/api/kv/stats'))).toBe('403 FORBIDDEN');
    });

    if (cell.library === 'current') {
      test('reports how long a rate limit still delays jobs', async () => {
        const queue = await world.queue('limited');
        const board = await boardOf([queue.boardQueue()]);
        const path = '/api/queues/limited';
        const ttl = async (): Promise<number> =>
          (await board.get('/api/queues')).body.queues[0].activeRateLimitTtl;
        await board.send('PUT', `${path}/rate-limit`, { max: 2, duration: 4_000 });
        await queue.addBulk(['a', 'b', 'c'].map((name) => ({ name, data: {} })));
        expect(await ttl()).toBe(0);
        const stop = await queue.work(async () => 1);
        await until(async () => (await ttl()) > 0);
        expect(await ttl()).toBeLessThanOrEqual(4_000);
        await board.send('PUT', `${path}/rate-limit/release`);
        expect(await ttl()).toBe(0);
        await stop();
        expect(board.errors).toEqual([]);
      });
    }

    test('shows the metrics of its library', async () => {
      const queue = await world.queue('metrics');
      const { redis } = queue;
      if (!redis) return;
      const board = await boardOf([queue.boardQueue()]);
      const key = redis.key('metrics:completed');
      await redis.client.hset(key, { count: 12, prevTS: 1_700_000_000_000, prevCount: 7 });
      await redis.client.rpush(`${key}:data`, '5', '', 'x', '7');
      await redis.client.set(redis.key('metrics:failed'), 'no hash');
      expect((await board.get('/api/queues/metrics/metrics')).body).toEqual({
        completed: {
          meta: { count: 12, prevTS: 1_700_000_000_000, prevCount: 7 },
          data: [5, 0, 0, 7],
          count: 4,
        },
        failed: null,
      });
    });
  });
}

for (const cell of cells) hostSuite(cell);
