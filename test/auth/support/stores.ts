/** The stores that several instances may share, over services of this machine. */

import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import pg from 'pg';
import { postgresqlAuthStore, redisAuthStore } from '../../../src/auth/index.ts';
import type { AuthStore } from '../../../src/auth/index.ts';
import { memoryAuthStore } from '../../../src/auth/store/memory.ts';
import { everyServiceRequired, findRedis, scratchDatabase } from '../../services/index.ts';
import { forgetKeys } from '../../forget-keys.ts';

export interface OpenedStore {
  /** One connection per instance. */
  readonly stores: readonly [AuthStore, AuthStore];
  close(): Promise<void>;
}

/** Opens a store twice, as two instances do; `null` where its service is missing. */
type Open = () => Promise<OpenedStore | null>;

function missing(advice: string): null {
  if (everyServiceRequired()) throw new Error(advice);
  console.log(`Left out: ${advice}`);
  return null;
}

export const stores: Readonly<Record<string, Open>> = {
  async memory() {
    const store = memoryAuthStore();
    return { stores: [store, store], close: async () => undefined };
  },
  async Redis() {
    const service = await findRedis();
    if ('missing' in service) return missing(service.advice);
    const clients = [new Redis(service.url), new Redis(service.url)] as const;
    const prefix = `auth-test-${randomUUID()}:`;
    const [one, two] = clients;
    return {
      stores: [redisAuthStore(one, { prefix }), redisAuthStore(two, { prefix })],
      async close() {
        await forgetKeys(clients[0], prefix);
        for (const client of clients) await client.quit();
        await service.dispose();
      },
    };
  },
  async PostgreSQL() {
    const database = await scratchDatabase('postgresql', 'auth');
    if ('missing' in database) return missing(database.advice);
    const pools = [1, 2].map(() => new pg.Pool({ connectionString: database.url, max: 4 }));
    const [one, two] = pools.map((pool) => postgresqlAuthStore(pool));
    if (one === undefined || two === undefined) throw new Error('two pools make two stores');
    return {
      stores: [one, two],
      async close() {
        for (const pool of pools) await pool.end();
        await database.drop();
      },
    };
  },
};
