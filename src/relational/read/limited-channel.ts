/** `timeoutMs` where the work is: each family's own way to stop a statement that takes too long. */

import type { DatabaseFamily } from '../../rules/index.ts';
import { timeoutError } from './driver-error.ts';
import type { StatementText } from '../compile/sql-text.ts';

type Rows = readonly (readonly unknown[])[];

/** Runs a statement on a handle and gives its rows as arrays. */
export type RunOn<Handle> = (handle: Handle, statement: StatementText) => Promise<Rows> | Rows;

/** How an adapter's ORM runs the statements around a time limit. `Handle` is what it runs them on. */
export interface LimitedChannel<Handle> {
  /** Runs SQL with the family's placeholders and gives its rows as arrays. */
  query(handle: Handle, text: string, values: readonly unknown[]): Promise<Rows> | Rows;
  /** Runs the body in a transaction: one of its own on a pool, a savepoint inside another. */
  transaction<T>(handle: Handle, body: (inner: Handle) => Promise<T>): Promise<T>;
  /** An object that lives as long as the way to the server does. */
  server(handle: Handle): object;
}

/** Runs a statement that the server stops after `milliseconds`. */
export type TimeLimit<Handle> = (
  handle: Handle,
  statement: StatementText,
  milliseconds: number,
  run: RunOn<Handle>,
) => Promise<Rows> | Rows;

const setTimeoutSql = "select set_config('statement_timeout', $1, true)";
const readTimeoutSql = "select current_setting('statement_timeout')";

/** The limit in whole milliseconds; zero would mean no limit at all. */
const wholeMilliseconds = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds));

/**
 * PostgreSQL limits a transaction: one of its own on a pool, a savepoint inside the caller's, where the
 * caller's limit is put back (a failed savepoint puts it back by itself).
 */
function postgresqlLimit<Handle>(channel: LimitedChannel<Handle>): TimeLimit<Handle> {
  return (handle, statement, milliseconds, run) => {
    const deadline = performance.now() + milliseconds;
    return channel.transaction(handle, async (transaction) => {
      const left = deadline - performance.now();
      // Nobody waits any more for what got its connection too late; run all the same, it would keep others waiting.
      if (left <= 0) throw timeoutError(milliseconds);
      const [before] = await channel.query(transaction, readTimeoutSql, []);
      await channel.query(transaction, setTimeoutSql, [String(wholeMilliseconds(left))]);
      const rows = await run(transaction, statement);
      await channel.query(transaction, setTimeoutSql, [before?.[0]]);
      return rows;
    });
  };
}

const flavours = new WeakMap<object, Promise<boolean>>();

/** Whether the server is MariaDB, asked once per server. */
function isMariaDb<Handle>(channel: LimitedChannel<Handle>, handle: Handle): Promise<boolean> {
  const server = channel.server(handle);
  let flavour = flavours.get(server);
  if (!flavour) {
    flavour = Promise.resolve(channel.query(handle, 'select version()', [])).then((rows) =>
      /mariadb/i.test(String(rows[0]?.[0])),
    );
    flavours.set(server, flavour);
    flavour.catch(() => flavours.delete(server));
  }
  return flavour;
}

/** MySQL takes a hint in milliseconds, MariaDB a clause in seconds. */
function mysqlLimit<Handle>(channel: LimitedChannel<Handle>): TimeLimit<Handle> {
  return async (handle, statement, milliseconds, run) => {
    const whole = wholeMilliseconds(milliseconds);
    const text = (await isMariaDb(channel, handle))
      ? `set statement max_statement_time = ${whole / 1000} for ${statement.text}`
      : statement.text.replace(/^select/i, `select /*+ MAX_EXECUTION_TIME(${whole}) */`);
    return run(handle, { text, slots: statement.slots });
  };
}

/** A family's time limit through an adapter's channel. */
export function timeLimit<Handle>(
  family: DatabaseFamily,
  channel: LimitedChannel<Handle>,
): TimeLimit<Handle> {
  if (family === 'postgresql') return postgresqlLimit(channel);
  if (family === 'mysql') return mysqlLimit(channel);
  // SQLite runs in the process, where nothing can interrupt a statement; the time is looked at around it.
  return (handle, statement, _milliseconds, run) => run(handle, statement);
}
