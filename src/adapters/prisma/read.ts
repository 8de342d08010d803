/** Runs a plan on a Prisma client: by `findMany` and `count` where they express it exactly, else SQL selects keys. */

import type { PageRows, PreparedRead, ReadOptions, ResolvedPlan, Row } from '../../rules/index.ts';
import {
  Execution,
  RelationalRead,
  cursorTextOf,
  exceedsSemijoins,
  keptRows,
  placedPage,
  windowOf,
  withinServer,
} from '../../relational/index.ts';
import type { ClientRow, PrismaArgs, PrismaClientLike } from './client.ts';
import { delegateOf } from './client.ts';
import { allOf } from './conjunction.ts';
import type { ClientField } from './client-model.ts';
import type { PrismaContext } from './context.ts';
import { addedWhere, crossesRelation, withAdded } from './customize.ts';
import { maxWindow } from './exactness.ts';
import type { PrismaExecutor } from './executor.ts';
import { type RowWindow, findRows } from './find-rows.ts';
import { prismaKeyset } from './order.ts';
import { type ClientProjection, fieldPresenter } from './projection.ts';
import { rewrittenFields } from './rewritten-fields.ts';
import { visibleRows } from './visible-rows.ts';
import { type Where, prismaWhere } from './where.ts';

/** A plan that is ready to run. */
export class PrismaRead<R> implements PreparedRead<R> {
  readonly concurrent: boolean;
  readonly within: PreparedRead['within'];
  #executor: PrismaExecutor;
  readonly #context: PrismaContext;
  readonly #plan: ResolvedPlan;
  readonly #options: ReadOptions;
  readonly #execution: Execution<PrismaExecutor>;
  readonly #projection: ClientProjection;
  /** The conditions as a Prisma `where`; `undefined` if they need SQL. */
  readonly #where: Where | undefined;

