/** The queue adapters, which put a queue of a library on a board. */

import { checkOptions, refuseArguments, type OptionRow } from '../../../lib/index.ts';
import * as option from '../../../lib/option-rows.ts';
import { BoardQueue } from '../queue/board-queue.ts';
import { checkQueueOptions, type QueueOptions } from '../queue/queue-options.ts';
import { BullDriver } from './bull-driver.ts';
import type { BullQueue } from './bull-types.ts';
import { sqlLocationOf } from './bullmq-access.ts';
import { BullMqDriver } from './bullmq-driver.ts';
import { BullMqProDriver } from './bullmq-pro-driver.ts';
import { BullMqSqlDriver } from './bullmq-sql-driver.ts';
import type { BullMqQueue } from './bullmq-types.ts';

/** Methods that distinguish the queues of the libraries. */
const bullmqMethods = ['upsertJobScheduler', 'toKey', 'getJob'] as const;
const bullmqRow = option.withMethods('a queue of BullMQ 5.16 or later', ...bullmqMethods);
const bullmqProRow = option.withMethods('a queue of BullMQ Pro', ...bullmqMethods);
const bullRow = option.withMethods('a queue of Bull', 'removeRepeatableByKey', 'toKey', 'getJob');

/** Checks the arguments of an adapter: the queue by its methods, the options by the option table. */
function checkArguments(
  adapter: string,
  queue: unknown,
  row: OptionRow,
  options: QueueOptions | undefined,
  more: readonly unknown[],
): void {
  refuseArguments(adapter, 2, more);
  checkOptions(adapter, { queue }, { queue: option.required(row) });
  checkQueueOptions(adapter, options);
}

/**
 * A queue of BullMQ 5.16 or later, or 6, on Redis or PostgreSQL. The board uses the connection of the queue and does not close it.
 *
 * @throws {TypeError} when the queue has another type, or an option is unknown or has a wrong type
 */
export function bullmqQueue(queue: BullMqQueue, options?: QueueOptions): BoardQueue;
export function bullmqQueue(
  queue: BullMqQueue,
  options?: QueueOptions,
  ...more: readonly unknown[]
): BoardQueue {
  checkArguments('bullmqQueue', queue, bullmqRow, options, more);
  const location = sqlLocationOf(queue);
  const driver = location ? new BullMqSqlDriver(queue, location) : new BullMqDriver(queue);
  return new BoardQueue(driver, options);
}

/** A queue of Bull 4. Otherwise as {@link bullmqQueue}. */
export function bullQueue(queue: BullQueue, options?: QueueOptions): BoardQueue;
export function bullQueue(
  queue: BullQueue,
  options?: QueueOptions,
  ...more: readonly unknown[]
): BoardQueue {
  checkArguments('bullQueue', queue, bullRow, options, more);
  return new BoardQueue(new BullDriver(queue), options);
}

/**
 * A queue of BullMQ Pro. Its counts include the jobs of groups, and job names include the group. Otherwise as {@link
 * bullmqQueue}.
 */
export function bullmqProQueue(queue: BullMqQueue, options?: QueueOptions): BoardQueue;
export function bullmqProQueue(
  queue: BullMqQueue,
  options?: QueueOptions,
  ...more: readonly unknown[]
): BoardQueue {
  checkArguments('bullmqProQueue', queue, bullmqProRow, options, more);
  return new BoardQueue(new BullMqProDriver(queue), options);
}
