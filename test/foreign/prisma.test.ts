/** The pools of Prisma's driver adapters, in the oldest and the newest version that is known; clients are in `test/prisma`. */

import type { PrismaMariaDb } from '@prisma/adapter-mariadb';
import type { PrismaPg } from '@prisma/adapter-pg';
import { afterAll, describe, expect, it } from 'vitest';
import { adapterSchemaOf, poolBehind, replacePool } from '../../src/adapters/prisma/foreign.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { installed } from './versions.ts';

const [postgresql, mysql] = await Promise.all(
  (['postgresql', 'mysql'] as const).map(async (family) => {
    const database = await scratchDatabase(family, 'foreign_prisma');
    if (!('missing' in database)) return database;
    if (everyServiceRequired()) throw new Error(database.advice);
    return undefined;
  }),
);
afterAll(async () => {
  for (const database of [postgresql, mysql]) await database?.drop();
});

interface Factory {
  connect(): Promise<{
    queryRaw(query: object): Promise<{ rows: unknown[] }>;
    dispose(): Promise<void>;
  }>;
}

/** Whether the adapter sends its statements to the pool that it shows. */
async function asksPool(factory: Factory): Promise<void> {
  const connected = await factory.connect();
  const pool = poolBehind(connected) as object;
  const asked: PropertyKey[] = [];
  const get = (target: object, name: PropertyKey): unknown => {
    asked.push(name);
    const value: unknown = Reflect.get(target, name);
    return typeof value === 'function' ? value.bind(target) : value;
  };
  replacePool(connected, new Proxy(pool, { get }));
  const { rows } = await connected.queryRaw({ sql: 'select 7', args: [], argTypes: [] });
  expect(rows.map(String)).toEqual(['7']);
  expect(asked.some((name) => name === 'query' || name === 'execute')).toBe(true);
  replacePool(connected, pool);
  await connected.dispose();
}

describe.each(installed('@prisma/adapter-pg-6', '@prisma/adapter-pg'))(
  '@prisma/adapter-pg $version',
  ({ module }) => {
    const adapter = module<{ PrismaPg: typeof PrismaPg }>();

    it.skipIf(!postgresql)('runs statements on the pool that it shows', async () => {
      const connectionString = postgresql?.url;
      await asksPool(new adapter.PrismaPg({ connectionString }) as unknown as Factory);
    });

    it('tells its schema', () => {
      const made = new adapter.PrismaPg({}, { schema: 'shop' });
      expect(adapterSchemaOf({ _engineConfig: { adapter: made } })).toBe('shop');
      expect(adapterSchemaOf({ _engineConfig: { adapter: new adapter.PrismaPg({}) } })).toBe(
        undefined,
      );
    });
  },
);

describe.skipIf(!mysql).each(installed('@prisma/adapter-mariadb-6', '@prisma/adapter-mariadb'))(
  '@prisma/adapter-mariadb $version',
  ({ module }) => {
    const adapter = module<{ PrismaMariaDb: typeof PrismaMariaDb }>();

    it('runs statements on the pool that it shows', async () => {
      const url = String(mysql?.url).replace(/^mysql:/, 'mariadb:');
      await asksPool(new adapter.PrismaMariaDb(url) as unknown as Factory);
    });
  },
);
