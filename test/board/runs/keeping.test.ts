/** The guards of what keeps runs, of every datastore: who may write, take over and end a run, and what is left of it. */

import { randomUUID } from 'node:crypto';
import * as bullmq from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryRunStore, mostKept, sqlRunStore } from '../../../src/board/core/index.ts';
import type { ClaimedRun, RunStore } from '../../../src/board/core/index.ts';
import { bullmqQueue, bullQueue } from '../../../src/board/kvq/index.ts';
import { openWorld } from './worlds.ts';
import { bullAt, bullmqOptions, made } from './stores.ts';
import type { StoreName } from './stores.ts';

/** A store of runs, and what its server holds of a run. */
interface Place {
  readonly store: RunStore;
  traces(id: string): Promise<string>;
  /** Adds runs that were started after this one, of other queues: each waits or, if `endedAt` is given, has ended. */
  copy(id: string, count: number, endedAt?: number): Promise<void>;
  /** Adds runs that have just ended, as if they had begun after all others. */
  readonly addEnded?: (count: number) => Promise<unknown>;
  /** Lets a run wait since the day before. */
  readonly age?: (id: string) => Promise<unknown>;
  /** Runs statements in a transaction, which is rolled back where the work fails. */
  readonly inTransaction?: (work: (client: pg.PoolClient) => Promise<void>) => Promise<void>;
  close(): Promise<void>;
}

