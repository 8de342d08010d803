/** The removal of a queue: only while it is paused, children before their parents, and nothing that others await. */

import { expect } from 'vitest';
import type { BulkStep } from '../../../src/board/kvq/model/driver.ts';
import { obliterateOnRedis } from '../../../src/board/kvq/redis/changes/bulk.ts';
import { RedisStore } from '../../../src/board/kvq/redis/store.ts';
import { serveBoard } from './http-board.ts';
import { keyOf, suiteOf } from './suite.ts';
import type { Suite } from './suite.ts';
import { cells } from './cells.ts';

const minute = 60_000;

/** Runs steps until none is left. */
async function whole(step: BulkStep): Promise<void> {
  while ((await step()).more);
}

function obliterateSuite({ current, world, start, test }: Suite): void {
  test('obliterate: takes nothing from a queue that is not paused', async () => {
    const { queue } = await start();
    const { driver } = queue.boardQueue();
    const id = await queue.add('waits', {});
    for (const force of [false, true]) {
      await expect(whole(driver.obliterateStep(force, []))).rejects.toMatchObject({
        refusal: 'state',
      });
    }
    expect(await queue.state(id)).toBe('waiting');
  });

  test('obliterate: keeps the settings of a queue that is resumed at its end, and tells it', async () => {
    const { queue, board, path } = await start();
    const { driver } = queue.boardQueue();
    const { store } = driver;
    if (!(store instanceof RedisStore)) throw new Error('The queue is not on Redis.');
    await queue.schedule('tick', { every: 10 * minute });
    await board.send('PUT', `${path}/pause`);
    const { settings, run } = store.changed;
    const resumed = {
      settings,
      run: async (...[script, args]: Parameters<typeof run>) => {
        // The steps over jobs name their state, and the end does not.
        if (!String(args[0]).includes('"act":"wipe"')) await driver.resume();
        return run(script, args);
      },
    };
    const removal = whole(obliterateOnRedis(resumed, driver.statuses, false, []));
    await expect(removal).rejects.toMatchObject({ refusal: 'state' });
    expect((await board.get('/api/job-schedulers')).body.schedulers).toHaveLength(1);
  });

  test('obliterate: takes a job that comes into a state that it has passed', async () => {
    const { queue, board, path } = await start();
    const { driver } = queue.boardQueue();
    const { store } = driver;
    if (!(store instanceof RedisStore)) throw new Error('The queue is not on Redis.');
    await queue.add('later', {}, { delay: 10 * minute });
    await board.send('PUT', `${path}/pause`);
    const { settings, run } = store.changed;
    let came: string | undefined;
    const beside = {
      settings,
      run: async (...[script, args]: Parameters<typeof run>) => {
        if (String(args[0]).includes('"state":"delayed"')) came ??= await queue.add('came', {});
        return run(script, args);
      },
    };
    await whole(obliterateOnRedis(beside, driver.statuses, false, []));
    expect(await queue.described(String(came))).toEqual({});
    const next = [await queue.add('next', {}), await queue.add('next', {})];
    for (const id of next) expect(await queue.described(id)).toMatchObject({ name: 'next' });
  });

  test('obliterate: leaves no key of a queue with a locked job, and more schedulers than a step removes', async () => {
    const { queue, board, path } = await start();
    const { client, key } = queue.redis ?? {};
    const { driver } = queue.boardQueue();
    if (!(driver.store instanceof RedisStore)) throw new Error('The queue is not on Redis.');
    const name = (type: string) => String(key?.(type));
    const held = await queue.add('held', {});
    await client?.rpoplpush(name('wait'), name('active'));
    await client?.set(name(`${held}:lock`), 'the token');
    await board.send('PUT', `${path}/pause`);
    for (let at = 0; at < 1_001; at += 1) {
      await client?.zadd(name('repeat'), at, `tick-${at}`);
      await client?.hset(name(`repeat:tick-${at}`), { name: 'tick', every: '60000' });
    }
    await whole(obliterateOnRedis(driver.store.changed, driver.statuses, true, []));
    expect(await client?.keys(`${name('')}*`)).toEqual([]);
  });

  if (!current) return;

  test('obliterate: leaves a flow whole when the queue is resumed before its last child is met', async () => {
    const { queue, board, path } = await start();
    const { driver } = queue.boardQueue();
    const { store } = driver;
    if (!(store instanceof RedisStore)) throw new Error('The queue is not on Redis.');
    const child = { name: 'child', queue, opts: { jobId: 'child', delay: 10 * minute } };
    const parent = await world().flow?.({ name: 'parent', queue, children: [child] });
    await board.send('PUT', `${path}/pause`);
    const { settings, run } = store.changed;
    const resumed = {
      settings,
      run: async (...[script, args]: Parameters<typeof run>) => {
        if (String(args[0]).includes('"state":"delayed"')) await driver.resume();
        return run(script, args);
      },
    };
    const removal = whole(obliterateOnRedis(resumed, driver.statuses, false, []));
    await expect(removal).rejects.toMatchObject({ refusal: 'state' });
    expect(await queue.state(String(parent))).toBe('waiting-children');
    expect(await queue.state('child')).toBe('delayed');
  });

  test('obliterate: keeps the queue with what a parent beyond the reach awaits, also with force', async () => {
    const { queue, path } = await start();
    const above = await world().queue(`above-${queue.name}`);
    const child = { name: 'child', queue, opts: { jobId: 'child' } };
    const parent = await world().flow?.({ name: 'parent', queue: above, children: [child] });
    await queue.add('free', {}, { jobId: 'free' });
    await queue.schedule('tick', { every: 10 * minute });
    await queue.pause();
    const board = await serveBoard([queue.boardQueue(), above.boardQueue({ readOnlyMode: true })]);
    try {
      for (const body of [{}, { force: true }]) {
        const answer = await board.send('PUT', `${path}/obliterate`, body);
        expect([body, keyOf(answer)]).toEqual([body, '409 JOB_PARENT_PROTECTED']);
      }
      expect([await queue.state('child'), await queue.state('free')]).toEqual([
        'waiting',
        'unknown',
      ]);
      expect(await above.state(String(parent))).toBe('waiting-children');
      const { schedulers } = (await board.get('/api/job-schedulers')).body;
      expect(schedulers).toHaveLength(1);
      expect(board.errors).toEqual([]);
    } finally {
      await board.close();
    }
  });
}

// On PostgreSQL, the library removes the queue.
for (const cell of cells.filter(({ datastore }) => datastore === 'kv')) {
  suiteOf(cell, obliterateSuite);
}
