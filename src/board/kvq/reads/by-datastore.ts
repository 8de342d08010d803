/** Reads many queues in one round trip per datastore; a datastore that hangs does not delay the others. */

import type { QueueStore } from '../model/store.ts';
import { asError } from '../queue/problem-log.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import { timeouts } from '../timeouts.ts';
import { settleWithin } from './settle-within.ts';

/** A queue that could not be read. */
interface Unread {
  readonly error: Error;
}

const notRead = (): Unread => ({ error: new Error('The queue was not read.') });

/** @param read reads queues of one datastore, in order, through the first of them */
export async function readByDatastore<Result>(
  queues: readonly BoardQueue[],
  read: (first: QueueStore, stores: readonly QueueStore[]) => Promise<readonly Result[]>,
): Promise<ReadonlyMap<BoardQueue, Result | Unread>> {
  const groups = [...Map.groupBy(queues, ({ driver }) => driver.store.group()).values()];
  const readings = groups.map(async (members): Promise<readonly Result[]> => {
    const stores = members.map(({ driver }) => driver.store);
    const [first] = stores;
    return first ? read(first, stores) : [];
  });
  const outcomes = await settleWithin(readings, timeouts());
  const byQueue = new Map<BoardQueue, Result | Unread>();
  for (const [index, members] of groups.entries()) {
    const outcome = outcomes[index] ?? notRead();
    for (const [place, queue] of members.entries()) {
      const result = 'value' in outcome ? outcome.value[place] : { error: asError(outcome.error) };
      byQueue.set(queue, result ?? notRead());
    }
  }
  return byQueue;
}
