/** One plan on one Prisma client: through `findMany` and `count` where they say it exactly, else keys by SQL. */

import type { PageRows, PreparedRead, QueryPlan, ReadOptions } from '../../rules/index.ts';
import {
  type CompiledPlan,
  type StatementInputs,
  Watch,
  compilePlan,
  conditionValues,
  driverError,
  planShape,
  readPage,
  whereShape,
} from '../../relational/index.ts';
import type { ClientRow, PrismaArgs, PrismaClientLike } from './client.ts';
import { delegateOf } from './client.ts';
import { allOf } from './conjunction.ts';
import type { PrismaContext } from './context.ts';
import { addedWhere, withAdded } from './customize.ts';
import { limited } from './limit.ts';
import { maxWindow } from './exactness.ts';
import { type RowWindow, findRows } from './find-rows.ts';
import { prismaKeyset } from './order.ts';
import { withDatabaseCode } from './prisma-error.ts';
import { fieldPresenter } from './projection.ts';
import { runStatement } from './raw.ts';
import { type Where, prismaWhere } from './where.ts';

/** A plan ready to run. */
export class PrismaRead<R> implements PreparedRead<R> {
  readonly concurrent: boolean;
  readonly #client: PrismaClientLike;
  readonly #context: PrismaContext;
  readonly #plan: QueryPlan;
  readonly #options: ReadOptions;
  readonly #watch: Watch;
  /** The plan's conditions in the client's terms; `undefined` where they need SQL. */
  readonly #where: Where | undefined;

  constructor(
    client: PrismaClientLike,
    context: PrismaContext,
    plan: QueryPlan,
    options: ReadOptions,
    concurrent: boolean,
  ) {
    this.#client = client;
    this.#context = context;
    this.#plan = plan;
    this.#options = options;
    this.#watch = new Watch(options);
    this.concurrent = concurrent;
    this.#where = plan.where
      ? prismaWhere(context.models, plan.model, plan.where, context.family)
      : {};
  }

