/** Activity in many queues: workers, the oldest waiting job, and jobs finished per minute, from the metrics of the libraries. */

import { expect, it } from 'vitest';
import { lastMinutes } from '../../../src/board/kvq/model/activity.ts';
import { cells } from './cells.ts';
import { serveBoard } from './http-board.ts';
import { suiteOf, until } from './suite.ts';
import type { Suite } from './suite.ts';

function activitySuite({ cell, start, test, world, current }: Suite): void {
  test('tells workers, waiting jobs and jobs finished in the last minute', async () => {
    const { queue, board, runJobs } = await start();
    const activity = async (query = '') => {
      const { status, body } = await board.get(`/api/activity?queueName=${queue.name}${query}`);
      expect(status).toBe(200);
      return body.queues[0];
    };
    expect(await activity('&minutes=3')).toMatchObject({
      queueName: queue.name,
      oldestWaiting: 0,
      perMinute: { completed: 0, failed: 0, source: 'jobs' },
      minutes: null,
    });
    await queue.addBulk([1, 2, 3].map((index) => ({ name: 'job', data: { index } })));
    await runJobs(true);
    await queue.add('good', {});
    await runJobs(false);
    expect((await activity()).perMinute).toEqual({ completed: 1, failed: 3, source: 'jobs' });
    const timestamp = Date.now() - 3_600_000;
    await queue.add('old', {}, { timestamp });
    if (current) await queue.add('first', {}, { timestamp: timestamp - 600_000, priority: 5 });
    const { oldestWaiting } = await activity();
    expect(Math.round(oldestWaiting / 600_000)).toBe(current ? 7 : 6);
  });

  test('counts the workers of each queue in one read', async () => {
    const one = await world().queue('active-one');
    const two = await world().queue('active-two');
    const board = await serveBoard([one.boardQueue(), two.boardQueue()]);
    const stops = [await one.work(async () => undefined), await one.work(async () => undefined)];
    const workers = async () =>
      (await board.get('/api/activity')).body.queues.map(
        (queue: { workers: number | null }) => queue.workers,
      );
    const least = cell.library === 'legacy' ? 1 : 2;
    await until(async () => {
      const [first = 0, second] = await workers();
      const told = [await one.workers(), await two.workers()];
      return first >= least && first === told[0] && second === told[1];
    }, 20_000);
    // Ages, by which they are sorted, go on between two reads.
    const bare = (listed: readonly { readonly id: string; readonly age: number }[]) =>
      listed
        .map((worker) => ({ ...worker, age: 0 }))
        .toSorted((left, right) => (left.id < right.id ? -1 : 1));
    const { queues } = (await board.get('/api/workers')).body;
    for (const [index, { name }] of [one, two].entries()) {
      const alone = (await board.get(`/api/queues/${name}/workers`)).body.workers;
      expect(queues[index].queueName).toBe(name);
      expect(bare(queues[index].workers)).toEqual(bare(alone));
    }
    expect(queues[0].workers.length).toBeGreaterThanOrEqual(least);
    await Promise.all(stops.map((stop) => stop()));
    await board.close();
    const silent = await serveBoard([one.boardQueue()], { showWorkers: false });
    expect((await silent.get('/api/activity')).body.queues[0].workers).toBeNull();
    expect((await silent.get('/api/workers')).status).toBe(403);
    await silent.close();
  });

  test('refuses unusable parameters, and tells nothing of unknown queues', async () => {
    const { board } = await start();
    for (const query of ['minutes=1441', 'minutes=x', 'queue=a']) {
      expect((await board.get(`/api/activity?${query}`)).status).toBe(400);
    }
    expect((await board.get('/api/activity?queueName=none')).body.queues).toEqual([]);
  });
}

for (const cell of cells) suiteOf(cell, activitySuite);

const minute = 60_000;
const at = 1_000 * minute;

it.each<readonly [string, number, readonly number[], readonly number[]]>([
  // The library stores minutes before the one of the last job, newest first.
  ['in this minute', at + 5_000, [5, 4, 3], [5, 4, 3]],
  ['in the minute before', at - 1_000, [5, 4, 3], [7, 5, 4]],
  ['three minutes ago', at - 3 * minute + 1_000, [5, 4, 3], [0, 0, 7]],
  ['long ago', at - 100 * minute, [5], [0, 0, 0]],
  ['in the minute before, without others', at - 1, [], [7, 0, 0]],
])('counts full minutes when the last job ended %s', (_, prevTS, data, counts) => {
  const metrics = { prevTS, prevCount: 10, count: 17, data };
  expect(lastMinutes(metrics, at + 30_000, 3)).toEqual(counts);
});
