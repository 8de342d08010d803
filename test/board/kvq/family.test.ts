/** Parents and children: a parent goes on when its last child is gone, and not before, whatever command takes the others. */

import { expect } from 'vitest';
import type { FlowSpec } from './cell.ts';
import { serveBoard } from './http-board.ts';
import { changedBy, keyOf, suiteOf, until, whileActive } from './suite.ts';
import type { Stage, Suite } from './suite.ts';
import { cells } from './cells.ts';

const minute = 60_000;

const soon = (): number => Date.now() + minute;

function familySuite({ cell, world, start, test }: Suite): void {
  const flow = async (spec: FlowSpec): Promise<string> => String(await world().flow?.(spec));

  const later = { jobId: 'later', delay: 10 * minute };

  /** A parent in another queue whose only child has completed. */
  const parentOfDone = async ({ queue, runJobs }: Stage) => {
    const above = await world().queue(`above-${queue.name}`);
    const parent = await flow({
      name: 'parent',
      queue: above,
      children: [{ name: 'done', queue }],
    });
    await runJobs(false);
    expect(await above.state(parent)).toBe('waiting');
    return { above, parent };
  };

  test('family: a parent in another queue waits until its last child is cleaned', async () => {
    const { queue, runJobs } = await start();
    const above = await world().queue(`above-${queue.name}`);
    const { driver } = queue.boardQueue();
    const reach = [above.boardQueue().driver.store.qualifiedName];
    const parent = await flow({
      name: 'parent',
      queue: above,
      children: [
        { name: 'first', queue },
        { name: 'later', queue, opts: later },
      ],
    });
    expect(await changedBy(driver.cleanStep('waiting', soon(), reach))).toBe(1);
    expect(await above.state(parent)).toBe('waiting-children');
    const other = await flow({
      name: 'parent',
      queue: above,
      children: [
        { name: 'done', queue },
        { name: 'later', queue, opts: { delay: 10 * minute } },
      ],
    });
    await runJobs(false);
    expect(await changedBy(driver.cleanStep('completed', soon(), reach))).toBe(1);
    expect(await above.state(other)).toBe('waiting-children');
    expect(await changedBy(driver.cleanStep('delayed', soon(), reach))).toBe(2);
    expect([await above.state(parent), await above.state(other)]).toEqual(['waiting', 'waiting']);
  });

  test('family: a clean takes children for which no parent waits any more, wherever it is', async () => {
    const stage = await start();
    const { queue } = stage;
    const { above, parent } = await parentOfDone(stage);
    const { driver } = queue.boardQueue();
    expect(await changedBy(driver.cleanStep('completed', soon(), []))).toBe(1);
    expect(await above.state(parent)).toBe('waiting');
  });

  test('family: a removed parent leaves no results of its children', async () => {
    const stage = await start();
    const { queue } = stage;
    const { client } = queue.redis ?? {};
    if (!client) return;
    const { above, parent } = await parentOfDone(stage);
    const kept = () => client.keys(`${above.redis?.key(parent)}*`);
    expect(await kept()).toContain(`${above.redis?.key(parent)}:processed`);
    const { driver } = above.boardQueue();
    expect(await changedBy(driver.cleanStep('waiting', soon(), []))).toBe(1);
    expect(await kept()).toEqual([]);
  });

  test('family: a clean leaves the children whose grandparent is beyond the reach', async () => {
    const { queue } = await start();
    const above = await world().queue(`above-${queue.name}`);
    const { driver } = queue.boardQueue();
    const middle = {
      name: 'middle',
      queue,
      opts: { jobId: 'middle' },
      children: [{ name: 'leaf', queue }],
    };
    const top = await flow({ name: 'top', queue: above, children: [middle] });
    const step = driver.cleanStep('waiting', soon(), []);
    expect(await step()).toMatchObject({ changed: 0, spared: 1 });
    expect(await above.state(top)).toBe('waiting-children');
    expect(await queue.state('middle')).toBe('waiting-children');
  });

  test('family: a clean leaves a failed child that a parent beyond the reach still awaits', async () => {
    const { queue, runJobs } = await start();
    const above = await world().queue(`above-${queue.name}`);
    const { driver } = queue.boardQueue();
    const parent = await flow({ name: 'top', queue: above, children: [{ name: 'leaf', queue }] });
    await runJobs(true);
    expect(await driver.cleanStep('failed', soon(), [])()).toMatchObject({ changed: 0, spared: 1 });
    expect(await above.state(parent)).toBe('waiting-children');
    const reach = [above.boardQueue().driver.store.qualifiedName];
    expect(await changedBy(driver.cleanStep('failed', soon(), reach))).toBe(1);
    expect(await above.state(parent)).toBe('waiting');
  });

  test('family: a parent waits for a child that is retried after it completed', async () => {
    const { queue, board, path, runJobs } = await start();
    const parent = await flow({
      name: 'parent',
      queue,
      children: [
        { name: 'done', queue, opts: { jobId: 'done' } },
        { name: 'later', queue, opts: later },
      ],
    });
    await runJobs(false);
    const processed = async () =>
      queue.redis?.client.hlen(`${queue.redis.key(parent)}:processed`) ?? 0;
    if (cell.datastore === 'kv') expect(await processed()).toBe(1);
    expect((await board.send('PUT', `${path}/done/retry`)).status).toBe(204);
    // Its parent does not find the earlier result, as if the child were done.
    expect(await processed()).toBe(0);
    expect((await board.send('PUT', `${path}/later/clean`)).status).toBe(204);
    expect(await queue.state(parent)).toBe('waiting-children');
    await runJobs(false);
    expect(await queue.state(parent)).toBe('completed');
  });

  test('family: a parent goes on when its last child in its queue is removed', async () => {
    const { queue, board, path } = await start();
    const only = { name: 'only', queue, opts: { jobId: 'only' } };
    const parent = await flow({ name: 'parent', queue, children: [only] });
    expect((await board.send('PUT', `${path}/only/clean`)).status).toBe(204);
    expect(await queue.state(parent)).toBe('waiting');
  });

  // On PostgreSQL, the library does not await it again.
  if (cell.datastore === 'kv') {
    test('family: a parent waits for a child that is retried after its failure was ignored', async () => {
      const { queue, board, path, runJobs } = await start();
      const parent = await flow({
        name: 'parent',
        queue,
        children: [
          { name: 'fails', queue, opts: { jobId: 'fails', ignoreDependencyOnFailure: true } },
          { name: 'later', queue, opts: later },
        ],
      });
      await runJobs(true);
      expect(await queue.state(parent)).toBe('waiting-children');
      expect((await board.send('PUT', `${path}/fails/retry`)).status).toBe(204);
      expect((await board.send('PUT', `${path}/later/clean`)).status).toBe(204);
      expect(await queue.state(parent)).toBe('waiting-children');
      await runJobs(false);
      expect(await queue.state(parent)).toBe('completed');
    });

    test('family: a parent that failed with a child awaits that child when it is retried', async () => {
      const { queue, board, path, runJobs } = await start();
      const { client, key } = queue.redis ?? {};
      const opts = { jobId: 'fails', failParentOnFailure: true };
      const children = [{ name: 'fails', queue, opts }];
      const parent = await flow({ name: 'parent', queue, children });
      await runJobs(true);
      await until(async () => (await queue.state(parent)) === 'failed');
      const awaited = `${key?.(parent)}:dependencies`;
      expect(await client?.smembers(awaited)).toEqual([]);
      expect((await board.send('PUT', `${path}/fails/retry`)).status).toBe(204);
      expect(await client?.smembers(awaited)).toEqual([key?.('fails')]);
    });
  }

  test('family: a removal takes the children that have finished as well', async () => {
    const { queue, board, path, runJobs } = await start();
    const ignored = { ignoreDependencyOnFailure: true };
    const children = [
      { name: 'one', queue, opts: { jobId: 'one', ...ignored } },
      { name: 'other', queue, opts: { jobId: 'other', ...ignored } },
      { name: 'later', queue, opts: later },
    ];
    for (const fails of [false, true]) {
      const parent = await flow({ name: 'parent', queue, children });
      await runJobs(fails);
      expect(await queue.state('other')).toBe(fails ? 'failed' : 'completed');
      expect((await board.send('PUT', `${path}/${parent}/clean`)).status).toBe(204);
      for (const id of [parent, 'one', 'other', 'later']) {
        expect([fails, id, await queue.state(id)]).toEqual([fails, id, 'unknown']);
      }
    }
  });

  test('family: a child is removed that its parent beyond the reach no longer awaits', async () => {
    const { queue, runJobs } = await start();
    const above = await world().queue(`above-${queue.name}`);
    const { driver } = queue.boardQueue();
    const parent = await flow({
      name: 'parent',
      queue: above,
      children: [
        { name: 'done', queue, opts: { jobId: 'done' } },
        { name: 'later', queue, opts: later },
      ],
    });
    await runJobs(false);
    await driver.change('done', { act: 'remove', reach: [] }, {});
    const awaited = driver.change('later', { act: 'remove', reach: [] }, {});
    await expect(awaited).rejects.toMatchObject({ refusal: 'parent' });
    expect([await queue.state('done'), await queue.state('later')]).toEqual(['unknown', 'delayed']);
    expect(await above.state(parent)).toBe('waiting-children');
  });

  test('family: no removal takes a child that a worker holds', async () => {
    const { queue, board, path } = await start();
    const working = await world().queue(`working-${queue.name}`);
    const parent = await flow({
      name: 'parent',
      queue,
      children: [
        { name: 'held', queue: working, opts: { jobId: 'held' } },
        { name: 'later', queue, opts: later },
      ],
    });
    const both = await serveBoard([queue.boardQueue(), working.boardQueue()]);
    try {
      await whileActive(working, async () => {
        expect(keyOf(await both.send('PUT', `${path}/${parent}/clean`))).toBe('409 JOB_IS_ACTIVE');
        expect(await queue.state(parent)).toBe('waiting-children');
        const route = `${path}/${parent}/remove-unprocessed-children`;
        expect((await both.send('PUT', route)).status).toBe(200);
        expect(await working.state('held')).toBe('active');
        expect(await queue.state(parent)).toBe('waiting-children');
      });
      expect(both.errors).toEqual([]);
    } finally {
      await both.close();
    }
    expect(await queue.state(parent)).toBe('waiting');
    expect(board.errors).toEqual([]);
  });

  test('family: a removal needs all queues of a flow within its reach', async () => {
    const { queue } = await start();
    const other = await world().queue(`other-${queue.name}`);
    const { driver } = queue.boardQueue();
    const leaf = { name: 'leaf', queue: other, opts: { jobId: 'leaf' } };
    const middle = { name: 'middle', queue, opts: { jobId: 'middle' }, children: [leaf] };
    const root = await flow({ name: 'root', queue, children: [middle] });
    for (const id of [root, 'middle']) {
      const removal = driver.change(id, { act: 'remove', reach: [] }, {});
      await expect(removal).rejects.toMatchObject({ refusal: 'child' });
    }
    const single = other.boardQueue().driver.change('leaf', { act: 'remove', reach: [] }, {});
    await expect(single).rejects.toMatchObject({ refusal: 'parent' });
    const states = [
      await queue.state(root),
      await queue.state('middle'),
      await other.state('leaf'),
    ];
    expect(states).toEqual(['waiting-children', 'waiting-children', 'waiting']);
    const reach = [other.boardQueue().driver.store.qualifiedName];
    await driver.change(root, { act: 'remove', reach }, {});
    expect([await queue.state(root), await other.state('leaf')]).toEqual(['unknown', 'unknown']);
  });
}

for (const cell of cells.filter(({ library }) => library === 'current')) {
  suiteOf(cell, familySuite);
}
