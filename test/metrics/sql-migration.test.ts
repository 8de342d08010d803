/** Migrations of the PostgreSQL store: again, at once, beside other versions, and by accounts that may not create. */

import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import {
  metricsHistoryProvider,
  metricsMigration,
  sqlMetricsStore,
} from '../../src/metrics/index.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import { scratchDatabase } from '../services/index.ts';

const database = await scratchDatabase('postgresql', 'migration');
const url = 'url' in database ? database.url : '';
const role = `sluice_recorder_${process.pid}`;

afterAll(async () => {
  if ('drop' in database) await database.drop();
});

const write = {
  holder: 'one',
  leaseMs: 1_000,
  instance: undefined,
  retention: { minutes: 7, hours: 90, days: 90 },
  writes: [{ queue: 'q', completed: [], failed: [] }],
};

describe.skipIf('missing' in database)('tables that are missing', () => {
  it('make a board answer 503, and tell the instruction to its log alone', async () => {
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    const store = sqlMetricsStore(pool, { schema: 'not_migrated' });
    const board = await serveBoard([], { historyProvider: metricsHistoryProvider(store) });
    const range = 'from=0&to=1000';
    for (const path of [`history?${range}`, `latency?metric=runtime&${range}`, 'history/usage']) {
      const answer = await board.get(`/api/metrics/${path}`);
      expect([path, answer.status, answer.body]).toEqual([
        path,
        503,
        { error: { key: 'ERRORS.SQL_UNAVAILABLE' }, code: 'SQL_UNAVAILABLE' },
      ]);
      expect(answer.headers.get('retry-after')).toBe('3');
    }
    const purged = await board.send('POST', '/api/metrics/history/purge', {});
    expect(purged.status).toBe(503);
    await expect(store.commit(write)).rejects.toThrow(/missing.*: run metricsMigration\(\)/);
    await board.close();
    await pool.end();
  });
});

describe.skipIf('missing' in database)('the printed migration', () => {
  it('waits for others that run at once, and leaves what it finds', async () => {
    for (let round = 0; round < 5; round += 1) {
      const schema = `at_once_${round}`;
      const pools = [1, 2, 3, 4].map(() => new pg.Pool({ connectionString: url, max: 1 }));
      await Promise.all(pools.map((pool) => pool.query('select 1')));
      await Promise.all(pools.map((pool) => pool.query(metricsMigration({ schema }))));
      const [pool] = pools as [pg.Pool];
      const store = sqlMetricsStore(pool, { schema });
      const { instance } = await store.commit(write);
      await pool.query(metricsMigration({ schema }));
      expect((await store.commit(write)).instance).toBe(instance);
      await Promise.all(pools.map((each) => each.end()));
    }
  });

  it('serves an account that may use the tables and not create them', async () => {
    const admin = new pg.Pool({ connectionString: url, max: 1 });
    const schema = 'granted';
    const address = new URL(url);
    address.username = role;
    await admin.query(`create role ${role} login`);
    const pool = new pg.Pool({ connectionString: address.href, max: 1 });
    try {
      const early = sqlMetricsStore(pool, { schema, migrate: true });
      await expect(early.commit(write)).rejects.toMatchObject({
        code: 'HISTORY_UNAVAILABLE',
        cause: { message: expect.stringContaining('permission denied') },
      });
      await admin.query(metricsMigration({ schema }));
      await admin.query(`grant usage on schema ${schema} to ${role}`);
      await admin.query(
        `grant select, insert, update, delete on all tables in schema ${schema} to ${role}`,
      );
      for (const migrate of [false, true]) {
        const store = sqlMetricsStore(pool, { schema, migrate });
        expect(await store.commit(write)).toMatchObject({ written: true });
        expect(await store.purge({})).toEqual({ keysDeleted: 0, fieldsDeleted: 0 });
      }
      expect((await early.commit(write)).written).toBe(true);
    } finally {
      await pool.end();
      await admin.query(`drop owned by ${role}`);
      await admin.query(`drop role ${role}`);
      await admin.end();
    }
  });
});
