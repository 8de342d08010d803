/** The part of Bull that the board uses. */

import type { RedisClient } from '../redis/connect/client.ts';

/** A job of Bull. */
interface BullJob {
  readonly id: string | number;
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
  obliterate(options?: { force: boolean }): Promise<void>;
  removeRepeatableByKey(key: string): Promise<void>;
}

/** Bull uses an ioredis client of any major version. */
type RedisClientOfBull = Pick<RedisClient, 'status' | 'options'>;
