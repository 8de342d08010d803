/** Puts the queue of a host's adapter on a board. */

import { refuseArguments } from '../../../lib/index.ts';
import { BoardQueue } from '../queue/board-queue.ts';
import { checkQueueOptions } from '../queue/queue-options.ts';
import type { QueueOptions } from '../queue/queue-options.ts';
import { CustomDriver } from './custom-driver.ts';
import { QueueAdapter, WritableQueueAdapter } from './queue-adapter.ts';

/**
 * A queue of an adapter that the host has written. Without commands (`QueueAdapter`), the queue is read-only.
 *
 * @throws {TypeError} when the adapter does not extend `QueueAdapter`, or an option is unknown or has a wrong type
 */
export function customQueue(adapter: QueueAdapter, options?: QueueOptions): BoardQueue;
export function customQueue(
  adapter: QueueAdapter,
  options?: QueueOptions,
  ...more: readonly unknown[]
): BoardQueue {
  refuseArguments('customQueue', 2, more);
  if (!(adapter instanceof QueueAdapter)) {
    throw new TypeError('customQueue: "adapter" must extend QueueAdapter');
  }
  checkQueueOptions('customQueue', options);
  const { readOnlyMode, readOnly = readOnlyMode ?? false, ...others } = options ?? {};
  const isReadOnly = readOnly || !(adapter instanceof WritableQueueAdapter);
  return new BoardQueue(new CustomDriver(adapter), { ...others, readOnly: isReadOnly });
}
