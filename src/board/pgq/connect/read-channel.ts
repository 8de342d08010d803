/** The interface of own pools, borrowed pools and instances for reads from PostgreSQL. */

import type { RowChannel, SqlExecutor } from '../../../adapters/sql/index.ts';

/** One row by column name. */
export interface NamedRow {
  readonly [column: string]: unknown;
}

/** The connection of a read. All statements have a timeout. */
export interface ReadSession {
  /** Runs the statements of listings. */
  readonly connection: SqlExecutor;
  /** Runs probes, depth and statistics, which are not listings. Values are bound. */
  query(text: string, values: readonly unknown[]): Promise<readonly NamedRow[]>;
}

/** Read access to PostgreSQL. Never writes and never runs DDL. */
export interface ReadChannel {
  /** Runs the work on a session; several may run concurrently. */
  read<Answer>(work: (session: ReadSession) => Promise<Answer>): Promise<Answer>;
  /** Closes the connections that the channel opened. */
  close(): Promise<void>;
}

/** The type of a column of JSON that is read as its text, which keeps every digit. */
export const jsonText = 'jsonb as text';

/** Arrays are read as JSON. Columns have names, because the rows of an instance are transferred as JSON objects. */
export const rowChannel: RowChannel = {
  named: true,
  select: (expression, { sqlType }) => {
    if (sqlType.endsWith('[]')) return ['to_json(', expression, ')'];
    return sqlType === jsonText ? [expression, '::text'] : expression;
  },
};
