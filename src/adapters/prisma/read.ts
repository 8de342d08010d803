/** Runs a plan on a client that the host has changed: SQL decides which rows it has, and the client reads them. */

import { isDeepStrictEqual } from 'node:util';
import type { PageRows, PreparedRead, ReadOptions, ResolvedPlan } from '../../rules/index.ts';
import { Execution, RelationalRead, withinServer } from '../../relational/index.ts';
import { type PrismaArgs, delegateOf } from './client.ts';
import { ClientRows, type FindMany } from './client-rows.ts';
import type { PrismaContext } from './context.ts';
import { addedWhere, withAdded } from './customize.ts';
import type { Where } from './keys.ts';
import type { PrismaExecutor } from './executor.ts';
import { rewrittenFields } from './describe/rewritten-fields.ts';

/** A plan that is ready to run. */
export class PrismaRead<R> implements PreparedRead<R> {
  readonly concurrent: boolean;
  readonly within: PreparedRead['within'];
  #executor: PrismaExecutor;
  readonly #context: PrismaContext;
  readonly #plan: ResolvedPlan;
  readonly #options: ReadOptions;
  readonly #execution: Execution<PrismaExecutor>;
  readonly #rows: ClientRows;
  /** The plan with the conditions that were added last. */
  #added: { readonly where: Where; readonly plan: Promise<ResolvedPlan> } | undefined;

  /** With `isExtended`, the client reads every row of the root, else only fields that it computes. */
  constructor(
    executor: PrismaExecutor,
    context: PrismaContext,
    plan: ResolvedPlan,
    options: ReadOptions,
    isExtended: boolean,
  ) {
    this.#executor = executor;
    this.#context = context;
    this.#plan = plan;
    this.#options = options;
    this.#execution = new Execution(context.describe.family, options);
    this.concurrent = executor.concurrent;
    this.within = withinServer(executor, (inner) => void (this.#executor = inner));
    const root = isExtended ? plan.projection : null;
    this.#rows = new ClientRows(context, (model) => this.#computed(model), root);
  }

  get countKey(): string {
    return JSON.stringify([this.#plan.where, this.#plan.scopes]);
  }

  async rows(): Promise<PageRows<R>> {
    const { projection } = this.#plan;
    const keyed = this.#rows.withKeys(projection);
    const plan = await this.#customized('data');
    const page = await this.#sqlRead({ ...plan, projection: keyed }).rows();
    const rows = await this.#rows.filled(projection, page.rows, this.#findMany);
    return { ...page, rows } as PageRows<R>;
  }

  async count(): Promise<number> {
    return this.#sqlRead(await this.#customized('count')).count();
  }

  /** The plan of a statement, with the conditions that `customize` adds to it. */
  async #customized(kind: 'data' | 'count'): Promise<ResolvedPlan> {
    const { customize, customizeScope = 'both' } = this.#options;
    if (customize === undefined) return this.#plan;
    if (customizeScope !== 'both' && customizeScope !== kind) return this.#plan;
    const added = addedWhere(customize, kind);
    if (!added) return this.#plan;
    // Rows and count mostly have the same conditions: the client finds their keys once.
    const last = this.#added;
    if (last && isDeepStrictEqual(last.where, added)) return last.plan;
    const computed = this.#computed(this.#plan.model);
    const plan = withAdded(this.#context, this.#plan, added, computed, this.#findMany);
    this.#added = { where: added, plan };
    return plan;
  }

  /** Fields of a model that result extensions compute. */
  #computed(model: string): ReadonlySet<string> {
    return rewrittenFields(this.#executor.client, model);
  }

  #sqlRead(plan: ResolvedPlan): PreparedRead {
    const source = { describe: this.#context.describe, execute: this.#executor };
    return new RelationalRead(source, plan, {}, this.#execution);
  }

  /** Runs `findMany` within the remaining time. */
  readonly #findMany: FindMany = (model: string, args: PrismaArgs) =>
    this.#execution.guard(this.#executor, null, (executor, _statement, stop) =>
      executor.query((client) => delegateOf(client, model).findMany(args), stop),
    );
}
