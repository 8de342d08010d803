/** How reads reach PostgreSQL: the interface of own pools, borrowed pools and instances. */

import type { RowChannel, SqlExecutor } from '../../../adapters/sql/index.ts';

/** One row by column name. */
export interface NamedRow {
  readonly [column: string]: unknown;
}

/** The connection of a read. Everything on it is limited in time. */
export interface ReadSession {
  /** Runs the statements of listings. */
  readonly connection: SqlExecutor;
  /** Runs probes, depth and statistics, which are not listings. Values are bound. */
  query(text: string, values: readonly unknown[]): Promise<readonly NamedRow[]>;
}

/** A way to PostgreSQL for reads. Never changes anything, never runs DDL. */
export interface ReadChannel {
  /** Runs the work on a session; several run at the same time. */
  read<Answer>(work: (session: ReadSession) => Promise<Answer>): Promise<Answer>;
  /** Closes the connections that the channel opened. */
  close(): Promise<void>;
}

/** Arrays are read as JSON. Columns have names, since the rows of an instance travel as JSON objects. */
export const rowChannel: RowChannel = {
  named: true,
  select: (expression, { sqlType }) =>
    sqlType.endsWith('[]') ? ['to_json(', expression, ')'] : expression,
};
