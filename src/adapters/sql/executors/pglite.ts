/** Runs statements on PGlite, PostgreSQL in the process. */

import { oncePer } from '../../../lib/index.ts';
import { type Rows, between, savepoint } from '../../../relational/index.ts';
import { parserOf, valueText } from './exact-texts.ts';
import type { SqlExecutor } from './executor.ts';

/** A `PGlite`, or the transaction that its `transaction` passes on. */
export interface PgliteDatabase {
  /** Runs one statement. */
  query(text: string, values?: never[], options?: never): Promise<{ readonly rows: unknown[] }>;
}

/** The part that a transaction does not have. */
interface Transactions {
  transaction?<T>(body: (inner: PgliteDatabase) => Promise<T>): Promise<T>;
}

/** The types that PGlite parses unless it is told otherwise. */
const parsed = [16, 17, 20, 21, 23, 25, 26, 114, 700, 701, 1042, 1043, 1082, 1114, 1184, 3802];

/** Values are texts; of these types PGlite takes values of JavaScript alone. */
const written = [16, 17];

const options = {
  rowMode: 'array',
  parsers: Object.fromEntries(parsed.map((type) => [type, parserOf(type)])),
  serializers: Object.fromEntries(written.map((type) => [type, String])),
};

/**
 * A connection for `sqlSource` and `introspect` over a `PGlite`, or over the transaction that its `transaction` passes
 * on. Parsers and serializers of the host change no value.
 */
export const pglite: (database: PgliteDatabase) => SqlExecutor = oncePer(
  (database: PgliteDatabase) => executorOn(database, database),
);

function executorOn(database: PgliteDatabase, server: object): SqlExecutor {
  const run = async (text: string, values: readonly unknown[] = []) => {
    const texts = values.map(valueText) as never[];
    return (await database.query(text, texts, options as never)).rows as Rows;
  };
  const executor: SqlExecutor = {
    family: 'postgresql',
    concurrent: false,
    server,
    run: ({ text }, values) => run(text, values),
    transaction: async (body) => {
      const host = database as Transactions;
      if (host.transaction) return host.transaction((inner) => body(executorOn(inner, server)));
      return between(run, savepoint, () => body(executor));
    },
  };
  return executor;
}
