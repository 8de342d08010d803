/** Runs statements on TypeORM's query runners, with TypeORM's logging, events and timing. */

import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import {
  ClassifiedError,
  type Executor,
  type Rows,
  type StatementText,
  families,
  rowArrays,
} from '../../relational/index.ts';

import { familyOf } from './families.ts';

/** The DataSource behind a manager. TypeORM 1 calls it `dataSource`, 0.3 `connection`; both have the latter. */
export function dataSourceOf(manager: EntityManager): DataSource {
  return manager.connection;
}

const ignore = (): void => {};

/** Runs statements on the connection of a manager, as in a transaction, or on a pool connection acquired for a read. */
export class TypeormExecutor implements Executor {
  readonly concurrent: boolean;
  readonly manager: EntityManager;
  readonly oneServer: Executor['oneServer'];
  readonly #runner: QueryRunner | undefined;
  /** Number of running statements, and whether the connection is released after the last of them. */
  #running = 0;
  #isReleased = false;

  constructor(manager: EntityManager, isPooled: boolean, runner = manager.queryRunner) {
    this.manager = manager;
    this.#runner = runner;
    // TypeORM chooses a replica for every connection, so all statements of a request run on one.
    const isReplicated = !runner && dataSourceOf(manager).driver.isReplicated;
    this.concurrent = isPooled && !runner && !isReplicated;
    this.oneServer = isReplicated ? (work) => this.lease(work) : undefined;
  }

  get server(): object {
    return dataSourceOf(this.manager);
  }

  /** The connection of a leased executor. */
  get runner(): QueryRunner {
    if (!this.#runner) throw new TypeError('The executor has no connection; call lease first.');
    return this.#runner;
  }

  async run({ text }: StatementText, values: readonly unknown[]): Promise<Rows> {
    const on = this.#runner ?? this.manager;
    const query = on.query(text, this.textValues(values)) as Promise<object[]>;
    return rowArrays(await this.keep(query));
  }

  /** Values as the driver can write them into a statement, also for TypeORM's own builders. */
  textValues(values: readonly unknown[]): unknown[] {
    return families[familyOf(dataSourceOf(this.manager))].textValues(values);
  }

  /** Waits for TypeORM's own work on this connection, whose caller may stop waiting for it. */
  async keep<T>(work: Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await work;
    } catch (error) {
      // Each driver has its own error before `initialize` and after `destroy`.
      const { isInitialized } = dataSourceOf(this.manager);
      throw isInitialized ? error : new ClassifiedError('away', error);
    } finally {
      this.#ended();
    }
  }

  transaction<T>(body: (inner: TypeormExecutor) => Promise<T>): Promise<T> {
    if (!this.#runner) return this.lease((inner) => inner.transaction(body));
    return this.keep(this.#transaction(this.#runner, body));
  }

  async #transaction<T>(
    runner: QueryRunner,
    body: (inner: TypeormExecutor) => Promise<T>,
  ): Promise<T> {
    await runner.startTransaction();
    try {
      const result = await body(this);
      await runner.commitTransaction();
      return result;
    } catch (error) {
      await runner.rollbackTransaction();
      throw error;
    }
  }

  /** Acquires a connection of the pool, from a replica where there are any, as TypeORM does for reads. */
  async lease<T>(work: (inner: TypeormExecutor) => Promise<T>): Promise<T> {
    if (this.#runner) return work(this);
    const runner = dataSourceOf(this.manager).createQueryRunner('slave');
    const leased = new TypeormExecutor(this.manager, false, runner);
    try {
      return await work(leased);
    } finally {
      await leased.#release(runner);
    }
  }

  /** Releases the connection when no statement runs on it; its caller does not wait for abandoned statements. */
  async #release(runner: QueryRunner): Promise<void> {
    this.#isReleased = true;
    if (this.#running === 0) await runner.release();
  }

  #ended(): void {
    this.#running -= 1;
    if (this.#isReleased && this.#running === 0) this.#runner?.release().catch(ignore);
  }
}
