/** The history that pg-boss keeps itself, in a schema of any name. */

import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pgqLibraryHistoryProvider, pgqMetricsSources } from '../../src/metrics/index.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { scratchDatabase } from '../services/index.ts';

const database = await scratchDatabase('postgresql', 'schemas');
const url = 'url' in database ? database.url : '';
let pool: pg.Pool;

beforeAll(() => {
  pool = new pg.Pool({ connectionString: url, max: 1 });
});
afterAll(async () => {
  await pool.end();
  if ('drop' in database) await database.drop();
});

it.skipIf('missing' in database).each(['plain', 'Folded', '"Mixed"'])(
  'is read of all queues in %s',
  async (schema) => {
    const boss = new newestLibrary.module.PgBoss({
      connectionString: url,
      schema,
      supervise: false,
      schedule: false,
      persistQueueStats: true,
      max: 1,
    });
    boss.on('error', () => undefined);
    await boss.start();
    try {
      await boss.createQueue('mail');
      const name = schema.startsWith('"') ? schema : schema.toLowerCase();
      await pool.query(
        `insert into ${name}.queue_stats (name, captured_on, delta_on, completed_delta)
         values ('mail', now(), now(), 7)`,
      );
      expect(await pgqMetricsSources({ pool, schema })[0]?.queues()).toEqual(['mail']);
      const now = Date.now();
      const day = { from: now - 86_400_000, to: now + 86_400_000, granularity: 'day' } as const;
      const provider = pgqLibraryHistoryProvider({ pool, schema });
      const points = await provider.getHistory({ ...day, metric: 'completed' });
      expect(points).toEqual([{ ts: expect.any(Number), value: 7 }]);
    } finally {
      await boss.stop({ graceful: false });
    }
  },
);
