/** The part of Bull that the board uses. */

import type { RedisClient } from '../redis/connect/client.ts';

/** A job of Bull. */
export interface BullJob {
  readonly id: string | number;
  readonly timestamp: number;
  retry(): Promise<void>;
  remove(): Promise<void>;
  promote(): Promise<void>;
  update(data: never): Promise<void>;
}

/** Counts per minute; the library returns those of `data` as strings. */
export interface BullMetrics {
  readonly meta: { readonly count: number; readonly prevTS: number; readonly prevCount: number };
  readonly data: readonly (number | string)[];
  readonly count: number;
}

/** A queue of Bull. */
export interface BullQueue {
  readonly name: string;
  readonly client: RedisClientOfBull;
  toKey(type: string): string;
  isReady(): Promise<unknown>;
  getJob(id: string): Promise<BullJob | null | undefined>;
  add(name: string, data: never, options?: object): Promise<BullJob>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  clean(grace: number, status?: never, limit?: number): Promise<unknown[]>;
  obliterate(options?: { force: boolean }): Promise<void>;
  getMetrics(type: 'completed' | 'failed'): Promise<BullMetrics>;
  getJobLogs(id: string, start?: number, end?: number): Promise<{ logs: string[] }>;
  removeRepeatableByKey(key: string): Promise<void>;
}

/** Bull uses an ioredis client of any major version. */
export type RedisClientOfBull = Pick<RedisClient, 'status' | 'options'>;
