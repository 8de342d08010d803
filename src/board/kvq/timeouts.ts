/** The timeouts of a board. */

import { AsyncLocalStorage } from 'node:async_hooks';
import * as option from '../../lib/option-rows.ts';
import type { OptionTableOf } from '../../lib/index.ts';

/** How long a `kvq` board waits for its datastores. Whole milliseconds from 1. */
export interface KvqTimeouts {
  /** For the connection of a queue that is not connected. Default 1500. */
  readonly connectMs?: number;
  /** For the reply of Redis to a command or a script. Default 5000. */
  readonly commandMs?: number;
  /** For the reply of one node of a Redis Cluster. Default 2000. */
  readonly nodeMs?: number;
  /** How long a reply of Redis proves that it is up, so that a write is sent without a ping. Default 1000. */
  readonly freshMs?: number;
  /** For the result of a PostgreSQL statement. Default 10,000. */
  readonly statementMs?: number;
  /**
   * For the first page of a search on PostgreSQL, newest first; after it, the search continues in id order. Default
   * 2000.
   */
  readonly sortMs?: number;
  /** For a read by the queue library itself: logs, metrics, rate limits. Default 5000. */
  readonly libraryMs?: number;
  /** For a change of a job or a queue. Default 10,000. */
  readonly changeMs?: number;
  /** For one step of a change of many jobs; a change has as many steps as it needs. Default 60,000. */
  readonly stepMs?: number;
  /** For the first of the datastores of a listing or a search. Default 10,000. */
  readonly firstMs?: number;
  /** For the other datastores of a listing or a search once one has replied. Default 2000. */
  readonly othersMs?: number;
}

/** From 1 to the maximum delay of a timer. */
const milliseconds = option.wholeNumber(1, 2 ** 31 - 1);

/** The types of the options; checked by `createBoard`. */
export const timeoutTable = {
  connectMs: milliseconds,
  commandMs: milliseconds,
  nodeMs: milliseconds,
  freshMs: milliseconds,
  statementMs: milliseconds,
  sortMs: milliseconds,
  libraryMs: milliseconds,
  changeMs: milliseconds,
  stepMs: milliseconds,
  firstMs: milliseconds,
  othersMs: milliseconds,
} satisfies OptionTableOf<KvqTimeouts>;

export const defaultTimeouts: Required<KvqTimeouts> = {
  connectMs: 1_500,
  commandMs: 5_000,
  nodeMs: 2_000,
  freshMs: 1_000,
  statementMs: 10_000,
  sortMs: 2_000,
  libraryMs: 5_000,
  changeMs: 10_000,
  stepMs: 60_000,
  firstMs: 10_000,
  othersMs: 2_000,
};

// A queue may be on several boards with different timeouts, so its connection cannot hold them.
const current = new AsyncLocalStorage<Required<KvqTimeouts>>();

/** The timeouts of the board whose request is being handled. */
export const timeouts = (): Required<KvqTimeouts> => current.getStore() ?? defaultTimeouts;

/** Wraps functions so that each runs with the timeouts. */
export function withTimeouts<Handlers extends object>(
  values: Required<KvqTimeouts>,
  handlers: Handlers,
): Handlers {
  const bound = Object.entries(handlers).map(([name, handler]) => [
    name,
    (...args: readonly unknown[]): unknown =>
      current.run(values, () => Reflect.apply(handler, undefined, args)),
  ]);
  return Object.fromEntries(bound) as Handlers;
}
