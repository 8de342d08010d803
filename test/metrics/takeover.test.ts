/** Two recorders, of which one loses its connection in the middle of a write, again and again. */

import { Redis } from 'ioredis';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import {
  metricsMigration,
  MetricsRecorder,
  redisMetricsStore,
  sqlMetricsStore,
} from '../../src/metrics/index.ts';
import type { MetricsStore } from '../../src/metrics/index.ts';
import { totalOf } from '../../src/metrics/model/histogram.ts';
import { minuteOf } from '../../src/metrics/model/time.ts';
import { openWire } from '../board/kvq/counting-proxy.ts';
import { findRedis, scratchDatabase } from '../services/index.ts';
import { SimulatedQueue, simulatedSource } from './simulation.ts';
import { forgetKeys } from '../forget-keys.ts';

/** A store by two ways, of which one is a proxy. */
interface Ways {
  readonly url: string;
  connect(url: string): { readonly store: MetricsStore; close(): Promise<void> };
  dispose(): Promise<void>;
}

async function onRedis(): Promise<Ways | null> {
  const found = await findRedis();
  if ('missing' in found) return null;
  const prefix = `metrics-${randomBytes(4).toString('hex')}`;
  return {
    url: found.url,
    connect(url) {
      const client = new Redis(url, { maxRetriesPerRequest: 5, retryStrategy: () => 20 });
      client.on('error', () => undefined);
      const close = async () => client.disconnect();
      return { store: redisMetricsStore(client, { prefix }), close };
    },
    async dispose() {
      const client = new Redis(found.url);
      await forgetKeys(client, prefix);
      client.disconnect();
      await found.dispose();
    },
  };
}

async function onPostgresql(): Promise<Ways | null> {
  const database = await scratchDatabase('postgresql', 'takeover');
  if ('missing' in database) return null;
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  await pool.query(metricsMigration());
  await pool.end();
  return {
    url: database.url,
    connect(url) {
      const own = new pg.Pool({ connectionString: url, max: 1 });
      own.on('error', () => undefined);
      return { store: sqlMetricsStore(own), close: () => own.end() };
    },
    dispose: () => database.drop(),
  };
}

/** Enough queues for several scripts of a write. */
const names = Array.from({ length: 120 }, (_none, index) => `q${index}`);
const range = { granularity: 'day', from: 0, to: 100_000 } as const;

describe.each([
  ['Redis', onRedis],
  ['PostgreSQL', onPostgresql],
])('a recorder that is cut off in %s', (_name, open) => {
  it('leaves counts and durations that another one completes', async (context) => {
    const ways = await open();
    if (!ways) return context.skip('The store is not available.');
    const wire = await openWire(ways.url);
    const proxied = new URL(ways.url);
    [proxied.hostname, proxied.port] = ['127.0.0.1', String(wire.port)];
    const [weak, steady] = [ways.connect(String(proxied)), ways.connect(ways.url)];
    const queues = new Map(names.map((name) => [name, new SimulatedQueue(name)]));
    const [first, second] = [weak, steady].map(
      ({ store }) =>
        new MetricsRecorder({
          store,
          sources: [simulatedSource(queues, () => Date.now())],
          snapshotIntervalMs: 20,
          latencySafetyMarginMs: 0,
          onSnapshotError: () => undefined,
        }),
    ) as [MetricsRecorder, MetricsRecorder];
    await first.tick();
    await second.tick();
    for (let round = 0; round < 6; round += 1) {
      for (const queue of queues.values()) {
        queue.finish({ finished: Date.now(), ran: 20 + round, waited: 5 }, round % 3 > 0);
      }
      const sent = wire.writes.length;
      const ticking = first.tick();
      await expect.poll(() => wire.writes.length, { interval: 1 }).toBeGreaterThan(sent);
      wire.cut();
      wire.mend();
      await ticking;
      await second.tick();
    }
    await second.tick();
    const { store } = steady;
    const [from, to] = [minuteOf(Date.now()) - 60, minuteOf(Date.now()) + 1];
    const all = { completed: 4, failed: 2 } as const;
    for (const metric of ['completed', 'failed'] as const) {
      const series = await store.minutes(metric, [...names, '__global__'], from, to);
      const sums = series.map((points) => points.reduce((sum, [, count]) => sum + count, 0));
      expect(sums).toEqual([...names.map(() => all[metric]), all[metric] * names.length]);
    }
    const durations = await store.histograms('runtime', [...names, '__global__'], range);
    const measured = durations.map((days) =>
      days.reduce((sum, [, { counts }]) => sum + totalOf(counts), 0),
    );
    const total = measured.pop();
    // Never twice, and the rollup agrees with the queues.
    expect(Math.max(...measured)).toBeLessThanOrEqual(6);
    expect(total).toBe(measured.reduce((sum, each) => sum + each, 0));
    expect(total).toBeGreaterThan(0);
    await Promise.all([first.stop(), second.stop()]);
    await Promise.all([weak.close(), steady.close()]);
    await wire.close();
    await ways.dispose();
  });
});
