/** Reads through a pg-boss instance alone: whatever runs its statements runs the board's. */

import { drizzle } from 'drizzle-orm/pg-proxy';
import type { PgBossDatabase } from './pg-boss.ts';
import { Semaphore } from '../../../lib/index.ts';
import { readTimeout } from './read-timeout.ts';
import type { NamedRow, ReadChannel, ReadSession } from './read-channel.ts';

/**
 * Runs a statement and gives rows as arrays. The database may be a pool or any adapter, each with
 * parsers of its own, so that rows travel as JSON, which keeps columns in order and instants to the microsecond.
 */
async function runAsArrays(
  database: PgBossDatabase,
  text: string,
  values: unknown[],
): Promise<unknown[][]> {
  const { rows } = await database.executeSql(
    `select row_to_json(listed)::text as listed from (${text}) as listed`,
    values,
  );
  return rows.map((row) =>
    Object.values(JSON.parse(String((row as NamedRow)['listed'])) as NamedRow),
  );
}

/** Reads at a time: half of the connections that an instance has by default. */
const maxReads = 5;

/** A channel on the instance's database, found anew for every read: an instance may be started later. */
export function instanceChannel(
  database: () => PgBossDatabase,
  queryTimeoutMs: number,
): ReadChannel {
  const session: ReadSession = {
    db: drizzle(async (text, values) => ({ rows: await runAsArrays(database(), text, values) })),
    namedStatements: false,
    query: async (text, values) => {
      const { rows } = await database().executeSql(text, [...values]);
      return rows as NamedRow[];
    },
  };
  const semaphore = new Semaphore(maxReads);
  return {
    // The statement cannot be stopped from here; it keeps its permit until it ends.
    read: (work) => semaphore.run(() => work(session), queryTimeoutMs, readTimeout),
    close: () => Promise.resolve(),
  };
}
