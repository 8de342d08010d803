/** Keeps the runs over many jobs of BullMQ's queues on PostgreSQL in a table beside those of the library. */

import { memoryRunStore, sqlRunStore } from '../../core/index.ts';
import type { RunStore } from '../../core/index.ts';
import { timeouts } from '../timeouts.ts';
import { runsTable } from './change-statements.ts';
import { loanOf } from './loan.ts';
import type { SqlPool } from './pool.ts';

/** The runs of tables that a role may not write, by the group of their queues. */
const memories = new Map<string, RunStore>();

/** @param group equal for queues in the same tables */
export function tableRunStore(pool: SqlPool, group: string): RunStore {
  const memory = memories.get(group) ?? memoryRunStore(group);
  memories.set(group, memory);
  const query = (text: string, values: readonly unknown[]) => pool.query(text, [...values]);
  return sqlRunStore({
    key: group,
    name: runsTable,
    memory,
    read: async (text, values) =>
      (await loanOf(pool).read(() => query(text, values), timeouts().statementMs)).rows,
    write: async (text, values) => (await loanOf(pool).change(() => query(text, values))).rows,
  });
}
