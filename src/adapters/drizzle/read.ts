/** One plan on one Drizzle handle: its statements found by shape, bound and run. */

import type { Table } from 'drizzle-orm';
import type { PageRows, PreparedRead, QueryPlan, ReadOptions } from '../../rules/index.ts';
import {
  type CompiledPlan,
  type CompiledStatement,
  type RunOn,
  type StatementInputs,
  type StatementText,
  Watch,
  bind,
  compilePlan,
  conditionValues,
  driverError,
  planShape,
  readPage,
  timeLimit,
  whereShape,
} from '../../relational/index.ts';
import { type DrizzleCustomize, customizedStatement } from './select-builder.ts';
import { type DrizzleHandle, limitedChannel, prepareIn } from './session.ts';
import type { StatementCache } from './statement-cache.ts';

type Rows = readonly (readonly unknown[])[];

const limits = {
  postgresql: timeLimit('postgresql', limitedChannel('postgresql')),
  mysql: timeLimit('mysql', limitedChannel('mysql')),
  sqlite: timeLimit('sqlite', limitedChannel('sqlite')),
};

/** A plan ready to run. */
export class DrizzleRead<Row> implements PreparedRead<Row> {
  readonly concurrent: boolean;
  readonly #handle: DrizzleHandle;
  readonly #statements: StatementCache;
  readonly #tables: { readonly [model: string]: Table };
  readonly #plan: QueryPlan;
  readonly #compiled: CompiledPlan;
  readonly #inputs: StatementInputs;
  readonly #where: string;
  readonly #options: ReadOptions;
  readonly #watch: Watch;

  constructor(
    handle: DrizzleHandle,
    statements: StatementCache,
    tables: { readonly [model: string]: Table },
    plan: QueryPlan,
    options: ReadOptions,
    concurrent: boolean,
  ) {
    this.#handle = handle;
    this.#statements = statements;
    this.#tables = tables;
    this.#plan = plan;
    this.#options = options;
    this.#watch = new Watch(options);
    this.concurrent = concurrent;
    this.#where = whereShape(plan, statements.context.dialect);
    const shape = planShape(plan, this.#where);
    let compiled = statements.plans.get(shape);
    if (!compiled) {
      compiled = compilePlan(statements.context, plan);
      statements.plans.set(shape, compiled);
    }
    this.#compiled = compiled;
    const { page } = plan;
    this.#inputs = {
      conditions: conditionValues(plan.where, []),
      position: page.mode === 'keyset' && page.position ? page.position.values : [],
      offset: page.mode === 'offset' ? page.offset : 0,
      keys: [],
    };
  }

  get countKey(): string {
    return `${this.#where}\n${JSON.stringify(this.#inputs.conditions)}`;
  }

  async rows(): Promise<PageRows<Row>> {
    const { data } = this.#compiled;
    const driverRows = this.#customizes('data')
      ? await this.#customized(data)
      : await this.#run(data.statement, this.#inputs);
    const read = (statement: StatementText, inputs: StatementInputs) =>
      this.#run(statement, inputs);
    const page = await readPage(this.#plan, this.#compiled, driverRows, read);
    return page as PageRows<Row>;
  }

  async count(): Promise<number> {
    const { count } = this.#compiled;
    if (!count) throw new TypeError('A window of this mode is not counted.');
    const rows = this.#customizes('count')
      ? await this.#customized(count)
      : await this.#run(count.statement, this.#inputs);
    return Number(rows[0]?.[0]);
  }

  #customizes(statement: 'data' | 'count'): boolean {
    const { customize, customizeScope = 'both' } = this.#options;
    return customize !== undefined && (customizeScope === 'both' || customizeScope === statement);
  }

  #customized(statement: CompiledStatement): Promise<Rows> {
    const customized = customizedStatement({
      handle: this.#handle,
      table: this.#tables[this.#plan.model] as Table,
      statement,
      kind: statement === this.#compiled.data ? 'data' : 'count',
      inputs: this.#inputs,
      context: this.#statements.context,
      customize: this.#options.customize as DrizzleCustomize<object>,
    });
    const { family } = this.#statements.context.dialect;
    return this.#limited(customized, (handle, limited) =>
      prepareIn(handle, family, limited.text, limited.slots.length, undefined).run(
        bind(limited, this.#inputs),
      ),
    );
  }

  #run(statement: StatementText, inputs: StatementInputs): Promise<Rows> {
    if (!this.#watch.active) return this.#unlimited(statement, inputs);
    return this.#limited(statement, (handle, { text, slots }) =>
      this.#statements
        .prepared(handle, text === statement.text ? statement : { text, slots })
        .run(bind(statement, inputs)),
    );
  }

  /** The usual case, with nothing to watch. */
  async #unlimited(statement: StatementText, inputs: StatementInputs): Promise<Rows> {
    try {
      return await this.#statements.prepared(this.#handle, statement).run(bind(statement, inputs));
    } catch (error) {
      throw driverError(error, undefined);
    }
  }

  #limited(statement: StatementText, run: RunOn<DrizzleHandle>): Promise<Rows> {
    const { family } = this.#statements.context.dialect;
    return this.#watch.guard((left) =>
      left === undefined
        ? run(this.#handle, statement)
        : limits[family](this.#handle, statement, left, run),
    );
  }
}
