/** Reads the queues of all datastores for the listing; a datastore that hangs delays none of the others. */

import { TimeoutError } from '../../../lib/index.ts';
import { type Settled, settleWithin } from './settle-within.ts';
import type { FactsResult, QueueStore } from '../model/store.ts';
import { asError } from '../queue/problem-log.ts';
import { timeouts } from '../timeouts.ts';

/** Milliseconds for which facts replace those of a datastore that is late. */
const defaultMaxAge = 60_000;

/** Facts by queue. */
type Facts = ReadonlyMap<QueueStore, FactsResult>;

/** A read that is under way. */
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
  /** A datastore is not asked again before it has answered. */
  readonly #underWay = new Map<string, Reading>();
  readonly #known = new Map<string, Known>();

  constructor(withWorkers: boolean, maxAge: number = defaultMaxAge) {
    this.#withWorkers = withWorkers;
    this.#maxAge = maxAge;
  }

  /** Facts of all queues of all groups; those that could not be read in time carry the error. */
  async read(groups: readonly Group[]): Promise<Facts> {
    const readings = groups.map(([key, stores]) => this.#start(key, stores));
    const outcomes = await settleWithin(readings, timeouts());
    const read = groups.flatMap(([key, stores], index) => {
      const outcome = outcomes[index];
      return outcome ? [...this.#factsOf(key, stores, outcome)] : [];
    });
    this.#forgetExcept(groups);
    return new Map(read);
  }

  /**
   * Drops what was read of a group, or of all groups, before it changed. A datastore that hangs is not asked again
   * because of a change in another one.
   */
  forget(group?: string): void {
    this.#known.clear();
    if (group === undefined) this.#underWay.clear();
    else this.#underWay.delete(group);
  }

  #start(key: string, stores: readonly QueueStore[]): Promise<Facts> {
    const before = this.#underWay.get(key);
    // Queues added since are not part of that read.
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

  /** The answer of a datastore; while it is late, its last answer; otherwise the error. */
  #factsOf(key: string, stores: readonly QueueStore[], outcome: Settled<Facts>): Facts {
    if ('value' in outcome) return outcome.value;
    const error = asError(outcome.error);
    const known = error instanceof TimeoutError ? this.#known.get(key) : undefined;
    const before = known && Date.now() - known.at < this.#maxAge ? known.facts : undefined;
    return new Map(stores.map((store) => [store, before?.get(store) ?? { error }]));
  }

  #forgetExcept(groups: readonly Group[]): void {
    const asked = new Set(groups.map(([key]) => key));
    for (const key of this.#known.keys()) if (!asked.has(key)) this.#known.delete(key);
  }
}
