/** Reads of pg-boss: in a schema of any name, and of jobs that may run. */

import pg from 'pg';
import type { PgBoss } from 'pg-boss';
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

/** A pg-boss that keeps snapshots in a schema. */
async function started(schema: string): Promise<PgBoss> {
  const boss = new newestLibrary.module.PgBoss({
    connectionString: url,
    schema,
    supervise: false,
    schedule: false,
    persistQueueStats: true,
    max: 1,
  });
  boss.on('error', () => undefined);
  return boss.start();
}

it.skipIf('missing' in database).each(['plain', 'Folded', '"Mixed"'])(
  'is the history of all queues, in the schema %s',
  async (schema) => {
    const boss = await started(schema);
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
      const others = pgqLibraryHistoryProvider({ pool, schema, queues: ['sms'] });
      for (const asked of [{}, { queue: 'mail' }, { queues: ['mail'] }]) {
        const query = { ...day, ...asked, metric: 'completed' } as const;
        expect([asked, await others.getHistory(query)]).toEqual([asked, []]);
      }
    } finally {
      await boss.stop({ graceful: false });
    }
  },
);

it.skipIf('missing' in database)(
  'is the age of the oldest job that may run, and waits for no other',
  async () => {
    const boss = await started('aged');
    try {
      for (const name of ['again', 'first', 'then']) await boss.createQueue(name);
      await boss.send('again', {});
      await pool.query(`update aged.job set state = 'retry'`);
      await boss.flow([
        { ref: 'parent', name: 'first' },
        { ref: 'child', name: 'then', dependsOn: ['parent'] },
      ]);
      await pool.query(`update aged.job set start_after = now() - interval '1 minute'`);
      const [source] = pgqMetricsSources({ pool, schema: 'aged' });
      const names = ((await source?.queues()) ?? []).toSorted();
      const from = Math.floor(Date.now() / 60_000) - 10;
      const request = { completedFrom: from, failedFrom: from, maxMinutes: 10 };
      const readings = await source?.read(new Map(names.map((name) => [name, request])));
      const ages = names.map((name) => [name, readings?.get(name)]);
      expect(ages).toEqual([
        ['again', expect.objectContaining({ queueAge: expect.any(Number) })],
        ['first', expect.objectContaining({ queueAge: expect.any(Number) })],
        ['then', expect.objectContaining({ queueAge: 0 })],
      ]);
      for (const [, age] of ages.slice(0, 2)) expect(age).not.toMatchObject({ queueAge: 0 });
    } finally {
      await boss.stop({ graceful: false });
    }
  },
);
