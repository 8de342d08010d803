/** Settings that the process of a recorder shares with the test that runs it. */

import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { redisMetricsStore, sqlMetricsStore } from '../../../src/metrics/index.ts';
import type { MetricsStore } from '../../../src/metrics/index.ts';

/** The settings of a process, in its first argument as JSON. */
export interface RecorderSettings {
  /** The server of the queues, and their prefix. */
  readonly redis: string;
  readonly prefix: string;
  readonly queues: readonly string[];
  /** The server of the store. */
  readonly store: string;
  readonly intervalMs: number;
  readonly marginMs: number;
}

/** A message of a process: it has read and is about to write, it is about to stop there, or it has written. */
export type RecorderEvent = 'read' | 'stopping' | 'written';

/** A store that may be closed. */
export interface OpenedStore {
  readonly store: MetricsStore;
  close(): Promise<void>;
}

/** The store on a server, in Redis under the prefix. */
export function storeAt(url: string, prefix: string): OpenedStore {
  if (url.startsWith('redis')) {
    const client = new Redis(url);
    const close = async (): Promise<void> => client.disconnect();
    return { store: redisMetricsStore(client, { prefix }), close };
  }
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  return { store: sqlMetricsStore(pool), close: () => pool.end() };
}

/** Queues on one connection. */
export function queuesAt(connection: Redis, prefix: string, names: readonly string[]): Queue[] {
  return names.map(
    (name) => new Queue(name, { connection: connection as never, prefix, skipMetasUpdate: true }),
  );
}