  get countKey(): string {
    return JSON.stringify(this.#plan.where);
  }

  async rows(): Promise<PageRows<R>> {
    const added = this.#added('data');
    const args = this.#findManyArgs(added);
    const page = await (args ? this.#found(args) : this.#selected(this.#keysPlan(added)));
    return page as PageRows<R>;
  }

  async count(): Promise<number> {
    const { model, count } = this.#plan;
    const added = this.#added('count');
    if (!this.#where) return this.#countedInSql(this.#keysPlan(added));
    const where = added ? allOf([added, this.#where]) : this.#where;
    const isCapped = count.type === 'capped' && count.cap < maxWindow;
    const args = isCapped ? { where, take: count.cap + 1 } : { where };
    return this.#run((client) => delegateOf(client, model).count(args));
  }

  /** What `customize` adds to a statement. */
  #added(statement: 'data' | 'count'): Where | undefined {
    const { customize, customizeScope = 'both' } = this.#options;
    if (customize === undefined) return undefined;
    if (customizeScope !== 'both' && customizeScope !== statement) return undefined;
    return addedWhere(customize, statement);
  }

  /** Rows that the window keeps, and how many are read to see what follows. */
  get #window(): { readonly keep: number; readonly take: number } {
    const { page, count } = this.#plan;
    const keep = page.mode === 'all' ? page.maxRows : page.perPage;
    const lookahead = page.mode !== 'offset' || count.type === 'none';
    return { keep, take: Math.min(keep + (lookahead ? 1 : 0), maxWindow) };
  }

  get #reversed(): boolean {
    const { page } = this.#plan;
    return page.mode === 'keyset' && page.position?.direction === 'before';
  }

  get #order() {
    const { model, order } = this.#plan;
    return this.#context.order(model, order, this.#reversed);
  }

  /** The arguments of `findMany`, where it says exactly what the plan means. */
  #findManyArgs(added: Where | undefined): PrismaArgs | undefined {
    const { page, projection } = this.#plan;
    const { orderBy, pages, terms, shown } = this.#order;
    const skip = page.mode === 'offset' ? page.offset : 0;
    if (!this.#where || !orderBy || skip > maxWindow) return undefined;
    let where = added ? allOf([added, this.#where]) : this.#where;
    const { select } = this.#context.projection(projection);
    const args = { orderBy, take: this.#window.take };
    if (page.mode !== 'keyset') {
      return skip > 0 ? { where, select, ...args, skip } : { where, select, ...args };
    }
    if (!pages) return undefined;
    if (page.position) {
      const beyond = prismaKeyset(terms, page.position);
      if (!beyond) return undefined;
      where = allOf([where, beyond]);
    }
    return { where, select: { ...select, ...shown }, ...args };
  }

  /** The rows of a query that gives those of the window. */
  #findRows(args: PrismaArgs, window: RowWindow): Promise<ClientRow[]> {
    const { model } = this.#plan;
    const find = (one: PrismaArgs) =>
      this.#run((client) => delegateOf(client, model).findMany(one));
    return findRows(find, args, window);
  }

  async #found(args: PrismaArgs): Promise<PageRows> {
    const { page, projection } = this.#plan;
    const { orderBy = [], skip = 0, take = 0 } = args as Partial<RowWindow>;
    const found = await this.#findRows(args, { orderBy, skip, take });
    const { keep } = this.#window;
    const hasMore = found.length > keep;
    const kept = hasMore ? found.slice(0, keep) : found;
    if (this.#reversed) kept.reverse();
    if (page.mode === 'all' && hasMore) return { rows: [], hasMore };
    const { read } = this.#context.projection(projection);
    const rows = kept.map(read);
    if (page.mode !== 'keyset' || kept.length === 0) return { rows, hasMore };
    return { rows, hasMore, first: this.#place(kept[0]), last: this.#place(kept.at(-1)) };
  }

  /** The texts of a row's order values, which a cursor carries. */
  #place(row: ClientRow | undefined): (string | null)[] {
    return this.#order.terms.map(({ field }) => {
      const value = row?.[field.descriptor.path];
      if (value === null || value === undefined) return null;
      const present = fieldPresenter(field);
      return String(present ? present(value) : value);
    });
  }

  /** The page whose keys SQL selects and whose rows the client finds. */
  async #selected(keysPlan: QueryPlan): Promise<PageRows> {
    const { model, projection } = this.#plan;
    const compiled = this.#compiled(keysPlan);
    const driverRows = await this.#run((client) =>
      runStatement(client, compiled.data.statement, inputsOf(keysPlan)),
    );
    const { rows: keys, ...page } = await readPage(keysPlan, compiled, driverRows, () => []);
    if (keys.length === 0) return { rows: [], ...page };
    const { select, read } = this.#context.projection(projection);
    const lookup = this.#context.lookup(model);
    const found: ClientRow[] = [];
    for (const where of lookup.wheres(keys)) {
      const args = { where, select: lookup.select(select) };
      const whole = { orderBy: lookup.orderBy, skip: 0, take: keys.length };
      found.push(...(await this.#findRows(args, whole)));
    }
    return { rows: lookup.inOrder(keys, found).map(read), ...page };
  }

  async #countedInSql(keysPlan: QueryPlan): Promise<number> {
    const { count } = this.#compiled(keysPlan);
    if (!count) throw new TypeError('A window of this mode is not counted.');
    const rows = await this.#run((client) =>
      runStatement(client, count.statement, inputsOf(keysPlan)),
    );
    return Number(rows[0]?.[0]);
  }

  /** The plan with the primary key for a projection, and with what `customize` added. */
  #keysPlan(added: Where | undefined): QueryPlan {
    const { projection } = this.#context.lookup(this.#plan.model);
    const plan = { ...this.#plan, projection };
    return added ? withAdded(this.#context.models, plan, added) : plan;
  }

  #compiled(plan: QueryPlan): CompiledPlan {
    const { lowering, plans } = this.#context;
    const shape = planShape(plan, whereShape(plan, lowering.dialect));
    let compiled = plans.get(shape);
    if (!compiled) {
      compiled = compilePlan(lowering, plan);
      plans.set(shape, compiled);
    }
    return compiled;
  }

  /** Runs work within what is left of the time, if there is a limit. */
  async #run<T>(work: (client: PrismaClientLike) => PromiseLike<T>): Promise<T> {
    if (this.#watch.active) return this.#watch.guard((left) => this.#within(left, work));
    // The usual case, with nothing to watch.
    try {
      return await work(this.#client);
    } catch (error) {
      throw driverError(withDatabaseCode(error), undefined);
    }
  }

  async #within<T>(
    left: number | undefined,
    work: (client: PrismaClientLike) => PromiseLike<T>,
  ): Promise<T> {
    try {
      if (left === undefined) return await work(this.#client);
      const { family } = this.#context;
      return await limited(family, this.#client, left, async (client) => work(client));
    } catch (error) {
      throw withDatabaseCode(error);
    }
  }
}

/** What a plan's statements bind. */
function inputsOf({ page, where }: QueryPlan): StatementInputs {
  return {
    conditions: conditionValues(where, []),
    position: page.mode === 'keyset' && page.position ? page.position.values : [],
    offset: page.mode === 'offset' ? page.offset : 0,
    keys: [],
  };
}
