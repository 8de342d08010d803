/** The round trips of a tick over 300 queues, on the wire. */

import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, it } from 'vitest';
import { bullmqQueue } from '../../src/board/kvq/index.ts';
import {
  metricsMigration,
  MetricsRecorder,
  pgqMetricsSources,
  redisMetricsStore,
  sqlMetricsStore,
} from '../../src/metrics/index.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import { findRedis } from '../services/index.ts';
import { openGate } from './gate.ts';
import { forgetKeys } from '../forget-keys.ts';

const queueCount = 300;
/** Scripts have fifty queues each. */
const scripts = queueCount / 50;

it('sends one batch to BullMQ, and one to the store in Redis', async (context) => {
  const found = await findRedis();
  if ('missing' in found) return context.skip(found.missing);
  const prefix = `trips${randomBytes(4).toString('hex')}`;
  const [source, target] = [await openGate(found.url), await openGate(found.url)];
  const connection = new Redis(source.url, { maxRetriesPerRequest: null });
  const storage = new Redis(target.url);
  const queues = Array.from(
    { length: queueCount },
    (_none, index) =>
      new Queue(`q${index}`, { connection: connection as never, prefix, skipMetasUpdate: true }),
  );
  await Promise.all(queues.map((queue) => queue.waitUntilReady()));
  await Promise.all(queues.map((queue) => queue.add('job', {})));
  const errors: Error[] = [];
  const recorder = new MetricsRecorder({
    store: redisMetricsStore(storage, { prefix }),
    queues: queues.map((queue) => bullmqQueue(queue)),
    onSnapshotError: (error) => void errors.push(error),
  });
  // The first tick also sends the scripts, and asks the store where it stands.
  await recorder.tick();
  await recorder.tick();
  const before = [source.commands, target.commands];
  // Would a tick wait for any reply before it has sent the whole batch, it would wait for ever.
  source.await(scripts);
  target.await(scripts);
  await recorder.tick();
  expect([source.commands, target.commands]).toEqual(before.map((count) => count + scripts));
  expect(errors).toEqual([]);
  await recorder.stop();
  await Promise.all(queues.map((queue) => queue.close()));
  connection.disconnect();
  storage.disconnect();
  await Promise.all([source.close(), target.close()]);
  const client = new Redis(found.url);
  await forgetKeys(client, prefix);
  client.disconnect();
});

it('sends at most three statements to pg-boss, and one to the store in PostgreSQL', async () => {
  const world = await makeWorld(newestLibrary, 'trips');
  const pool = new pg.Pool({ connectionString: world.url, max: 2 });
  await pool.query(metricsMigration());
  await world.boss.createQueue('mail');
  const { rows } = await pool.query(
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
      where table_schema = 'pgboss' and table_name = 'queue' and column_name <> 'name'`,
  );
  await pool.query(
    `insert into pgboss.queue (name, ${rows[0].columns})
      select 'q' || n, ${rows[0].columns} from pgboss.queue cross join generate_series(2, ${queueCount}) as n
      where name = 'mail'`,
  );
  const statements = { source: 0, store: 0 };
  const counted = (kind: keyof typeof statements) => ({
    query: (text: string, values?: unknown[]) => {
      statements[kind] += 1;
      return pool.query(text, values);
    },
  });
  const errors: Error[] = [];
  const recorder = new MetricsRecorder({
    store: sqlMetricsStore(counted('store')),
    sources: pgqMetricsSources({ pool: counted('source') }),
    onSnapshotError: (error) => void errors.push(error),
  });
  await recorder.tick();
  // A week without a job is read at once.
  expect(statements.store).toBeLessThan(10);
  await recorder.tick();
  const before = { ...statements };
  await recorder.tick();
  expect(errors).toEqual([]);
  expect(statements.source - before.source).toBeLessThanOrEqual(3);
  expect(statements.store - before.store).toBe(1);
  const { rows: stored } = await pool.query('select count(*)::int as n from sluice.metrics_queues');
  expect(stored).toEqual([{ n: queueCount + 1 }]);
  await recorder.stop();
  await pool.end();
  await world.close();
});
