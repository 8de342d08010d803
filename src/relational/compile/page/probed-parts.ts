/**
 * A page with conditions through relations, or on columns that its order does not begin with, where the planner of the
 * family does not weigh its limit: one part reads it from the rows that meet such a condition, another along its order. Probes, which count these rows up to a number, choose
 * the part that is run.
 */

import {
  type ResolvedCondition,
  type ResolvedPlan,
  type ResolvedPredicate,
  aggregateOf,
} from '../../../rules/index.ts';
import { fieldCondition } from '../condition.ts';
import { type ModelContext, columnOf, isStored, modelOf, relationOf } from '../model-context.ts';
import type { PhysicalHop } from '../physical.ts';
import { isMany, isSelective, requiredConditions } from '../asked-conditions.ts';
import { lowerCondition, lowerPredicate, lowerTree, through } from '../predicate.ts';
import { type JoinedModel, type PlanContext, Scope, joinsSql } from '../scope.ts';
import { keySql, tableSql } from '../sql-names.ts';
import { type Sql, type StatementInputs, join } from '../sql-text.ts';
import { anyOfFirst, firstRows, isOwnOrder } from './first-rows.ts';
import { rowsOfRoot } from './page-conditions.ts';
import { selectPart } from './select-part.ts';
import { type PageWindow, isDeep } from './window.ts';

/** Rows that meet a condition through a relation, up to which a page is read from them. */
const fewRows = 1000;

/**
 * The same of related rows with a text that no index finds: a probe reads their table as far as it finds so many, which is
 * to take no longer than the page along its order.
 */
const fewPatternRows = 300;

/** Of the rows before a page deep in a list: as many that meet a condition are sorted in less time than the walk takes. */
const deepFactor = 2;

/** A condition with its place in the tree. */
export interface Placed {
  readonly condition: ResolvedCondition;
  readonly index: number;
  /** The conditions behind it in a search, of which a row meets one. Default: it is not of a search. */
  readonly others?: readonly ResolvedCondition[];
}

/**
 * Whether an index on the column of a condition on the rows themselves has another order than the page. An index on one
 * value ends with the key, and a planner that knows of no other condition reads it where that is so.
 */
function isAcross(
  { target, row, value }: ResolvedCondition,
  order: ResolvedPlan['order'],
  key: string,
  isAlone: boolean,
): boolean {
  const [first] = order;
  if (!first || target.field?.path === first.path) return false;
  if (row.comparison === 'pattern') return first.path !== key && row.place !== 'start';
  const isOneValue = row.comparison === 'equality' || (row.comparison === 'null' && value === true);
  return !(isOneValue && isAlone && first.path === key);
}

/** The conditions of a request on each of its rows, which an index may serve. */
function probedConditions(
  context: PlanContext,
  model: ModelContext,
  where: ResolvedPredicate,
  order: ResolvedPlan['order'],
  isWalked: boolean,
): readonly Placed[] {
  if (!context.dialect.probes || context.keepsApart || isSelective(where)) return [];
  const placed: Placed[] = [];
  let index = -1;
  const walk = (node: ResolvedPredicate, isAnded: boolean): void => {
    if (node.type === 'condition') {
      index += 1;
      if (isAnded && isProbed(node)) placed.push({ condition: node, index });
      return;
    }
    if (isAnded && isSearch(node)) {
      const [condition, ...others] = node.predicates;
      placed.push({ condition, index: index + 1, others });
    }
    for (const member of node.predicates) walk(member, isAnded && node.type === 'and');
  };
  const [key = ''] = model.schema.primaryKey;
  const isAlone = requiredConditions(where).length === 1;
  const isOfAll = context.dialect.probes.own.of === 'all';
  const isSearch = (node: ResolvedPredicate): node is Search =>
    node.type === 'or' &&
    node.predicates.length > 0 &&
    node.predicates.every(
      (each) =>
        each.type === 'condition' &&
        each.row.comparison === 'pattern' &&
        each.target.hops.length === 0 &&
        isProbed(each),
    );
  const isProbed = (condition: ResolvedCondition): boolean => {
    const { target, row, value } = condition;
    const { hops, field, relation: end } = target;
    const [first] = hops;
    if (end && !first && end.cardinality === 'many') {
      // Along the key, rows that lack related ones are told in the order of both tables.
      const isAlong = value === false ? isOfAll : !isWalked || order[0]?.path === key;
      return !isAlong && relationOf(model, end.path).hops.length > 0;
    }
    if (!field || aggregateOf(field) || ('negated' in row && row.negated)) return false;
    if (row.need === 'array') return false;
    const isPattern = row.comparison === 'pattern';
    if (!first) {
      const isPresence = row.comparison === 'null' && value !== true;
      return (
        !isPresence &&
        isAcross(condition, order, key, isAlone) &&
        isStored(columnOf(model, field.path))
      );
    }
    if (row.comparison === 'null' || (isPattern && !isOfAll)) return false;
    // Rows without an order are joined from those that meet the condition, however many they are.
    if (order.length === 0 && !isMany(first)) return false;
    const relation = relationOf(model, first.path);
    return relation.hops.length > 0 && (isMany(first) || context.joinsOneRow(relation));
  };
  walk(where, true);
  const isOwn = ({ condition: { target } }: Placed): boolean =>
    target.hops.length === 0 && !target.relation;
  const kept = isOfAll || placed.some(isOwnText) ? placed : placed.filter((one) => !isOwn(one));
  // A text is looked for in the whole table, which is spared where another condition is met by few rows.
  return [...kept.filter((one) => !isPatterned(one)), ...kept.filter(isPatterned)];
}

