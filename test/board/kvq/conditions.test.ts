/** Commands on a job that the client has seen in another state, or before another change, answer 409. */

import { expect } from 'vitest';
import { keyOf, suiteOf, until, whileActive } from './suite.ts';
import type { Suite } from './suite.ts';
import { cells } from './cells.ts';

function conditionsSuite({ cell, current, start, test }: Suite): void {
  test('does not rerun a job that has completed since it was seen as failed', async () => {
    const { queue, board, path, runJobs } = await start();
    const id = await queue.add('mail', {});
    await runJobs(true);
    const seen = { expectedState: 'failed' };
    expect((await board.send('PUT', `${path}/${id}/retry`, seen)).status).toBe(204);
    await runJobs(false);
    const stale = await board.send('PUT', `${path}/${id}/retry`, seen);
    expect(keyOf(stale)).toBe('409 JOB_CHANGED');
    expect(stale.body.error.options).toEqual({ state: 'completed' });
    expect(await queue.state(id)).toBe('completed');
  });

  test('changes a job only if it is unchanged', async () => {
    const { queue, board, path } = await start();
    const id = await queue.add('mail', { a: 1 }, { delay: 600_000 });
    const job = `${path}/${id}`;
    const { version: ifUnchanged } = (await board.get(job)).body;
    expect((await board.get(job)).body.version).toBe(ifUnchanged);
    const update = { jobData: { a: 2 }, ifUnchanged };
    expect((await board.send('PATCH', `${job}/update-data`, update)).status).toBe(200);
    const commands: readonly [string, string, object][] = [
      ['PATCH', 'update-data', { jobData: { a: 3 } }],
      ['PUT', 'promote', {}],
      ['PUT', 'clean', {}],
      ['PATCH', 'delay', { runAt: Date.now() + 60_000 }],
      ['PATCH', 'priority', { priority: 3 }],
    ];
    for (const [method, route, body] of commands.slice(0, current ? 5 : 3)) {
      const conditions = [
        { ifUnchanged },
        { expectedState: 'waiting' },
        // No store can hold these.
        { ifUnchanged: '\ud800' },
        { ifUnchanged: 'a\0b' },
      ];
      for (const condition of conditions) {
        const stale = await board.send(method, `${job}/${route}`, { ...body, ...condition });
        expect([route, keyOf(stale)]).toEqual([route, '409 JOB_CHANGED']);
        expect(stale.body.error.options).toEqual({ state: 'delayed' });
      }
    }
    const after = await board.get(job);
    expect(after.body).toMatchObject({
      status: 'delayed',
      job: { data: { a: 2 }, delay: 600_000 },
    });
    const now = { expectedState: 'delayed', ifUnchanged: after.body.version };
    expect((await board.send('PUT', `${job}/promote`, now)).status).toBe(204);
    const odd = await board.send('PUT', `${job}/clean`, { expectedState: 'odd' });
    expect(keyOf(odd)).toBe('400 INVALID_REQUEST_BODY');
    expect((await board.send('PUT', `${job}/clean`, { expectedState: 'waiting' })).status).toBe(
      204,
    );
  });

  test('moves an active job back once its worker is gone', async () => {
    const { queue, board, path, listed } = await start();
    const id = await queue.add('mail', {});
    const job = `${path}/${id}`;
    expect(keyOf(await board.send('PUT', `${job}/release`))).toBe('409 JOB_NOT_ACTIVE');
    await whileActive(queue, async () => {
      expect((await listed('&status=active')).jobs[0]).not.toHaveProperty('isOrphaned');
      expect(keyOf(await board.send('PUT', `${job}/release`))).toBe('409 JOB_IS_ACTIVE');
    });
    await until(async () => (await queue.state(id)) === 'completed');
    if (cell.datastore === 'sql') return;
    // The state that a worker leaves behind when its process ends: an active job, and no lock.
    const { client, key } = queue.redis ?? {};
    const orphan = await queue.add('orphan', {});
    await client?.rpoplpush(String(key?.('wait')), String(key?.('active')));
    await client?.hset(String(key?.(orphan)), 'processedOn', Date.now());
    const [shown] = (await listed('&status=active')).jobs;
    expect(shown).toMatchObject({ name: 'orphan', isOrphaned: true });
    expect((await board.get(`${path}/${orphan}`)).body.job.isOrphaned).toBe(true);
    expect((await board.send('PUT', `${path}/${orphan}/release`)).status).toBe(204);
    expect(await queue.state(orphan)).toBe('waiting');
    const names: string[] = [];
    const again = await queue.work(async ({ name }) => void names.push(name));
    await until(async () => (await queue.state(orphan)) === 'completed');
    await again();
    expect(names).toEqual(['orphan']);
  });
}

for (const cell of cells) suiteOf(cell, conditionsSuite);
