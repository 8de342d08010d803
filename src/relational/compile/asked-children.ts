/** Requests for the children of included relations: the values of its conditions, and its conditions and orders as SQL. */

import type { ProjectionNode, ProjectionRelation } from '../../rules/index.ts';
import { keyNames } from './model-context.ts';
import { lowerOrder } from './order/order.ts';
import { conditionValues } from './asked-conditions.ts';
import { lowerPredicate } from './predicate.ts';
import { type PlanContext, type JoinedModel, Scope, joinsSql } from './scope.ts';
import { pairs, tableSql } from './sql-names.ts';
import { type Sql, type StatementInputs, join } from './sql-text.ts';

type Values = StatementInputs['conditions'][number];

/** Adds the values of the conditions on children, parents first; `begin` is told where those of each relation begin. */
function collect(
  { relations }: ProjectionNode,
  into: Values[],
  begin?: (relation: ProjectionRelation, at: number) => void,
): Values[] {
  for (const relation of relations) {
    begin?.(relation, into.length);
    conditionValues(relation.where ?? null, into);
    collect(relation.node, into, begin);
  }
  return into;
}

/** The values of the conditions on children, in the order in which the compiler numbers them. */
export const childrenValues = (projection: ProjectionNode): readonly Values[] =>
  collect(projection, []);

/** The index of the first value of each relation among those of all conditions on children. */
export function childrenOffsets(projection: ProjectionNode): PlanContext['childrenFrom'] {
  const from = new Map<ProjectionRelation, number>();
  collect(projection, [], (relation, at) => from.set(relation, at));
  return from;
}

/** The condition that a request asks of the children, who are the rows of the scope; `null` where it asks for all. */
export function askedCondition(scope: Scope, projection: ProjectionRelation): Sql | null {
  const { where } = projection;
  if (!where) return null;
  const { childrenFrom, dialect } = scope.context;
  const from = childrenFrom.get(projection) ?? 0;
  return lowerPredicate(
    scope,
    where,
    dialect.existential.page,
    undefined,
    (index) =>
      ({ children }) => {
        return children[from + index] as Values;
      },
  );
}

/** The scope of a subquery that reads the row of an alias once more, so that it can have joins of its own. */
function sameRow(scope: Scope, { alias, model }: JoinedModel) {
  const { context, aliases } = scope;
  const inner = new Scope(context, { alias: aliases.next(), model, optional: false }, aliases);
  const keys = keyNames(model);
  const from = (): Sql => [
    ` from ${tableSql(context, model.physical.table)} as ${context.dialect.quote(inner.root.alias)}`,
    joinsSql(context, inner.joins),
    ' where ',
    pairs(context, alias, keys, inner.root.alias, keys),
  ];
  return { inner, from };
}

/** The condition for a join that an adapter writes itself, which cannot have joins of its own. */
export function askedOfJoined(scope: Scope, projection: ProjectionRelation): Sql | null {
  const { inner, from } = sameRow(scope, scope.root);
  const condition = askedCondition(inner, projection);
  return condition && ['exists (select 1', from(), ' and ', condition, ')'];
}

/** The terms of the order that a request asks for, for rows that an adapter joins itself. */
export function orderOfJoined(scope: Scope, { order = [] }: ProjectionRelation): readonly Sql[] {
  return order.map((term) => {
    const { inner, from } = sameRow(scope, scope.root);
    const isOwn = term.target.hops.length === 0;
    return join(
      lowerOrder(isOwn ? scope : inner, [term], false).map((lowered) => {
        const sql: Sql = isOwn ? lowered.sql : ['(select ', lowered.sql, from(), ')'];
        return scope.context.dialect.orderBy(sql, lowered, lowered.nullable);
      }),
      ', ',
    );
  });
}
