/**
 * Reads over every kind of connection to pg-boss: queues, counts, depth, jobs, dependencies, warnings, schedules, info.
 */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cell } from './cells.ts';
import { type BoardUnderTest, type World, createListingIndexes, makeWorld } from './world.ts';

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const states = ['created', 'retry', 'active', 'completed', 'cancelled', 'failed'];

/** Jobs of a queue in alternating states, three at each time with microsecond precision. */
async function fillQueue({ boss, admin }: World, queue: string, jobs: number): Promise<void> {
  await boss.createQueue(queue);
  await admin.query(
    `insert into pgboss.job (name, state, priority, singleton_key, policy, data, created_on, start_after)
     select $1, (enum_range(null::pgboss.job_state))[1 + n % 6], n, 'key-' || n, 'standard',
       jsonb_build_object('n', n),
       '2026-01-01T00:00:00.000001Z'::timestamptz + n / 3 * interval '7 microseconds',
       '2026-01-01T00:00:00Z'
     from generate_series(0, $2 - 1) n`,
    [queue, jobs],
  );
}

/** Ids by paging in one direction, with the pages. */
async function walk(
  board: BoardUnderTest,
  path: string,
  cursor: 'nextCursor' | 'prevCursor' = 'nextCursor',
  from?: string,
): Promise<{ ids: string[]; last: string | null }> {
  const ids: string[] = [];
  let at = from;
  for (let page = 0; page < 200; page += 1) {
    const { status, body, text } = await board.get(at ? `${path}&cursor=${at}` : path);
    expect({ status, text }).toMatchObject({ status: 200 });
    const jobs = (body['jobs'] as unknown as { id: string }[]).map(({ id }) => id);
    if (cursor === 'nextCursor') ids.push(...jobs);
    else ids.unshift(...jobs);
    const next = body[cursor] as unknown as string | null;
    if (next === null) return { ids, last: at ?? null };
    at = next;
  }
  throw new Error('The walk does not end.');
}