  constructor(
    executor: PrismaExecutor,
    context: PrismaContext,
    plan: ResolvedPlan,
    options: ReadOptions,
  ) {
    this.#executor = executor;
    this.#context = context;
    this.#plan = plan;
    this.#options = options;
    this.#execution = new Execution(context.describe.family, options);
    this.concurrent = executor.concurrent;
    this.within = withinServer(executor, (inner) => void (this.#executor = inner));
    this.#projection = context.projection(plan);
    this.#where = clientWhere(context, plan);
  }

  get countKey(): string {
    return JSON.stringify([this.#plan.where, this.#plan.scopes]);
  }

  async rows(): Promise<PageRows<R>> {
    const added = this.#added('data');
    const args = this.#findManyArgs(added);
    const page = await (args ? this.#found(args) : this.#selected(this.#keysRead(added)));
    return page as PageRows<R>;
  }

  async count(): Promise<number> {
    const { model, count } = this.#plan;
    const added = this.#added('count');
    if (!this.#where || this.#needsSql(added)) return this.#keysRead(added).count();
    const where = added ? allOf([added, this.#where]) : this.#where;
    const isCapped = count.type === 'capped' && count.cap < maxWindow;
    const args = isCapped ? { where, take: count.cap + 1 } : { where };
    return this.#query((client) => delegateOf(client, model).count(args));
  }

  /** The conditions that `customize` adds to a statement. */
  #added(statement: 'data' | 'count'): Where | undefined {
    const { customize, customizeScope = 'both' } = this.#options;
    if (customize === undefined) return undefined;
    if (customizeScope !== 'both' && customizeScope !== statement) return undefined;
    return addedWhere(customize, statement);
  }

  /** Whether conditions of `customize` cross relations, where the scopes of their targets hold as well. */
  #needsSql(added: Where | undefined): boolean {
    const { scopes, model } = this.#plan;
    const { models } = this.#context;
    return scopes !== undefined && added !== undefined && crossesRelation(models, model, added);
  }

  /** Fields of the root model that result extensions compute. */
  get #rewritten(): ReadonlySet<string> {
    return rewrittenFields(this.#executor.client, this.#plan.model);
  }

  get #order() {
    return this.#context.order(this.#plan.order, windowOf(this.#plan).reversed);
  }

  /** The arguments of `findMany`; `undefined` if it cannot express the plan exactly. */
  #findManyArgs(added: Where | undefined): PrismaArgs | undefined {
    const { page, order, scopes } = this.#plan;
    const { orderBy, pages, terms, shown } = this.#order;
    const skip = page.mode === 'offset' ? page.offset : 0;
    if (!this.#where || !orderBy || skip > maxWindow || this.#needsSql(added)) return undefined;
    // The client orders by related rows outside of their scope as well.
    const ordersByScoped = order.some(({ target }) =>
      target.hops.some((hop) => scopes?.[hop.target]),
    );
    if (ordersByScoped) return undefined;
    let where = added ? allOf([added, this.#where]) : this.#where;
    const { select } = this.#projection;
    const { take, lookahead } = windowOf(this.#plan);
    const args = { orderBy, take: Math.min(take + (lookahead ? 1 : 0), maxWindow) };
    if (page.mode !== 'keyset') {
      return skip > 0 ? { where, select, ...args, skip } : { where, select, ...args };
    }
    // Cursors contain stored values, which the client does not return for these fields.
    if (!pages || terms.some(({ field }) => this.#rewritten.has(field.descriptor.path))) {
      return undefined;
    }
    if (page.position) {
      const beyond = prismaKeyset(terms, page.position);
      if (!beyond) return undefined;
      where = allOf([where, beyond]);
    }
    return { where, select: { ...select, ...shown }, ...args };
  }

  #findRows(args: PrismaArgs, window: RowWindow): Promise<ClientRow[]> {
    const { model } = this.#plan;
    const find = (one: PrismaArgs) =>
      this.#query((client) => delegateOf(client, model).findMany(one));
    return findRows(find, args, window);
  }

  async #found(args: PrismaArgs): Promise<PageRows> {
    const { page } = this.#plan;
    const { orderBy = [], skip = 0, take = 0 } = args as Partial<RowWindow>;
    const found = await this.#findRows(args, { orderBy, skip, take });
    const { kept, hasMore } = keptRows(this.#plan, windowOf(this.#plan), found);
    const rows = await this.#shown(kept);
    if (page.mode !== 'keyset') return { rows, hasMore };
    return placedPage(rows, hasMore, kept.length, (at) => this.#place(kept[at]));
  }

  /** The rows in presented form, with the related rows that the request may see. */
  async #shown(rows: readonly ClientRow[]): Promise<Row[]> {
    if (!this.#plan.scopes) return rows.map((row) => this.#projection.read(row, () => true));
    const isVisible = await visibleRows(
      this.#context,
      this.#plan,
      this.#projection,
      rows,
      (model) => rewrittenFields(this.#executor.client, model),
      async (plan) => (await this.#sqlRead(plan).rows()).rows,
    );
    return rows.map((row) => this.#projection.read(row, isVisible));
  }

  /** The order values of a row as strings, for its cursor. */
  #place(row: ClientRow | undefined): (string | null)[] {
    return this.#order.terms.map(({ field }) => {
      const value = row?.[field.descriptor.path];
      if (value === null || value === undefined) return null;
      const present = fieldPresenter(field);
      const text = String(present ? present(value) : value);
      return field.type === 'Decimal' ? this.#decimalText(field, text) : text;
    });
  }

  /** The text of a decimal, which may have more digits than the database compares as a decimal. */
  #decimalText({ descriptor }: ClientField, text: string): string | null {
    const { physical, dialect } = this.#context.describe.context;
    const column = physical.get(this.#plan.model)?.columns.get(descriptor.path);
    return column ? cursorTextOf(column, dialect)(text) : text;
  }

  /** Reads the page in two steps: SQL selects its keys, then the client finds its rows. */
  async #selected(keysRead: PreparedRead): Promise<PageRows> {
    const { model } = this.#plan;
    const { rows: keys, ...page } = await keysRead.rows();
    if (keys.length === 0) return { rows: [], ...page };
    const { select } = this.#projection;
    const lookup = this.#context.lookup(model);
    const found: ClientRow[] = [];
    const { orderBy } = lookup;
    // Rows whose stored keys the client does not return are found one by one, as they cannot be matched to the keys.
    const isOpaque = lookup.projection.fields.some((path) => this.#rewritten.has(path));
    const parts = isOpaque ? keys.map((key) => [key]) : [keys];
    for (const where of parts.flatMap((part) => lookup.wheres(part))) {
      const args = { where, select: lookup.select(select) };
      found.push(...(await this.#findRows(args, { orderBy, skip: 0, take: keys.length })));
    }
    const rows = isOpaque ? found : lookup.inOrder(keys, found);
    return { rows: await this.#shown(rows), ...page };
  }

  /** The plan in SQL, with the primary key as projection and with the conditions that `customize` added. */
  #keysRead(added: Where | undefined): PreparedRead {
    const { describe, models } = this.#context;
    const { projection } = this.#context.lookup(this.#plan.model);
    const plan = { ...this.#plan, projection };
    const { registry } = describe.context;
    return this.#sqlRead(added ? withAdded(models, registry, plan, added) : plan);
  }

  #sqlRead(plan: ResolvedPlan): PreparedRead {
    const source = { describe: this.#context.describe, execute: this.#executor };
    return new RelationalRead(source, plan, {}, this.#execution);
  }

  /** Runs a query of the Prisma client within the remaining time. */
  #query<T>(work: (client: PrismaClientLike) => PromiseLike<T>): Promise<T> {
    return this.#execution.guard(this.#executor, null, (executor, _statement, stop) =>
      executor.query(work, stop),
    );
  }
}

/** The conditions as a Prisma `where`; `undefined` if it would be inexact, or too complex for the query planner. */
function clientWhere(
  { describe, models, family }: PrismaContext,
  plan: ResolvedPlan,
): Where | undefined {
  const { dialect, lacking } = describe.context;
  // The client's conditions on a relation are met by any of its rows.
  if (lacking?.size || exceedsSemijoins(dialect, plan)) return undefined;
  return prismaWhere(models, plan, family);
}
