/** `timeoutMs` where the work is: each family's own way to stop a statement that takes too long. */

import type { DatabaseFamily } from '../../rules/index.ts';
import type { StatementText } from '../relational/index.ts';
import { type DrizzleHandle, prepareIn } from './session.ts';

type Rows = readonly (readonly unknown[])[];

/** Runs a statement on a handle. */
export type RunOn = (handle: DrizzleHandle, statement: StatementText) => Promise<Rows> | Rows;

/** Runs a statement that the server stops after `milliseconds`. */
export type TimeLimit = (
  handle: DrizzleHandle,
  statement: StatementText,
  milliseconds: number,
  run: RunOn,
) => Promise<Rows> | Rows;

interface Transactional {
  transaction<T>(body: (transaction: DrizzleHandle) => Promise<T>): Promise<T>;
}

const setTimeoutSql = "select set_config('statement_timeout', $1, true)";
const readTimeoutSql = "select current_setting('statement_timeout')";

/**
 * PostgreSQL limits a transaction: one of its own on a pool, a savepoint inside the caller's, where the
 * caller's limit is put back (a failed savepoint puts it back by itself).
 */
const postgresqlLimit: TimeLimit = (handle, statement, milliseconds, run) =>
  (handle as unknown as Transactional).transaction(async (transaction) => {
    const [before] = await prepareIn(transaction, 'postgresql', readTimeoutSql, 0, undefined).run(
      [],
    );
    const set = prepareIn(transaction, 'postgresql', setTimeoutSql, 1, undefined);
    await set.run([String(Math.max(1, Math.ceil(milliseconds)))]);
    const rows = await run(transaction, statement);
    await set.run([before?.[0]]);
    return rows;
  });

const flavours = new WeakMap<object, Promise<boolean>>();

/** Whether the server is MariaDB, asked once per client. */
function isMariaDb(handle: DrizzleHandle): Promise<boolean> {
  const client = (handle as { $client?: object }).$client ?? handle.session;
  let flavour = flavours.get(client);
  if (!flavour) {
    flavour = Promise.resolve(
      prepareIn(handle, 'mysql', 'select version()', 0, undefined).run([]),
    ).then((rows) => /mariadb/i.test(String(rows[0]?.[0])));
    flavours.set(client, flavour);
    flavour.catch(() => flavours.delete(client));
  }
  return flavour;
}

/** MySQL takes a hint in milliseconds, MariaDB a clause in seconds. */
const mysqlLimit: TimeLimit = async (handle, statement, milliseconds, run) => {
  const whole = Math.max(1, Math.ceil(milliseconds));
  const text = (await isMariaDb(handle))
    ? `set statement max_statement_time = ${whole / 1000} for ${statement.text}`
    : statement.text.replace(/^select/, `select /*+ MAX_EXECUTION_TIME(${whole}) */`);
  return run(handle, { text, slots: statement.slots });
};

/** SQLite runs in the process, where nothing can interrupt a statement; the time is looked at around it. */
const sqliteLimit: TimeLimit = (handle, statement, _milliseconds, run) => run(handle, statement);

export const timeLimits: Record<DatabaseFamily, TimeLimit> = {
  postgresql: postgresqlLimit,
  mysql: mysqlLimit,
  sqlite: sqliteLimit,
};

/** Settles as the work does, or fails as soon as the deadline passes or the signal says so. */
export function abandonable<T>(
  work: Promise<T> | T,
  milliseconds: number | undefined,
  signal: AbortSignal | undefined,
  late: () => Error,
): Promise<T> | T {
  if (!(work instanceof Promise) || (milliseconds === undefined && !signal)) return work;
  return new Promise<T>((resolve, reject) => {
    const timer =
      milliseconds === undefined ? undefined : setTimeout(() => reject(late()), milliseconds + 50);
    const abort = () => reject(signal?.reason as Error);
    signal?.addEventListener('abort', abort, { once: true });
    void work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    });
  });
}
