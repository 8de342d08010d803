/** Reads the queues of all datastores for the listing; a datastore that hangs does not delay the others. */

import { TimeoutError } from '../../../lib/index.ts';
import type { FactsResult, QueueStore } from '../model/store.ts';
import { asError } from '../queue/problem-log.ts';
import { timeouts } from '../timeouts.ts';

/** Milliseconds for which cached facts replace those of a slow datastore. */
const defaultMaxAge = 60_000;

type Facts = ReadonlyMap<QueueStore, FactsResult>;

/** A pending read. */
interface Reading {
  readonly stores: ReadonlySet<QueueStore>;
  readonly facts: Promise<Facts>;
}

/** Facts received so far. */
interface Known {
  readonly facts: Facts;
  readonly at: number;
}

/** The queues of one datastore. */
export type Group = readonly [key: string, stores: readonly QueueStore[]];

export class GroupReader {
  readonly #withWorkers: boolean;
  readonly #maxAge: number;
  /** A datastore has at most one pending read. */
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
   * Drops cached and pending reads of one group, or of all groups, after a change. A datastore that hangs is not
   * queried again because of a change in another one.
   */
  forget(group?: string): void {
    this.#known.clear();
    if (group === undefined) this.#underWay.clear();
    else this.#underWay.delete(group);
  }

  #start(key: string, stores: readonly QueueStore[]): Promise<Facts> {
    const before = this.#underWay.get(key);
    // Queues added since then are not part of that read.
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

  /** The reply of a datastore; its last reply while it is slow; otherwise the error. */
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

/** How a promise settled. */
type Settled<Result> = { readonly value: Result } | { readonly error: unknown };

/** Time limits in milliseconds. */
interface SettleLimits {
  /** Until the first has succeeded. */
  readonly firstMs: number;
  /** For the others, after the first has succeeded. */
  readonly othersMs: number;
}

/** The settled results in order; a `TimeoutError` for those that did not settle in time. */
export function settleWithin<Result>(
  promises: readonly Promise<Result>[],
  { firstMs, othersMs }: SettleLimits,
): Promise<Settled<Result>[]> {
  return new Promise((resolve) => {
    const settled: (Settled<Result> | undefined)[] = promises.map(() => undefined);
    let pending = promises.length;
    let hasFirst = false;
    const finish = (): void => {
      clearTimeout(timer);
      // An error takes a while to make, and is hardly ever needed.
      resolve(settled.map((outcome) => outcome ?? { error: new TimeoutError(firstMs) }));
    };
    let timer = setTimeout(finish, firstMs);
    const settle = (index: number, outcome: Settled<Result>): void => {
      settled[index] = outcome;
      pending -= 1;
      if (pending === 0) {
        finish();
      } else if ('value' in outcome && !hasFirst) {
        hasFirst = true;
        clearTimeout(timer);
        timer = setTimeout(finish, othersMs);
      }
    };
    for (const [index, promise] of promises.entries()) {
      promise.then(
        (value) => settle(index, { value }),
        (error: unknown) => settle(index, { error }),
      );
    }
    if (pending === 0) finish();
  });
}
