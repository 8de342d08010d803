/** Stores for tests: in Redis under a prefix of their own, in PostgreSQL in a database of their own. */

import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import pg from 'pg';
import { metricsMigration, redisMetricsStore, sqlMetricsStore } from '../../src/metrics/index.ts';
import type { MetricsStore } from '../../src/metrics/index.ts';
import { schemaVersion } from '../../src/metrics/sql/layout.ts';
import { findRedis, scratchDatabase } from '../services/index.ts';
import { forgetKeys } from '../forget-keys.ts';

/** A store that a test may empty. */
export interface StoreWorld {
  readonly store: MetricsStore;
  /** Deletes everything. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

export async function redisWorld(): Promise<StoreWorld | null> {
  const found = await findRedis();
  if ('missing' in found) return null;
  const client = new Redis(found.url);
  const prefix = `metrics-${randomBytes(4).toString('hex')}`;
  const empty = async (): Promise<void> => {
    await forgetKeys(client, prefix);
  };
  return {
    store: redisMetricsStore(client, { prefix }),
    empty,
    async close() {
      await empty();
      client.disconnect();
      await found.dispose();
    },
  };
}

export async function sqlWorld(): Promise<StoreWorld | null> {
  const database = await scratchDatabase('postgresql', 'metrics');
  if ('missing' in database) return null;
  const pool = new pg.Pool({ connectionString: database.url, max: 3 });
  await pool.query(metricsMigration());
  return {
    store: sqlMetricsStore(pool),
    async empty() {
      await pool.query(
        ['minutes', 'hours', 'present', 'days', 'queues', 'meta', 'attempts']
          .map((table) => `truncate sluice.metrics_${table}`)
          .join(';'),
      );
      await pool.query(`insert into sluice.metrics_meta (version) values (${schemaVersion})`);
    },
    async close() {
      await pool.end();
      await database.drop();
    },
  };
}
