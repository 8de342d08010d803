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

/** Types of columns of JSON of which a list shows the beginning: of its text, and of the message of an error. */
export const [jsonBrief, messageBrief] = ['jsonb as brief text', 'jsonb as message'];

/** Characters of a beginning; and bytes as stored beyond which there is none: such a value would be read whole. */
const briefLength = 200;
export const briefBytes = 65_536;

/** Arrays are read as JSON. Columns have names, because the rows of an instance are transferred as JSON objects. */
export const rowChannel: RowChannel = {
  named: true,
  select: (expression, { sqlType }) => {
    if (sqlType.endsWith('[]')) return ['to_json(', expression, ')'];
    if (sqlType === jsonText) return [expression, '::text'];
    if (sqlType !== jsonBrief && sqlType !== messageBrief) return expression;
    const text =
      sqlType === jsonBrief
        ? [expression, '::text']
        : ['coalesce(', expression, ` ->> 'message', `, expression, ` ->> 'value')`];
    const whole = [
      'case when pg_column_size(',
      expression,
      `) < ${briefBytes} then left(`,
      ...text,
    ];
    return [...whole, `, ${briefLength}) end`];
  },
};