const isPatterned = ({ condition }: Placed): boolean => condition.row.comparison === 'pattern';

const isOwnText = (placed: Placed): boolean =>
  isPatterned(placed) && placed.condition.target.hops.length === 0;

/** Name of the table with the keys of few rows, which hides one of a host that has this name. */
export const foundTable = 'sluice found';

/** A search, which is met by a text in any of its fields. */
interface Search extends Extract<ResolvedPredicate, { readonly type: 'or' }> {
  readonly predicates: readonly [ResolvedCondition, ...ResolvedCondition[]];
}

/** The condition of the request in each part, and the SQL that is true where the first of them is run. */
export interface ProbedParts {
  /** A WITH clause of the keys of few rows, and of one more; `null` where the first part looks for its rows itself. */
  readonly found: Sql | null;
  readonly isFew: Sql;
  readonly few: (scope: Scope) => Sql;
  readonly walked: (scope: Scope) => Sql;
}

/** The parts of a plan; `null` where its page is read in one form. `window` is that of a walk which one index may serve. */
export function probedParts(
  scope: Scope,
  plan: ResolvedPlan,
  window: PageWindow | null,
): ProbedParts | null {
  const { where, order } = plan;
  const { context, root } = scope;
  const { probes } = context.dialect;
  const { apartForm } = context;
  if (!where || !probes) return null;
  const walk = isOwnOrder(context, plan) ? window : null;
  // Another condition, or a scope, may leave few rows.
  const isAlone = where.type === 'condition' && !context.scopes?.[root.model.schema.model];
  const isWalked = walk !== null && isAlone && !isDeep(plan);
  const placed = probedConditions(context, root.model, where, order, isWalked);
  if (placed.length === 0) return null;
  const isPlaced = new Set(placed.flatMap(({ index, others }) => (others ? [] : [index])));
  const walked = (inner: Scope): Sql => {
    const forms = { form: probes.walked, emptiness: apartForm };
    return lowerTree(inner, inner.root, where, forms, (place, condition, index) => {
      const { at, from, isOptional } = place;
      const isWithin = at !== inner;
      const lowered = { condition, value: valueAt(index), ...place.forms, isWithin, isOptional };
      const [first] = condition.target.hops;
      if (!isPlaced.has(index)) return lowerCondition(at, from, lowered, 0);
      if (condition.target.relation) {
        return lowerCondition(inner, inner.root, { ...lowered, emptiness: probes.walked }, 0);
      }
      if (!first) {
        const sql = lowerCondition(inner, inner.root, lowered, 0);
        return probes.own.met(sql, condition.row.comparison === 'membership');
      }
      return through(inner, inner.root, first.path, probes.walked, (subScope, target) =>
        lowerCondition(subScope, target, lowered, 1),
      );
    });
  };
  const table = context.dialect.quote(foundTable);
  const { few, named } = probes.own;
  const [only] = placed;
  const isKept = only && placed.length === 1 && isOwnText(only) && !isDeep(plan);
  const kept: Sql | null = isKept ? [matching(scope, only, true), ` limit ${few + 1}`] : null;
  const isLacking = only?.condition.target.relation && only.condition.value === true;
  const lacking = isLacking && walk ? anyOfFirst(context, plan, walk, walked) : null;
  const isLimited = walk && !lacking && probes.gate === 'limit';
  const first = isLimited ? firstRows(context, plan, walk, walked) : null;
  const counted = placed.map((one) =>
    kept
      ? `(select 1 from ${table} limit 1 offset ${few})`
      : (lacking ?? probe(scope, one, plan, few, first?.passed)),
  );
  const isScoped = placed.some(isPatterned) && context.scopes?.[root.model.schema.model];
  return {
    found: kept && named(table, kept),
    isFew: [
      isScoped ? [scopeProbe(scope, few), ' is not null and '] : '',
      first?.filled ? [first.filled, ' is null and '] : '',
      '(',
      join(
        counted.map((sql) => [sql, ' is null']),
        ' or ',
      ),
      ')',
    ],
    few: (inner) => lowerPredicate(inner, where, probes.few),
    walked,
  };
}

