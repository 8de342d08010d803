/** Conditions on the key of a related row, where an enforced foreign key keeps the same value in the row that refers to it. */

import {
  type ResolvedCondition,
  type ResolvedPlan,
  type ResolvedPredicate,
  isAggregate,
  resolvedCondition,
  withMembers,
} from '../../rules/index.ts';
import { type FieldDescriptor, type FieldKind, fieldNamed } from '../../schema/index.ts';
import { type ModelContext, columnOf, modelOf, relationOf } from './model-context.ts';
import type { PhysicalColumn } from './physical.ts';
import type { PlanContext } from './scope.ts';

/** Kinds whose values are compared alike in every column of the kind. */
const comparedAlike = new Set<FieldKind>(['integer', 'bigint', 'uuid']);

const isAlike = (one: PhysicalColumn, other: PhysicalColumn): boolean =>
  comparedAlike.has(one.kind) &&
  one.kind === other.kind &&
  one.storage === other.storage &&
  !one.codec &&
  !other.codec;

/** The field of a model that has the column, if its values are those of the key. */
function fieldOf(
  { schema, physical }: ModelContext,
  name: string | undefined,
  key: PhysicalColumn,
): FieldDescriptor | undefined {
  for (const column of physical.columns.values()) {
    if (column.name === name && isAlike(column, key)) return fieldNamed(schema, column.path);
  }
  return undefined;
}

function onOwnKey(context: PlanContext, root: string, condition: ResolvedCondition) {
  const { target, row, value } = condition;
  const { hops, field } = target;
  const last = hops.at(-1);
  if (!last || last.cardinality === 'many' || last.nullable || !field || isAggregate(field)) {
    return condition;
  }
  const crossed = hops.slice(0, -1);
  let model = modelOf(context, root);
  for (const { path } of crossed) model = modelOf(context, relationOf(model, path).target);
  const relation = relationOf(model, last.path);
  const found = { model: modelOf(context, relation.target), optional: false };
  const [hop] = relation.hops;
  if (!hop || !context.isSure(relation, found)) return condition;
  const key = columnOf(found.model, field.path);
  const own = fieldOf(model, hop.from[hop.to.indexOf(key.name)], key);
  if (!own) return condition;
  const path = [...crossed.map((crossing) => crossing.path), own.path].join('.');
  const crossesMany = crossed.some(({ cardinality }) => cardinality === 'many');
  const { schema } = model;
  return resolvedCondition(
    { path, hops: crossed, model: schema.model, field: own, relation: null, crossesMany },
    row,
    value,
  );
}

/** The plan with such conditions on the rows that refer to the key, so that no join is needed for them. */
export function withOwnKeys(context: PlanContext, plan: ResolvedPlan): ResolvedPlan {
  const walk = (node: ResolvedPredicate, model: string): ResolvedPredicate => {
    if (node.type === 'condition') return onOwnKey(context, model, node);
    const from = 'target' in node ? (node.target.relation?.target ?? model) : model;
    return withMembers(
      node,
      node.predicates.map((member) => walk(member, from)),
    );
  };
  return plan.where ? { ...plan, where: walk(plan.where, plan.model) } : plan;
}
