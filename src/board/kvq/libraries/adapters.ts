/** The queue adapters: how a host puts a queue of a library on a board. */

import { BoardQueue } from '../queue/board-queue.ts';
import type { QueueOptions } from '../queue/queue-options.ts';
import { BullDriver } from './bull-driver.ts';
import type { BullQueue } from './bull-types.ts';
import { sqlPlaceOf } from './bullmq-access.ts';
import { BullMqDriver } from './bullmq-driver.ts';
import { BullMqProDriver } from './bullmq-pro-driver.ts';
import { BullMqSqlDriver } from './bullmq-sql-driver.ts';
import type { BullMqQueue } from './bullmq-types.ts';

/** Throws a `TypeError` when what is given is no queue with these methods. */
function assertQueue(queue: unknown, adapter: string, methods: readonly string[]): void {
  const lacks = (name: string): boolean =>
    typeof queue !== 'object' || queue === null || typeof Reflect.get(queue, name) !== 'function';
  if (methods.some(lacks)) {
    throw new TypeError(`${adapter} takes a queue of its library; this is none`);
  }
}

/**
 * A queue of BullMQ 5 or 6, on Redis or on PostgreSQL. The board uses the queue's own connection and leaves it
 * open. Throws a `TypeError` when this is no such queue.
 */
export function bullmqQueue(queue: BullMqQueue, options?: QueueOptions): BoardQueue {
  assertQueue(queue, 'bullmqQueue', ['upsertJobScheduler', 'toKey', 'getJob']);
  const place = sqlPlaceOf(queue);
  const driver = place ? new BullMqSqlDriver(queue, place) : new BullMqDriver(queue);
  return new BoardQueue(driver, options);
}

/** A queue of Bull 4. Otherwise as {@link bullmqQueue}. */
export function bullQueue(queue: BullQueue, options?: QueueOptions): BoardQueue {
  assertQueue(queue, 'bullQueue', ['removeRepeatableByKey', 'toKey', 'getJob']);
  return new BoardQueue(new BullDriver(queue), options);
}

/**
 * A queue of BullMQ Pro. Its counts hold the jobs of groups, and its jobs show their group beside their name.
 * Otherwise as {@link bullmqQueue}.
 */
export function bullmqProQueue(queue: BullMqQueue, options?: QueueOptions): BoardQueue {
  assertQueue(queue, 'bullmqProQueue', ['upsertJobScheduler', 'toKey', 'getJob']);
  const driver = new BullMqProDriver(queue);
  const name = (job: Readonly<Record<string, unknown>>): string => driver.nameWithGroup(job);
  return new BoardQueue(driver, { ...options, formatters: { name, ...options?.formatters } });
}
