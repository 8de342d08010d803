/** Resolves the scopes of models to conditions with the values of one request. */

import { QueryError, configurationError } from '../../schema/index.ts';
import type { CompiledQueryRules } from '../declare/compiled.ts';
import { crossedRelations } from '../declare/resolve-path.ts';
import { noScope, notAPredicate } from '../declare/scopes.ts';
import type {
  PlanScopes,
  Predicate,
  ResolvedCondition,
  ResolvedPlan,
  ResolvedPredicate,
} from './plan.ts';
import { resolvePredicate } from './resolve-predicate.ts';

/**
 * The scopes of the models that the rules reach; `undefined` where the rules have none.
 *
 * @throws {QueryError} SCOPE_MISSING when the request has no scope, or a scope has no value or no condition;
 * SOURCE_CONFIGURATION_INVALID when the rules have no scopes but the request does, or a condition is invalid
 */
export function planScopes(
  rules: CompiledQueryRules,
  values: unknown,
): PlanScopes<ResolvedCondition> | undefined {
  const { scopes, model } = rules;
  if (!scopes) {
    if (values === undefined) return undefined;
    throw configurationError(
      `The request has a scope, but the rules of ${model} have none; pass settings.scopes to defineQueryRules.`,
      { option: 'scope' },
    );
  }
  return scopesOf(rules, scopes.reached, values);
}

/**
 * The scopes, extended by the models that conditions of the host cross beyond those that the rules reach.
 *
 * @throws {QueryError} as `planScopes`
 */
export function extendedScopes(
  rules: CompiledQueryRules,
  scopes: PlanScopes<ResolvedCondition>,
  predicates: readonly ResolvedPredicate[],
  values: unknown,
): PlanScopes<ResolvedCondition> {
  const crossed = new Set<string>();
  const walk = (node: ResolvedPredicate): void => {
    if ('target' in node) {
      for (const { target } of crossedRelations(node.target)) crossed.add(target);
    }
    if (node.type !== 'condition') node.predicates.forEach(walk);
  };
  predicates.forEach(walk);
  const further = [...crossed].filter((model) => !Object.hasOwn(scopes, model));
  if (further.length === 0) return scopes;
  return Object.freeze({ ...scopes, ...scopesOf(rules, further, values) });
}

/**
 * Refuses a plan with scopes on a source that does not serve them.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the source does not have `servesScopes`
 */
export function checkServed(
  { model }: ResolvedPlan,
  { servesScopes }: { readonly servesScopes?: boolean | undefined },
): void {
  if (servesScopes === true) return;
  throw configurationError(
    `The rules of ${model} have scopes, which the source does not serve; use a source of an adapter, or set servesScopes where prepare() limits every statement to plan.scopes.`,
    { model, setting: 'scopes' },
  );
}

function scopesOf(
  rules: CompiledQueryRules,
  models: readonly string[],
  values: unknown,
): PlanScopes<ResolvedCondition> {
  const bound: { [model: string]: ResolvedPredicate | null } = {};
  for (const model of models) bound[model] = scopeOf(rules, model, values);
  return Object.freeze(bound);
}

function scopeOf(
  rules: CompiledQueryRules,
  model: string,
  values: unknown,
): ResolvedPredicate | null {
  const scope = rules.scopes?.byModel.get(model);
  if (scope === undefined) throw noScope(model);
  if (scope === 'unscoped') return null;
  if (typeof values !== 'object' || values === null) {
    throw missing(
      model,
      'the request has no scope; pass the option scope, with the values that settings.scopes needs',
    );
  }
  const predicate = scope(values as never);
  if (predicate === undefined || predicate === null) {
    throw missing(model, 'its scope returned no condition for this request');
  }
  if (typeof predicate !== 'object') throw notAPredicate(model);
  const path = pathWithoutValue(predicate);
  if (path !== undefined) throw missing(model, `its scope has no value for "${path}"`, path);
  return resolvePredicate(rules, predicate, { model, place: `settings.scopes.${model}` });
}

/** The path of the first condition whose value is null or undefined; `undefined` where there is none. */
function pathWithoutValue(node: Predicate): string | undefined {
  if (node?.type === 'condition') {
    const values: readonly unknown[] = Array.isArray(node.value) ? node.value : [node.value];
    const isAbsent = values.some((value) => value === null || value === undefined);
    return isAbsent ? String(node.path) : undefined;
  }
  if (!Array.isArray(node?.predicates)) return undefined;
  for (const member of node.predicates) {
    const path = pathWithoutValue(member);
    if (path !== undefined) return path;
  }
  return undefined;
}

function missing(model: string, reason: string, path?: string) {
  return new QueryError('SCOPE_MISSING', `Rows of ${model} cannot be shown: ${reason}.`, {
    model,
    ...(path !== undefined && { path }),
  });
}
