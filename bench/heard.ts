/** A connection that keeps how to run each of its statements again: the statements of a request, without the request. */

import type { SqlExecutor } from '../src/adapters/sql/executors/executor.ts';
import { executorOf } from '../src/adapters/sql/executors/recognise.ts';
import type { SqlConnection } from '../src/adapters/sql/index.ts';

export interface Heard {
  readonly executor: SqlExecutor;
  /** Runs the statements sent so far again, oldest first. */
  readonly again: (() => Promise<unknown>)[];
}

/** The connection as an executor, and what it has been sent. */
export function heard(connection: SqlConnection): Heard {
  const inner = executorOf(connection, {});
  const again: (() => Promise<unknown>)[] = [];
  const executor: SqlExecutor = {
    family: inner.family,
    concurrent: false,
    server: inner.server,
    channel: inner.channel,
    run(...statement) {
      again.push(() => Promise.resolve(inner.run(...statement)));
      return inner.run(...statement);
    },
    transaction: (body, timeoutMs) => inner.transaction(body, timeoutMs),
  };
  return { executor, again };
}
