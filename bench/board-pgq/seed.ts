/** Jobs in a schema created by pg-boss, a million unless told otherwise, with the index that the board recommends; kept between runs. */

import pg from 'pg';
import { PgBoss } from 'pg-boss';

/** The server of the benchmark's databases. */
const server =
  process.env['SLUICE_BENCH_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** Database of the benchmark. */
const database = 'sluice_bench_pgq';

/** The queue with two fifths of the jobs. */
export const bigQueue = 'q0';
export const queueCount = 500;

/** Address of the benchmark's database. */
export function benchUrl(name = database): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function onServer(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Per queue, a twentieth of the jobs each is failed, created and cancelled, the rest completed; created 1.2 s apart. */
const jobsSql = (jobs: number): string => `
insert into pgboss.job (name, state, policy, data, singleton_key, created_on, start_after, started_on, completed_on)
select case when n % 5 < 2 then '${bigQueue}' else 'q' || 1 + n % 19 end,
  (case n / 5 % 20 when 0 then 'failed' when 1 then 'created' when 2 then 'cancelled' else 'completed' end)::pgboss.job_state,
  'standard', jsonb_build_object('n', n, 'text', repeat('x', 40)), case when n % 3 = 0 then 'k' || n end,
  at, at, at + interval '1 second', at + interval '2 seconds'
from generate_series(0, ${jobs - 1}) n,
  lateral (select '2026-01-01Z'::timestamptz + n * interval '1234567 microseconds' as at) moment`;

async function fill(url: string, jobs: number): Promise<void> {
  const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false });
  await boss.start();
  for (let n = 0; n < 20; n += 1) await boss.createQueue(`q${n}`);
  await boss.stop({ graceful: false });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `insert into pgboss.queue (name, policy, retry_limit, retry_delay, retry_backoff, expire_seconds,
         retention_seconds, deletion_seconds, partition, table_name)
       select 'q' || n, 'standard', 2, 0, false, 900, 1209600, 604800, false, 'job_common'
       from generate_series(20, ${queueCount - 1}) n`,
    );
    await client.query(
      `insert into pgboss.schedule (name, key, cron) select 'q' || n, '', '* * * * *'
       from generate_series(0, 99) n`,
    );
    await client.query(jobsSql(jobs));
    await client.query(
      'create index job_common_listing on pgboss.job_common (name, state, created_on desc, id desc)',
    );
    await client.query('vacuum analyze pgboss.job_common');
    await client.query('analyze');
  } finally {
    await client.end();
  }
}

/** Creates a database if it is missing, or again if asked. */
export async function seed(anew: boolean, name = database, jobs = 1_000_000): Promise<void> {
  let exists = false;
  await onServer(async (client) => {
    if (anew) await client.query(`drop database if exists ${name} with (force)`);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    exists = rowCount === 1;
    if (!exists)
      await client.query(`create database ${name} lc_collate 'C' lc_ctype 'C' template template0`);
  });
  if (exists) return;
  try {
    await fill(benchUrl(name), jobs);
  } catch (error) {
    await onServer(async (client) => {
      await client.query(`drop database if exists ${name} with (force)`);
    });
    throw error;
  }
}