const valueAt =
  (index: number) =>
  ({ conditions }: StatementInputs) =>
    conditions[index] as ResolvedCondition['value'];

/** Null where the scope of a request has few rows: a text is then looked for in these, and not in the whole table. */
function scopeProbe({ context, root, aliases }: Scope, few: number): Sql {
  const scope = new Scope(context, { ...root, alias: aliases.next() }, aliases);
  const rows = rowsOfRoot(scope);
  return ['(', selectPart(scope, rows ? [rows] : [], ` limit 1 offset ${few}`, ['1']), ')'];
}

/**
 * Null unless more than a few rows meet a condition; deep in a list, unless these are several times those before the page,
 * because the walk passes as many as do not meet it beside each of them.
 */
function probe(
  scope: Scope,
  placed: Placed,
  plan: ResolvedPlan,
  fewOwn: number,
  passed?: Sql,
): Sql {
  const { target, row } = placed.condition;
  const [first] = target.hops;
  const isSought = row.comparison === 'pattern' && first && isMany(first);
  const ownOrRelated = first || target.relation ? fewRows : fewOwn;
  const few = isSought ? fewPatternRows : ownOrRelated;
  const weighed: Sql | undefined = passed
    ? [`${few} + `, passed]
    : { read: ({ offset }) => few + deepFactor * offset };
  const upTo = isDeep(plan) && plan.order.length > 0 ? weighed : String(few);
  return ['(', matching(scope, placed), ' limit 1 offset ', upTo, ')'];
}

/**
 * Selects the rows that meet a condition, or the keys of those of the root. Conditions on the rows of its models are left out,
 * because no index may serve them together with it.
 */
export function matching(
  { context, root, aliases }: Scope,
  { condition, index, others = [] }: Placed,
  isOfKeys = false,
): Sql {
  const { hops, field, relation: end } = condition.target;
  const [first] = hops;
  if (end) {
    const [{ table }] = relationOf(root.model, end.path).hops as readonly [PhysicalHop];
    return `select 1 from ${tableSql(context, table)} as ${context.dialect.quote(aliases.next())}`;
  }
  if (!field) throw new TypeError(`"${condition.path}" is not a field.`);
  const tables = first ? relationOf(root.model, first.path).hops : [];
  // Each row at the end of a many relation has its row of the root.
  const isFromMany = first !== undefined && isMany(first);
  const start = isFromMany ? (tables[0] as PhysicalHop).table : root.model.physical.table;
  const alias = aliases.next();
  const scope = new Scope(context, { ...root, alias }, aliases);
  let joined: JoinedModel = scope.root;
  for (const [step, { path }] of hops.entries()) {
    const relation = relationOf(joined.model, path);
    const isStart = step === 0 && isFromMany;
    let end = joined.alias;
    for (const hop of isStart ? relation.hops.slice(1) : relation.hops) {
      end = scope.attach(end, hop, 'inner');
    }
    joined = { alias: end, model: modelOf(context, relation.target), optional: false };
  }
  const met = [condition, ...others].map((each, at) =>
    fieldCondition(scope, joined, each, each.target.field ?? field, valueAt(index + at)),
  );
  const columns = isOfKeys ? keySql(context, scope.root).join() : '1';
  return [
    `select ${columns} from ${tableSql(context, start)} as ${context.dialect.quote(alias)}`,
    joinsSql(context, scope.joins),
    ' where ',
    met.length > 1 ? ['(', join(met, ' or '), ')'] : met,
  ];
}
