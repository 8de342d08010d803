/**
 * The history of pg-boss beside ours: ninety days of its snapshots, one a minute, which hold how many jobs of a queue were
 * in each state. Its dashboard reads them for the curve of a queue. They have no counts by hour and no percentiles.
 */

import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { performance } from 'node:perf_hooks';
import { figure } from '../markdown.ts';

const days = 90;
const rounds = 50;

/** Rows of the figures. */
export async function benchPeer(url: string): Promise<string[][]> {
  const boss = new PgBoss({
    connectionString: url,
    supervise: false,
    schedule: false,
    // Without it, the library tells the present only.
    persistQueueStats: true,
    max: 2,
  });
  boss.on('error', () => undefined);
  await boss.start();
  await boss.createQueue('mail');
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  // The library makes a partition for each day, of those to come.
  await pool.query('create table pgboss.queue_stats_past partition of pgboss.queue_stats default');
  await pool.query(
    `insert into pgboss.queue_stats (name, captured_on, deferred_count, queued_count, ready_count, active_count,
        failed_count, total_count)
      select 'mail', now() - n * interval '1 minute', n % 7, n % 500, n % 400, n % 50, n % 3, n % 600
      from generate_series(0, ${days * 1_440 - 1}) as n`,
  );
  await pool.query('vacuum (full, analyze) pgboss.queue_stats');
  const { rows } = await pool.query<{ bytes: number }>(
    `select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
      where relnamespace = 'pgboss'::regnamespace and relkind = 'r' and relname like 'queue_stats%'`,
  );
  const from = new Date(Date.now() - days * 86_400_000);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await boss.getQueueStats('mail', { from, bucketSeconds: 3_600, limit: 10_000 });
    times.push(performance.now() - start);
  }
  await boss.stop({ graceful: false });
  await pool.end();
  const middle = times.toSorted((left, right) => left - right)[rounds / 2] ?? Number.NaN;
  return [
    [
      'pg-boss: snapshots of a queue-day, kB',
      figure((rows[0]?.bytes ?? Number.NaN) / days / 1_000),
    ],
    ['pg-boss: backlog of 90 days by hour, ms', figure(middle)],
  ];
}
