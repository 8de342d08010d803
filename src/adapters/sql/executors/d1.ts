/** Runs statements on Cloudflare D1, through the binding of a worker. */

import { oncePer } from '../../../lib/index.ts';
import type { SqlExecutor } from './executor.ts';

/** The part of a `D1Database`, or of a session of it, that is used. */
export interface D1Binding {
  /** Prepares a statement. */
  prepare(text: string): D1Statement;
}

/** The part of a `D1PreparedStatement` that is used. */
export interface D1Statement {
  /** Adds the values. */
  bind(...values: unknown[]): D1Statement;
  /** Runs the statement and returns its rows as arrays. */
  raw(): Promise<unknown[][]>;
}

/**
 * A connection for `sqlSource` and `introspect` over a D1 database. D1 has no transactions over several statements: the rows
 * of a page and its total may be of two moments.
 */
export const d1: (database: D1Binding) => SqlExecutor = oncePer((database: D1Binding) => {
  const executor: SqlExecutor = {
    family: 'sqlite',
    concurrent: true,
    server: database,
    run: ({ text }, values) =>
      database
        .prepare(text)
        .bind(...values)
        .raw(),
    transaction: (body) => body(executor),
  };
  return executor;
});
