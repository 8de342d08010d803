/** Statements on TypeORM's query runners: whose connection, how rows come, how long they may take. */

import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { DatabaseFamily } from '../../rules/index.ts';
import { type LimitedChannel, type TimeLimit, rowArrays, timeLimit } from '../relational/index.ts';

type Rows = readonly (readonly unknown[])[];

/** Runs SQL as `query` of TypeORM does: logged, broadcast, timed. */
export async function runSql(
  runner: QueryRunner,
  text: string,
  values: readonly unknown[],
): Promise<Rows> {
  return rowArrays((await runner.query(text, [...values])) as object[]);
}

const channel: LimitedChannel<QueryRunner> = {
  query: runSql,
  server: ({ manager }) => dataSourceOf(manager),
  transaction: async (runner, body) => {
    await runner.startTransaction();
    try {
      const result = await body(runner);
      await runner.commitTransaction();
      return result;
    } catch (error) {
      await runner.rollbackTransaction();
      throw error;
    }
  },
};

/** The families' time limits on query runners. */
export const limits: Readonly<Record<DatabaseFamily, TimeLimit<QueryRunner>>> = {
  postgresql: timeLimit('postgresql', channel),
  mysql: timeLimit('mysql', channel),
  sqlite: timeLimit('sqlite', channel),
};

/** The DataSource behind a manager. TypeORM 1 calls it `dataSource`, 0.3 `connection`; both have the latter. */
export function dataSourceOf(manager: EntityManager): DataSource {
  return manager.connection;
}

/**
 * Lends a runner: the manager's own where it has one, as in a transaction, else one of the pool, of a replica where
 * there are any, as TypeORM does for reads. It goes back once `settled` says that no statement is on it any more.
 */
export async function withRunner<T>(
  manager: EntityManager,
  work: (runner: QueryRunner) => Promise<T>,
  settled: () => Promise<unknown> | undefined,
): Promise<T> {
  if (manager.queryRunner) return work(manager.queryRunner);
  const runner = dataSourceOf(manager).createQueryRunner('slave');
  try {
    return await work(runner);
  } finally {
    const busy = settled();
    if (busy) void busy.then(() => runner.release());
    else await runner.release();
  }
}
