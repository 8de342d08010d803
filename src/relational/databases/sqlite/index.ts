/** The SQLite family: dialect, errors, time limit and the rows of drivers that return objects. */

import type { Family } from '../../family.ts';
import { sqlite as dialect } from './dialect.ts';
import { sqliteError } from './errors.ts';
import type { RowChannel } from '../../compile/row-channel.ts';
import type { TimeLimit } from '../../read/time-limit.ts';

/**
 * Checks the time before and after each statement: `better-sqlite3` runs statements on the thread of the process and has no
 * interrupt.
 */
const sqliteLimit: TimeLimit = {
  session: (executor, _milliseconds, work) => work(executor),
  stoppable: () => undefined,
};

/** Values are parsed by the host's settings. */
const objectRows: RowChannel = {
  named: true,
  select: (expression, column) => (column.codec ? expression : dialect.select(expression, column)),
};

export const sqlite: Family = {
  dialect,
  pooled: false,
  errorClass: sqliteError,
  timeLimit: sqliteLimit,
  explain: 'explain query plan',
  objectRows,
  textValues: (values) => values as unknown[],
};
