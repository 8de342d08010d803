/** The part of Bull that the board uses. */

import type { RedisClient } from '../redis/connect/client.ts';

interface BullJob {
  readonly id: string | number;
}

/** A queue of Bull. */
export interface BullQueue {
  /** Name of the queue. */
  readonly name: string;
  /** Connection to Redis. */
  readonly client: RedisClientOfBull;
  /** Key of a part of the queue in Redis. */
  toKey(type: string): string;
  /** Resolves once the connection is ready. */
  isReady(): Promise<unknown>;
  /** Reads a job by its id. */
  getJob(id: string): Promise<BullJob | null | undefined>;
  /** Adds a job. */
  add(name: string, data: never, options?: object): Promise<BullJob>;
  /** Pauses the queue. */
  pause(): Promise<void>;
  /** Resumes the queue. */
  resume(): Promise<void>;
  /** Deletes the queue with its jobs. */
  obliterate(options?: { force: boolean }): Promise<void>;
  /** Deletes a schedule. */
  removeRepeatableByKey(key: string): Promise<void>;
}

/** Bull uses an ioredis client of any major version. */
type RedisClientOfBull = Pick<RedisClient, 'status' | 'options'>;
