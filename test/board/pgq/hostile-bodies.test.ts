/** Hostile bodies on every route of a board of pg-boss queues. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { routesWithBody, survives } from '../hostile-bodies.ts';
import { newestLibrary } from './libraries.ts';
import { type BoardUnderTest, type World, makeWorld } from './world.ts';

let world: World;
let board: BoardUnderTest;

beforeAll(async () => {
  world = await makeWorld(newestLibrary, 'pgq_hostile_bodies');
  board = await world.board();
  await world.boss.createQueue('q');
});

afterAll(() => world.close());

it.each(routesWithBody('pgq'))('%s', async (_operation, route) => {
  const jobId = (await world.boss.send('q', { index: 1 })) ?? randomUUID();
  const params = { queueName: 'q', jobId, runId: 'none' };
  await survives(board.origin, route, params, () => board.log);
  expect((await board.get('/api/pgq/queues')).status).toBe(200);
});
