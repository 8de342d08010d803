/**
 * Rewrites patterns on enums as lists of the matching members, so that neither database nor client has to search, and
 * that a pattern is looked for in the names of the client where the database has others.
 */

import {
  type PlanScopes,
  type ProjectionNode,
  type ResolvedCondition,
  type ResolvedPlan,
  type ResolvedPredicate,
  operatorRow,
  resolvedCondition,
  withMembers,
} from '../../../rules/index.ts';
import { foldText } from '../../../schema/index.ts';

/** The plan with patterns on enums written as `in`, except for those that a folded companion answers. */
export function withoutEnumPatterns(plan: ResolvedPlan): ResolvedPlan {
  const where = plan.where && rewritten(plan.where);
  const scopes = plan.scopes && rewrittenScopes(plan.scopes);
  const projection = rewrittenChildren(plan.projection);
  if (where === plan.where && scopes === plan.scopes && projection === plan.projection) return plan;
  return { ...plan, where, projection, ...(scopes && { scopes }) };
}

function rewrittenChildren(node: ProjectionNode): ProjectionNode {
  const relations = node.relations.map((relation) => {
    const inner = rewrittenChildren(relation.node);
    const where = relation.where && rewritten(relation.where);
    const isSame = inner === relation.node && where === relation.where;
    return isSame ? relation : { ...relation, node: inner, ...(where && { where }) };
  });
  const isSame = relations.every((relation, at) => relation === node.relations[at]);
  return isSame ? node : { ...node, relations };
}

function rewrittenScopes(scopes: PlanScopes<ResolvedCondition>): PlanScopes<ResolvedCondition> {
  const entries = Object.entries(scopes).map(
    ([model, scope]) => [model, scope && rewritten(scope)] as const,
  );
  const same = entries.every(([model, scope]) => scope === scopes[model]);
  return same ? scopes : Object.fromEntries(entries);
}

function rewritten(predicate: ResolvedPredicate): ResolvedPredicate {
  if (predicate.type === 'condition') return withoutPattern(predicate);
  const predicates = predicate.predicates.map(rewritten);
  const same = predicates.every((member, index) => member === predicate.predicates[index]);
  return same ? predicate : withMembers(predicate, predicates);
}

/** How a member is tested at each place of a pattern. */
const tests = { anywhere: 'includes', start: 'startsWith', end: 'endsWith' } as const;

function withoutPattern(condition: ResolvedCondition): ResolvedCondition {
  const { target, row, value } = condition;
  const { field } = target;
  if (row.comparison !== 'pattern' || !field?.enumValues) return condition;
  const folds = row.need === 'foldedText';
  if (folds && field.foldedField !== undefined) return condition;
  const form = folds ? foldText : (text: string) => text;
  const term = form(String(value));
  const test = tests[row.place];
  const matching = field.enumValues.filter((member) => form(member)[test](term) !== row.negated);
  return resolvedCondition(target, operatorRow('in'), matching);
}