/** Where the runs of a store of PostgreSQL are. */
function inTable(url: string) {
  // The schema of BullMQ's tables; those of pg-boss are named with theirs.
  const pool = new pg.Pool({ connectionString: url, options: '-c search_path=bullmq' });
  const rowsOf = async (text: string, values: readonly unknown[]) =>
    (await pool.query(text, [...values])).rows;
  const tableOf = async (): Promise<string> => {
    const named = `select oid::regclass::text as name from pg_class where relname ~ '^sluice_.*_runs$'`;
    return String((await rowsOf(named, []))[0]?.name);
  };
  return {
    pool,
    rowsOf,
    async traces(id: string) {
      const held = `select run::text from ${await tableOf()} as run where id = $1`;
      return JSON.stringify(await rowsOf(held, [id]));
    },
    async copy(id: string, count: number, endedAt?: number) {
      const table = await tableOf();
      const copied = `insert into ${table} (id, queue_name, action, dry_run, spec, state, held_until, ended_at)
        select id || n || $3, queue_name || n || $3, action, dry_run, spec, $3, now() - interval '1 s',
          to_timestamp($4::float8 / 1000)
        from ${table}, generate_series(1, $2::integer) as n where id = $1`;
      const state = endedAt === undefined ? 'running' : 'completed';
      await rowsOf(copied, [id, count, state, endedAt ?? null]);
    },
    async addEnded(count: number) {
      return rowsOf(
        `insert into ${await tableOf()} (id, queue_name, action, dry_run, state, spec, held_until, ended_at)
         select gen_random_uuid()::text, 'other', 'retry', true, 'completed', '', now(), clock_timestamp()
         from generate_series(1, $1::int)`,
        [count],
      );
    },
    async age(id: string) {
      const aged = `update ${await tableOf()} set held_until = now() - interval '25 h' where id = $1`;
      return rowsOf(aged, [id]);
    },
    async inTransaction(work: (client: pg.PoolClient) => Promise<void>) {
      const client = await pool.connect();
      try {
        await client.query('begin');
        await work(client);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    },
  };
}

async function open(name: StoreName): Promise<Place> {
  const world = await openWorld(name);
  const { settings } = world;
  if (name === 'pg-boss') {
    const { pool, rowsOf, ...table } = inTable(settings.url);
    const store = sqlRunStore({
      key: 'pgq',
      schema: 'pgboss',
      name: 'sluice_pgq_runs',
      memory: memoryRunStore(),
      read: rowsOf,
      write: rowsOf,
    });
    return { store, ...table, close: () => pool.end().then(() => world.close()) };
  }
  const bull = name === 'Bull' ? bullAt(settings, 'mail') : undefined;
  const { client, options, backend } = bull
    ? { options: {}, backend: [] }
    : bullmqOptions(settings);
  const queue = bull ?? made<bullmq.Queue>(bullmq.Queue, 'mail', options, ...backend);
  const { driver } = bull ? bullQueue(bull) : bullmqQueue(queue as bullmq.Queue);
  const { runs: store } = driver;
  if (!store) throw new Error('The driver keeps no runs.');
  // The library makes its tables first.
  await queue.count();
  if (name === 'BullMQ on PostgreSQL') {
    const { pool, rowsOf: _rowsOf, ...table } = inTable(settings.url);
    const close = async () => {
      await Promise.all([queue.close(), pool.end()]);
      await world.close();
    };
    return { store, ...table, close };
  }
  const redis = new Redis(settings.url);
  return {
    store,
    async traces(id) {
      const keys = await redis.keys(`*${settings.prefix}*${id}*`);
      const texts = keys
        .filter((key) => !key.endsWith(':marks'))
        .map((key) => (key.endsWith(id) ? redis.hgetall(key) : redis.get(key)));
      return JSON.stringify([keys, await Promise.all(texts)]);
    },
    async copy(id, count, endedAt) {
      const [runs = ''] = await redis.keys(`*${settings.prefix}*:sluice-runs`);
      const run = await redis.hgetall(`${runs}:${id}`);
      const started = Number(await redis.zscore(runs, id));
      const ended = endedAt !== undefined && { state: 'completed', ended: endedAt };
      const batch = redis.pipeline();
      for (let n = 1; n <= count; n += 1) {
        const name = `${id}${n}${ended ? 'completed' : 'running'}`;
        batch.hset(`${runs}:${name}`, { ...run, id: name, queue: name, held: 0, ...ended });
        batch.zadd(runs, started + n, name);
      }
      await batch.exec();
    },
    async close() {
      await queue.close();
      client?.disconnect();
      redis.disconnect();
      await world.close();
    },
  };
}

const stores: readonly StoreName[] = ['BullMQ on Redis', 'BullMQ on PostgreSQL', 'Bull', 'pg-boss'];

let queues = 0;

describe.each(stores)('%s', (name) => {
  let place: Place;
  beforeAll(async () => {
    place = await open(name);
  });
  afterAll(() => place?.close());

  /** A run of a queue that has no other. */
  async function started({ dryRun = true, spec = '{}' } = {}): Promise<ClaimedRun> {
    const queueName = `queue ${(queues += 1)}`;
    const run = { id: randomUUID(), queueName, action: 'retry', dryRun, spec } as const;
    const claimed = await place.store.start(run);
    if (claimed === 'limit' || 'running' in claimed) throw new Error('There are runs enough.');
    return claimed;
  }
  /** A run that its owner has given back. */
  async function released(): Promise<ClaimedRun> {
    const claimed = await started();
    expect(await place.store.write(claimed, { release: true })).toMatchObject({ state: 'running' });
    return claimed;
  }
  const find = async ({ id }: Pick<ClaimedRun, 'id'>) => (await place.store.list(id))[0];
  const end = (claimed: ClaimedRun) => place.store.write(claimed, { end: 'completed' });

  it('lets nobody write but the last owner', async () => {
    const { store } = place;
    const before = await released();
    const owner = await store.claim(before.id);
    if (!owner) throw new Error('The run does not wait.');
    expect(owner.fence).toBeGreaterThan(before.fence);
    for (const change of [
      {},
      { examined: 5, position: 'before' },
      { release: true },
      { end: 'completed' },
    ] as const) {
      expect([change, await store.write(before, change)]).toEqual([change, undefined]);
    }
    expect(await find(before)).toMatchObject({ state: 'running', examined: 0, endedAt: null });
    await store.write(owner, { examined: 2, position: 'after', release: true });
    const next = await store.claim(before.id);
    expect([next?.position, next?.run.examined]).toEqual(['after', 2]);
    if (next) await end(next);
    expect(await store.write(next ?? owner, { examined: 1 })).toBeUndefined();
    expect(await find(before)).toMatchObject({ state: 'completed', examined: 2 });
  });

  it('gives a run that waits to one, and one that is held to nobody', async () => {
    const { store } = place;
    const held = await started();
    const waiting = await released();
    const ids = async () => (await store.waiting()).map(({ id }) => id);
    expect(await ids()).toEqual([waiting.id]);
    expect(await store.claim(held.id)).toBeUndefined();
    const claims = await Promise.all(Array.from({ length: 4 }, () => store.claim(waiting.id)));
    const [owner, ...others] = claims.filter((claim) => claim !== undefined);
    expect([owner?.id, others]).toEqual([waiting.id, []]);
    expect([await store.claim(waiting.id), await ids()]).toEqual([undefined, []]);
    for (const claim of [held, owner]) if (claim) await end(claim);
    expect(await store.claim(held.id)).toBeUndefined();
  });

  it('has one run of a kind per queue and eight at work, beside those that wait', async () => {
    const { store } = place;
    const waits = await released();
    const eight = [];
    for (let each = 0; each < 8; each += 1) eight.push(await started());
    const more = { id: randomUUID(), action: 'retry', dryRun: true, spec: '{}' } as const;
    for (const { id, run } of [waits, ...eight.slice(0, 1)]) {
      const { queueName } = run;
      expect(await store.start({ ...more, queueName })).toEqual({ running: id });
    }
    expect(await store.start({ ...more, queueName: 'another' })).toBe('limit');
    expect(await store.claim(waits.id)).toBeUndefined();
    const real = await started({ dryRun: false });
    await end(real);
    for (const each of eight) await end(each);
    const taken = await store.claim(waits.id);
    expect(taken?.id).toBe(waits.id);
    if (taken) await end(taken);
  });

  it('keeps nothing of what a run was asked for once it has ended', async () => {
    const { store } = place;
    const spec = JSON.stringify({ filter: { name: 'a name of a client' } });
    const told = async ({ id }: ClaimedRun) => (await place.traces(id)).includes('of a client');
    for (const last of ['completed', 'cancelled', 'failed'] as const) {
      const run = await started({ spec });
      expect(await told(run)).toBe(true);
      await store.write(run, { end: last });
      expect([last, await told(run)]).toEqual([last, false]);
    }
    const run = await started({ spec });
    // Its owner ends it.
    expect(await store.cancel(run.id)).toMatchObject({ state: 'running', cancelled: true });
    expect([await told(run), (await find(run))?.endedAt]).toEqual([true, null]);
    expect(await store.write(run, { release: true })).toMatchObject({ cancelled: true });
    // Nobody works on it.
    const cancelled = await store.cancel(run.id);
    expect(cancelled).toMatchObject({ state: 'cancelled', endedAt: expect.any(Number) });
    expect(await told(run)).toBe(false);
    expect(await store.cancel(run.id)).toBeUndefined();
    expect(await store.claim(run.id)).toBeUndefined();
  });

  it.runIf(/PostgreSQL|pg-boss/.test(name))(
    'keeps a run that is under way however many have begun after it, and of those that have ended the last ones',
    async () => {
      const { store, addEnded, age } = place;
      const [over, long, left] = [await started(), await started(), await released()];
      await end(over);
      await age?.(left.id);
      await addEnded?.(500);
      // Old runs are deleted when one begins.
      await end(await started());
      expect([await find(over), await find(left)]).toEqual([undefined, undefined]);
      expect(await store.write(long, { examined: 1 })).toMatchObject({
        state: 'running',
        examined: 1,
      });
      await end(long);
    },
  );

  it.runIf(/PostgreSQL|pg-boss/.test(name))(
    'keeps progress with its part, or neither',
    async () => {
      const { store, inTransaction } = place;
      const run = await started();
      const report = async (client: pg.PoolClient, of = run) => {
        const within = async (text: string, values: readonly unknown[]) =>
          (await client.query(text, [...values])).rows;
        await store.write(of, { examined: 3, changed: 3, position: 'next' }, within);
      };
      const undone = inTransaction?.(async (client) => {
        await report(client);
        throw new Error('The part has failed.');
      });
      await expect(undone).rejects.toThrow('The part has failed.');
      expect(await find(run)).toMatchObject({ examined: 0, changed: 0 });
      await inTransaction?.(report);
      expect(await find(run)).toMatchObject({ examined: 3, changed: 3 });
      // A start does not wait for the part of an owner that is late.
      const late = await released();
      await inTransaction?.(async (client) => {
        await report(client, late);
        await end(await started());
      });
      for (const each of [run, late]) await end(each);
    },
  );

  it('forgets the oldest of five hundred that has ended, and lists as many at most', async () => {
    const { store, copy } = place;
    const oldest = await released();
    await copy(oldest.id, mostKept, Date.now());
    for (let each = 0; each < 2; each += 1) await end(await started());
    expect(await find({ id: `${oldest.id}1completed` })).toBeUndefined();
    await copy(oldest.id, mostKept);
    const last = await started();
    const listed = await store.list();
    expect([listed.length, listed[0]?.id]).toEqual([mostKept, last.id]);
    expect(await find(oldest)).toMatchObject({ state: 'running' });
  });
});
