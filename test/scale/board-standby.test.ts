/** A board that reads from a standby which lags a second, and writes to the primary through an instance. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { contend } from '../board/pgq/contention.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { type BoardUnderTest, type World, makeWorld } from '../board/pgq/world.ts';
import type { Replication } from '../services/replicas.ts';
import { startReplication } from '../services/replicas.ts';
import { started } from './chosen.ts';

let servers: Replication | string = 'Standbys: not started.';
let world: World;
let board: BoardUnderTest;
let standby: string;

beforeAll(async () => {
  servers = await started(() => startReplication([1000]));
  if (typeof servers === 'string') return;
  world = await makeWorld(newestLibrary, 'standby', servers);
  standby = servers.standbys[0]?.url ?? '';
  await servers.standbys[0]?.caughtUp();
  board = await world.board({ instance: world.boss, connection: standby });
});
afterAll(async () => {
  await world?.close();
  if (typeof servers !== 'string') await servers.dispose();
});

it('decides on the rows of the primary', async (context) => {
  if (typeof servers === 'string') return context.skip(servers);
  const { boss } = world;
  await boss.createQueue('late');
  const taken = (await boss.send('late', {})) as string;
  const [lagging] = servers.standbys;
  await lagging?.caughtUp();
  await lagging?.pause();
  try {
    await boss.fetch('late');
    await boss.schedule('late', '0 3 * * *', null, { key: 'new' });
    const path = '/api/pgq/queues/late';
    const read = await board.get(`${path}/jobs/${taken}`);
    expect(read.body['job']?.['state']).toBe('created');
    const removed = await board.send('PUT', `${path}/jobs/${taken}/remove`);
    expect([removed.status, removed.body['error']?.['key']]).toEqual([409, 'ERRORS.JOB_IS_ACTIVE']);
    const bulk = await board.send('PUT', `${path}/jobs/remove`, { ids: [taken] });
    const skipped = [{ id: taken, state: 'active', code: 'JOB_IS_ACTIVE' }];
    expect(bulk.body).toEqual({ requested: 1, affected: 0, skipped });
    const unscheduled = await board.send('PUT', `${path}/schedules/remove`, { key: 'new' });
    expect(unscheduled.body).toEqual({ requested: 1, affected: 1 });
    await boss.createQueue('newer');
    const sent = await board.send('POST', '/api/pgq/queues/newer/jobs', {});
    expect(sent.status).toBe(200);
  } finally {
    await lagging?.resume();
  }
});

it('loses no job and runs none twice', async (context) => {
  if (typeof servers === 'string') return context.skip(servers);
  await contend(world, board);
});

it('tells that it cannot write through the standby', async (context) => {
  if (typeof servers === 'string') return context.skip(servers);
  await servers.standbys[0]?.caughtUp();
  const writing = await board.get('/api/pgq/info');
  expect(writing.body).toMatchObject({ writable: true, writesDisabledReason: null });
  const reading = await world.board({ connection: standby });
  const info = await reading.get('/api/pgq/info');
  expect(info.body).toMatchObject({
    readable: true,
    writable: false,
    writesDisabledReason: { key: 'ERRORS.PGQ_WRITER_UNAVAILABLE' },
    capabilities: { send: false, scheduleWrite: false },
  });
});
