/**
 * Time limits on PostgreSQL: a cancel request of the driver, else `statement_timeout`, local to a transaction or a
 * savepoint.
 */

import { plainStatement } from '../../read/executor.ts';
import { timeoutError } from '../../read/driver-error.ts';
import type { TimeLimit } from '../../read/time-limit.ts';
import { stoppablePg } from './node-postgres.ts';
import type { RunStoppable } from '../../read/execution.ts';

const setTimeoutSql = "select set_config('statement_timeout', $1, true) as c0";
const readTimeout = plainStatement("select current_setting('statement_timeout') as c0");

/** Restores the caller's limit inside the caller's transaction; a rollback to the savepoint also restores it. */
export const postgresqlLimit: TimeLimit = {
  session: (executor, milliseconds, work) => {
    const deadline = performance.now() + milliseconds;
    return executor.transaction(async (inner) => {
      const left = Math.ceil(deadline - performance.now());
      // The connection was acquired too late and the caller has stopped waiting, so the statement is not run.
      if (left <= 0) throw timeoutError(milliseconds);
      const set = (value: unknown) => {
        const statement = plainStatement(setTimeoutSql, [value]);
        return inner.run(statement, [value]);
      };
      const [before] = await inner.run(readTimeout, []);
      await set(String(left));
      const result = await work(inner);
      await set(before?.[0]);
      return result;
    }, milliseconds);
  },
  stoppable: (target) => stoppablePg(target) ?? stoppablePostgresJs(target),
};

/** The part of `sql` that is used; inside a transaction it has no `reserve`. */
interface Sql {
  unsafe(...given: unknown[]): Query;
  reserve?(): Promise<Sql & { release(): void }>;
}

interface Query {
  cancel(): Promise<void>;
}

/** How statements run on `sql` of postgres.js, which sends cancel requests; `undefined` for other objects. */
function stoppablePostgresJs(target: object): RunStoppable | undefined {
  if (typeof target !== 'function' || !('unsafe' in target)) return undefined;
  const sql = target as unknown as Sql;
  return async (stop, _text, statement) => {
    // Without a connection of its own, the next statement could already run when the cancel request arrives.
    const reserved = await sql.reserve?.();
    const on = reserved ?? sql;
    let query: Query | undefined;
    const unsafe = (...given: unknown[]) => (query = on.unsafe(...given));
    try {
      return await stop.during(
        async () => query?.cancel(),
        () => statement({ unsafe }),
      );
    } finally {
      reserved?.release();
    }
  };
}
