/**
 * The stored bytes of a fixed tick: stores of earlier versions go on to be read and written. A change of
 * these texts is a new version of the layout, with a migration.
 */

import { Redis } from 'ioredis';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, it } from 'vitest';
import { metricsMigration, redisMetricsStore, sqlMetricsStore } from '../../src/metrics/index.ts';
import type { MetricsStore } from '../../src/metrics/index.ts';
import { emptyHistogram } from '../../src/metrics/model/histogram.ts';
import { dayOf } from '../../src/metrics/model/time.ts';
import { findRedis, scratchDatabase } from '../services/index.ts';
import { forgetKeys } from '../forget-keys.ts';

/** Yesterday, so that the test does not cross midnight. */
const day = dayOf(Date.now()) - 1;
const hour = day * 24 + 12;
const noon = hour * 60;

/** Two ticks, of which the second is in the hour after; of the first, a minute is counted again. */
async function write(store: MetricsStore): Promise<void> {
  const counts = emptyHistogram();
  [counts[2], counts[17]] = [3, 300];
  const durations = { counts, ms: 70_000 };
  const tick = {
    holder: 'one',
    leaseMs: 1,
    instance: undefined,
    retention: { minutes: 7, hours: 90, days: 90 },
  };
  const first = {
    queue: 'q',
    completed: [
      [noon, 5],
      [noon + 13, 300],
    ] as const,
    failed: [[noon + 1, 1]] as const,
    completedNext: noon + 4,
    age: { at: noon * 60_000, value: 1_500 },
    samples: { from: null, to: 900, hours: [{ hour, runtime: durations, waittime: durations }] },
  };
  await store.commit({ ...tick, writes: [first] });
  const later = {
    queue: 'q',
    completed: [[noon, 7] as const, [noon + 60, 1] as const],
    failed: [],
  };
  await store.commit({ ...tick, writes: [later] });
}

const asBytes = (text: string): string => text.replaceAll(' ', '');

it('is the same in Redis', async (context) => {
  const found = await findRedis();
  if ('missing' in found) return context.skip(found.missing);
  const client = new Redis(found.url);
  const prefix = `metrics-${randomBytes(4).toString('hex')}`;
  await write(redisMetricsStore(client, { prefix }));
  const hash = async (key: string): Promise<Record<string, string>> => {
    const fields = await client.hgetallBuffer(`{${prefix}}:${key}`);
    return Object.fromEntries(
      Object.entries(fields).map(([field, value]) => [field, value.toString('hex')]),
    );
  };
  const text = (value: string): string => Buffer.from(value).toString('hex');
  const none = (places: number): string => 'ff'.repeat(places);
  // Lists of MessagePack: [2, 3, 17, 300, 18, 70000].
  const packed = asBytes('96 02 03 11 cd012c 12 ce00011170');
  for (const queue of ['q', '__global__']) {
    expect(await hash(`${queue}:completed:${day}`)).toEqual({
      60: `9c07${'00'.repeat(11)}`,
      61: `9c00cd012c${'00'.repeat(10)}`,
      65: `9c01${'00'.repeat(11)}`,
    });
    expect(await hash(`${queue}:failed:${day}`)).toEqual({ 60: `9c0001${'00'.repeat(10)}` });
    expect(await hash(`${queue}:completed:hours`)).toEqual({
      [day]: `dc0018${none(12)}cd013301${none(10)}`,
    });
    expect(await hash(`${queue}:queueage:hours`)).toEqual({
      [day]: `dc0018${none(12)}cd05dc${none(11)}`,
    });
    expect(await hash(`${queue}:hour:${day}`)).toEqual({ r12: packed, w12: packed });
    expect(await hash(`${queue}:runtime:totals`)).toEqual({ [day]: packed });
    expect(await hash(`${queue}:completed:totals`)).toEqual({ [day]: text('308') });
    expect(await hash(`${queue}:queueage:totals`)).toEqual({ [day]: text('1500') });
  }
  expect(await hash('q:state')).toMatchObject({ c: text(String(noon + 4)), s: text('900') });
  expect(await hash('meta')).toMatchObject({ layout: text('2'), minutes: text('7') });
  await forgetKeys(client, prefix);
  client.disconnect();
});

it('is the same in PostgreSQL', async (context) => {
  const database = await scratchDatabase('postgresql', 'stored');
  if ('missing' in database) return context.skip(database.missing);
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  await pool.query(metricsMigration());
  await write(sqlMetricsStore(pool));
  const rows = async (table: string, columns: string): Promise<unknown[]> => {
    const { rows: stored } = await pool.query({
      text: `select name, ${columns} from sluice.metrics_${table} as stored
        join sluice.metrics_queues as queue on queue.id = queue_id order by name`,
      rowMode: 'array',
    });
    return stored;
  };
  const minutes = (bytes: number, counts: Record<number, number>): string =>
    Array.from({ length: 60 }, (_none, at) =>
      (counts[at] ?? 0).toString(16).padStart(2 * bytes, '0'),
    ).join('');
  // Two bytes for each bucket.
  const packed = `${'0000'.repeat(2)}0003${'0000'.repeat(14)}012c`;
  const totals = `completed, failed, age, runtime_ms, waittime_ms, encode(runtime, 'hex'), encode(waittime, 'hex')`;
  const durations = ['70000', '70000', packed, packed];
  const names = ['__global__', 'q'];
  expect(await rows('hours', `hour, ${totals}`)).toEqual(
    names.map((name) => [name, hour, '307', '1', '1500', ...durations]),
  );
  expect(
    await rows('minutes', `hour, encode(completed, 'hex'), encode(failed, 'hex'), counted`),
  ).toEqual(
    names.map((name) => [name, hour, minutes(2, { 0: 7, 13: 300 }), minutes(1, { 1: 1 }), 3]),
  );
  expect(
    await rows('present', `hour, ${totals}, encode(completed_minutes, 'hex'), failed_minutes`),
  ).toEqual(
    names.map((name) => [
      name,
      hour + 1,
      '1',
      ...Array.from({ length: 6 }, () => null),
      minutes(1, { 0: 1 }),
      null,
    ]),
  );
  expect(await rows('days', `day, ${totals}`)).toEqual(
    names.map((name) => [name, day, '308', '1', '1500', ...durations]),
  );
  await pool.end();
  await database.drop();
});
