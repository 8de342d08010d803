/** Reads only through a pg-boss instance, with any database adapter. */

import type { SqlExecutor } from '../../../adapters/sql/index.ts';
import { Semaphore, withTimeout } from '../../../lib/index.ts';
import type { PgBossDatabase } from './pg-boss.ts';
import { type NamedRow, type ReadChannel, type ReadSession, rowChannel } from './read-channel.ts';
import { readTimeout } from './read-timeout.ts';

/**
 * An executor on the database of the instance. Database adapters parse values differently, so rows are transferred as
 * JSON, which preserves column order and times to the microsecond.
 */
function instanceExecutor(database: () => PgBossDatabase): SqlExecutor {
  return {
    family: 'postgresql',
    channel: rowChannel,
    concurrent: false,
    server: database,
    run: async ({ text }, values) => {
      const { rows } = await database().executeSql(
        `select row_to_json(listed)::text as listed from (${text}) as listed`,
        [...values],
      );
      return rows.map((row) =>
        Object.values(JSON.parse(String((row as NamedRow)['listed'])) as NamedRow),
      );
    },
    transaction: () => Promise.reject(new TypeError('An instance does not provide transactions.')),
  };
}

/** A session on a database, for reads and within a transaction. */
export function sessionOnDatabase(database: () => PgBossDatabase): ReadSession {
  return {
    connection: instanceExecutor(database),
    query: async (text, values) => {
      const { rows } = await database().executeSql(text, [...values]);
      return rows as NamedRow[];
    },
  };
}

/** Concurrent reads: half of the default pool size of an instance. */
const maxReads = 5;

/** A channel on the database of the instance, looked up at every read, because an instance may be started later. */
export function instanceChannel(
  database: () => PgBossDatabase,
  queryTimeoutMs: number,
): ReadChannel {
  const session = sessionOnDatabase(database);
  const semaphore = new Semaphore(maxReads);
  return {
    // The statement cannot be cancelled, so it keeps its permit until it ends.
    read: (work) => {
      const read = semaphore.run(() => work(session), queryTimeoutMs, readTimeout);
      return withTimeout(read, queryTimeoutMs, readTimeout);
    },
    close: () => Promise.resolve(),
  };
}
