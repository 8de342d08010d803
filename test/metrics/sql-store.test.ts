/** The PostgreSQL store. */

import pg from 'pg';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { HistoryUnavailableError } from '../../src/board/core/index.ts';
import { metricsMigration, sqlMetricsStore } from '../../src/metrics/index.ts';
import { dayOf } from '../../src/metrics/model/time.ts';
import { schemaLockOf, schemaVersion } from '../../src/metrics/sql/layout.ts';
import { scratchDatabase } from '../services/index.ts';
import { storeSuite } from './store-suite.ts';
import { sqlWorld } from './worlds.ts';

const database = await scratchDatabase('postgresql', 'metrics');

afterAll(async () => {
  if ('drop' in database) await database.drop();
});

await storeSuite('PostgreSQL', sqlWorld);

describe.skipIf('missing' in database)('the tables of the PostgreSQL store', () => {
  const write = {
    holder: 'one',
    leaseMs: 1_000,
    instance: undefined,
    retention: { minutes: 7, hours: 90, days: 90 },
    writes: [{ queue: 'q', completed: [], failed: [] }],
  };

  it('are created once, by instances that start together', async () => {
    const url = 'url' in database ? database.url : '';
    const pools = [1, 2, 3].map(() => new pg.Pool({ connectionString: url, max: 1 }));
    const stores = pools.map((pool) =>
      sqlMetricsStore(pool, { migrate: true, schema: 'Other', prefix: 'History_' }),
    );
    const answers = await Promise.all(stores.map((store) => store.commit(write)));
    expect(new Set(answers.map(({ instance }) => instance)).size).toBe(1);
    await Promise.all(pools.map((pool) => pool.end()));
  });

  it('are those of the printed migration', async () => {
    const pool = new pg.Pool({ connectionString: 'url' in database ? database.url : '', max: 1 });
    await pool.query(metricsMigration({ schema: 'printed' }));
    await sqlMetricsStore(pool, { migrate: true, schema: 'made' }).usage();
    const described = async (schema: string): Promise<unknown[]> => {
      const { rows } = await pool.query(
        `select table_name as name, column_name as part, data_type || is_nullable as what
            from information_schema.columns where table_schema = $1
          union all select tablename, indexname, indexdef from pg_indexes where schemaname = $1
          union all select proname, '', pg_get_functiondef(pg_proc.oid) from pg_proc
            where pronamespace = $1::regnamespace
          order by 1, 2`,
        [schema],
      );
      return rows.map((row) => JSON.stringify(row).replaceAll(schema, ''));
    };
    const printed = await described('printed');
    expect(printed.length).toBeGreaterThan(30);
    expect(await described('made')).toEqual(printed);
    await pool.end();
  });

  it.each([
    ['an older', schemaVersion - 1],
    ['a newer', schemaVersion + 1],
  ])('are left as they are in %s version', async (_which, version) => {
    const pool = new pg.Pool({ connectionString: 'url' in database ? database.url : '', max: 1 });
    const tables = { schema: 'versions', prefix: `v${version}_` };
    await pool.query(metricsMigration(tables));
    await pool.query(`update versions."v${version}_meta" set version = ${version}`);
    const said = `version ${version} of its tables`;
    await expect(sqlMetricsStore(pool, tables).commit(write)).rejects.toThrow(said);
    await expect(pool.query(metricsMigration(tables))).rejects.toThrow(said);
    const migrating = sqlMetricsStore(pool, { ...tables, migrate: true });
    await expect(migrating.usage()).rejects.toThrow(/drop these tables.* or choose another prefix/);
    await pool.end();
  });

  it('are read where the store may create nothing, as on a replica', async () => {
    const url = 'url' in database ? database.url : '';
    const [pool, replica] = [
      new pg.Pool({ connectionString: url, max: 1 }),
      new pg.Pool({
        connectionString: url,
        max: 1,
        options: '-c default_transaction_read_only=on',
      }),
    ];
    const store = sqlMetricsStore(replica, { schema: 'copied', migrate: true });
    await expect(store.usage()).rejects.toThrow(HistoryUnavailableError);
    await pool.query(metricsMigration({ schema: 'copied' }));
    expect(await store.usage()).toMatchObject({ keys: 0 });
    await expect(store.purge({})).rejects.toThrow(HistoryUnavailableError);
    await Promise.all([pool.end(), replica.end()]);
  });

  it('lose minutes, hours and days once a day, each after its own retention', async () => {
    const pool = new pg.Pool({ connectionString: 'url' in database ? database.url : '', max: 1 });
    await pool.query(metricsMigration({ schema: 'pruned' }));
    const store = sqlMetricsStore(pool, { schema: 'pruned' });
    const today = dayOf(Date.now());
    const completed = [2, 4, 6].map((ago) => [(today - ago) * 1_440, 1] as const);
    for (const some of [completed, [[today * 1_440, 1] as const]]) {
      await store.commit({ ...write, writes: [{ queue: 'q', completed: some, failed: [] }] });
    }
    const agoOf = async () => {
      const range = { from: 0, to: (today + 1) * 24 } as const;
      const [minutes = []] = await store.minutes('completed', ['q'], 0, (today + 1) * 1_440);
      const [hours = []] = await store.counters('completed', ['q'], {
        ...range,
        granularity: 'hour',
      });
      const [days = []] = await store.counters('completed', ['q'], {
        ...range,
        granularity: 'day',
      });
      return {
        minutes: minutes.map(([minute]) => today - Math.floor(minute / 1_440)),
        hours: hours.map(([hour]) => today - Math.floor(hour / 24)),
        days: days.map(([day]) => today - day),
      };
    };
    const all = [6, 4, 2, 0];
    expect(await agoOf()).toEqual({ minutes: all, hours: all, days: all });
    const retention = { minutes: 3, hours: 5, days: 7 };
    await store.commit({ ...write, retention });
    expect(await agoOf()).toEqual({ minutes: all, hours: all, days: all });
    await pool.query('update pruned.metrics_meta set pruned_on = pruned_on - 1');
    await store.commit({ ...write, retention });
    expect(await agoOf()).toEqual({ minutes: [2, 0], hours: [4, 2, 0], days: all });
    await pool.end();
  });

  it('are not waited for without end', async () => {
    const url = 'url' in database ? database.url : '';
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    const [holder, watcher] = await Promise.all([pool.connect(), pool.connect()]);
    const names = { schema: 'slow', prefix: 'metrics_' };
    await holder.query(`begin; select ${schemaLockOf(names)}`);
    const other = new pg.Pool({ connectionString: url, max: 1, application_name: 'slow store' });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const store = sqlMetricsStore(other, { schema: 'slow', migrate: true });
    const used = store.usage().catch((error: unknown) => error);
    await expect
      .poll(async () => {
        const { rows } = await watcher.query(
          `select wait_event from pg_stat_activity where application_name = 'slow store'`,
        );
        return rows[0]?.wait_event;
      })
      .toBe('advisory');
    vi.advanceTimersByTime(30_000);
    expect(await used).toBeInstanceOf(HistoryUnavailableError);
    vi.useRealTimers();
    await holder.query('commit');
    expect(await store.usage()).toMatchObject({ keys: 0 });
    holder.release();
    watcher.release();
    await Promise.all([pool.end(), other.end()]);
  });

  it('are named where they are missing', async () => {
    const pool = new pg.Pool({ connectionString: 'url' in database ? database.url : '', max: 1 });
    const store = sqlMetricsStore(pool, { schema: 'nowhere' });
    await expect(store.commit(write)).rejects.toThrow('run metricsMigration()');
    await expect(store.usage()).rejects.toThrow('run metricsMigration()');
    await pool.end();
    await expect(store.usage()).rejects.toThrow();
  });
});
