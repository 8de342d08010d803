/** Reads a datastore's queues for the listing, so that one that is slow or hangs holds nobody up. */

import type { FactsResult, QueueStore } from './store.ts';
import { StoreTimeout, within } from './time-limit.ts';

/** Milliseconds a datastore has when there is no other to show. */
const patience = 10_000;

/** Milliseconds it still has once another has answered. */
const patienceAfterOthers = 2_000;

/** Milliseconds that facts may be shown instead of those that are on their way. */
const maxAge = 60_000;

/** Facts by queue. */
type Facts = ReadonlyMap<QueueStore, FactsResult>;

interface Reading {
  /** Still on its way; a datastore is not asked again before it has answered. */
  pending: Promise<Facts> | null;
  last: { readonly facts: Facts; readonly at: number } | null;
}

/** One datastore's queues. */
export type Group = readonly [key: string, stores: readonly QueueStore[]];

export class GroupReader {
  readonly #withWorkers: boolean;
  readonly #readings = new Map<string, Reading>();

  constructor(withWorkers: boolean) {
    this.#withWorkers = withWorkers;
  }

  /** Facts of all queues of all groups; those that could not be read in time carry the error. */
  async read(groups: readonly Group[]): Promise<Facts> {
    const starts = groups.map(([key, stores]) => this.#start(key, stores));
    const first = Promise.any(starts).catch(() => undefined);
    const read = await Promise.all(
      groups.map(async ([key, stores], index): Promise<Facts> => {
        const start = starts[index] ?? Promise.reject(new Error('Not read.'));
        try {
          const others = groups.length > 1 ? first.then(() => late()) : never;
          return await within(patience, Promise.race([start, others]));
        } catch (error) {
          return this.#insteadOf(key, stores, error);
        }
      }),
    );
    this.#forgetExcept(groups);
    return new Map(read.flatMap((facts) => [...facts]));
  }

  /** Nothing that was read before is shown any more. */
  forget(): void {
    this.#readings.clear();
  }

  #start(key: string, stores: readonly QueueStore[]): Promise<Facts> {
    const reading = this.#readings.get(key) ?? { pending: null, last: null };
    this.#readings.set(key, reading);
    reading.pending ??= this.#facts(stores).then(
      (facts) => {
        reading.pending = null;
        reading.last = { facts, at: Date.now() };
        return facts;
      },
      (error: unknown) => {
        reading.pending = null;
        throw error;
      },
    );
    return reading.pending;
  }

  async #facts(stores: readonly QueueStore[]): Promise<Facts> {
    const [first] = stores;
    const results = (await first?.facts(stores, this.#withWorkers)) ?? [];
    return new Map(
      stores.map((store, index) => [store, results[index] ?? { error: new Error('Not read.') }]),
    );
  }

  /** What is shown of a datastore that failed, or has not answered yet. */
  #insteadOf(key: string, stores: readonly QueueStore[], error: unknown): Facts {
    const last = this.#readings.get(key)?.last;
    const isLate = error instanceof StoreTimeout;
    if (isLate && last && Date.now() - last.at < maxAge) return last.facts;
    const reason = error instanceof Error ? error : new Error(String(error));
    return new Map(stores.map((store) => [store, { error: reason }]));
  }

  #forgetExcept(groups: readonly Group[]): void {
    const known = new Set(groups.map(([key]) => key));
    for (const key of this.#readings.keys()) if (!known.has(key)) this.#readings.delete(key);
  }
}

const never = new Promise<never>(() => undefined);

/** Rejects when a datastore has had its time after the others. */
function late(): Promise<never> {
  return within(patienceAfterOthers, never);
}
