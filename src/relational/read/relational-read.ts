/** A source over described tables. It runs one plan: finds its statements by shape, binds them, runs them on an executor and presents their rows. */

import type {
  CompiledQueryRules,
  CountedRows,
  PageRows,
  PreparedRead,
  ReadOptions,
  ResolvedPlan,
  DatabaseFamily,
  QuerySource,
  Row as PlainRow,
} from '../../rules/index.ts';
import { configurationError, type SchemaRegistry, checkConfiguration } from '../../schema/index.ts';
import { childrenValues } from '../compile/asked-children.ts';
import type { CompiledPlan, CompiledStatement } from '../compile/compile-plan.ts';
import type { LoweringContext } from '../compile/model-context.ts';
import type { LongTexts } from '../compile/values/long-texts.ts';
import { planShape } from '../compile/plan-shape.ts';
import { bind, type StatementInputs, type StatementText } from '../compile/sql-text.ts';
import { Execution } from './execution.ts';
import type { Executor, Rows } from './executor.ts';
import { wholePosition } from './whole-position.ts';
import * as option from '../../lib/option-rows.ts';
import type { OptionTableOf } from '../../lib/index.ts';
import { storedPosition } from '../compile/values/position-value.ts';
import { SourceDescription, derivedPlan, type DerivedPlan } from './source-description.ts';
import { readPage } from './reader.ts';

/** One of the two statements of a plan, for the host's `customize`. */
export interface Customized<E extends Executor, Customize> {
  readonly executor: E;
  readonly context: LoweringContext;
  readonly plan: ResolvedPlan;
  readonly statement: CompiledStatement;
  readonly kind: 'data' | 'count';
  readonly inputs: StatementInputs;
  readonly customize: Customize;
}

/** The parts of a source that its reads need. */
export interface ReadSource<E extends Executor, Customize> {
  readonly describe: SourceDescription;
  readonly execute: E;
  /**
   * Applies the host's `customize` to a statement; its columns must keep their order and names. Default: the source
   * does not support `customize`.
   */
  readonly customized?: ((input: Customized<E, Customize>) => StatementText) | undefined;
  /** Loads a page through the ORM, for example as entities. Default: rows are presented by kind. */
  readonly loadPage?:
    | ((read: RelationalRead<E, unknown, Customize>, executor: E) => Promise<PageRows<unknown>>)
    | undefined;
}

/** A plan that is ready to run. */
export class RelationalRead<E extends Executor, Row, Customize> implements PreparedRead<Row> {
  readonly concurrent: boolean;
  readonly plan: ResolvedPlan;
  readonly compiled: CompiledPlan;
  readonly execution: Execution<E>;
  readonly within: PreparedRead['within'];
  #execute: E;
  #inputs: StatementInputs;
  readonly #source: ReadSource<E, Customize>;
  readonly #derived: DerivedPlan;
  readonly #options: ReadOptions<Customize>;

