/** Runs statements on Kysely, through its driver, transactions and logging. */

import {
  type CancelStatement,
  type Stop,
  type FamilyNames,
  between,
  families,
  familyNamed,
  namesOfAll,
  rowArrays,
  savepoint,
} from '../../../relational/index.ts';
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

/** A connection of Kysely. Since version 0.29 it can cancel its query. */
interface KyselyConnection {
  executeQuery(query: never): Promise<{ readonly rows: unknown[] }>;
  collectSessionInfo?(): Promise<void>;
  /** `control` provides another connection, for dialects without settings for one of their own. */
  cancelQuery?(control: ProvideConnection): Promise<void>;
}

type ProvideConnection = (
  consumer: (connection: KyselyConnection) => Promise<unknown>,
) => Promise<unknown>;

interface ConnectionProvider {
  provideConnection<T>(consumer: (connection: KyselyConnection) => Promise<T>): Promise<T>;
}

const adapters: FamilyNames = {
  postgresql: ['PostgresAdapter'],
  mysql: ['MysqlAdapter'],
  sqlite: ['SqliteAdapter'],
};

/** The family of a dialect's adapter, which may be a subclass of one of Kysely's own. */
function familyOf(adapter: object): DatabaseFamily {
  for (let type: object | null = adapter; type; type = Reflect.getPrototypeOf(type)) {
    const family = familyNamed(adapters, type.constructor.name);
    if (family) return family;
  }
  throw configurationError(
    `The dialect of Kysely has a ${adapter.constructor.name}; use one whose adapter is of ${namesOfAll(adapters)}.`,
  );
}

/** A compiled query of Kysely. */
function raw(sql: string, parameters: readonly unknown[] = []): object {
  const query = { kind: 'RawNode', sqlFragments: [sql], parameters: [] };
  return { sql, parameters, query, queryId: { queryId: 'sluice' } };
}

type Send = (on: KyselyConnection) => Promise<{ readonly rows: unknown[] }>;

/** Runs a query on a connection that is known while it runs, so that it can be ended. */
function stoppable(kysely: KyselyInstance, stop: Stop, send: Send): ReturnType<Send> {
  const executor = kysely.getExecutor() as unknown as ConnectionProvider;
  return executor.provideConnection(async (connection) => {
    await connection.collectSessionInfo?.();
    let isCanceled = false;
    const cancel: CancelStatement = (ended) => {
      isCanceled = true;
      let isWaiting = false;
      const control = async (consumer: (other: KyselyConnection) => Promise<unknown>) => {
        isWaiting = true;
        await executor.provideConnection(async (other) => {
          isWaiting = false;
          if (!ended.aborted) await consumer(other);
        });
      };
      const canceled = Promise.resolve(connection.cancelQuery?.(control));
      // Where all connections are in use, the query ends before there is one to cancel it on.
      const tooLate = new Promise<void>((resolve) => {
        ended.addEventListener('abort', () => {
          if (isWaiting) resolve();
        });
      });
      return Promise.race([canceled, tooLate]);
    };
    try {
      return await stop.during(cancel, () => send(connection));
    } finally {
      // On MySQL, a query that had ended before leaves the mark of its cancellation on the session.
      if (isCanceled)
        await connection.executeQuery(raw('select 1') as never).catch(() => undefined);
    }
  });
}

/** An executor on Kysely or one of its transactions. Plugins are removed, because they would change rows. */
export function kyselyExecutor(given: KyselyInstance): SqlExecutor {
  const kysely = given.withoutPlugins();
  const { adapter } = kysely.getExecutor();
  const family = familyOf(adapter);
  const { pooled, objectRows, textValues } = families[family];
  const query = async (text: string, parameters: readonly unknown[], stop?: Stop) => {
    const compiled = raw(text, parameters);
    const send = (on: Pick<KyselyInstance, 'executeQuery'>) => on.executeQuery(compiled as never);
    const { rows } = await (stop ? stoppable(kysely, stop, send) : send(kysely));
    return rows as object[];
  };
  const executor: SqlExecutor = withPoolErrors({
    family,
    channel: objectRows,
    concurrent: pooled && !given.isTransaction,
    server: adapter,
    run: async ({ text }, values, stop) => {
      return rowArrays(await query(text, textValues(values), pooled ? stop : undefined));
    },
    transaction: async (body) => {
      if (!given.isTransaction) {
        return kysely.transaction().execute((inner) => body(kyselyExecutor(inner)));
      }
      return between(
        (text) => query(text, []),
        savepoint,
        () => body(executor),
      );
    },
  });
  return executor;
}
