/** Pages, logs and flows of large jobs read a bounded number of bytes, and mark what they leave out. */

import { expect } from 'vitest';
import { serveBoard } from './http-board.ts';
import { until, suiteOf } from './suite.ts';
import type { Suite } from './suite.ts';
import { cells } from './cells.ts';

const large = 'x'.repeat(300_000);

function bytesSuite({ cell, current, world, start, test }: Suite): void {
  test('reads a page of large jobs within 16 MB, and tells what it leaves out', async () => {
    const { queue, listed } = await start();
    await queue.addBulk(Array.from({ length: 80 }, () => ({ name: 'big', data: { large } })));
    await queue.add('small', { a: 1 });
    const { jobs } = await listed('&status=waiting&jobsPerPage=1000');
    expect(jobs).toHaveLength(81);
    const whole = jobs.filter((job: { truncated?: string[] }) => !job.truncated);
    const cut = jobs.filter((job: { truncated?: string[] }) => job.truncated);
    expect(whole[0]).toMatchObject({ name: 'small', data: { a: 1 } });
    expect(whole.length).toBeGreaterThan(40);
    expect(JSON.stringify(whole).length).toBeLessThan(16_000_000);
    expect(cut.length).toBe(81 - whole.length);
    for (const job of cut) {
      expect(job).toMatchObject({ name: 'big', data: null, truncated: ['data'] });
    }
  });

  test('lists jobs without their data', async () => {
    const { queue, listed, runJobs } = await start({
      formatters: { data: () => ({ formatted: true }) },
    });
    await queue.add('mail', { large });
    await runJobs(false);
    const [job] = (await listed('&status=completed&data=false')).jobs;
    expect(job).toMatchObject({ name: 'mail', data: null, returnValue: null });
    expect(job.truncated.toSorted()).toEqual(['data', 'returnValue']);
    const [whole] = (await listed('&status=completed')).jobs;
    expect(whole).toMatchObject({ data: { formatted: true }, returnValue: { done: true } });
    expect(whole).not.toHaveProperty('truncated');
  });

  test('reads the last lines of a log within the limit', async () => {
    const { queue, board, path } = await start();
    const id = await queue.add('talks', {});
    const stop = await queue.work(async (job) => {
      for (let line = 0; line < 20; line += 1) await job.log(`${line} ${large.slice(0, 100_000)}`);
    });
    await until(async () => (await queue.state(id)) === 'completed');
    await stop();
    const small = await serveBoard([queue.boardQueue()], { maxReadBytes: 1_000_000 });
    const { body } = await small.get(`${path}/${id}/logs?window=true`);
    expect(body).toMatchObject({ total: 20, truncated: true });
    expect(body.lines.map((line: string) => line.split(' ')[0])).toEqual(
      Array.from({ length: 9 }, (_, index) => String(index + 11)),
    );
    expect((await small.get(`${path}/${id}/logs`)).body).toEqual(body.lines);
    const whole = await board.get(`${path}/${id}/logs?window=true`);
    expect([whole.body.lines.length, whole.body.truncated]).toEqual([20, false]);
    await small.close();
  });

  if (!current) return;

  test('reads a flow of large jobs without their data', async () => {
    const { queue, path } = await start();
    const children = Array.from({ length: 5 }, (_, index) => ({
      name: `child ${index}`,
      queue,
      data: { large },
    }));
    const flow = { name: 'parent', queue, data: { large }, children };
    const id = String(await world().flow?.(flow));
    const board = await serveBoard([queue.boardQueue()], { maxReadBytes: 10_000 });
    const { body } = await board.get(`${path}/${id}/flow`);
    expect(body.flowRoot.children).toHaveLength(5);
    expect(body.flowRoot).not.toHaveProperty('truncated');
    const named = { formatters: { name: (job: object) => `${JSON.stringify(job).length}` } };
    const formatting = await serveBoard([queue.boardQueue(named)], { maxReadBytes: 10_000 });
    const { flowRoot } = (await formatting.get(`${path}/${id}/flow`)).body;
    expect([Number(flowRoot.name) < 10_000, flowRoot.truncated]).toEqual([true, true]);
    for (const served of [board, formatting]) {
      expect([cell.name, served.errors]).toEqual([cell.name, []]);
      await served.close();
    }
  });
}

for (const cell of cells) suiteOf(cell, bytesSuite);
