/** Statements on TypeORM's query runners: whose connection, how rows come, how long they may take. */

import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { DatabaseFamily } from '../../rules/index.ts';
import {
  type LimitedChannel,
  type TimeLimit,
  rowArrays,
  timeLimit,
} from '../../relational/index.ts';

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

/** A runner that is lent for the statements of one read. */
export class Lease {
  readonly runner: QueryRunner;
  #busy: Promise<unknown> | undefined;

  constructor(runner: QueryRunner) {
    this.runner = runner;
  }

  /** Remembers work that its caller may stop waiting for. */
  keep<T>(work: Promise<T>): Promise<T> {
    this.#busy = work.then(nothing, nothing);
    return work;
  }

  /** Gives the runner back once nothing is on it; nobody waits for that. */
  release(): Promise<unknown> {
    const released = this.#busy?.then(() => this.runner.release());
    if (!released) return this.runner.release();
    released.catch(nothing);
    return Promise.resolve();
  }
}

function nothing(): void {}

/**
 * Lends a runner: the manager's own where it has one, as in a transaction, else one of the pool, of a replica where
 * there are any, as TypeORM does for reads.
 */
export async function withLease<T>(
  manager: EntityManager,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  if (manager.queryRunner) return work(new Lease(manager.queryRunner));
  const lease = new Lease(dataSourceOf(manager).createQueryRunner('slave'));
  try {
    return await work(lease);
  } finally {
    await lease.release();
  }
}
