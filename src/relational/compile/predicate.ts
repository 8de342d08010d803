/** Compiles a predicate tree to SQL: `one` relations become joins, conditions through a `many` relation subqueries. */

import type {
  ConditionPredicate,
  Predicate,
  ResolvedCondition,
  ResolvedPredicate,
} from '../../rules/index.ts';
import type { FieldKind, RelationDescriptor } from '../../schema/index.ts';
import { fieldCondition } from './condition.ts';
import type { Dialect, ExistentialForm } from './dialect.ts';
import { type ModelContext, modelOf, relationOf } from './model-context.ts';
import type { PhysicalHop } from './physical.ts';
import { restrictionSql } from './restriction.ts';
import { type JoinedModel, Scope, joinsSql } from './scope.ts';
import { columnSql, pairs, tableSql } from './sql-names.ts';
import { type Sql, join } from './sql-text.ts';

/** The condition values of a predicate in the order of its tree, in which the compiler numbers them. */
export function conditionValues(
  predicate: Predicate | null,
  into: ConditionPredicate['value'][],
): ConditionPredicate['value'][] {
  if (predicate === null) return into;
  if (predicate.type === 'condition') into.push(predicate.value);
  else for (const member of predicate.predicates) conditionValues(member, into);
  return into;
}

/** SQL of the predicate, with the given form for conditions through `many` relations. */
export function lowerPredicate(
  scope: Scope,
  predicate: ResolvedPredicate,
  usualForm: ExistentialForm,
): Sql {
  const stays = exceedsSemijoins(scope.context.dialect, predicate);
  const form = stays ? 'scalar' : usualForm;
  const emptiness = stays ? 'scalar' : 'exists';
  let index = -1;
  const lower = (node: ResolvedPredicate): Sql => {
    if (node.type === 'condition') {
      index += 1;
      return lowerCondition(scope, scope.root, { condition: node, index, form, emptiness }, 0);
    }
    if (node.predicates.length === 0) return node.type === 'and' ? '1 = 1' : '1 = 0';
    return ['(', join(node.predicates.map(lower), node.type === 'and' ? ' and ' : ' or '), ')'];
  };
  return lower(predicate);
}

/** A condition that is being compiled. */
interface Lowered {
  readonly condition: ResolvedCondition;
  /** Position of its value among the conditions. */
  readonly index: number;
  readonly form: ExistentialForm;
  /** The form of a test that a relation is empty or not. */
  readonly emptiness: ExistentialForm;
}

/** Compiles the rest of a condition from a joined model; the relations before index `at` are already crossed. */
function lowerCondition(scope: Scope, from: JoinedModel, lowered: Lowered, at: number): Sql {
  const { condition, index, form } = lowered;
  const { hops, field, relation } = condition.target;
  let joined = from;
  for (const [step, hop] of hops.entries()) {
    if (step < at) continue;
    // The subquery with `in` starts at the root, so that the root's index serves the count.
    const asSet =
      form === 'in' &&
      hops.slice(step + 1).some(isMany) &&
      relationOf(joined.model, hop.path).hops.length > 0;
    if (isMany(hop) || asSet) {
      return through(scope, joined, hop.path, form, (inner, target) =>
        lowerCondition(inner, target, lowered, step + 1),
      );
    }
    joined = scope.follow(joined, hop);
  }
  if (relation)
    return emptiness(scope, joined, relation.path, condition.value === true, lowered.emptiness);
  if (!field) throw new TypeError(`"${condition.path}" is neither a field nor a relation.`);
  return fieldCondition(scope, joined, condition, field, index);
}

const isMany = ({ cardinality }: RelationDescriptor): boolean => cardinality === 'many';

/** Tests that a relation has no row, or has one. */
function emptiness(
  scope: Scope,
  joined: JoinedModel,
  path: string,
  empty: boolean,
  form: ExistentialForm,
): Sql {
  // An embedded target is stored in the same row, so it always exists.
  if (relationOf(joined.model, path).hops.length === 0) return empty ? '1 = 0' : '1 = 1';
  const exists = through(scope, joined, path, form, () => null);
  if (!empty) return exists;
  // MySQL's mode HIGH_NOT_PRECEDENCE binds NOT before IS.
  return form === 'scalar' ? ['not (', exists, ')'] : ['not ', exists];
}

/** Tests that a row at the end of the relation satisfies the inner condition. */
function through(
  scope: Scope,
  joined: JoinedModel,
  path: string,
  form: ExistentialForm,
  inner: (scope: Scope, target: JoinedModel) => Sql | null,
): Sql {
  const { context, aliases } = scope;
  const { dialect } = context;
  const relation = relationOf(joined.model, path);
  const [first, ...rest] = relation.hops as readonly [PhysicalHop, ...PhysicalHop[]];
  const alias = aliases.next();
  const target: ModelContext = modelOf(context, relation.target);
  const subScope = new Scope(context, { alias, model: target, optional: false }, aliases);
  let end = alias;
  for (const hop of rest) end = subScope.attach(end, hop, 'inner');
  const conditions = [
    inner(subScope, { alias: end, model: target, optional: false }),
    restrictionSql(context, target, end),
  ].filter((part) => part !== null);
  const condition = conditions.length === 0 ? null : join(conditions, ' and ');
  const fromSql: Sql = [
    ` from ${tableSql(context, first.table)} as ${dialect.quote(alias)}`,
    joinsSql(context, subScope.joins),
  ];
  if (form === 'in' && condition) {
    const outer = first.from.map((column) => columnSql(context, joined.alias, column));
    const keys = first.to.map((column) => columnSql(context, alias, column)).join(', ');
    const left = outer.length === 1 ? outer.join() : `(${outer.join(', ')})`;
    return [`${left} in (select ${keys}`, fromSql, ' where ', condition, ')'];
  }
  const correlation = pairs(context, joined.alias, first.from, alias, first.to);
  const where: Sql = condition ? [correlation, ' and ', condition] : correlation;
  return form === 'scalar'
    ? ['(select 1', fromSql, ' where ', where, ' limit 1) is not null']
    : ['exists (select 1', fromSql, ' where ', where, ')'];
}

/** Whether the predicate has more subqueries than the family's planner can order as joins in bounded time. */
export function exceedsSemijoins(
  { maxSemijoinRelations }: Dialect,
  predicate: ResolvedPredicate,
): boolean {
  return relationsInSubqueries(predicate) > maxSemijoinRelations;
}

/** The number of relations that the subqueries of a predicate cross. */
function relationsInSubqueries(predicate: ResolvedPredicate): number {
  if (predicate.type !== 'condition') {
    return predicate.predicates.reduce((sum, member) => sum + relationsInSubqueries(member), 0);
  }
  const { hops, relation } = predicate.target;
  const crossed = relation ? [...hops, relation] : hops;
  const first = relation ? 0 : crossed.findIndex(isMany);
  return first < 0 ? 0 : crossed.length - first;
}

const keyLike = new Set<FieldKind>(['integer', 'bigint', 'uuid']);

/**
 * Whether the predicate requires an integer or UUID field of the root, or of a `one` relation, to equal a value or to be
 * in a list.
 */
export function isSelective(predicate: ResolvedPredicate): boolean {
  switch (predicate.type) {
    case 'and':
      return predicate.predicates.some(isSelective);
    case 'or':
      return false;
    case 'condition': {
      const { row, target } = predicate;
      const picks =
        (row.comparison === 'equality' || row.comparison === 'membership') && !row.negated;
      const { field, hops } = target;
      return picks && field !== null && keyLike.has(field.kind) && !hops.some(isMany);
    }
  }
}
