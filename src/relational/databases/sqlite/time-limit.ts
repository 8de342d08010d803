/**
 * Time limits on SQLite. `better-sqlite3` runs statements on the thread of the process and has no interrupt, so a
 * statement that has begun cannot be stopped.
 */

import type { TimeLimit } from '../../read/time-limit.ts';

/** Checks the time before and after each statement. */
export const sqliteLimit: TimeLimit = {
  session: (executor, _milliseconds, work) => work(executor),
  stoppable: () => undefined,
};