export function readsSuite(cell: Cell): void {
  describe(`${cell.name}`, () => {
    let world: World;
    let board: BoardUnderTest;
    let closeCell: (() => Promise<void>) | undefined;

    beforeAll(async () => {
      world = await makeWorld(cell.library, 'pgq_reads');
      const { pgq, close } = cell.options(world);
      closeCell = close;
      board = await world.board(pgq);
    });
    afterAll(async () => {
      await world?.close();
      await closeCell?.();
    });

    it('lists queues by name with the counts that the library keeps, and their schedules', async () => {
      const { boss, admin } = world;
      await boss.createQueue('late', { policy: 'short', retryLimit: 7, retryDelay: 3 });
      await boss.createQueue('dead');
      await boss.createQueue('early', { deadLetter: 'dead', partition: true });
      await boss.schedule('late', '* * * * *', null, { key: 'a' });
      await boss.schedule('late', '5 * * * *', null, { key: 'b' });
      await admin.query(
        `update pgboss.queue set queued_count = 9, deferred_count = 2, ready_count = 7, active_count = 1,
           failed_count = 3, total_count = 20, warning_queued = 8, ready_history = '{7,6}',
           singletons_active = '{x}', monitor_on = '2026-01-01T00:00:00.5Z' where name = 'late'`,
      );
      const { status, body } = await board.get('/api/pgq/queues');
      expect(status).toBe(200);
      const queues = body['queues'] as unknown as { name: string }[];
      expect(queues.map(({ name }) => name)).toEqual(['dead', 'early', 'late']);
      expect(queues[2]).toMatchObject({
        policy: 'short',
        partition: false,
        counts: { queued: 9, deferred: 2, ready: 7, active: 1, failed: 3, total: 20 },
        statsCapturedOn: '2026-01-01T00:00:00.500Z',
        readyHistory: [7, 6],
        singletonsActive: ['x'],
        retryLimit: 7,
        retryDelay: 3,
        warningQueueSize: 8,
        backlogged: true,
        deadLetter: null,
        scheduleCount: 2,
        createdOn: expect.stringMatching(iso),
      });
      expect(queues[1]).toMatchObject({ deadLetter: 'dead', partition: true, scheduleCount: 0 });
      const one = await board.get('/api/pgq/queues/late');
      expect(one.body['queue']).toEqual(queues[2]);
    });

    it('counts each state up to the cap', async () => {
      await fillQueue(world, 'counted', 61);
      const { body } = await board.get('/api/pgq/queues/counted/counts');
      const counts = Object.fromEntries(
        states.map((state, index) => [state, { count: index === 0 ? 11 : 10, capped: false }]),
      );
      expect(body).toEqual({ counts, cap: 10_000 });
      const { pgq, close } = cell.options(world);
      const small = await world.board({ ...pgq, countCap: 10 });
      const capped = await small.get('/api/pgq/queues/counted/counts');
      expect(capped.body['cap']).toBe(10);
      expect(capped.body['counts']?.['created']).toEqual({ count: 10, capped: true });
      expect(capped.body['counts']?.['retry']).toEqual({ count: 10, capped: false });
      await close?.();
    });

    it('pages through the jobs of a queue in both orders and directions, with equal times', async () => {
      await fillQueue(world, 'walked', 100);
      await fillQueue(world, 'beside', 20);
      const { rows } = await world.admin.query<{ id: string }>(
        `select id from pgboss.job where name = 'walked' order by created_on, id`,
      );
      const expected = rows.map(({ id }) => id);
      for (const indexed of [false, true]) {
        const { pgq, close } = cell.options(world);
        if (indexed) await createListingIndexes(world.admin);
        const own = await world.board(pgq);
        for (const order of ['asc', 'desc']) {
          const wanted = order === 'asc' ? expected : expected.toReversed();
          const path = `/api/pgq/queues/walked/jobs?limit=7&order=${order}`;
          const there = await walk(own, path);
          expect(there.ids).toEqual(wanted);
          const back = await walk(own, path, 'prevCursor', there.last ?? '');
          expect(back.ids).toEqual(wanted);
        }
        const failed = await walk(own, '/api/pgq/queues/walked/jobs?state=failed&limit=5');
        expect(failed.ids).toHaveLength(16);
        const two = await walk(
          own,
          '/api/pgq/queues/walked/jobs?limit=4&filter[state][in]=failed,active&order=asc',
        );
        expect(two.ids).toHaveLength(33);
        expect(two.ids).toEqual(expected.filter((id) => two.ids.includes(id)));
        await close?.();
      }
    });

    it('finds jobs by the documented parameters and by the grammar', async () => {
      const path = '/api/pgq/queues/walked/jobs';
      const ids = async (query: string) => {
        const { status, body, text } = await board.get(`${path}?${query}`);
        expect({ status, text }).toMatchObject({ status: 200 });
        return body['jobs'] as unknown as { id: string; priority: number; state: string }[];
      };
      const [job] = await ids('singletonKey=key-42');
      expect(job).toMatchObject({ priority: 42, state: 'created', singletonKey: 'key-42' });
      expect(await ids(`id=${job?.id}`)).toEqual([job]);
      expect(await ids(`id=${randomUUID()}`)).toEqual([]);
      const ranged = await ids('filter[priority][between]=10,12&order=asc');
      expect(ranged.map(({ priority }) => priority).sort()).toEqual([10, 11, 12]);
      expect(await ids('filter[singletonKey][like]=key-9&limit=100')).toHaveLength(11);
      expect(await ids('filter[createdOn][lt]=2026-01-01T00:00:00.000001Z')).toEqual([]);
      expect(await ids('state=failed&filter[priority][lt]=12')).toHaveLength(2);
      expect(await ids('state=&limit=&order=')).toHaveLength(20);
    });

    it('shows one job with all of its fields, in its queue and in any queue', async () => {
      const { boss, admin } = world;
      await boss.createQueue('jobs');
      const later = new Date(Date.now() + 3_600_000);
      const id = (await boss.send(
        'jobs',
        { z: 1, text: 'ü' },
        { startAfter: later, priority: 3, singletonKey: 'only', retryLimit: 4, retryDelay: 5 },
      )) as string;
      const { body } = await board.get(`/api/pgq/queues/jobs/jobs/${id}`);
      expect(body['job']).toMatchObject({
        id,
        queueName: 'jobs',
        state: 'created',
        priority: 3,
        deferred: true,
        blocked: false,
        singletonKey: 'only',
        startAfter: later.toISOString(),
        startedOn: null,
        data: { z: 1, text: 'ü' },
        output: null,
        policy: 'standard',
        retryLimit: 4,
        retryDelay: 5,
        keepUntil: expect.stringMatching(iso),
        pendingDependencies: 0,
      });
      const found = await board.get(`/api/pgq/jobs/${id.toUpperCase()}`);
      expect(found.body['job']).toMatchObject({ id, queueName: 'jobs', deferred: true });
      expect(found.body['job']).not.toHaveProperty('data');
      await admin.query(
        `update pgboss.job set source_name = 'dead', source_id = $2, source_retry_count = 4,
           source_created_on = '2026-01-01Z', singleton_on = '2026-01-02 03:04:05' where id = $1`,
        [id, id],
      );
      const sourced = await board.get(`/api/pgq/queues/jobs/jobs/${id}`);
      expect(sourced.body['job']).toMatchObject({
        singletonOn: '2026-01-02T03:04:05.000Z',
        deadLetterSource: {
          queueName: 'dead',
          id,
          createdOn: '2026-01-01T00:00:00.000Z',
          retryCount: 4,
        },
      });
      for (const [path, key] of [
        [`/api/pgq/queues/jobs/jobs/${randomUUID()}`, 'JOB_NOT_FOUND'],
        [`/api/pgq/queues/counted/jobs/${id}`, 'JOB_NOT_FOUND'],
        [`/api/pgq/queues/jobs/jobs/${randomUUID()}/dependencies`, 'JOB_NOT_FOUND'],
        [`/api/pgq/jobs/${randomUUID()}`, 'PGQ_JOB_NOT_FOUND'],
        [`/api/pgq/queues/none/jobs/${id}`, 'QUEUE_NOT_FOUND'],
      ] as const) {
        const missing = await board.get(path);
        expect([missing.status, missing.text]).toEqual([
          404,
          JSON.stringify({ error: { key: `ERRORS.${key}` }, code: key }),
        ]);
      }
    });

    it('shows the dependencies of a job in both directions', async () => {
      const { boss } = world;
      await boss.createQueue('parents');
      await boss.createQueue('children');
      const ids = await boss.flow([
        { ref: 'a', name: 'parents', data: {} },
        { ref: 'b', name: 'parents', data: {} },
        { ref: 'c', name: 'children', data: {}, dependsOn: ['a', 'b'] },
      ]);
      const child = await board.get(`/api/pgq/queues/children/jobs/${ids['c']}/dependencies`);
      const parents = [ids['a'], ids['b']].sort().map((id) => ({ queueName: 'parents', id }));
      expect(child.body).toEqual({ dependencies: parents, dependents: [] });
      const parent = await board.get(`/api/pgq/queues/parents/jobs/${ids['a']}/dependencies`);
      expect(parent.body).toEqual({
        dependencies: [],
        dependents: [{ queueName: 'children', id: ids['c'] }],
      });
      const job = await board.get(`/api/pgq/queues/children/jobs/${ids['c']}`);
      expect(job.body['job']).toMatchObject({ blocked: true, pendingDependencies: 2 });
    });

    it('aggregates the snapshots of a queue into buckets', async () => {
      const { boss, admin } = world;
      await boss.createQueue('deep');
      const bucket = 60;
      // The table has no partition for yesterday: shortly after midnight, the snapshots are of the first minute.
      const [minute, day] = [Math.floor(Date.now() / 60_000), 1_440];
      const start = Math.max(minute - 5, Math.floor(minute / day) * day) * bucket;
      await admin.query(
        `insert into pgboss.queue_stats (name, deferred_count, queued_count, ready_count, active_count,
           failed_count, total_count, captured_on)
         select 'deep', 1, n, n, 2, 3, n + 10, to_timestamp($1 + n * 0.001) from generate_series(0, 3) n`,
        [start],
      );
      const max = await board.get('/api/pgq/queues/deep/depth?range=1h');
      expect(max.body['bucketSeconds']).toBe(bucket);
      const { from, to } = max.body as unknown as { from: number; to: number };
      expect(to - from).toBe(3_600_000);
      expect(max.body['points']).toEqual([
        { ts: start * 1000, deferred: 1, queued: 3, ready: 3, active: 2, failed: 3, total: 13 },
      ]);
      const avg = await board.get('/api/pgq/queues/deep/depth?range=1h&aggregate=avg');
      expect(avg.body['points']?.[0]).toMatchObject({ queued: 2, total: 12 });
      for (const [range, seconds] of [
        ['6h', 300],
        ['24h', 900],
        ['7d', 7_200],
      ] as const) {
        const { body } = await board.get(`/api/pgq/queues/deep/depth?range=${range}`);
        expect(body['bucketSeconds']).toBe(seconds);
        expect(body['points']).toHaveLength(1);
      }
      const none = await board.get('/api/pgq/queues/counted/depth');
      expect(none.body).toMatchObject({ points: [], bucketSeconds: 900 });
    });

    it('lists warnings newest first, by type, page by page', async () => {
      await world.admin.query(
        `insert into pgboss.warning (type, message, data, created_on)
         select case when n % 2 = 0 then 'slow_query' else 'queue_backlog' end, 'warning ' || n,
           jsonb_build_object('name', case when n % 3 = 0 then 'jobs' else 'gone' end),
           '2026-01-01T00:00:00.000001Z'::timestamptz + n / 2 * interval '3 microseconds'
         from generate_series(1, 60) n`,
      );
      const messages: string[] = [];
      let cursor: string | null = '';
      do {
        const { body } = await board.get(`/api/pgq/warnings?limit=9&cursor=${cursor}`);
        const page = body as unknown as {
          warnings: { message: string; queueName: string | null; type: string }[];
          nextCursor: string | null;
        };
        messages.push(...page.warnings.map(({ message }) => message));
        for (const { message, queueName } of page.warnings) {
          const number = Number(message.split(' ')[1]);
          expect(queueName).toBe(number % 3 === 0 ? 'jobs' : null);
        }
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(new Set(messages).size).toBe(60);
      expect(messages[0]).toBe('warning 60');
      const typed = await board.get('/api/pgq/warnings?type=slow_query&limit=100');
      expect(typed.body['warnings']).toHaveLength(30);
      const default_ = await board.get('/api/pgq/warnings');
      expect(default_.body['warnings']).toHaveLength(25);
    });

    it('lists schedules of all queues, or of one, with their next runs', async () => {
      const all = await board.get('/api/pgq/schedules');
      const schedules = all.body['schedules'] as unknown as { key: string; nextRuns: string[] }[];
      expect(schedules.map(({ key }) => key)).toEqual(['a', 'b']);
      expect(schedules[0]).toMatchObject({
        queueName: 'late',
        kind: 'cron',
        expression: '* * * * *',
        timezone: 'UTC',
        data: null,
        lastJobId: null,
      });
      for (const { nextRuns } of schedules) {
        expect(nextRuns).toHaveLength(cell.library.previews ? 5 : 0);
        expect([...nextRuns].sort()).toEqual(nextRuns);
      }
      // The next runs change with the minute.
      const paths = ['/api/pgq/schedules', '/api/pgq/schedules?queueName=late'];
      await expect
        .poll(async () => {
          const answers = await Promise.all(paths.map((path) => board.get(path)));
          return new Set(answers.map(({ text }) => text)).size;
        })
        .toBe(1);
      expect((await board.get('/api/pgq/schedules?queueName=dead')).body['schedules']).toEqual([]);
    });

    it('reports the installation', async () => {
      const { status, body } = await board.get('/api/pgq/info');
      expect(status).toBe(200);
      expect(body).toMatchObject({
        schema: 'pgboss',
        installed: true,
        schemaVersion: cell.library.schemaVersion,
        supportedRange: { min: 35, max: 46 },
        readable: true,
        writable: true,
        readOnly: false,
        unavailableReason: null,
        writesDisabledReason: null,
        untested: false,
        disabledFeatures: [],
        persistQueueStats: true,
        persistWarnings: true,
        datastore: {
          backend: 'sql',
          version: expect.stringMatching(/^\d+\.\d+/),
          port: expect.any(Number),
        },
        capabilities: {
          send: true,
          retry: true,
          cancel: true,
          resume: true,
          delete: true,
          scheduleWrite: true,
          schedulePreview: cell.library.previews,
          bulk: true,
        },
      });
      expect(body['features']).toMatchObject({
        queueCounters: true,
        scheduleKind: cell.library.schemaVersion >= 41,
        queueDepth: true,
      });
      expect(board.log.filter((line) => !line.startsWith('Listings of jobs'))).toEqual([]);
    });
  });
}
