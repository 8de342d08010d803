/** One plan on one Drizzle handle: its statements found by shape, bound and run. */

import type { Table } from 'drizzle-orm';
import type { PageRows, PreparedRead, QueryPlan, ReadOptions } from '../../rules/index.ts';
import {
  type CompiledPlan,
  type CompiledStatement,
  type StatementInputs,
  type StatementText,
  bind,
  compilePlan,
  conditionValues,
  planShape,
  readPage,
  whereShape,
} from '../relational/index.ts';
import { driverError, timeoutError } from './driver-error.ts';
import { type DrizzleCustomize, customizedStatement } from './select-builder.ts';
import { type DrizzleHandle, prepareIn } from './session.ts';
import type { StatementCache } from './statement-cache.ts';
import { type RunOn, abandonable, timeLimits } from './time-limit.ts';

type Rows = readonly (readonly unknown[])[];

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
  readonly #deadline: number;

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
    this.#deadline =
      options.timeoutMs === undefined ? Infinity : performance.now() + options.timeoutMs;
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
    const { signal, timeoutMs } = this.#options;
    if (timeoutMs === undefined && !signal) return this.#unlimited(statement, inputs);
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

  #limited(statement: StatementText, run: RunOn): Promise<Rows> {
    const { family } = this.#statements.context.dialect;
    return this.#guarded((left) =>
      left === undefined
        ? run(this.#handle, statement)
        : timeLimits[family](this.#handle, statement, left, run),
    );
  }

  /** Runs within what is left of the time, and gives up when the signal says so. */
  async #guarded(run: (left: number | undefined) => Promise<Rows> | Rows): Promise<Rows> {
    const { signal, timeoutMs } = this.#options;
    signal?.throwIfAborted();
    const left = timeoutMs === undefined ? undefined : this.#deadline - performance.now();
    const late = () => timeoutError(timeoutMs ?? 0);
    if (left !== undefined && left <= 0) throw late();
    let rows: Rows;
    try {
      rows = await abandonable(run(left), left, signal, late);
    } catch (error) {
      throw signal?.aborted ? error : driverError(error, timeoutMs);
    }
    if (left !== undefined && performance.now() > this.#deadline) throw late();
    return rows;
  }
}
