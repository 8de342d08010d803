/** Reads what goes on in the queues of all datastores, and who works on them, shared among concurrent requests. */

import { SingleFlight } from '../../../lib/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import type { ActivityResult } from '../model/activity.ts';
import type { WorkersResult, QueueStore } from '../model/store.ts';
import type { QueueRegistry } from '../queue/queue-registry.ts';
import { asError } from '../queue/problem-log.ts';
import { timeouts } from '../timeouts.ts';
import { settleWithin } from './settle-within.ts';

/** A queue that could not be read. */
interface Unread {
  readonly error: Error;
}

const notRead = (): Unread => ({ error: new Error('The queue was not read.') });

/** @param read reads queues of one datastore, in order, through the first of them */
async function readByDatastore<Result>(
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

/** The activity of every queue, and when it was read. */
export interface Activities {
  readonly at: number;
  readonly byQueue: ReadonlyMap<BoardQueue, ActivityResult>;
}

export type Workers = ReadonlyMap<BoardQueue, WorkersResult>;

export class ActivityReader {
  readonly #registry: QueueRegistry;
  readonly #withWorkers: boolean;
  readonly #shared: SingleFlight<Activities>;
  readonly #workers: SingleFlight<Workers>;

  constructor(registry: QueueRegistry, keepFor: number, withWorkers: boolean) {
    this.#registry = registry;
    this.#withWorkers = withWorkers;
    this.#shared = new SingleFlight(keepFor, 10);
    this.#workers = new SingleFlight(keepFor, 1);
  }

  /** The activity of all queues, or of one, with the counts of the last minutes. */
  read(minutes: number, only?: BoardQueue): Promise<Activities> {
    const queues = only ? [only] : this.#all;
    const key = JSON.stringify([this.#registry.version, minutes, only?.name]);
    return this.#shared.run(key, async () => {
      const at = Date.now();
      const byQueue = await readByDatastore(queues, (first, stores) =>
        first.activity(stores, minutes, this.#withWorkers),
      );
      return { at, byQueue };
    });
  }

  /** The workers of all queues. */
  workers(): Promise<Workers> {
    const queues = this.#all;
    return this.#workers.run(`${this.#registry.version}`, () =>
      readByDatastore(queues, async (first, stores) =>
        (await first.workers(stores)).map((workers) => ({ workers })),
      ),
    );
  }

  get #all(): readonly BoardQueue[] {
    return [...this.#registry.byName.values()];
  }
}
