/** Runs statements on `postgres`, which is also called postgres.js. */

import { oncePer } from '../../../lib/index.ts';
import { configurationError } from '../../../schema/index.ts';
import { parserOf, valueText } from './exact-texts.ts';
import type { SqlExecutor } from './executor.ts';

/** The result of `postgres()`, or the `sql` of its `begin`. */
export interface PostgresJsSql {
  /** Runs one statement. */
  unsafe(
    text: string,
    values?: never[],
  ): {
    /** The rows with their values as bytes. */
    raw(): PromiseLike<unknown>;
  };
  /** A value with the number of its type. */
  typed: (value: never, type: number) => unknown;
}

/** The parts of which a pool has one and a transaction the other. */
interface Transactions {
  begin?<T>(body: (sql: PostgresJsSql) => Promise<T>): Promise<unknown>;
  savepoint?<T>(body: (sql: PostgresJsSql) => Promise<T>): Promise<unknown>;
}

/** Rows whose values are bytes. */
interface RawRows extends Iterable<readonly (Uint8Array | null)[]> {
  readonly columns?: readonly { readonly type: number }[];
}

/** The type `unknown`: the server determines the type of the parameter, and the driver converts no value for it. */
const undetermined = 705;

/**
 * A connection for `sqlSource` and `introspect` over `postgres` (postgres.js): the result of `postgres()`, or the `sql`
 * of a transaction that `begin` passes on. Types that the host has set change no value.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when it is neither
 */
export const postgresJs: (sql: PostgresJsSql) => SqlExecutor = oncePer((sql: PostgresJsSql) =>
  executorOn(sql, sql),
);

function executorOn(sql: PostgresJsSql, server: object): SqlExecutor {
  const { begin, savepoint } = sql as Transactions;
  const open = begin ?? savepoint;
  if (!open) {
    throw configurationError(
      'postgresJs takes the result of postgres(), or the sql of a transaction that begin() passes on.',
    );
  }
  return {
    family: 'postgresql',
    concurrent: begin !== undefined,
    server,
    run: async ({ text }, values) => {
      const typed = values.map((value) => sql.typed(valueText(value) as never, undetermined));
      const rows = (await sql.unsafe(text, typed as never[]).raw()) as RawRows;
      const parsers = (rows.columns ?? []).map(({ type }) => parserOf(type));
      const parsed = (bytes: Uint8Array | null, at: number) =>
        bytes === null ? null : parsers[at]?.(Buffer.from(bytes).toString('utf8'));
      return Array.from(rows, (row) => row.map(parsed));
    },
    transaction: async (body) => {
      let result: { readonly of: Awaited<ReturnType<typeof body>> } | undefined;
      await open(async (inner) => {
        // Kept apart, because the driver takes a list for a list of statements.
        result = { of: await body(executorOn(inner, server)) };
      });
      if (!result) throw new TypeError('The transaction has not run its body.');
      return result.of;
    },
  };
}
