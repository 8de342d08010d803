/** Reads datastores' queues for the listing, so that one that is slow or hangs holds nobody up. */

import { arrivals } from './settle-within.ts';
import type { Arrival } from './settle-within.ts';
import type { FactsResult, QueueStore } from '../model/store.ts';
import { StoreTimeout } from '../time-limit.ts';

/** Milliseconds that facts may be shown instead of those that are on their way, unless somebody says otherwise. */
const defaultMaxAge = 60_000;

/** Facts by queue. */
type Facts = ReadonlyMap<QueueStore, FactsResult>;

/** A question that is on its way. */
interface Reading {
  readonly stores: ReadonlySet<QueueStore>;
  readonly facts: Promise<Facts>;
}

/** Facts that have arrived. */
interface Known {
  readonly facts: Facts;
  readonly at: number;
}

/** One datastore's queues. */
export type Group = readonly [key: string, stores: readonly QueueStore[]];

export class GroupReader {
  readonly #withWorkers: boolean;
  readonly #maxAge: number;
  /** A datastore is not asked the same again before it has answered. */
  readonly #underWay = new Map<string, Reading>();
  readonly #known = new Map<string, Known>();

  constructor(withWorkers: boolean, maxAge: number = defaultMaxAge) {
    this.#withWorkers = withWorkers;
    this.#maxAge = maxAge;
  }

  /** Facts of all queues of all groups; those that could not be read in time carry the error. */
  async read(groups: readonly Group[]): Promise<Facts> {
    const readings = groups.map(([key, stores]) => this.#start(key, stores));
    const ended = await arrivals(readings);
    const read = groups.flatMap(([key, stores], index) => [
      ...this.#factsOf(key, stores, ended[index] ?? null),
    ]);
    this.#forgetExcept(groups);
    return new Map(read);
  }

  /**
   * The group, or any, has changed: what was asked of it before is not shown any more. A datastore that hangs is not
   * asked once more because another has changed.
   */
  forget(group?: string): void {
    this.#known.clear();
    if (group === undefined) this.#underWay.clear();
    else this.#underWay.delete(group);
  }

  #start(key: string, stores: readonly QueueStore[]): Promise<Facts> {
    const before = this.#underWay.get(key);
    // Queues that have come since were not asked about.
    if (before && stores.every((store) => before.stores.has(store))) return before.facts;
    const reading: Reading = { stores: new Set(stores), facts: this.#ask(stores) };
    this.#underWay.set(key, reading);
    const isCurrent = (): boolean => this.#underWay.get(key) === reading;
    reading.facts.then(
      (facts) => {
        if (!isCurrent()) return;
        this.#underWay.delete(key);
        this.#known.set(key, { facts, at: Date.now() });
      },
      () => {
        if (isCurrent()) this.#underWay.delete(key);
      },
    );
    return reading.facts;
  }

  async #ask(stores: readonly QueueStore[]): Promise<Facts> {
    const [first] = stores;
    const results = (await first?.facts(stores, this.#withWorkers)) ?? [];
    return new Map(
      stores.map((store, index) => [store, results[index] ?? { error: new Error('Not read.') }]),
    );
  }

  /** What is shown of a datastore: its answer, or what it said before while it is late, or why there is none. */
  #factsOf(key: string, stores: readonly QueueStore[], ended: Arrival<Facts> | null): Facts {
    if (ended && 'value' in ended) return ended.value;
    const error = reasonOf(ended);
    const known = error instanceof StoreTimeout ? this.#known.get(key) : undefined;
    const before = known && Date.now() - known.at < this.#maxAge ? known.facts : undefined;
    return new Map(stores.map((store) => [store, before?.get(store) ?? { error }]));
  }

  #forgetExcept(groups: readonly Group[]): void {
    const asked = new Set(groups.map(([key]) => key));
    for (const key of this.#known.keys()) if (!asked.has(key)) this.#known.delete(key);
  }
}

function reasonOf(ended: { readonly error: unknown } | null): Error {
  if (!ended) return new StoreTimeout('The datastore did not answer in time.');
  return ended.error instanceof Error ? ended.error : new Error(String(ended.error));
}
