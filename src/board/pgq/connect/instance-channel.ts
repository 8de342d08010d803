/** Reads through a pg-boss instance alone: whatever runs its statements runs the board's. */

import { drizzle } from 'drizzle-orm/pg-proxy';
import type { PgBossDatabase } from './pg-boss.ts';
import { Places } from './places.ts';
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

/** Reads at a time: half of the connections that an instance has unless it was told otherwise. */
const readers = 5;

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
  const places = new Places(readers);
  return {
    // The statement itself cannot be stopped from here, and keeps its place until it ends.
    read: (work) => places.run(() => work(session), queryTimeoutMs),
    close: () => Promise.resolve(),
  };
}
