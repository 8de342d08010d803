/** Jobs of pg-boss that run, with the usual time, and jobs over time: against a ledger, and within a scope. */

import { afterEach, expect, it } from 'vitest';
import { newestLibrary, oldestLibrary } from './libraries.ts';
import type { Library } from './libraries.ts';
import { type World, makeWorld } from './world.ts';

const minute = 60_000;
let world: World | undefined;

afterEach(() => world?.close());

interface Row {
  readonly key: string;
  readonly added: number;
  readonly ended?: number;
  readonly state: 'created' | 'completed' | 'failed' | 'cancelled' | 'active';
}

/** A queue with jobs of the last hours. */
async function filled(
  library: Library,
): Promise<{ world: World; rows: readonly Row[]; now: number }> {
  const made = await makeWorld(library, 'pgq_timeline');
  world = made;
  await made.boss.createQueue('mail');
  await made.boss.createQueue('other');
  const now = Date.now();
  const states = ['completed', 'failed', 'created', 'cancelled', 'completed'] as const;
  const rows = Array.from({ length: 120 }, (_, at): Row => {
    const state = states[at % states.length] ?? 'created';
    const added = now - at * 97_013;
    const key = at % 2 === 0 ? 'ada' : 'bob';
    return state === 'created'
      ? { key, added, state }
      : { key, added, ended: added + 31_007, state };
  });
  for (const { key, added, ended, state } of rows) {
    const id = await made.boss.send('mail', { key });
    await made.admin.query(
      `update pgboss.job set state = $2, created_on = to_timestamp($3::float8 / 1000), singleton_key = $5,
        started_on = to_timestamp(($4::float8 - 20000) / 1000), completed_on = to_timestamp($4::float8 / 1000)
        where id = $1`,
      [id, state, added, ended ?? null, key],
    );
  }
  await made.boss.send('other', {});
  return { world: made, rows, now };
}

function ledger(rows: readonly Row[], from: number, count: number) {
  const counts = () => Array.from({ length: count }, () => 0);
  const counted = { added: counts(), completed: counts(), failed: counts() };
  const add = (series: number[], moment: number | undefined) => {
    const at = Math.floor(((moment ?? 0) - from) / minute);
    if (at >= 0 && at < count) series[at] = (series[at] ?? 0) + 1;
  };
  for (const { added, ended, state } of rows) {
    add(counted.added, added);
    if (state === 'completed' || state === 'failed') add(counted[state], ended);
  }
  return counted;
}

it.each([newestLibrary, oldestLibrary])(
  'are counted as the ledger does ($name)',
  async (library) => {
    const { world, rows, now } = await filled(library);
    const from = Math.floor(now / minute) * minute - 150 * minute;
    const path = `/api/timeline?queueName=mail&from=${from}&to=${now + minute}`;
    const board = await world.board();
    const { status, body } = await board.get(path);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...ledger(rows, from, 152), from, bucketMs: minute, partial: [] });
    const scoped = await world.board({
      scope: () => ({ type: 'condition', path: 'singletonKey', operator: 'eq', value: 'ada' }),
    });
    const seen = rows.filter(({ key }) => key === 'ada');
    expect((await scoped.get(path)).body).toMatchObject(ledger(seen, from, 152));
    for (const may of [
      { allowed: ['queue.read'] },
      { allowed: ['*'], queues: { mail: ['queue.read'] } },
    ] as const) {
      const barred = await world.board({}, { permissions: () => may });
      expect((await barred.get(path)).status).toBe(403);
    }
    expect((await board.get('/api/timeline?queueName=none&from=0&to=1')).status).toBe(404);
    expect((await board.get(`/api/timeline?queueName=mail&from=0&to=${200 * minute}`)).status).toBe(
      400,
    );
  },
);

it('tell the jobs that run, and how long their queue usually runs', async () => {
  const { world, now } = await filled(newestLibrary);
  const sent = await world.boss.send('other', {}, { heartbeatSeconds: 30 });
  const ids = (await world.boss.fetch('other', { batchSize: 2 })).map(({ id }) => id);
  await world.admin.query(
    `update pgboss.job set started_on = to_timestamp($2::float8 / 1000) where id = any($1)`,
    [ids, now - 14 * minute],
  );
  // Those that ended before the last 50 ran longer.
  await world.admin.query(
    `update pgboss.job set started_on = started_on - interval '70 s'
      where name = 'mail' and created_on <= to_timestamp($1::float8 / 1000)`,
    [now - 70 * 97_013],
  );
  const [mail] = await world.boss.fetch('mail');
  const board = await world.board();
  const { body } = await board.get('/api/running');
  const { queues, others } = body as unknown as { queues: readonly object[]; others: number };
  expect(others).toBe(0);
  expect(queues).toEqual([
    {
      queueName: 'mail',
      active: 1,
      jobs: [expect.objectContaining({ id: mail?.id, worker: null })],
      // The last 50 that ended, of which every fourth was failed, and every fourth cancelled.
      usual: { ms: 20_000, jobs: 25 },
    },
    {
      queueName: 'other',
      active: 2,
      jobs: expect.arrayContaining([
        expect.objectContaining({
          id: sent,
          startedOn: now - 14 * minute,
          heartbeat: { everyMs: 30_000, lastOn: expect.any(Number) },
        }),
      ]),
      usual: null,
    },
  ]);
  const one = await board.get('/api/running?queueName=other');
  expect((one.body as unknown as { queues: readonly object[] }).queues).toHaveLength(1);
  const hidden = await world.board({ visibilityGuard: (_request, name) => name !== 'other' });
  expect((await hidden.get('/api/running')).text).not.toContain('other"');
  const scoped = await world.board({
    scope: () => ({ type: 'condition', path: 'singletonKey', operator: 'eq', value: 'nobody' }),
  });
  expect((await scoped.get('/api/running')).text).toContain('"queues":[]');
});