  constructor(
    source: ReadSource<E, Customize>,
    plan: ResolvedPlan,
    options: ReadOptions<Customize>,
    execution = new Execution<E>(source.describe.family, options),
    rules?: CompiledQueryRules,
  ) {
    const { describe, execute } = source;
    this.#source = source;
    this.plan = plan;
    this.#options = options;
    this.execution = execution;
    this.concurrent = execute.concurrent;
    this.#execute = execute;
    this.within = withinServer(execute, (inner) => void (this.#execute = inner));
    // A hook of the host, or an ORM that loads the page, needs a statement on the table itself.
    const isOwn = options.customize === undefined && source.loadPage === undefined;
    const derived = derivedPlan(plan, describe.context, isOwn ? rules : undefined);
    this.#derived = derived;
    this.compiled = describe.compiled(plan, derived.shape, derived.merge, derived.isWhole);
    this.#inputs = derived.inputs;
  }

  /** The values that are bound, with whole texts of the position once its page is read. */
  get inputs(): StatementInputs {
    return this.#inputs;
  }

  get countKey(): string {
    return this.#derived.countKey;
  }

  rows(): Promise<PageRows<Row>> {
    const execute = this.#execute;
    return execute.lease
      ? execute.lease((executor) => this.#rows(executor as E))
      : this.#rows(execute);
  }

  count(): Promise<number> {
    const execute = this.#execute;
    return execute.lease
      ? execute.lease((executor) => this.#count(executor as E))
      : this.#count(execute);
  }

  get pairs(): boolean {
    const { data, count } = this.compiled;
    const isChanged = this.#source.loadPage ?? this.#options.customize;
    if (!count || isChanged || this.#options.explained) return false;
    return this.#execute.runsBoth?.(data.statement, count.statement) ?? false;
  }

  get hasTwoFree(): boolean {
    return this.#execute.hasTwoFree?.() ?? true;
  }

  together(): Promise<CountedRows<Row>> {
    const execute = this.#execute;
    return execute.lease
      ? execute.lease((executor) => this.#together(executor as E))
      : this.#together(execute);
  }

  async #together(executor: E): Promise<CountedRows<Row>> {
    const { statement: data } = this.compiled.data;
    const { statement: count } = this.#counting();
    const [driverRows, counts] = await this.execution.guard(executor, null, async (on, _, stop) => {
      const values = [bind(data, this.inputs), bind(count, this.inputs)] as const;
      const runs = [
        { statement: data, values: values[0] },
        { statement: count, values: values[1] },
      ] as const;
      const together = await on.runBoth?.(runs, stop);
      if (together) return together;
      const rows = await on.run(data, values[0], stop);
      return [rows, await on.run(count, values[1], stop)] as const;
    });
    const page = this.#page(executor, driverRows);
    return { page: page instanceof Promise ? await page : page, total: this.#total(counts) };
  }

  async #rows(executor: E): Promise<PageRows<Row>> {
    const { loadPage } = this.#source;
    const { longTexts } = this.compiled;
    const isRestarted = longTexts ? await this.#findPosition(executor, longTexts) : false;
    const page = loadPage
      ? ((await loadPage(this, executor)) as PageRows<Row>)
      : await this.#page(executor, await this.runStatement(executor, 'data', this.compiled.data));
    return isRestarted ? { ...page, isRestarted } : page;
  }

  /** Completes the position with texts that are too long for a cursor, and tells whether the page begins anew. */
  async #findPosition(executor: E, { statement, texts }: LongTexts): Promise<boolean> {
    const { page, order } = this.plan;
    if (page.mode !== 'keyset' || !page.position) return false;
    const found = await this.execution.run(executor, statement, this.#inputs);
    const { maxPositionBytes } = this.context.dialect;
    const whole = wholePosition(page.position, order, texts, found, maxPositionBytes);
    this.#inputs = { ...this.#inputs, position: whole.position };
    return whole.isRestarted;
  }

  /** The page of driver rows, with the lists of its `many` includes. */
  #page(
    executor: E,
    driverRows: Rows,
    compiled = this.compiled,
    inputs = this.inputs,
  ): PageRows<Row> | Promise<PageRows<Row>> {
    const read = (statement: StatementText, keys: StatementInputs['keys']) =>
      this.execution.run(executor, statement, { ...inputs, keys });
    return readPage(this.plan, compiled, driverRows, read) as
      | PageRows<Row>
      | Promise<PageRows<Row>>;
  }

  /** The rows of the page with another projection, where the ORM loads those of the page. */
  async rowsOf(executor: E, projection: ResolvedPlan['projection']): Promise<PlainRow[]> {
    const compiled = this.compiledFor(projection);
    // A relation that is left out takes its values along.
    const inputs = { ...this.inputs, children: childrenValues(projection) };
    const found = await this.runStatement(executor, 'data', compiled.data);
    const { rows } = await this.#page(executor, found, compiled, inputs);
    return rows as PlainRow[];
  }

  async #count(executor: E): Promise<number> {
    return this.#total(await this.runStatement(executor, 'count', this.#counting()));
  }

  #total(counts: Rows): number {
    return Number(counts[0]?.[0]);
  }

  #counting(): CompiledStatement {
    const { count } = this.compiled;
    if (!count) throw new TypeError('A window of this mode is not counted.');
    return count;
  }

  /** The host's hook for a statement, where `customizeScope` includes it. */
  customizeFor(kind: 'data' | 'count'): Customize | undefined {
    const { customize, customizeScope = 'both' } = this.#options;
    return customizeScope === 'both' || customizeScope === kind ? customize : undefined;
  }

  get context(): LoweringContext {
    return this.#source.describe.context;
  }

  /** Runs one of the plan's statements, after the host's hook where it applies. */
  runStatement(executor: E, kind: 'data' | 'count', statement: CompiledStatement): Promise<Rows> {
    const customize = this.customizeFor(kind);
    const { customized } = this.#source;
    if (customize === undefined) {
      return this.execution.run(executor, statement.statement, this.inputs);
    }
    if (!customized) throw configurationError('The source does not support "customize"');
    const { context, plan, inputs } = this;
    const text = customized({ executor, context, plan, statement, kind, inputs, customize });
    return this.execution.run(executor, text, inputs);
  }

  /** The statements of the same plan with another projection. */
  compiledFor(projection: ResolvedPlan['projection']): CompiledPlan {
    const plan = { ...this.plan, projection };
    const shape = planShape(plan, this.#derived.where, this.context.dialect);
    return this.#source.describe.compiled(plan, shape);
  }
}

/** The options of every adapter's sources. */
export interface AdapterSourceOptions {
  /**
   * Whether a `one` relation of the registry to columns that are not declared unique is refused, by name. Default
   * `false`: it is read as its first row by the primary key.
   */
  readonly strict?: boolean | undefined;
}

/** Options of `relationalSource`. */
export interface RelationalSourceOptions<E extends Executor, Customize> extends ReadSource<
  E,
  Customize
> {
  /** Name of the model whose rows are listed. */
  readonly model: string;
}

const optionTable = {
  model: option.required(option.string),
  describe: option.required({
    expected: 'a SourceDescription',
    fits: (value) => value instanceof SourceDescription,
  }),
  execute: option.required(option.withMethods('an executor', 'run', 'transaction')),
  customized: option.func,
  loadPage: option.func,
} satisfies OptionTableOf<RelationalSourceOptions<Executor, unknown>>;

/** A source with the parts that its checks need. */
export interface RelationalSource<
  Row,
  Customize,
  E extends Executor = Executor,
  Listed = unknown,
> extends QuerySource<Row, Customize, Listed> {
  /** Database family of the source. */
  readonly family: DatabaseFamily;
  /** Registry of the models that the source can reach. */
  readonly registry: SchemaRegistry;
  /** Storage of the models, shared by the sources of one registry. */
  readonly describe: SourceDescription;
  /** Runs the statements of this source. */
  readonly execute: E;
}

/**
 * Creates a source over described tables. This is cheap, because the description caches compiled statements: a source
 * may be made per request, on a transaction for example.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type, or the registry of the
 * description does not have the model
 */
export function relationalSource<Row, Customize, E extends Executor, Listed = unknown>(
  options: RelationalSourceOptions<E, Customize>,
): RelationalSource<Row, Customize, E, Listed> {
  checkConfiguration('relationalSource', options, optionTable);
  const { model, describe, execute } = options;
  const { dialect, registry } = describe.context;
  if (!registry.has(model)) {
    throw configurationError(`The registry has no schema for model "${model}"; add it.`, { model });
  }
  return {
    model,
    family: dialect.family,
    registry,
    origin: describe.origin,
    servesScopes: true,
    usesBasicSignal: true,
    describe,
    execute,
    storedPosition: (term, _rules, isMarked) => storedPosition(describe.context, term, isMarked),
    prepare: (plan, rules, readOptions) => {
      describe.assertRules(rules);
      return new RelationalRead<E, Row, Customize>(options, plan, readOptions, undefined, rules);
    },
  };
}

/** The `within` of a read on an executor; `use` receives the executor of the request. */
export function withinServer<E extends Executor>(
  { oneServer }: E,
  use: (inner: E) => void,
): PreparedRead['within'] {
  if (!oneServer) return undefined;
  return (work) =>
    oneServer((inner) => {
      use(inner as E);
      return work();
    });
}
