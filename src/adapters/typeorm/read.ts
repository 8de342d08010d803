/** One plan on one TypeORM manager: its statements found by shape, bound and run. */

import type { EntityManager, ObjectLiteral, QueryRunner } from 'typeorm';
import type { PageRows, PreparedRead, QueryPlan, ReadOptions } from '../../rules/index.ts';
import {
  type CompiledPlan,
  type CompiledStatement,
  type StatementInputs,
  type StatementText,
  Watch,
  bind,
  columnAlias,
  conditionValues,
  driverError,
  planShape,
  readPage,
  whereShape,
} from '../../relational/index.ts';
import type { EntityMetadata } from './metadata-types.ts';
import type { PlanCache } from './plan-cache.ts';
import { type Lease, limits, runSql, withLease } from './runner.ts';
import { type BuilderInput, type TypeormCustomize, planBuilder } from './select-builder.ts';

type Rows = readonly (readonly unknown[])[];

/** What a read runs on. */
export interface ReadTarget {
  readonly manager: EntityManager;
  readonly metadata: EntityMetadata;
  readonly cache: PlanCache;
  readonly withDeleted: boolean;
}

/** A plan ready to run. */
export class TypeormRead<Row> implements PreparedRead<Row> {
  readonly concurrent: boolean;
  protected readonly target: ReadTarget;
  protected readonly plan: QueryPlan;
  protected readonly compiled: CompiledPlan;
  protected readonly inputs: StatementInputs;
  /** Shape of the predicate. */
  protected readonly where: string;
  readonly #options: ReadOptions;
  readonly #watch: Watch;

  constructor(target: ReadTarget, plan: QueryPlan, options: ReadOptions) {
    const { cache, manager } = target;
    const { dialect } = cache.context;
    this.target = target;
    this.plan = plan;
    this.#options = options;
    this.#watch = new Watch(options);
    // One connection runs one statement at a time, and SQLite is one connection.
    this.concurrent = !manager.queryRunner && dialect.family !== 'sqlite';
    this.where = whereShape(plan, dialect);
    this.compiled = cache.compiled(plan, planShape(plan, this.where));
    const { page } = plan;
    this.inputs = {
      conditions: conditionValues(plan.where, []),
      position: page.mode === 'keyset' && page.position ? page.position.values : [],
      offset: page.mode === 'offset' ? page.offset : 0,
      keys: [],
    };
  }

  get countKey(): string {
    return `${this.where}\n${JSON.stringify(this.inputs.conditions)}`;
  }

  rows(): Promise<PageRows<Row>> {
    return this.lent(async (lease) => {
      const { data } = this.compiled;
      const driverRows = this.customizes('data')
        ? await this.customized(lease, data, 'data')
        : await this.run(lease, data.statement, this.inputs);
      const read = (statement: StatementText, inputs: StatementInputs) =>
        this.run(lease, statement, inputs);
      const page = await readPage(this.plan, this.compiled, driverRows, read);
      return page as PageRows<Row>;
    });
  }

  count(): Promise<number> {
    return this.lent(async (lease) => {
      const { count } = this.compiled;
      if (!count) throw new TypeError('A window of this mode is not counted.');
      const rows = this.customizes('count')
        ? await this.customized(lease, count, 'count')
        : await this.run(lease, count.statement, this.inputs);
      return Number(rows[0]?.[0]);
    });
  }

  /** Runs work on one connection, which goes back once nothing runs on it. */
  protected lent<T>(work: (lease: Lease) => Promise<T>): Promise<T> {
    return withLease(this.target.manager, work);
  }

  /** Whether time or a signal limits the request. */
  protected get watched(): boolean {
    return this.#watch.active;
  }

  protected customizes(kind: 'data' | 'count'): boolean {
    const { customize, customizeScope = 'both' } = this.#options;
    return customize !== undefined && (customizeScope === 'both' || customizeScope === kind);
  }

  /** Runs a statement within what is left of the time. */
  protected run(lease: Lease, statement: StatementText, inputs: StatementInputs): Promise<Rows> {
    if (!this.#watch.active) return unlimited(lease.runner, statement, inputs);
    return this.guarded(lease, statement, (on, { text }) =>
      runSql(on, text, bind(statement, inputs)),
    );
  }

  /** Runs work that is one statement (or, for entities, TypeORM's own) within what is left of the time. */
  protected guarded<T>(
    lease: Lease,
    statement: StatementText,
    work: (runner: QueryRunner, statement: StatementText) => Promise<T>,
  ): Promise<T> {
    const { family } = this.target.cache.context.dialect;
    return this.#watch.guard((left) => {
      const { runner } = lease;
      const running =
        left === undefined
          ? work(runner, statement)
          : limitedWork(family, runner, statement, left, work);
      return lease.keep(running);
    });
  }

  /** The builder of one of the plan's statements, with the host's hook where it applies. */
  protected builderInput(
    { runner }: Lease,
    statement: CompiledStatement,
    kind: 'data' | 'count',
  ): BuilderInput {
    const { manager, metadata, withDeleted, cache } = this.target;
    return {
      manager,
      runner,
      metadata,
      context: cache.context,
      parts: statement.parts,
      inputs: this.inputs,
      kind,
      withDeleted,
      customize: this.customizes(kind)
        ? (this.#options.customize as TypeormCustomize<ObjectLiteral>)
        : undefined,
      columns: [],
    };
  }

  /** Runs a statement after the host's hook; its columns keep their order. */
  protected customized(
    lease: Lease,
    statement: CompiledStatement,
    kind: 'data' | 'count',
  ): Promise<Rows> {
    const input = this.builderInput(lease, statement, kind);
    const columns = statement.parts.columns.map((column, index) => [
      column,
      ` as ${columnAlias(index)}`,
    ]);
    const [built, values] = planBuilder({ ...input, columns }).getQueryAndParameters();
    const capped = kind === 'count' && statement.parts.limit !== null;
    const text = capped ? `select count(*) as ${columnAlias(0)} from (${built}) as counted` : built;
    const slots = values.map((value: unknown) => ({ read: () => value }));
    return this.run(lease, { text, slots }, this.inputs);
  }
}

/** The usual case, with nothing to watch. */
async function unlimited(
  runner: QueryRunner,
  statement: StatementText,
  inputs: StatementInputs,
): Promise<Rows> {
  try {
    return await runSql(runner, statement.text, bind(statement, inputs));
  } catch (error) {
    throw driverError(error, undefined);
  }
}

/** A time limit around work of any result: the limit itself only knows rows. */
async function limitedWork<T>(
  family: keyof typeof limits,
  runner: QueryRunner,
  statement: StatementText,
  left: number,
  work: (runner: QueryRunner, statement: StatementText) => Promise<T>,
): Promise<T> {
  let result: { readonly value: T } | undefined;
  await limits[family](runner, statement, left, async (on, limited) => {
    result = { value: await work(on, limited) };
    return [];
  });
  return (result as { readonly value: T }).value;
}
