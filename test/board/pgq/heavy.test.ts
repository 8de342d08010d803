/** Large jobs within the budget of the board: few are made into answers at a time, and no read waits without end. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBoard } from '../../../src/board/core/index.ts';
import { pgqEngine } from '../../../src/board/pgq/index.ts';
import { newestLibrary } from './libraries.ts';
import { type Body, type World, makeWorld } from './world.ts';

let world: World;

beforeAll(async () => {
  world = await makeWorld(newestLibrary, 'pgq_heavy');
});
afterAll(() => world?.close());

it('refuses large jobs beyond those that may wait, and answers small ones', async () => {
  const { boss } = world;
  await boss.createQueue('large');
  const text = 'é"'.repeat(100_000);
  const id = await boss.send('large', { text });
  const small = await boss.send('large', { text: 'few' });
  const engine = pgqEngine({ connection: world.url, instance: boss, queryTimeoutMs: 60_000 });
  const board = openBoard(engine, undefined, {}, false);
  const get = (job: string | null) =>
    board.fetch(new Request(`http://localhost/api/pgq/queues/large/jobs/${job}`));
  const reads = Array.from({ length: 90 }, async () => {
    const answer = await get(id);
    const body = (await answer.json()) as Body;
    return { status: answer.status, retry: answer.headers.get('retry-after'), body };
  });
  const answers = Promise.all(reads);
  expect((await get(small)).status).toBe(200);
  const found = Map.groupBy(await answers, ({ status }) => status);
  expect([...found.keys()].toSorted()).toEqual([200, 503]);
  for (const { body } of found.get(200) ?? []) expect(body.job?.data).toEqual({ text });
  for (const { body, retry } of found.get(503) ?? []) {
    expect([body.error?.key, Number(retry) > 0]).toEqual(['ERRORS.READ_LIMIT', true]);
  }
  // The budget is free again.
  expect((await get(id)).status).toBe(200);
  await board.close();
});
