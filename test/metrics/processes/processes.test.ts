/** Recorders in processes of their own that are killed, or stopped for longer than their lease, while jobs finish. */

import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { metricsMigration } from '../../../src/metrics/index.ts';
import type { MetricsStore } from '../../../src/metrics/index.ts';
import { totalOf } from '../../../src/metrics/model/histogram.ts';
import { minuteOf } from '../../../src/metrics/model/time.ts';
import { everything, repeatable, seed } from '../../seed.ts';
import { findRedis, scratchDatabase } from '../../services/index.ts';
import { generator } from '../simulation.ts';
import { queuesAt, storeAt } from './settings.ts';
import type { RecorderEvent, RecorderSettings } from './settings.ts';
import { forgetKeys } from '../../forget-keys.ts';

/** Queues in two scripts of a write, of which three have jobs. */
const names = Array.from({ length: 60 }, (_none, index) => `q${index}`);
const busy = ['q0', 'q30', 'q59'];
const global = '__global__';
const kills = everything ? 20 : 5;
const jobsPerRound = 30;

/** A recorder in a process of its own. */
interface RecorderProcess {
  readonly child: ChildProcess;
  /** Waits until the process has told of an event so many times more. */
  after(event: RecorderEvent, times: number): Promise<void>;
  /** Ends the process at once, and waits for its end. */
  kill(): Promise<void>;
}

