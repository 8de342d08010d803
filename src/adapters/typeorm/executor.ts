/** Runs statements on TypeORM's query runners, with TypeORM's logging, events and timing. */

import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import {
  ClassifiedError,
  type Executor,
  type NamedRun,
  type Rows,
  type RunPair,
  type StatementText,
  type Stop,
  type TimeLimit,
  haveNames,
  inOneTrip,
  rowArrays,
} from '../../relational/index.ts';
import { loggedTrip, roundTripsOf } from './round-trips.ts';

/** The DataSource behind a manager. TypeORM 1 calls it `dataSource`, 0.3 `connection`; both have the latter. */
export function dataSourceOf(manager: EntityManager): DataSource {
  return manager.connection;
}

const ignore = (): void => {};

/** The part of a driver's pool that is used; pools of `pg` count their idle connections. */
interface Pool {
  readonly idleCount?: number;
}

/** The differences between families here. */
interface TypeormFamily {
  /** Whether the driver has a pool of connections. */
  readonly pooled: boolean;
  readonly timeLimit: TimeLimit;
  textValues(values: readonly unknown[]): unknown[];
}

/** Runs statements on the connection of a manager, as in a transaction, or on a pool connection acquired for a read. */
export class TypeormExecutor implements Executor {
  readonly concurrent: boolean;
  readonly stops: boolean;
  readonly manager: EntityManager;
  readonly oneServer: Executor['oneServer'];
  readonly #family: TypeormFamily;
  readonly #runner: QueryRunner | undefined;
  /** Number of running statements, and whether the connection is released after the last of them. */
  #running = 0;
  #isReleased = false;

  constructor(manager: EntityManager, family: TypeormFamily, runner = manager.queryRunner) {
    this.manager = manager;
    this.#family = family;
    this.#runner = runner;
    // TypeORM chooses a replica for every connection, so all statements of a request run on one.
    const isReplicated = !runner && dataSourceOf(manager).driver.isReplicated;
    this.concurrent = family.pooled && !runner && !isReplicated;
    this.oneServer = isReplicated ? (work) => this.lease(work) : undefined;
    this.stops = family.pooled;
  }

  get server(): object {
    return dataSourceOf(this.manager);
  }

  /** The connection of a leased executor. */
  get runner(): QueryRunner {
    if (!this.#runner) throw new TypeError('The executor has no connection; call lease first.');
    return this.#runner;
  }

  async run(statement: StatementText, values: readonly unknown[], stop?: Stop): Promise<Rows> {
    const { text } = statement;
    const on = this.#runner ?? this.manager;
    const unnamed = async () =>
      rowArrays((await on.query(text, this.textValues(values))) as object[]);
    if (!stop) return this.#keep(unnamed);
    const trips = this.#runner && roundTripsOf(dataSourceOf(this.manager));
    void trips?.counted();
    trips?.nameFor(statement);
    const name = trips?.known(statement);
    if (!trips || name === undefined) return this.stoppable(stop, () => text, unnamed);
    const named = async () => {
      const rows = this.#trip(await this.#connection(), [{ name, text, values }]);
      return (await rows)?.[0] ?? unnamed();
    };
    return this.stoppable(stop, () => text, named).catch((error: unknown) => {
      // A failed statement has ended the transaction that it ran in.
      if (!trips.isRefusal(error, statement) || this.runner.isTransactionActive) throw error;
      return this.stoppable(stop, () => text, unnamed);
    });
  }

  runsBoth(first: StatementText, second: StatementText): boolean {
    return haveNames(roundTripsOf(dataSourceOf(this.manager)), first, second);
  }

  async runBoth(runs: RunPair, stop: Stop): Promise<readonly [Rows, Rows] | undefined> {
    const trips = roundTripsOf(dataSourceOf(this.manager));
    if (!trips) return undefined;
    return inOneTrip(
      trips,
      runs,
      (client, named) => this.#trip(client, named),
      (send) =>
        this.stoppable(
          stop,
          () => runs[0].statement.text,
          async () => send(await this.#connection()),
        ),
      !this.runner.isTransactionActive,
    );
  }

  hasTwoFree(): boolean {
    const { master } = dataSourceOf(this.manager).driver as { readonly master?: Pool };
    return (master?.idleCount ?? 2) >= 2;
  }

  #connection(): Promise<object> {
    return this.runner.connect() as Promise<object>;
  }

  /** Runs named statements on the leased connection, with TypeORM's log. */
  #trip(
    client: object,
    runs: readonly NamedRun[],
  ): Promise<readonly Rows[] | undefined> | undefined {
    return loggedTrip(dataSourceOf(this.manager), this.runner, client, runs);
  }

  /** Values as the driver can write them into a statement, also for TypeORM's own builders. */
  textValues(values: readonly unknown[]): unknown[] {
    return this.#family.textValues(values);
  }

  /** Runs TypeORM's own statements on this connection so that they can be ended; `text` is that of the running one. */
  stoppable<T>(stop: Stop, text: () => string, work: () => Promise<T>): Promise<T> {
    return this.#keep(async () => {
      if (!this.stops || !this.#runner) return work();
      const connection = (await this.#runner.connect()) as object;
      const on = this.#family.timeLimit.stoppable(connection);
      return on ? on(stop, text, work) : work();
    });
  }

  /** Keeps the connection for work whose caller may stop waiting for it. */
  async #keep<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await work();
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
    const runner = this.#runner;
    return this.#keep(() => this.#transaction(runner, body));
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
    const leased = new TypeormExecutor(this.manager, this.#family, runner);
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
