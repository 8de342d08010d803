/** Reads what goes on in the queues of all datastores, shared among concurrent requests. */

import { SingleFlight } from '../../../lib/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import type { ActivityResult } from '../model/activity.ts';
import type { QueueRegistry } from '../queue/queue-registry.ts';
import { asError } from '../queue/problem-log.ts';
import { timeouts } from '../timeouts.ts';
import { settleWithin } from './settle-within.ts';

/** The activity of every queue, and when it was read. */
export interface Activities {
  readonly at: number;
  readonly byQueue: ReadonlyMap<BoardQueue, ActivityResult>;
}

export class ActivityReader {
  readonly #registry: QueueRegistry;
  readonly #withWorkers: boolean;
  readonly #shared: SingleFlight<Activities>;

  constructor(registry: QueueRegistry, keepFor: number, withWorkers: boolean) {
    this.#registry = registry;
    this.#withWorkers = withWorkers;
    this.#shared = new SingleFlight(keepFor, 10);
  }

  /** The activity of all queues, or of one, with the counts of the last minutes. */
  read(minutes: number, only?: BoardQueue): Promise<Activities> {
    const queues = only ? [only] : [...this.#registry.byName.values()];
    const key = JSON.stringify([this.#registry.version, minutes, only?.name]);
    return this.#shared.run(key, () => this.#read(queues, minutes));
  }

  async #read(queues: readonly BoardQueue[], minutes: number): Promise<Activities> {
    const groups = [...Map.groupBy(queues, ({ driver }) => driver.store.group()).values()];
    const readings = groups.map(async (members) => {
      const stores = members.map(({ driver }) => driver.store);
      return (await stores[0]?.activity(stores, minutes, this.#withWorkers)) ?? [];
    });
    const at = Date.now();
    const outcomes = await settleWithin(readings, timeouts());
    const byQueue = new Map<BoardQueue, ActivityResult>();
    for (const [index, members] of groups.entries()) {
      const outcome = outcomes[index] ?? { error: new Error('Not read.') };
      for (const [place, queue] of members.entries()) {
        const result =
          'value' in outcome ? outcome.value[place] : { error: asError(outcome.error) };
        byQueue.set(queue, result ?? { error: new Error('Not read.') });
      }
    }
    return { at, byQueue };
  }
}
