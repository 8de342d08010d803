/** Runs statements on `@libsql/client`: a file, or a server of libSQL such as Turso. */

import { oncePer } from '../../../lib/index.ts';
import { type Rows, between, savepoint } from '../../../relational/index.ts';
import type { SqlExecutor } from './executor.ts';

/** A `Client`, or a `Transaction` that its `transaction` returns. */
export interface LibsqlClient {
  /** Runs one statement. */
  execute(statement: never): Promise<{ readonly rows: readonly ArrayLike<unknown>[] }>;
}

interface Transaction extends LibsqlClient {
  commit(): Promise<void>;
  close(): void;
}

/** The part that a transaction does not have. */
interface Transactions {
  transaction?(mode: 'read'): Promise<Transaction>;
}

/** Integers are numbers, whatever `intMode` the host has set, and bytes are a buffer. */
function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  return value instanceof ArrayBuffer ? Buffer.from(value) : value;
}

/**
 * A connection for `sqlSource` and `introspect` over a `Client` of `@libsql/client`, or over a transaction of it. The
 * setting `intMode` may be `number` or `bigint`.
 */
export const libsql: (client: LibsqlClient) => SqlExecutor = oncePer((client: LibsqlClient) =>
  executorOn(client, client),
);

function executorOn(client: LibsqlClient, server: object): SqlExecutor {
  const run = async (sql: string, args: readonly unknown[] = []) => {
    const { rows } = await client.execute({ sql, args } as never);
    return rows.map((row) => Array.from(row, plainValue)) as Rows;
  };
  const executor: SqlExecutor = {
    family: 'sqlite',
    concurrent: false,
    server,
    run: ({ text }, values) => run(text, values),
    transaction: async (body) => {
      const transaction = await (client as Transactions).transaction?.('read');
      if (transaction) {
        try {
          const result = await body(executorOn(transaction, server));
          await transaction.commit();
          return result;
        } finally {
          // Rolls back what is not committed.
          transaction.close();
        }
      }
      return between(run, savepoint, () => body(executor));
    },
  };
  return executor;
}
