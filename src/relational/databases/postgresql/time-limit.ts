/**
 * Time limits on PostgreSQL: a cancel request of the driver, else `statement_timeout`, local to a transaction or a
 * savepoint.
 */

import { plainStatement } from '../../read/executor.ts';
import { timeoutError } from '../../read/driver-error.ts';
import type { TimeLimit } from '../../read/time-limit.ts';
import { stoppablePg } from './node-postgres.ts';
import { stoppablePostgresJs } from './postgres-js.ts';

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
