/** Checks the result of a host's `transformPlan`, which may add predicates and narrow the projection. */

import { QueryError, configurationError } from '../../schema/index.ts';
import type { CompiledQueryRules } from '../declare/compiled.ts';
import { operatorObstacle } from '../declare/field-capability.ts';
import { operators } from '../declare/operators.ts';
import { pathTarget } from '../declare/path-target.ts';
import { conjunction } from './plan-query.ts';
import type {
  ConditionPredicate,
  PlanValue,
  Predicate,
  ProjectionNode,
  QueryPlan,
  ResolvedCondition,
  ResolvedPlan,
  ResolvedPredicate,
} from './plan.ts';
import { condition } from './resolve-filters.ts';

/**
 * A host's hook between validation and the source: returns the plan, or a copy with added predicates or a narrower
 * projection.
 */
export type TransformPlan = (plan: QueryPlan) => QueryPlan;

/**
 * Runs the hook and checks its result. Its predicates are AND-ed at the root: a result that dropped or
 * widened the client's predicate still answers within it.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when model, order, page or count are changed, the projection
 * is widened, a path is unknown or a value does not fit its kind; OPERATOR_TYPE_MISMATCH when an operator cannot serve
 * its field. Both have status 500: they are mistakes of the host.
 */
export function transformedPlan(
  plan: ResolvedPlan,
  rules: CompiledQueryRules,
  transform: TransformPlan,
): ResolvedPlan {
  const result = transform(plan);
  if (result === plan) return plan;
  for (const key of ['model', 'order', 'page', 'count'] as const) {
    if (result?.[key] === plan[key]) continue;
    throw configurationError(
      `transformPlan changed "${key}"; it may add predicates and narrow the projection.`,
      { key },
    );
  }
  for (const key of Object.keys(result)) {
    if (key in plan) continue;
    throw configurationError(`transformPlan returned a plan with the unknown key "${key}".`, {
      key,
    });
  }
  checkNarrowed(plan.projection, result.projection);
  const added = result.where ? addedTo(plan.where, result.where) : [];
  const checked = added.map((predicate) => resolvePredicate(rules, predicate));
  const predicates = plan.where ? [plan.where, ...checked] : checked;
  return Object.freeze({
    ...plan,
    projection: freezeProjection(plan.projection, result.projection),
    where: conjunction(predicates),
  });
}

/** The host's part of a conjunction that contains the client's predicate; the whole result where it does not. */
function addedTo(client: Predicate | null, result: Predicate): readonly Predicate[] {
  if (result === client) return [];
  if (client === null || result.type !== 'and' || !Array.isArray(result.predicates))
    return [result];
  if (!result.predicates.includes(client)) return [result];
  return result.predicates.filter((predicate) => predicate !== client);
}

/**
 * Resolves and checks a predicate that a host or an adapter has written.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when a path is unknown or a value does not fit its kind;
 * OPERATOR_TYPE_MISMATCH when an operator cannot serve its field.
 */
export function resolvePredicate(
  rules: CompiledQueryRules,
  predicate: Predicate,
): ResolvedPredicate {
  if (predicate?.type !== 'condition') {
    const tree = predicate?.type === 'and' || predicate?.type === 'or';
    if (!tree || !Array.isArray(predicate.predicates)) {
      throw configurationError('transformPlan added a predicate that is not and, or or condition.');
    }
    const predicates = predicate.predicates.map((member) => resolvePredicate(rules, member));
    return Object.freeze({ type: predicate.type, predicates: Object.freeze(predicates) });
  }
  return checkCondition(rules, predicate);
}

function checkCondition(
  rules: CompiledQueryRules,
  { path, operator, value }: ConditionPredicate,
): ResolvedCondition {
  const found = pathTarget(rules, String(path));
  const row = operators.get(operator);
  if (!found || !row) {
    throw configurationError(
      `transformPlan added a condition on "${path}" that ${rules.model} cannot take; name a declared path and operator.`,
      { path },
    );
  }
  const { target } = found;
  const obstacle = target.field
    ? operatorObstacle(row, target.field, rules.families)
    : row.comparison === 'null'
      ? null
      : 'a relation takes only isNull.';
  if (obstacle) {
    throw new QueryError('OPERATOR_TYPE_MISMATCH', `transformPlan on "${path}": ${obstacle}`, {
      path,
      operator,
    });
  }
  const limits = { ...rules.limits, maxListLength: Number.MAX_SAFE_INTEGER };
  try {
    return condition(found, row, asTexts(value), limits);
  } catch (error) {
    if (!(error instanceof QueryError) || error.code !== 'FILTER_VALUE_INVALID') throw error;
    throw configurationError(`transformPlan on "${path}" with "${operator}": ${error.message}`, {
      path,
    });
  }
}

const isAbsent = (value: unknown): boolean => value === null || value === undefined;

function asTexts(value: PlanValue | readonly PlanValue[]): string | readonly string[] | null {
  if (Array.isArray(value)) return value.some(isAbsent) ? null : value.map(String);
  return isAbsent(value) ? null : String(value);
}

function checkNarrowed(before: ProjectionNode, after: ProjectionNode) {
  const wider =
    after.model !== before.model || after.fields.some((field) => !before.fields.includes(field));
  if (wider)
    throw configurationError('transformPlan widened the projection; it may only narrow it.');
  const left = new Map(before.relations.map((relation) => [relation.path, relation]));
  for (const { path, cardinality, node } of after.relations) {
    const same = left.get(path);
    if (same?.cardinality !== cardinality) {
      throw configurationError('transformPlan added a relation to the projection.', { path });
    }
    left.delete(path);
    checkNarrowed(same.node, node);
  }
}

/** The host may have frozen the node but not its members, so only the client's own node is reused. */
function freezeProjection(before: ProjectionNode, node: ProjectionNode): ProjectionNode {
  if (node === before) return before;
  return Object.freeze({
    model: node.model,
    fields: Object.freeze([...node.fields]),
    relations: Object.freeze(
      node.relations.map(({ path, cardinality, node: after }) => {
        const same = before.relations.find((relation) => relation.path === path);
        const frozen = same ? freezeProjection(same.node, after) : after;
        return Object.freeze({ path, cardinality, node: frozen });
      }),
    ),
  });
}
