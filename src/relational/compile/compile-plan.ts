/** Compiles the shape of a plan to the statements that every plan of that shape shares. */

import type { ProjectionRelation, ResolvedPlan, ResolvedPredicate } from '../../rules/index.ts';
import { askedOfJoined, childrenOffsets, orderOfJoined } from './asked-children.ts';
import { type CompiledChild, compileInclude } from './compile-include.ts';
import type { ExistentialForm } from './dialect.ts';
import type { LoweringContext } from './model-context.ts';
import { columnOf, modelOf, relationOf } from './model-context.ts';
import { aggregateSql } from './values/aggregate-value.ts';
import { type LongTexts, longTextParts } from './values/long-texts.ts';
import { lowerOrder, orderColumnsOf, orderSql } from './order/order.ts';
import { type MergedParts, mergedTable } from './page/merged-table.ts';
import { orderOfPage } from './order/null-parts.ts';
import { conditionsOf, rootScope, rowsOfRoot, withoutPosition } from './page/page-conditions.ts';
import { asRoot, cappedRows, pageTable } from './page/page-table.ts';
import type { OrderColumn } from '../read/cursor-text.ts';
import { firstRow, joinsOneRow } from './first-row.ts';
import { isSelective } from './asked-conditions.ts';
import { lowerPredicate } from './predicate.ts';
import type { NodeReader } from '../read/reader.ts';
import { withOwnKeys } from './own-keys.ts';
import { isSure, restrictionSql, rowCondition, scopeCondition } from './row-condition.ts';
import { columnAlias, namedColumns } from './row-channel.ts';
import { Aliases, type JoinPart, type PlanContext, Scope, joinsSql } from './scope.ts';
import { tableSql } from './sql-names.ts';
import { Selection } from './selection.ts';
import { type Sql, type StatementText, join, render } from './sql-text.ts';
import { testsRows } from './page/count-form.ts';
import { exceedsSemijoins } from './page/subquery-count.ts';
import { type WindowSize, windowOf, windowSql } from './page/window.ts';

/** The clauses of a statement, for an adapter that passes them to its ORM's own builder. */
export interface StatementParts {
  readonly columns: readonly Sql[];
  /** Joins that follow the root table. */
  readonly joins: readonly JoinPart[];
  readonly where: Sql | null;
  readonly orderBy: Sql | null;
  readonly limit: number | null;
  /** Whether the statement skips `inputs.offset` rows. */
  readonly offset: boolean;
}

/** A statement as text and as clauses. */
export interface CompiledStatement {
  readonly statement: StatementText;
  readonly parts: StatementParts;
}

/** Everything compiled for a shape of plan. */
export interface CompiledPlan extends Pick<WindowSize, 'take' | 'reversed'> {
  readonly data: CompiledStatement;
  /** `null` where the window is not counted. */
  readonly count: CompiledStatement | null;
  readonly node: NodeReader;
  readonly children: readonly CompiledChild[];
  /** The columns that contain the order terms; only for keyset windows. */
  readonly orderColumns: readonly OrderColumn[];
  /** Reads the long texts of the position before the page; `null` where the position is complete. */
  readonly longTexts: LongTexts | null;
}

/** The inputs of the compiler for a plan. */
function planContext(lowering: LoweringContext, plan: ResolvedPlan): PlanContext {
  const keepsApart = exceedsSemijoins(lowering.dialect, plan);
  const apartForm = keepsApart ? 'scalar' : 'exists';
  return {
    ...lowering,
    scopes: plan.scopes,
    childrenFrom: childrenOffsets(plan.projection),
    keepsApart,
    apartForm,
    rowCondition,
    isSure: (relation, target) =>
      isSure({ enforced: lowering.enforced, scopes: plan.scopes }, relation, target),
    joinsOneRow: (relation) => joinsOneRow(lowering, relation),
    firstRow,
    aggregate: aggregateSql,
  };
}

/**
 * Compiles the statements of a plan's shape; with `merge`, of one whose page is merged from parts. A page that `isWhole` has
 * a statement on the table itself.
 */
