/** A predicate tree to SQL: `one` relations by joins, anything through a `many` relation by a subquery. */

import type { ConditionPredicate, Predicate } from '../../rules/index.ts';
import type { FieldKind, QuerySchema, RelationDescriptor } from '../../schema/index.ts';
import { fieldCondition } from './condition.ts';
import type { ExistentialForm } from './dialect.ts';
import { type ModelContext, modelOf, relationOf } from './model-context.ts';
import type { PhysicalHop } from './physical.ts';
import { restrictionSql } from './restriction.ts';
import { type Place, Scope, joinsSql } from './scope.ts';
import { columnSql, pairs, tableSql } from './sql-names.ts';
import { type Sql, join } from './sql-text.ts';

/** The condition values of a predicate in the order of its tree, which is the order lowering numbers them. */
export function conditionValues(
  predicate: Predicate | null,
  into: ConditionPredicate['value'][],
): ConditionPredicate['value'][] {
  if (predicate === null) return into;
  if (predicate.type === 'condition') into.push(predicate.value);
  else for (const member of predicate.predicates) conditionValues(member, into);
  return into;
}

/** SQL of the predicate in a statement whose `many` conditions take the given form. */
export function lowerPredicate(scope: Scope, predicate: Predicate, form: ExistentialForm): Sql {
  let index = -1;
  const lower = (node: Predicate): Sql => {
    if (node.type === 'condition') {
      index += 1;
      return lowerCondition(scope, scope.root, node, node.path.split('.'), index, form);
    }
    if (node.predicates.length === 0) return node.type === 'and' ? '1 = 1' : '1 = 0';
    return ['(', join(node.predicates.map(lower), node.type === 'and' ? ' and ' : ' or '), ')'];
  };
  return lower(predicate);
}

function lowerCondition(
  scope: Scope,
  from: Place,
  condition: ConditionPredicate,
  segments: readonly string[],
  index: number,
  form: ExistentialForm,
): Sql {
  const last = segments.length - 1;
  let place = from;
  for (const [at, segment] of segments.entries()) {
    const relation = place.model.schema.relations.find((candidate) => candidate.path === segment);
    if (at === last) {
      return relation
        ? emptiness(scope, place, segment, condition.value === true)
        : fieldCondition(scope, place, condition, segment, index);
    }
    const rest = segments.slice(at + 1);
    // A set of keys is best taken from the root itself: then its index serves the count.
    const asSet =
      form === 'in' &&
      relation !== undefined &&
      meetsMany(scope, relation.target, rest) &&
      relationOf(place.model, segment).hops.length > 0;
    if (relation?.cardinality === 'many' || asSet) {
      return through(scope, place, segment, form, (inner, target) =>
        lowerCondition(inner, target, condition, rest, index, form),
      );
    }
    place = scope.follow(place, segment);
  }
  throw new TypeError('A path has at least one segment.');
}

/** Whether the path from a model crosses a `many` relation before its last segment. */
function meetsMany(scope: Scope, model: string, segments: readonly string[]): boolean {
  let schema = scope.context.registry.get(model);
  for (const segment of segments.slice(0, -1)) {
    const relation = schema?.relations.find((candidate) => candidate.path === segment);
    if (relation?.cardinality === 'many') return true;
    schema = relation && scope.context.registry.get(relation.target);
  }
  return false;
}

/** Whether nothing (or something) is at the end of the relation. */
function emptiness(scope: Scope, place: Place, path: string, empty: boolean): Sql {
  // What is part of the row is always there.
  if (relationOf(place.model, path).hops.length === 0) return empty ? '1 = 0' : '1 = 1';
  const exists = through(scope, place, path, 'exists', () => null);
  return empty ? ['not ', exists] : exists;
}

/** A test that a row at the end of the relation satisfies the inner condition. */
function through(
  scope: Scope,
  place: Place,
  path: string,
  form: ExistentialForm,
  inner: (scope: Scope, target: Place) => Sql | null,
): Sql {
  const { context, aliases } = scope;
  const { dialect } = context;
  const relation = relationOf(place.model, path);
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
    const outer = first.from.map((column) => columnSql(context, place.alias, column));
    const keys = first.to.map((column) => columnSql(context, alias, column)).join(', ');
    const left = outer.length === 1 ? outer.join() : `(${outer.join(', ')})`;
    return [`${left} in (select ${keys}`, fromSql, ' where ', condition, ')'];
  }
  const correlation = pairs(context, place.alias, first.from, alias, first.to);
  const where: Sql = condition ? [correlation, ' and ', condition] : correlation;
  return form === 'scalar'
    ? ['(select 1', fromSql, ' where ', where, ' limit 1) is not null']
    : ['exists (select 1', fromSql, ' where ', where, ')'];
}

const keyLike = new Set<FieldKind>(['integer', 'bigint', 'uuid']);

/** Whether the predicate asks for one value of a number or key of the root, or of a `one` relation of it. */
export function leavesFew(scope: Scope, predicate: Predicate): boolean {
  if (predicate.type === 'and')
    return predicate.predicates.some((member) => leavesFew(scope, member));
  if (predicate.type === 'or') return false;
  if (predicate.operator !== 'eq' && predicate.operator !== 'in') return false;
  const segments = predicate.path.split('.');
  const last = segments.pop();
  let schema: QuerySchema | undefined = scope.root.model.schema;
  for (const segment of segments) {
    const relation: RelationDescriptor | undefined = schema?.relations.find(
      (candidate) => candidate.path === segment,
    );
    if (relation?.cardinality !== 'one') return false;
    schema = scope.context.registry.get(relation.target);
  }
  const field = schema?.fields.find((candidate) => candidate.path === last);
  return field !== undefined && keyLike.has(field.kind);
}
