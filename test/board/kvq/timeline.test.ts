/** Jobs that run, with their workers and the usual time, and jobs over time: against a ledger that the workers write. */

import { expect } from 'vitest';
import { cells } from './cells.ts';
import { serveBoard } from './http-board.ts';
import { keyOf, suiteOf, until, whileActive } from './suite.ts';
import type { Suite } from './suite.ts';

const minute = 60_000;
const hour = 60 * minute;

const bucketed = (moments: readonly number[], from: number, length: number, count: number) => {
  const counts = Array.from({ length: count }, () => 0);
  for (const moment of moments) {
    const at = Math.floor((moment - from) / length);
    if (at >= 0 && at < count) counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
};

function timelineSuite({ cell, start, test, world, current }: Suite): void {
  test('counts the jobs of a queue over time as the ledger does', async () => {
    const { queue, board, runJobs } = await start();
    const now = Date.now();
    const added: number[] = [];
    const ended: Record<'completed' | 'failed', string[]> = { completed: [], failed: [] };
    const add = async (timestamp: number, opts: object = {}) => {
      added.push(timestamp);
      return queue.add('job', {}, { timestamp, ...opts });
    };
    for (let at = 0; at < 25; at += 1) ended.completed.push(await add(now - at * 5 * minute));
    await runJobs(false);
    for (let at = 0; at < 7; at += 1) ended.failed.push(await add(now - at * 11 * minute));
    await runJobs(true);
    for (let at = 0; at < 6; at += 1) await add(now - at * 17 * minute);
    await add(now - 3 * minute, { delay: hour });
    if (current) await add(now - 4 * minute, { priority: 3 });
    await queue.pause();
    for (const [unit, length, count] of [
      ['minute', minute, 150],
      ['hour', hour, 4],
    ] as const) {
      const to = now + 5 * minute;
      const from = Math.floor((to - (count - 1) * length) / length) * length;
      const { status, body } = await board.get(
        `/api/timeline?queueName=${queue.name}&unit=${unit}&from=${from}&to=${to}`,
      );
      expect(status).toBe(200);
      const finished = async (ids: readonly string[]) =>
        Promise.all(ids.map(async (id) => Number((await queue.described(id))['finishedOn'])));
      expect(body).toEqual({
        from,
        bucketMs: length,
        added: bucketed(added, from, length, body.added.length),
        completed: bucketed(await finished(ended.completed), from, length, body.added.length),
        failed: bucketed(await finished(ended.failed), from, length, body.added.length),
        // Jobs that ended before the range are not read.
        examined: added.length,
        partial: [],
      });
    }
  });

  test('finds the jobs that ended in a range, and changes no others', async () => {
    const { queue, board, path, runJobs } = await start();
    const ids: string[] = [];
    for (let at = 0; at < 9; at += 1) {
      ids.push(await queue.add('job', { at }, { timestamp: Date.now() - at * hour }));
      await runJobs(true);
    }
    await queue.add('waiting', {});
    const ended = await Promise.all(
      ids.map(async (id) => Number((await queue.described(id))['finishedOn'])),
    );
    const [from = 0, to = 0] = [ended[2], ended[6]];
    const inRange = ids.filter((_, at) => (ended[at] ?? 0) >= from && (ended[at] ?? 0) <= to);
    const range = `finishedFrom=${from}&finishedTo=${to}`;
    for (const query of [range, `status=failed&${range}`, `status=failed&${range}&path=at`]) {
      const found: string[] = [];
      let cursor = '';
      do {
        const { body } = await board.get(`${path}/search?${query}&limit=2${cursor}`);
        found.push(...body.jobs.map(({ job }: { job: { id: string } }) => String(job.id)));
        cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor)}`;
      } while (cursor !== '');
      expect(found.toSorted()).toEqual(inRange.toSorted());
    }
    const open = (await board.get(`${path}/search?status=failed&finishedTo=${to}`)).body.jobs;
    expect(open).toHaveLength(ended.filter((at) => at <= to).length);
    expect((await board.get(`${path}/search?status=waiting&${range}`)).body.jobs).toEqual([]);
    const filter = { status: 'failed', finishedFrom: String(from), finishedTo: String(to) };
    const { body } = await board.send('POST', '/api/bulk', {
      queueName: queue.name,
      action: 'remove',
      filter,
    });
    await until(
      async () => (await board.get(`/api/bulk/${body.run.id}`)).body.run.state === 'completed',
    );
    const left = (await board.get(`${path}/jobs?status=failed`)).body.jobs;
    expect(left.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      ids.filter((id) => !inRange.includes(id)).toSorted(),
    );
  });

  if (current && cell.datastore === 'kv') {
    test('tells that more jobs are stored than are read', async () => {
      const { queue, board } = await start();
      for (let at = 0; at < 6; at += 1) {
        await queue.addBulk(Array.from({ length: 1_700 }, () => ({ name: 'job', data: {} })));
      }
      const to = Date.now() + minute;
      const { body } = await board.get(
        `/api/timeline?queueName=${queue.name}&unit=hour&from=${to - hour}&to=${to}`,
      );
      expect(body).toMatchObject({ examined: 10_000, partial: ['added'] });
      expect(body.added.reduce((sum: number, count: number) => sum + count, 0)).toBe(10_000);
    });

    test('reads no more ids of jobs whose data is gone than of others', async () => {
      const { queue, board } = await start();
      const ids = Array.from({ length: 10_001 }, (_, at) => [Date.now(), `gone-${at}`]);
      await queue.redis?.client.zadd(queue.redis.key('delayed'), ...ids.flat());
      await queue.add('job', {});
      const to = Date.now() + minute;
      const { body } = await board.get(
        `/api/timeline?queueName=${queue.name}&unit=hour&from=${to - hour}&to=${to}`,
      );
      expect(body).toMatchObject({ examined: 0, partial: ['added'] });
    });
  }

  test('refuses a range that is too long or none, and hides what is hidden', async () => {
    const { queue, board } = await start();
    const of = async (query: string) =>
      keyOf(await board.get(`/api/timeline?queueName=${queue.name}&${query}`));
    expect(await of(`from=0&to=${200 * minute}`)).toBe('400 INVALID_DATE_RANGE');
    expect(await of('from=5&to=4')).toBe('400 INVALID_DATE_RANGE');
    expect(await of('from=-1&to=4')).toBe('400 INVALID_DATE_RANGE');
    expect(await of('from=0&to=1e99')).toBe('400 INVALID_DATE_RANGE');
    expect(await of('from=0&to=1&unit=day')).toBe('400 INVALID_GRANULARITY');
    expect((await board.get('/api/timeline?from=0&to=1')).status).toBe(400);
    expect((await board.get('/api/running?queue=x')).status).toBe(400);
    const hidden = await world().queue('timeline-hidden');
    await hidden.add('secret', {});
    const grants = { allowed: ['*'] as const, queues: { [hidden.name]: ['queue.read'] as const } };
    const shown = await serveBoard([queue.boardQueue(), hidden.boardQueue()], {
      permissions: () => grants,
    });
    const away = await serveBoard([hidden.boardQueue({ visibilityGuard: () => false })]);
    const path = `/api/timeline?queueName=${hidden.name}&from=0&to=1`;
    await whileActive(hidden, async () => {
      expect(keyOf(await shown.get(path))).toBe('403 ACTION_NOT_ALLOWED');
      expect(keyOf(await away.get(path))).toBe('404 QUEUE_NOT_FOUND');
      for (const board of [shown, away]) {
        expect((await board.get('/api/running')).body.queues).toEqual([]);
        expect((await board.get(`/api/running?queueName=${hidden.name}`)).body.queues).toEqual([]);
      }
    });
    await shown.close();
    await away.close();
  });

  test('tells the jobs that run, and how long they usually run', async () => {
    const { queue, board, runJobs } = await start({
      formatters: { name: () => '(hidden)', data: () => '(hidden)' },
    });
    const ran: number[] = [];
    for (let at = 0; at < 5; at += 1) await queue.add('done', {});
    await runJobs(false);
    const { jobs } = (await board.get(`/api/queues/${queue.name}/jobs?status=completed`)).body;
    for (const job of jobs) ran.push(job.finishedOn - job.processedOn);
    const id = await queue.add('long', { secret: 1 });
    await whileActive(queue, async () => {
      const { body } = await board.get(`/api/running?queueName=${queue.name}`);
      expect(body.others).toBe(0);
      const [shown] = body.queues;
      expect(shown).toMatchObject({
        queueName: queue.name,
        active: 1,
        usual: { ms: ran.toSorted((a, b) => a - b)[2], jobs: 5 },
      });
      expect(shown.jobs).toHaveLength(1);
      expect(shown.jobs[0]).toMatchObject({ id, name: '(hidden)' });
      const { body: job } = await board.get(`/api/queues/${queue.name}/${id}`);
      expect(shown.jobs[0].startedOn).toBe(job.job.processedOn);
      expect(JSON.stringify(body)).not.toContain('secret');
    });
    expect((await board.get('/api/running')).body.queues).toEqual([]);
  });
}

for (const cell of cells) suiteOf(cell, timelineSuite);
