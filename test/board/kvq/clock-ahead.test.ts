/** Commands over many jobs that hosts with a clock ahead of the board's have added or finished: none is left out. */

import { expect } from 'vitest';
import { turnClockBack } from '../../clock.ts';
import { until, suiteOf } from './suite.ts';
import type { Suite } from './suite.ts';
import { cells } from './cells.ts';

/** Milliseconds that the other hosts are ahead. */
const ahead = 20_000;

function clockAheadSuite({ start, test }: Suite): void {
  test('retries, promotes and removes jobs of hosts whose clock is ahead', async () => {
    const { queue, board, path, runJobs, listed } = await start();
    const run = async (body: object) => {
      const answer = await board.send('POST', '/api/bulk', { queueName: queue.name, ...body });
      expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
      let { run } = answer.body;
      await until(async () => {
        ({ run } = (await board.get(`/api/bulk/${run.id}`)).body);
        return run.state !== 'running';
      });
      return [run.state, run.changed];
    };
    for (let at = 0; at < 6; at += 1) await queue.add(at < 3 ? 'even' : 'odd', { at });
    await runJobs(true);
    for (let at = 0; at < 4; at += 1) {
      await queue.add(at < 2 ? 'even' : 'odd', { at }, { delay: 3_600_000 });
    }
    turnClockBack(ahead);
    expect(await run({ action: 'retry', filter: { name: 'even' } })).toEqual(['completed', 3]);
    const retried = await board.send('PUT', `${path}/retry/failed`);
    expect(retried.body).toEqual({ retried: 3, skipped: 0 });
    expect(await run({ action: 'promote', filter: { name: 'even' } })).toEqual(['completed', 2]);
    const promoted = await board.send('PUT', `${path}/promote`);
    expect(promoted.body).toEqual({ promoted: 2, skipped: 0 });
    const filter = { status: 'waiting', name: 'even' };
    expect(await run({ action: 'remove', filter })).toEqual(['completed', 5]);
    expect((await board.send('PUT', `${path}/empty`)).body).toEqual({ removed: 5, spared: 0 });
    expect((await listed()).counts).toMatchObject({ waiting: 0, delayed: 0, failed: 0 });
  });
}

for (const cell of cells) suiteOf(cell, clockAheadSuite);