export function compilePlan(
  lowering: LoweringContext,
  given: ResolvedPlan,
  merge: MergedParts | null = null,
  isWhole = true,
): CompiledPlan {
  const { dialect } = lowering;
  const context = planContext(lowering, given);
  const plan = withOwnKeys(context, given);
  const { page } = plan;
  const scope = rootScope(context, plan.model);
  const { take, lookahead, reversed } = windowOf(plan);
  const order = lowerOrder(scope, plan.order, reversed);
  const limit = take + (lookahead ? 1 : 0);
  const offset = page.mode === 'offset' && page.offset > 0;
  const window = { limit, offset, reversed };
  const own = isWhole || merge ? null : pageTable(scope, order, plan, window);
  const tail = windowSql(dialect, { limit, offset: false });
  const table = merge
    ? asRoot(scope, mergedTable(rootScope(context, plan.model), plan, merge, reversed, tail))
    : own;
  const skipsRows = offset && table === null;
  const selection = new Selection(scope, skipsRows);
  const node = selection.node(scope.root, plan.projection);
  // A hook may have removed every field from the projection; the rows must be returned all the same.
  if (selection.columns.length === 0) {
    const { model, alias } = scope.root;
    selection.column(alias, columnOf(model, model.schema.primaryKey[0] ?? ''));
  }
  const orderColumns = page.mode === 'keyset' ? orderColumnsOf(scope, selection, order) : [];
  // The parts of a page have met the conditions.
  const predicates = table ? [] : conditionsOf(scope, plan, order);
  if (table?.where) predicates.push(table.where);
  const parts = {
    columns: selection.columns,
    joins: scope.joins,
    where: predicates.length === 0 ? null : join(predicates, ' and '),
    orderBy: orderSql(scope, orderOfPage(scope, order, plan)),
    limit,
    offset: skipsRows,
  };
  const data = finish(context, scope, parts, table?.from);
  return {
    data,
    count:
      page.mode === 'offset' && plan.count.type !== 'none'
        ? compileCount(context, plan, isWhole)
        : null,
    take,
    reversed,
    node,
    children: selection.children.map((child) => compileInclude(context, child)),
    orderColumns,
    longTexts: compileLongTexts(context, plan),
  };
}

function compileLongTexts(context: PlanContext, plan: ResolvedPlan): LongTexts | null {
  const { model, order, page } = plan;
  if (page.mode !== 'keyset' || !page.position?.begins) return null;
  const scope = rootScope(context, model);
  const { isForgeable } = page.position;
  const rows = isForgeable ? conditionsOf(scope, withoutPosition(plan), []) : [];
  const { texts, parts } = longTextParts(scope, order, page.position, rows);
  return { texts, statement: finish(context, scope, parts).statement };
}

/**
 * A count that tests every root row with a correlated subquery is slow, unless another condition leaves few root rows.
 */
function countForm(scope: Scope, where: ResolvedPredicate): ExistentialForm {
  const { count } = scope.context.dialect.existential;
  return count === 'in' && isSelective(where) ? 'exists' : count;
}

/** The count has no order, and only the joins that its conditions need. */
function compileCount(
  context: PlanContext,
  plan: ResolvedPlan,
  isWhole: boolean,
): CompiledStatement {
  const capped = plan.count.type === 'capped' ? plan.count.cap + 1 : null;
  const scope = rootScope(context, plan.model);
  const parts = countParts(scope, plan, capped);
  const whole = finish(context, scope, parts);
  const { placeholder, numberedPlaceholders } = context.dialect;
  const rendered = (sql: Sql) => render(sql, placeholder, numberedPlaceholders);
  const gate = isWhole ? null : testsRows(rootScope(context, plan.model), plan);
  if (gate) {
    const counted = (form?: ExistentialForm): Sql => {
      const inner = rootScope(context, plan.model);
      const own = countParts(inner, plan, capped, form);
      const rows = finished(context, inner, own);
      return capped === null
        ? ['(', rows, ')']
        : ['(select count(*) from (', rows, ') as counted)'];
    };
    const total = ['case when ', gate, ' then ', counted('exists'), ' else ', counted(), ' end'];
    const columns = namedColumns([total], context.channel);
    return { parts, statement: rendered(['select ', ...columns]) };
  }
  if (capped === null) return whole;
  const isBySets = context.dialect.existential.count === 'in';
  const rows = isWhole || isBySets ? null : cappedRows(context, plan, capped);
  return { parts, statement: countOf(context, rows ? rendered(rows) : whole.statement) };
}

/** The clauses of a count, with a form in place of the usual one. */
function countParts(
  scope: Scope,
  { where }: ResolvedPlan,
  capped: number | null,
  form?: ExistentialForm,
): StatementParts {
  const startsAnywhere = scope.context.dialect.existential.count === 'in';
  const start = { startsAnywhere, readsAll: startsAnywhere && capped === null };
  const predicates = [
    where && lowerPredicate(scope, where, form ?? countForm(scope, where), start),
    rowsOfRoot(scope),
  ].filter((predicate) => predicate !== null);
  return {
    columns: [capped === null ? 'count(*)' : '1'],
    joins: scope.joins,
    where: predicates.length === 0 ? null : join(predicates, ' and '),
    orderBy: null,
    limit: capped,
    offset: false,
  };
}

