/** Reads what goes on in the queues of all datastores, and who works on them, shared among concurrent requests. */

import { SingleFlight } from '../../../lib/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import { type ActivityResult, type StoredMetrics, lastMinutes } from '../model/activity.ts';
import type { WorkersResult, QueueStore } from '../model/store.ts';
import type { QueueRegistry } from '../queue/queue-registry.ts';
import { asError } from '../queue/problem-log.ts';
import { timeouts } from '../timeouts.ts';
import { settleWithin } from './group-reader.ts';
import { failureMinutes, type AttentionReading } from '../../core/index.ts';
import type { Snapshots } from './snapshots.ts';

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

/** Reads the facts of all queues of a board; a queue that cannot be read is left out. */
export function attentionReader(
  registry: QueueRegistry,
  snapshots: Snapshots,
  keepFor: number,
): () => Promise<AttentionReading[]> {
  const reader = new ActivityReader(registry, keepFor, false);
  return async () => {
    const [{ at, byQueue }, facts] = await Promise.all([
      reader.read(failureMinutes),
      snapshots.take(),
    ]);
    const sum = (metrics: StoredMetrics | null): number =>
      metrics
        ? lastMinutes(metrics, at, failureMinutes).reduce((total, count) => total + count, 0)
        : 0;
    return [...byQueue].flatMap(([queue, result]) => {
      const read = facts.get(queue);
      if ('error' in result || !read || 'error' in read) return [];
      const { completed, failed, waitingSince } = result.activity;
      const { waiting = 0, prioritized = 0 } = read.facts.counts;
      return [
        {
          queue: queue.name,
          finished: completed || failed ? { completed: sum(completed), failed: sum(failed) } : null,
          oldestMs: waitingSince === null ? 0 : Math.max(0, at - waitingSince),
          waiting: waiting + prioritized,
          hasWorkers: read.hasWorkers,
        },
      ];
    });
  };
}