function startRecorder(settings: RecorderSettings): RecorderProcess {
  const file = fileURLToPath(new URL('recorder.ts', import.meta.url));
  const child = fork(file, [JSON.stringify(settings)], { execArgv: [] });
  const gone = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  return {
    child,
    after: (event, times) =>
      new Promise((resolve, reject) => {
        let left = times;
        const listener = (told: unknown): void => {
          if (told === event) left -= 1;
          if (left > 0) return;
          child.off('message', listener);
          resolve();
        };
        child.on('message', listener);
        void gone.then(() => reject(new Error('The process of the recorder has ended.')));
      }),
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** The address of an empty store. */
type OpenStore = (redis: string) => Promise<{ url: string; drop(): Promise<void> } | null>;

const onRedis: OpenStore = async (redis) => ({ url: redis, drop: async () => undefined });

const onPostgresql: OpenStore = async () => {
  const database = await scratchDatabase('postgresql', 'killed');
  if ('missing' in database) return null;
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  await pool.query(metricsMigration());
  await pool.end();
  return { url: database.url, drop: () => database.drop() };
};

/** Sums of what a store has of each queue: of completed and failed jobs by tier, and of measured durations. */
async function storedIn(store: MetricsStore, queues: readonly string[]): Promise<object> {
  const now = minuteOf(Date.now());
  const of = <Value>(
    all: readonly (readonly (readonly [number, Value])[])[],
    one: (value: Value) => number,
  ) => all.map((points) => points.reduce((sum, [, value]) => sum + one(value), 0));
  const tiers = [
    { granularity: 'hour', from: 0, to: now },
    { granularity: 'day', from: 0, to: now },
  ] as const;
  const same = (value: number): number => value;
  const counted = async (metric: 'completed' | 'failed') => ({
    minutes: of(await store.minutes(metric, queues, now - 120, now + 2), same),
    hours: of(await store.counters(metric, queues, tiers[0]), same),
    days: of(await store.counters(metric, queues, tiers[1]), same),
  });
  return {
    completed: await counted('completed'),
    failed: await counted('failed'),
    measured: of(await store.histograms('runtime', queues, tiers[1]), ({ counts }) =>
      totalOf(counts),
    ),
  };
}

/** The value of {@link storedIn} where every job is counted and measured once. */
function expectedOf(jobs: readonly { completed: number; failed: number }[]): object {
  const of = (metric: 'completed' | 'failed') => {
    const each = jobs.map((queue) => queue[metric]);
    const all = [...each, each.reduce((sum, count) => sum + count, 0)];
    return { minutes: all, hours: all, days: all };
  };
  const [completed, failed] = [of('completed'), of('failed')];
  const measured = completed.days.map((count, index) => count + (failed.days[index] ?? 0));
  return { completed, failed, measured };
}

describe.each([
  ['Redis', onRedis],
  ['PostgreSQL', onPostgresql],
])('recorders in processes, with a store in %s', (_name, open) => {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  async function makeWorld() {
    const found = await findRedis();
    if ('missing' in found) return null;
    const address = await open(found.url);
    if (!address) return null;
    const prefix = `killed${randomBytes(4).toString('hex')}`;
    const settings: RecorderSettings = {
      redis: found.url,
      prefix,
      queues: names,
      store: address.url,
      intervalMs: 100,
      // A job of a busy machine may be stored long after its time.
      marginMs: 2_000,
    };
    cleanups.push(async () => {
      const client = new Redis(found.url);
      await forgetKeys(client, prefix);
      client.disconnect();
      await address.drop();
    });
    const reader = storeAt(address.url, prefix);
    cleanups.push(() => reader.close());
    const clients = [...busy, 'queues'].map(
      () => new Redis(found.url, { maxRetriesPerRequest: null }),
    );
    const queues = queuesAt(clients.at(-1) as Redis, prefix, busy);
    const finished = busy.map(() => ({ completed: 0, failed: 0 }));
    const workers = queues.map((queue, index) => {
      const counts = finished[index] as { completed: number; failed: number };
      const worker = new Worker(
        queue.name,
        async ({ data }) => {
          if (data.fails) throw new Error('fails');
        },
        {
          connection: clients[index] as never,
          prefix,
          metrics: { maxDataPoints: 1_440 },
        },
      );
      worker.on('completed', () => void (counts.completed += 1));
      worker.on('failed', () => void (counts.failed += 1));
      return worker;
    });
    cleanups.push(async () => {
      await Promise.all([...workers, ...queues].map((each) => each.close()));
      for (const client of clients) client.disconnect();
    });
    const finish = async (): Promise<void> => {
      const before = finished.map(({ completed, failed }) => completed + failed);
      for (const queue of queues) {
        await queue.addBulk(
          Array.from({ length: jobsPerRound }, (_none, index) => ({
            name: 'job',
            data: { fails: index % 5 === 0 },
          })),
        );
      }
      await expect
        .poll(() => finished.map(({ completed, failed }) => completed + failed))
        .toEqual(before.map((count) => count + jobsPerRound));
    };
    const start = (): RecorderProcess => {
      const started = startRecorder(settings);
      cleanups.push(() => started.kill());
      return started;
    };
    const shown = [...busy, global];
    const isExact = async (meanwhile?: () => void): Promise<void> => {
      await expect
        .poll(() => {
          meanwhile?.();
          return storedIn(reader.store, shown);
        })
        .toEqual(expectedOf(finished));
    };
    return { start, finish, isExact };
  }

  it('count and measure every job once, however often one is killed', (context) =>
    repeatable(async () => {
      const world = await makeWorld();
      if (!world) return context.skip('The store is not available.');
      const random = generator(seed);
      console.log(`killed recorders: seed ${seed}`);
      const first = world.start();
      await first.after('written', 3);
      await first.kill();
      for (let round = 0; round < kills; round += 1) {
        const doomed = world.start();
        const finishing = world.finish();
        await doomed.after('read', 1 + Math.floor(random() * 12));
        // From the middle of a write to the next reading.
        await pause(random() * 6);
        await doomed.kill();
        await finishing;
      }
      const [one, two] = [world.start(), world.start()];
      await Promise.all([one.after('written', 3), two.after('written', 3)]);
      await world.finish();
      await world.isExact();
    }));

  it('count and measure every job once, where one is stopped between a reading and its write', async (context) => {
    const world = await makeWorld();
    if (!world) return context.skip('The store is not available.');
    const both = [world.start(), world.start()];
    await Promise.all(both.map((each) => each.after('written', 4)));
    let stopped: ChildProcess | undefined;
    for (const { child } of both) {
      child.on('message', (event) => {
        if (event === 'stopping') stopped ??= child;
      });
    }
    /** Lets go on all but the one that is to stay as it is. */
    const continueExcept = (stays: ChildProcess | undefined): void => {
      for (const { child } of both) if (child !== stays) child.kill('SIGCONT');
    };
    for (let round = 0; round < (everything ? 10 : 3); round += 1) {
      // The one that measures stops; which one it is, may change.
      stopped = undefined;
      for (const { child } of both) child.send('stop');
      await world.finish();
      await expect.poll(() => stopped).toBeDefined();
      // The other one measures now, and has measured what the stopped one holds.
      await world.isExact(() => continueExcept(stopped));
      const written = Promise.all(both.map((each) => each.after('written', 2)));
      await world.finish();
      await world.isExact(() => continueExcept(undefined));
      await written;
    }
  });
});
