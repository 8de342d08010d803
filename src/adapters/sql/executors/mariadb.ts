/** Runs statements on `mariadb`, the connector of MariaDB, as prepared statements. */

import { oncePer } from '../../../lib/index.ts';
import { type Rows, between, ownTransaction, savepoint } from '../../../relational/index.ts';
import type { SqlExecutor } from './executor.ts';

/** A pool or a connection of `mariadb`, with promises. */
export interface MariadbHandle {
  /** Runs a prepared statement. */
  execute(statement: never, values?: never): Promise<unknown>;
  /** Runs a statement without values. */
  query(sql: string): Promise<unknown>;
}

interface Connection extends MariadbHandle {
  readonly info: { readonly status: number } | null;
  release?(): Promise<void>;
}

interface Pool extends MariadbHandle {
  getConnection(): Promise<Connection>;
}

/** Large integers as texts. */
function asText(_column: unknown, next: () => unknown): unknown {
  const value = next();
  return typeof value === 'bigint' ? String(value) : value;
}

/** Overrides the settings of the connection: rows are lists, and instants, decimals and large integers are texts. */
const exact = {
  rowsAsArray: true,
  metaAsArray: false,
  nestTables: false,
  namedPlaceholders: false,
  dateStrings: true,
  decimalAsNumber: false,
  bigIntAsNumber: false,
  supportBigNumbers: false,
  typeCast: asText,
} as const;

/**
 * A connection for `sqlSource` and `introspect` over a pool or a connection of the package `mariadb` (its promise API, not
 * `mariadb/callback`). Settings of the host change no value.
 */
export const mariadb: (handle: MariadbHandle) => SqlExecutor = oncePer((handle: MariadbHandle) =>
  executorOn(handle as Pool | Connection, handle),
);

function executorOn(target: Pool | Connection, server: object): SqlExecutor {
  const isPool = 'getConnection' in target;
  return {
    family: 'mysql',
    concurrent: isPool,
    server,
    run: async ({ text }, values) => {
      // Values apart from the text need no escapes, which mean other things in some SQL modes.
      const rows = await target.execute({ ...exact, sql: text } as never, values as never);
      return rows as Rows;
    },
    transaction: async (body) => {
      if (!isPool) return inBounds(target, () => body(executorOn(target, server)));
      const connection = await target.getConnection();
      try {
        return await inBounds(connection, () => body(executorOn(connection, server)));
      } finally {
        await connection.release?.();
      }
    },
  };
}

/** Status flag of a server's response: the session is in a transaction. */
const inTransaction = 1;

async function inBounds<T>(connection: Connection, body: () => Promise<T>): Promise<T> {
  await connection.query('do 0');
  const nested = ((connection.info?.status ?? 0) & inTransaction) !== 0;
  return between((text) => connection.query(text), nested ? savepoint : ownTransaction, body);
}
