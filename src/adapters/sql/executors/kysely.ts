/** Runs statements on Kysely, through its driver, transactions and logging. */

import { families, rowArrays } from '../../../relational/index.ts';
import type { DatabaseFamily } from '../../../rules/index.ts';
import { configurationError } from '../../../schema/index.ts';
import type { SqlExecutor } from './executor.ts';
import { withPoolErrors } from './pool-errors.ts';

/** The part of a Kysely instance, or of its transaction, that is used. */
export interface KyselyInstance {
  readonly isTransaction: boolean;
  withoutPlugins(): KyselyInstance;
  getExecutor(): { readonly adapter: object };
  executeQuery(query: never): Promise<{ readonly rows: unknown[] }>;
  transaction(): {
    execute<T>(body: (transaction: KyselyInstance) => Promise<T>): Promise<T>;
  };
}

const adapters: Readonly<Record<string, DatabaseFamily>> = {
  PostgresAdapter: 'postgresql',
  MysqlAdapter: 'mysql',
  SqliteAdapter: 'sqlite',
};

/** The family of a dialect's adapter, which may be a subclass of one of Kysely's own. */
function familyOf(adapter: object): DatabaseFamily {
  for (let type: object | null = adapter; type; type = Reflect.getPrototypeOf(type)) {
    const family = adapters[type.constructor.name];
    if (family) return family;
  }
  const accepted = Object.keys(adapters).join(', ');
  throw configurationError(
    `The dialect of Kysely has a ${adapter.constructor.name}; use one whose adapter is of ${accepted}.`,
  );
}

/** An executor on Kysely or one of its transactions. Plugins are removed, because they would change rows. */
export function kyselyExecutor(given: KyselyInstance): SqlExecutor {
  const kysely = given.withoutPlugins();
  const { adapter } = kysely.getExecutor();
  const family = familyOf(adapter);
  const { pooled, objectRows, textValues } = families[family];
  const query = async (text: string, parameters: readonly unknown[]) => {
    const node = { kind: 'RawNode', sqlFragments: [text], parameters: [] };
    const compiled = { sql: text, parameters, query: node, queryId: { queryId: 'sluice' } };
    return (await kysely.executeQuery(compiled as never)).rows as object[];
  };
  const executor: SqlExecutor = withPoolErrors({
    family,
    channel: objectRows,
    concurrent: pooled && !given.isTransaction,
    server: adapter,
    run: async ({ text }, values) => rowArrays(await query(text, textValues(values))),
    transaction: async (body) => {
      if (!given.isTransaction) {
        return kysely.transaction().execute((inner) => body(kyselyExecutor(inner)));
      }
      await query('savepoint sluice', []);
      try {
        const result = await body(executor);
        await query('release savepoint sluice', []);
        return result;
      } catch (error) {
        // A lost connection has already rolled back.
        await query('rollback to savepoint sluice', []).catch(() => undefined);
        throw error;
      }
    },
  });
  return executor;
}
