/** Time limits on SQLite: it runs in the process, where nothing can interrupt a statement. */

import type { TimeLimit } from '../../read/time-limit.ts';

/** The time is looked at before and after each statement. */
export const sqliteLimit: TimeLimit = {
  session: (executor, _milliseconds, work) => work(executor),
};