/** The statement that counts the rows of a statement. */
function countOf({ channel }: LoweringContext, { text, slots }: StatementText): StatementText {
  const total = channel?.named ? `count(*) as ${columnAlias(0)}` : 'count(*)';
  return { text: `select ${total} from (${text}) as counted`, slots };
}

/** A compiled statement with one more condition, AND-ed to its own. The alias of the root table is the table's name. */
export function withCondition(
  context: LoweringContext,
  plan: ResolvedPlan,
  { parts }: CompiledStatement,
  kind: 'data' | 'count',
  condition: Sql,
): StatementText {
  const where: Sql = parts.where
    ? ['(', parts.where, ') and (', condition, ')']
    : ['(', condition, ')'];
  const scope = rootScope(planContext(context, plan), plan.model);
  const { statement } = finish(context, scope, { ...parts, where });
  return kind === 'count' && parts.limit !== null ? countOf(context, statement) : statement;
}

/**
 * The scope of a model for a table that an adapter joins itself, under an alias of its own; `null` where the plan has
 * none. It is complete in itself, so that it can be the condition of a join.
 */
export function scopeAt(
  lowering: LoweringContext,
  plan: ResolvedPlan,
  model: string,
  alias: string,
): Sql | null {
  const scope = joinedScope(lowering, plan, model, alias);
  return scopeCondition(scope, scope.root, 'on');
}

/** A relation that an adapter joins itself, and the alias of the rows that have it. */
interface JoinedInclude {
  readonly model: string;
  readonly alias: string;
  readonly projection: ProjectionRelation;
}

/**
 * The condition of an include that an adapter joins itself: the restrictions of its model, its scope, and what a request
 * asks of many rows; of one row where several may be found, that it is the first of them.
 */
export function includeAt(
  lowering: LoweringContext,
  plan: ResolvedPlan,
  from: JoinedInclude,
  alias: string,
): Sql | null {
  const relation = relationOf(modelOf(lowering, from.model), from.projection.path);
  if (relation.cardinality === 'many' || joinsOneRow(lowering, relation)) {
    const parts = [
      restrictionSql(lowering, modelOf(lowering, relation.target), alias),
      scopeAt(lowering, plan, relation.target, alias),
      askedOfJoined(joinedScope(lowering, plan, relation.target, alias), from.projection),
    ].filter((part) => part !== null);
    return parts.length === 0 ? null : join(parts, ' and ');
  }
  const target = { alias, model: modelOf(lowering, relation.target), optional: false };
  const scope = new Scope(planContext(lowering, plan), target, new Aliases(from.alias));
  return firstRow(scope, from.alias, relation, target);
}

/** The order that a request asks for of rows that an adapter joins itself, as terms; empty where it asks for none. */
export const includeOrderAt = (
  lowering: LoweringContext,
  plan: ResolvedPlan,
  projection: ProjectionRelation,
  alias: string,
): readonly Sql[] =>
  orderOfJoined(joinedScope(lowering, plan, projection.node.model, alias), projection);

const joinedScope = (lowering: LoweringContext, plan: ResolvedPlan, model: string, alias: string) =>
  new Scope(
    planContext(lowering, plan),
    { alias, model: modelOf(lowering, model), optional: false },
    new Aliases(alias),
  );

/** The statement of clauses, with another FROM clause up to the root table if one is given. */
function finish(
  context: LoweringContext,
  scope: Scope,
  parts: StatementParts,
  from?: Sql,
): CompiledStatement {
  const { placeholder, numberedPlaceholders } = context.dialect;
  const columns = namedColumns(parts.columns, context.channel);
  const sql = finished(context, scope, { ...parts, columns }, from);
  return { parts, statement: render(sql, placeholder, numberedPlaceholders) };
}

function finished(
  context: LoweringContext,
  scope: Scope,
  parts: StatementParts,
  from: Sql = asRoot(scope, tableSql(context, scope.root.model.physical.table)).from,
): Sql {
  return [
    'select ',
    join(parts.columns, ', '),
    ' from ',
    from,
    joinsSql(context, parts.joins),
    parts.where ? [' where ', parts.where] : '',
    parts.orderBy ? [' order by ', parts.orderBy] : '',
    windowSql(context.dialect, parts),
  ];
}
