/** The reads of the kvq engine: the board reports queues and jobs as their library does. */

import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { QueueOptions } from '../../../src/board/kvq/index.ts';
import { everyServiceRequired } from '../../services/index.ts';
import type { Cell, CellWorld, TestQueue } from './cell.ts';
import { keyOf, until } from './suite.ts';
import type { Answer, ServedBoard } from './http-board.ts';
import { serveBoard } from './http-board.ts';
import { cells } from './cells.ts';

/** Runs the suite for a cell. */
function readsSuite(cell: Cell): void {
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

    const boardOf = async (queue: TestQueue, options?: QueueOptions): Promise<ServedBoard> => {
      const board = await serveBoard([queue.boardQueue(options)]);
      boards.push(board);
      return board;
    };

    const test = (name: string, run: () => Promise<void>, patience?: number): void => {
      it(
        `${name}`,
        async (context) => {
          if (!world) context.skip();
          await run();
        },
        patience,
      );
    };

    const activeOf = async (
      board: ServedBoard,
      name: string,
      query = '',
    ): Promise<Answer['body']> => {
      const path = `/api/queues?activeQueue=${encodeURIComponent(name)}${query}`;
      const { queues } = (await board.get(path)).body;
      return queues.find((queue: { name: string }) => queue.name === name);
    };

    test('reports results of jobs like the library, for any returned or thrown value', async () => {
      const queue = await world.queue('endings');
      const board = await boardOf(queue);
      const results: Readonly<Record<string, unknown>> = {
        nothing: undefined,
        null: null,
        text: 'text',
        empty: '',
        number: 1.5,
        zero: 0,
        false: false,
        json: '{"a":1}',
        object: { a: [1] },
      };
      const reasons: Readonly<Record<string, string>> = {
        plain: 'it broke',
        quoted: '"quoted"',
        null: 'null',
        digits: '12345678901234567890',
        json: '{"code":  5}',
        exponent: '1e3',
      };
      for (const kind of Object.keys(results))
        await queue.add('give', kind, { jobId: `give ${kind}` });
      for (const kind of Object.keys(reasons)) {
        await queue.add('throw', kind, { jobId: `throw ${kind}` });
      }
      const stop = await queue.work(async ({ name, data }) => {
        if (name === 'throw') throw new Error(reasons[String(data)]);
        return results[String(data)];
      });
      await until(async () => {
        const { active = 0, waiting = 0 } = await queue.counts();
        return active + waiting === 0;
      });
      await stop();
      const shown = async (id: string): Promise<Answer['body']> =>
        (await board.get(`/api/queues/endings/${encodeURIComponent(id)}`)).body.job;
      for (const kind of Object.keys(results)) {
        const job = await shown(`give ${kind}`);
        const { returnvalue, finishedOn, processedOn } = await queue.described(`give ${kind}`);
        // Bull itself treats falsy values as missing.
        const expected =
          cell.library === 'legacy' ? (results[kind] ?? null) : (returnvalue ?? null);
        expect([kind, job.returnValue]).toEqual([kind, expected]);
        expect(job).toMatchObject({ isFailed: false, finishedOn, processedOn });
      }
      for (const [kind, reason] of Object.entries(reasons)) {
        const job = await shown(`throw ${kind}`);
        expect((await queue.described(`throw ${kind}`))['failedReason']).toBe(reason);
        expect([kind, job.failedReason, job.isFailed]).toEqual([kind, reason, true]);
        expect(job.returnValue).toBe(null);
      }
      expect(board.errors).toEqual([]);
    });

    test('answers with one queue as the listing has it, whatever its name', async () => {
      for (const name of ['one queue', 'pause', 'search']) {
        const queue = await world.queue(name);
        const board = await boardOf(queue, { visibilityGuard: (_request) => !hidden });
        let hidden = false;
        for (const job of ['a', 'b', 'c']) await queue.add(job, {});
        const path = `/api/queues/${encodeURIComponent(name)}`;
        for (const query of [
          '',
          'status=waiting&page=2&jobsPerPage=2',
          'data=false',
          'jobs=false',
        ]) {
          const { status, body } = await board.get(`${path}?${query}`);
          expect([status, body]).toEqual([
            200,
            { queue: await activeOf(board, name, `&${query}`) },
          ]);
        }
        const refused = await board.get(`${path}?limit=1`);
        expect([refused.status, refused.body.error.options]).toEqual([400, { field: 'limit' }]);
        expect(keyOf(await board.get('/api/queues/no%20queue'))).toBe('404 QUEUE_NOT_FOUND');
        hidden = true;
        expect(keyOf(await board.get(path))).toBe('404 QUEUE_NOT_FOUND');
      }
    });

    test('lists and counts each state as the library does', async () => {
      const queue = await world.queue('states');
      const board = await boardOf(queue);
      const current = cell.library === 'current';
      for (const name of ['a', 'b', 'c']) await queue.add(name, {});
      for (const [name, priority] of [
        ['low', 3],
        ['high', 1],
        ['low again', 3],
      ] as const) {
        await queue.add(name, {}, { priority });
      }
      for (const name of ['last', 'last again']) await queue.add(name, {}, { lifo: true });
      for (const delay of [60_000, 30_000, 90_000]) await queue.add(`in ${delay}`, {}, { delay });
      const statuses = (await activeOf(board, 'states')).statuses.slice(1);
      const compare = async (except: readonly string[]): Promise<void> => {
        const counts = await queue.counts();
        const whole = await activeOf(board, 'states', '&jobsPerPage=100');
        const all: string[] = [];
        for (const status of statuses) {
          const { jobs } = await activeOf(board, 'states', `&status=${status}&jobsPerPage=100`);
          const names = jobs.map((job: { name: string }) => job.name);
          all.push(...names);
          if (except.includes(status)) continue;
          expect([status, names]).toEqual([status, await queue.names(status)]);
          expect([status, whole.counts[status]]).toEqual([status, counts[status] ?? 0]);
          for (const { id } of jobs) {
            const { body } = await board.get(`/api/queues/states/${id}`);
            expect(body.status).toBe(await queue.state(id));
          }
        }
        expect(whole.jobs.map((job: { name: string }) => job.name)).toEqual(all);
      };
      // On PostgreSQL the library mixes ascending and descending order for prioritized jobs; the board orders as on
      // Redis.
      const half = cell.datastore === 'sql' ? ['prioritized'] : [];
      await compare(half);
      if (current) {
        const { jobs } = await activeOf(board, 'states', '&status=prioritized');
        expect(jobs.map((job: { name: string }) => job.name)).toEqual(['low again', 'low', 'high']);
      }
      await queue.pause();
      await queue.add('meanwhile', {});
      // BullMQ 5 also lists paused jobs as waiting. On PostgreSQL it counts waiting jobs as paused.
      await compare([...half, 'waiting']);
      const { counts, isPaused } = await activeOf(board, 'states');
      expect(isPaused).toBe(true);
      const ofPaused = current ? 6 : 9;
      expect(counts).toMatchObject(
        cell.hasPaused ? { paused: ofPaused, waiting: 0 } : { waiting: ofPaused },
      );
      expect(board.errors).toEqual([]);
    });

    test('recognizes only jobs as jobs', async () => {
      const queue = await world.queue('keys');
      const board = await boardOf(queue);
      const id = await queue.add('real', {}, { delay: 60_000 });
      const broken = await queue.add('broken', {});
      await queue.schedule('tick', { every: 600_000 });
      await queue.pause();
      const others = [
        'meta',
        'id',
        'wait',
        'paused',
        'delayed',
        'events',
        'marker',
        'repeat',
        'repeat:tick',
        `${id}:logs`,
      ];
      for (const other of others) {
        const path = `/api/queues/keys/${encodeURIComponent(other)}`;
        for (const [method, route, body] of [
          ['GET', path],
          ['GET', `${path}/flow`],
          ['PUT', `${path}/clean`],
          ['PATCH', `${path}/update-data`, { jobData: {} }],
        ] as const) {
          const answer = await board.send(method, route, body);
          expect([method, route, keyOf(answer)]).toEqual([method, route, '404 JOB_NOT_FOUND']);
        }
        expect((await board.get(`/api/queues/keys/search?id=${other}`)).body.jobs).toEqual([]);
      }
      expect(await activeOf(board, 'keys')).toMatchObject({ isPaused: true, jobSchedulerCount: 1 });
      // A partly removed job can still be read and removed.
      const { redis } = queue;
      if (redis) {
        await redis.client.hdel(redis.key(broken), 'name', 'data', 'opts', 'timestamp');
        const left = await board.get(`/api/queues/keys/${broken}`);
        expect(left.body).toMatchObject({ job: { id: broken, name: '', data: {}, opts: {} } });
        expect((await board.send('PUT', `/api/queues/keys/${broken}/clean`)).status).toBe(204);
      }
      if (redis) {
        // A job without a state has the state that its library reports.
        const lost = await queue.add('lost', {});
        await redis.client.lrem(redis.key('paused'), 0, lost);
        await redis.client.lrem(redis.key('wait'), 0, lost);
        const { body } = await board.get(`/api/queues/keys/${lost}`);
        expect(body.status).toBe(cell.library === 'legacy' ? 'stuck' : 'unknown');
        expect(body.status).toBe(await queue.state(lost));
      }
      expect(board.errors).toEqual([]);
    });

    test('shows diagnostic details of a job, and only those that exist', async () => {
      const queue = await world.queue('details');
      const board = await boardOf(queue, {
        externalJobUrl: (job) => ({
          displayText: 'there',
          href: `https://jobs.example/${String(job['name'])}`,
        }),
      });
      const bare = await queue.add('bare', {}, { delay: 60_000 });
      const { job } = (await board.get(`/api/queues/details/${bare}`)).body;
      expect(job).toMatchObject({
        delay: 60_000,
        stacktrace: [],
        isFailed: false,
        progress: 0,
        externalUrl: { displayText: 'there', href: 'https://jobs.example/bare' },
      });
      for (const absent of [
        'groupId',
        'priority',
        'attemptsStarted',
        'stalledCounter',
        'deduplicationId',
        'deferredFailure',
        'failedReason',
      ]) {
        expect(job).not.toHaveProperty(absent);
      }
      const opts = { priority: 5, group: { id: 'team' }, attempts: 3, backoff: 1_000, keepLogs: 7 };
      const rich = await queue.add('rich', {}, { ...opts, deduplication: { id: 'one' } });
      expect((await board.get(`/api/queues/details/${rich}`)).body.job).toMatchObject({
        priority: 5,
        groupId: 'team',
        opts: { attempts: 3, keepLogs: 7 },
        ...(cell.library === 'current' && { deduplicationId: 'one' }),
      });
      const { redis } = queue;
      if (redis && cell.library === 'current') {
        await redis.client.hset(redis.key(rich), {
          ats: 4,
          atm: 2,
          stc: 1,
          defa: 'the child failed',
          pb: 'worker 7',
          progress: '[1,2]',
          stacktrace: JSON.stringify(['first', null, 'second']),
          data: 'no JSON',
          opts: JSON.stringify({
            kl: 7,
            de: { id: 'one' },
            ['__proto__']: { own: 1 },
            tm: 'trace',
          }),
        });
        const seen = (await board.get(`/api/queues/details/${rich}`)).body.job;
        expect(seen).toMatchObject({
          attempts: 2,
          attemptsStarted: 4,
          stalledCounter: 1,
          deferredFailure: 'the child failed',
          processedBy: 'worker 7',
          progress: '[1,2]',
          stacktrace: ['second', 'first'],
          isFailed: true,
          data: 'no JSON',
          opts: { keepLogs: 7, deduplication: { id: 'one' }, telemetry: { metadata: 'trace' } },
        });
        expect(JSON.stringify(seen.opts)).toContain('__proto__');
      }
      expect(board.errors).toEqual([]);
    });

    test('skips missing jobs, and the marker entries of old libraries', async () => {
      const queue = await world.queue('gone');
      const { redis } = queue;
      if (!redis) return;
      const board = await boardOf(queue);
      await queue.add('stays', {});
      const gone = await queue.add('goes', {});
      await redis.client.del(redis.key(gone));
      if (cell.library === 'current') await redis.client.rpush(redis.key('wait'), '0:0');
      const shown = await activeOf(board, 'gone', '&status=waiting');
      expect(shown.jobs.map((job: { name: string }) => job.name)).toEqual(['stays']);
      expect(shown.counts.waiting).toBe(2);
      expect((await queue.counts())['waiting']).toBe(2);
      expect(board.errors).toEqual([]);
    });

    test('truncates values that are nested too deeply to serialize', async () => {
      const queue = await world.queue('deep');
      const board = await boardOf(queue);
      let data: unknown = 'the end';
      for (let levels = 0; levels < 3_000; levels += 1) data = [data];
      const id = await queue.add('deep', data);
      const { redis } = queue;
      // No JavaScript library can write it, but other clients can.
      const depth = 20_000;
      const text = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
      if (redis) await redis.client.hset(redis.key(id), 'data', text);
      for (const path of [`/api/queues/deep/${id}`, '/api/queues?activeQueue=deep']) {
        const { status, body } = await board.get(path);
        expect(status).toBe(200);
        expect(JSON.stringify(body)).toMatch(redis ? /\{"a":"…"\}/ : /\["…"\]/);
      }
      expect(board.errors).toEqual([]);
    });

    test('shows the last lines of a long log', async () => {
      const queue = await world.queue('lines');
      const { redis } = queue;
      const board = await boardOf(queue);
      const id = await queue.add('talks', {});
      if (!redis) return;
      const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index} "ü"`);
      for (let from = 0; from < lines.length; from += 1_000) {
        await redis.client.rpush(redis.key(`${id}:logs`), ...lines.slice(from, from + 1_000));
      }
      const { body } = await board.get(`/api/queues/lines/${id}/logs`);
      expect(body).toEqual(lines.slice(-10_000));
    });

    test('identifies a queue by its name on the board everywhere', async () => {
      const queue = await world.queue('named');
      const board = await boardOf(queue, { prefix: 'team/' });
      await queue.schedule('tick', { every: 600_000 });
      const id = await queue.add('job', {});
      const { jobs } = await activeOf(board, 'team/named');
      expect(jobs.map((job: { id: string }) => job.id)).toContain(id);
      const path = `/api/queues/${encodeURIComponent('team/named')}`;
      expect((await board.get(`${path}/${id}`)).status).toBe(200);
      expect(keyOf(await board.get(`/api/queues/named/${id}`))).toBe('404 QUEUE_NOT_FOUND');
      const list = (await board.get('/api/job-schedulers?queueName=team/named')).body.schedulers;
      expect(list).toMatchObject([{ queueName: 'team/named' }]);
      expect((await board.get('/api/job-schedulers?queueName=named')).body.schedulers).toEqual([]);
      const found = (await board.get(`/api/search?id=${id}`)).body.jobs;
      expect(found).toMatchObject([{ queueName: 'team/named' }]);
      if (!world.flow) return;
      const root = await world.flow({ name: 'root', queue, children: [{ name: 'leaf', queue }] });
      const { flowRoot } = (await board.get(`${path}/${root}/flow`)).body;
      expect(flowRoot).toMatchObject({
        queueName: 'team/named',
        children: [{ queueName: 'team/named', children: [] }],
      });
    });

    test('lists the workers that the library lists, and reports when it cannot', async () => {
      for (const name of ['crew', 'équipe', 'q'.repeat(61)]) {
        const queue = await world.queue(name);
        const board = await boardOf(queue);
        const stop = await queue.work(async () => 1);
        const path = `/api/queues/${encodeURIComponent(name)}/workers`;
        // PostgreSQL truncates such a session name, so neither board nor library find its workers.
        if (cell.datastore === 'sql' && name !== 'crew') {
          expect((await board.get(path)).body).toEqual({ workers: null });
          expect((await activeOf(board, name)).hasWorkers).toBe(null);
        } else {
          await until(async () => (await activeOf(board, name)).hasWorkers === true);
          const { workers } = (await board.get(path)).body;
          expect(workers).toHaveLength(await queue.workers());
        }
        await stop();
      }
    });

    test('reads the repeatable jobs of BullMQ from before it had schedulers', async () => {
      const queue = await world.queue('former');
      const { redis } = queue;
      if (!redis || cell.library !== 'current') return;
      const board = await boardOf(queue);
      const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
      const end = 4_000_000_000_000;
      const next = 3_000_000_000_000;
      const former = [
        ['mail:send', '', `mail:send:::Europe/Berlin:0 4 * * *`],
        ['beat', '', 'beat::::5000'],
        ['ends', 'id7', `ends:id7:${end}::0 5 * * *`],
      ] as const;
      const runs: string[] = [];
      for (const [name, id, key] of former) {
        const run = `repeat:${md5(name + id + md5(key))}:${next}`;
        runs.push(run);
        await redis.client.zadd(redis.key('repeat'), next, key);
        await redis.client.hset(redis.key(run), { name, data: '{}', opts: '{}', timestamp: 1 });
      }
      await redis.client.zadd(redis.key('repeat'), next + 1, 'fields lost');
      const { schedulers } = (await board.get('/api/job-schedulers?queueName=former')).body;
      const byName = (name: string): unknown =>
        schedulers.find((scheduler: { name: string }) => scheduler.name === name);
      const common = { queueName: 'former', next };
      expect(byName('mail:send')).toEqual({
        ...common,
        id: former[0][2],
        name: 'mail:send',
        pattern: '0 4 * * *',
        tz: 'Europe/Berlin',
        nextRunJobId: runs[0],
        version: expect.any(String),
      });
      expect(byName('beat')).toEqual({
        ...common,
        id: former[1][2],
        name: 'beat',
        every: 5_000,
        nextRunJobId: runs[1],
        version: expect.any(String),
      });
      expect(byName('ends')).toEqual({
        ...common,
        id: former[2][2],
        name: 'ends',
        pattern: '0 5 * * *',
        endDate: end,
        nextRunJobId: runs[2],
        version: expect.any(String),
      });
      expect(byName('fields lost')).toEqual({
        queueName: 'former',
        id: 'fields lost',
        name: 'fields lost',
        next: next + 1,
        version: expect.any(String),
      });
      expect(board.errors).toEqual([]);
    });

    test('pages through one state, and shows the first jobs of each for all states', async () => {
      const queue = await world.queue('pages');
      const board = await boardOf(queue);
      await queue.addBulk(
        Array.from({ length: 5 }, (_, index) => ({ name: `now ${index}`, data: {} })),
      );
      await queue.add('later', {}, { delay: 60_000 });
      const namesOf = (shown: Answer['body']): string[] =>
        shown.jobs.map((job: { name: string }) => job.name);
      for (const query of ['', '&status=latest', '&status=latest&page=3', '&status=']) {
        const shown = await activeOf(board, 'pages', `${query}&jobsPerPage=2`);
        expect(shown.pagination).toEqual({ pageCount: 1, range: { start: 0, end: 1 } });
        expect(namesOf(shown)).toEqual(['now 4', 'now 3', 'later']);
      }
      const pages: readonly [string, number, string[]][] = [
        ['waiting&page=1', 3, ['now 4', 'now 3']],
        ['waiting&page=3', 3, ['now 0']],
        ['waiting&page=4', 3, []],
        ['delayed', 1, ['later']],
        ['completed', 0, []],
        ['prioritized', 0, []],
        ['paused', 0, []],
        ['waiting&page=999999999', 3, []],
      ];
      for (const [query, pageCount, names] of pages) {
        const shown = await activeOf(board, 'pages', `&status=${query}&jobsPerPage=2`);
        expect([query, shown.pagination.pageCount, namesOf(shown)]).toEqual([
          query,
          pageCount,
          names,
        ]);
      }
      const { queues } = (await board.get('/api/queues?status=waiting&page=2&jobsPerPage=2')).body;
      expect(queues[0]).toMatchObject({
        jobs: [],
        pagination: { pageCount: 1, range: { start: 0, end: 1 } },
      });
      expect(board.errors).toEqual([]);
    });

    test('shows the default options that match the contract', async () => {
      const own: Record<string, unknown> = {};
      own['self'] = own;
      const fitting = {
        attempts: 3,
        backoff: { type: 'exponential', delay: 500 },
        removeOnComplete: { age: 60, count: 5 },
        removeOnFail: 100,
        lifo: true,
        tags: ['own'],
      };
      const queue = await world.queue('defaults', {
        ...fitting,
        delay: 'soon',
        priority: Number.POSITIVE_INFINITY,
        big: 10n,
        own,
        made: () => 1,
      });
      const board = await boardOf(queue);
      const { body, status } = await board.get('/api/queues/defaults/default-job-options');
      expect([status, body]).toEqual([200, fitting]);
      expect(board.errors).toEqual([]);
    });

    test('reports jobs that cannot be formatted at themselves and once in the log', async () => {
      const queue = await world.queue('poisoned');
      const sound = await world.queue('sound');
      await queue.add('poison', null);
      await sound.add('job', {});
      const warnings: unknown[][] = [];
      const logger = { error: () => undefined, warn: (...told: unknown[]) => warnings.push(told) };
      const data = (): never => {
        throw new Error('no redaction without a user');
      };
      const served = [queue.boardQueue({ formatters: { data } }), sound.boardQueue()];
      const board = await serveBoard(served, { logger });
      boards.push(board);
      for (let polls = 0; polls < 3; polls += 1) {
        const { body, status } = await board.get('/api/queues?activeQueue=poisoned');
        expect(status).toBe(200);
        expect(body.queues).toMatchObject([
          {
            jobs: [{ data: null, problem: { key: 'ERRORS.FORMATTER_FAILED' } }],
            counts: { waiting: 1 },
          },
          { counts: { waiting: 1 } },
        ]);
        for (const listed of body.queues) expect(listed).not.toHaveProperty('problem');
        expect(JSON.stringify(body)).not.toContain('redaction');
      }
      expect(warnings).toMatchObject([
        [expect.stringContaining('poisoned'), { message: expect.stringContaining('redaction') }],
      ]);
    });

    test('shows the results of the children of a flow, and not those in hidden queues', async () => {
      if (!world.flow) return;
      const parents = await world.queue('parents');
      const children = await world.queue('children');
      const secret = await world.queue('secret');
      const ignored = { ignoreDependencyOnFailure: true };
      const later = { delay: 600_000 };
      const root = await world.flow({
        name: 'root',
        queue: parents,
        children: [
          { name: 'done', queue: children },
          { name: 'done and gone', queue: children, opts: { removeOnComplete: true } },
          { name: 'failed', queue: children, opts: ignored },
          { name: 'failed and gone', queue: children, opts: { ...ignored, removeOnFail: true } },
          { name: 'failed in secret', queue: secret, opts: ignored },
          {
            name: 'later',
            queue: children,
            opts: later,
            children: [{ name: 'deep', queue: parents, opts: later }],
          },
        ],
      });
      const work = async ({ name }: { name: string }): Promise<string> => {
        if (name.startsWith('failed')) throw new Error(`sorry, ${name}`);
        return name;
      };
      const stops = [await children.work(work), await secret.work(work)];
      const hidden = { visibilityGuard: () => false };
      const board = await serveBoard([
        parents.boardQueue(),
        children.boardQueue(),
        secret.boardQueue(hidden),
      ]);
      boards.push(board);
      const flowOf = async (query = ''): Promise<Answer['body']> =>
        (await board.get(`/api/queues/parents/${root}/flow${query}`)).body.flowRoot;
      await until(async () => {
        const { ignored: failures, processed } = (await flowOf()).dependencies;
        return failures === 3 && processed === 2;
      });
      await Promise.all(stops.map((stop) => stop()));
      const tree = await flowOf();
      expect(tree).toMatchObject({
        state: 'waiting-children',
        dependencies: { processed: 2, unprocessed: 1, ignored: 3, failed: 0 },
        truncated: true,
      });
      const byName = new Map<string, Answer['body']>(
        tree.children.map((node: { name: string }) => [node.name, node]),
      );
      expect([...byName.keys()].toSorted()).toEqual(['done', 'failed', 'later']);
      expect(byName.get('done')).toMatchObject({ state: 'completed', queueName: 'children' });
      expect(byName.get('later')).toMatchObject({
        state: 'waiting-children',
        children: [{ name: 'deep', queueName: 'parents', state: 'delayed' }],
      });
      expect(byName.get('later')).not.toHaveProperty('truncated');
      // A child whose job is missing still has its failure reason; one in a hidden queue does not.
      expect(Object.values(tree.ignoredChildFailureReasons).toSorted()).toEqual([
        'sorry, failed',
        'sorry, failed and gone',
      ]);
      expect(JSON.stringify(tree)).not.toContain('secret');
      const narrow = await flowOf('?maxChildren=2');
      expect(narrow.children.length).toBeLessThanOrEqual(2);
      expect(Object.keys(narrow.ignoredChildFailureReasons).length).toBeGreaterThan(0);
      expect(board.errors).toEqual([]);
    });

    test('lists more schedulers than one read returns, and those with unusual names', async () => {
      const queue = await world.queue('many');
      const board = await boardOf(queue);
      const runs = new Map<string, string>();
      const names = [
        'mail:send',
        'a b',
        'prix é',
        '7',
        ...Array.from({ length: 1_100 }, (_, i) => `t${i}`),
      ];
      for (const name of names)
        runs.set(name, await queue.schedule(name, { pattern: '0 3 1 1 *' }));
      const hourly = await queue.schedule('job:hourly', { every: 3_600_000 });
      const { schedulers } = (await board.get('/api/job-schedulers')).body;
      expect(schedulers).toHaveLength(names.length + 1);
      expect((await activeOf(board, 'many')).jobSchedulerCount).toBe(names.length + 1);
      for (const { name, every, ...scheduler } of schedulers) {
        const isHourly = name === 'job:hourly';
        expect(every).toBe(isHourly ? 3_600_000 : undefined);
        expect(scheduler).toMatchObject({
          nextRunJobId: isHourly ? hourly : runs.get(name),
          ...(!isHourly && { pattern: '0 3 1 1 *' }),
        });
      }
      const moments = schedulers.map(({ next }: { next: number }) => next);
      expect(moments).toEqual(moments.toSorted((left: number, right: number) => left - right));
      expect(board.errors).toEqual([]);
    }, 60_000);
  });
}

for (const cell of cells) readsSuite(cell);
