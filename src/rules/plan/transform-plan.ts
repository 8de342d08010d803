/** Checks the result of a host's `transformPlan`, which may add predicates and narrow the projection. */

import { configurationError } from '../../schema/index.ts';
import type { CompiledQueryRules } from '../declare/compiled.ts';
import { conjunction } from './plan-query.ts';
import type { Predicate, ProjectionNode, QueryPlan, ResolvedPlan } from './plan.ts';
import { resolvePredicate } from './resolve-predicate.ts';
import { extendedScopes } from './scopes.ts';

/**
 * A host's hook between validation and the source: returns the plan, or a copy with added predicates or a narrower
 * projection.
 */
export type TransformPlan = (plan: QueryPlan) => QueryPlan;

/**
 * Runs the hook and checks its result. Its predicates are AND-ed at the root: a result that dropped or
 * widened the client's predicate still answers within it.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when model, order, page, count or scopes are changed, the projection
 * is widened, a path is unknown or a value does not fit its kind; OPERATOR_TYPE_MISMATCH when an operator cannot serve
 * its field; SCOPE_MISSING when a model that a predicate crosses has no scope for the request. All have status 500: they
 * are mistakes of the host.
 */
export function transformedPlan(
  plan: ResolvedPlan,
  rules: CompiledQueryRules,
  transform: TransformPlan,
  scope?: unknown,
): ResolvedPlan {
  const result = transform(plan);
  if (result === plan) return plan;
  for (const key of ['model', 'order', 'page', 'count', 'scopes'] as const) {
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
  const { scopes } = plan;
  return Object.freeze({
    ...plan,
    ...(scopes && { scopes: extendedScopes(rules, scopes, checked, scope) }),
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

const pathsOf = ({ aggregates = [] }: ProjectionNode): readonly string[] =>
  aggregates.map(({ path }) => path);

function checkNarrowed(before: ProjectionNode, after: ProjectionNode) {
  const wider =
    after.model !== before.model ||
    after.fields.some((field) => !before.fields.includes(field)) ||
    pathsOf(after).some((path) => !pathsOf(before).includes(path));
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
  const kept = pathsOf(node);
  const aggregates = before.aggregates?.filter(({ path }) => kept.includes(path)) ?? [];
  return Object.freeze({
    model: node.model,
    fields: Object.freeze([...node.fields]),
    ...(aggregates.length > 0 && { aggregates: Object.freeze(aggregates) }),
    relations: Object.freeze(
      node.relations.map(({ path, cardinality, node: after }) => {
        const same = before.relations.find((relation) => relation.path === path);
        const frozen = same ? freezeProjection(same.node, after) : after;
        const { maxChildren, where, order } = same ?? {};
        return Object.freeze({
          path,
          cardinality,
          ...(maxChildren !== undefined && { maxChildren }),
          node: frozen,
          ...(where && { where }),
          ...(order && { order }),
        });
      }),
    ),
  });
}
