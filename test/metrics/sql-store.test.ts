/** The PostgreSQL store. */

import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { sqlMetricsStore } from '../../src/metrics/index.ts';
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
    await pools[0]?.query('update "Other"."History_meta" set version = 2');
    await expect(stores[0]?.commit(write)).rejects.toThrow('newer version');
    await Promise.all(pools.map((pool) => pool.end()));
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
