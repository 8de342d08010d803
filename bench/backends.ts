/** The CPU time of a contender's backends in PostgreSQL, which it names by its `application_name`. */

import { readFileSync } from 'node:fs';
import type { Client } from 'pg';

/** The processes of the connections with this name. */
export async function backendsOf(admin: Client, application: string): Promise<readonly number[]> {
  const { rows } = await admin.query<{ pid: number }>(
    'select pid from pg_stat_activity where application_name = $1',
    [application],
  );
  return rows.map(({ pid }) => pid);
}

/** Microseconds of CPU time of backends; NaN if they run elsewhere. */
export function backendCpu(pids: readonly number[]): number {
  try {
    const nanoseconds = pids.map((pid) =>
      Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]),
    );
    return nanoseconds.reduce((sum, each) => sum + each, 0) / 1000;
  } catch {
    return Number.NaN;
  }
}
