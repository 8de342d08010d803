/** Resolves and checks the predicates that hosts and adapters write. */

import { QueryError, configurationError } from '../../schema/index.ts';
import type { CompiledQueryRules, ResolvedPath } from '../declare/compiled.ts';
import { operatorObstacle } from '../declare/field-capability.ts';
import { operators } from '../declare/operators.ts';
import { type PathRules, pathTarget } from '../declare/path-target.ts';
import type {
  ConditionPredicate,
  PlanValue,
  Predicate,
  ResolvedCondition,
  ResolvedPredicate,
} from './plan.ts';
import { oppositeQuantifiers } from './negation.ts';
import { condition } from './resolve-filters.ts';
import { relatedPredicate } from './resolved.ts';

/** The parts of rules that predicates are checked against. */
type PredicateRules = PathRules & Pick<CompiledQueryRules, 'families'>;

/** Where a predicate was written. */
export interface PredicateOrigin {
  /** The model that its paths start from. */
  readonly model: string;
  /** The name of the origin in messages. */
  readonly place: string;
  /** Whether predicates on related rows are accepted. Default: they are not. */
  readonly quantifies?: boolean;
}

/**
 * Resolves and checks a predicate that a host or an adapter has written.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when a path is unknown or a value does not fit its kind;
 * OPERATOR_TYPE_MISMATCH when an operator cannot serve its field.
 */
export function resolvePredicate(
  rules: PredicateRules,
  predicate: Predicate,
  origin: PredicateOrigin = { model: rules.model, place: 'transformPlan', quantifies: true },
): ResolvedPredicate {
  if (predicate?.type === 'condition') return checkCondition(rules, predicate, origin);
  const isTree = predicate?.type === 'and' || predicate?.type === 'or';
  const isRelated =
    origin.quantifies === true && Object.hasOwn(oppositeQuantifiers, String(predicate?.type));
  if ((!isTree && !isRelated) || !Array.isArray(predicate.predicates)) {
    const forms = origin.quantifies ? 'and, or, some, every, none, someNot' : 'and, or';
    throw configurationError(
      `${origin.place} added a predicate that is not ${forms} or condition.`,
    );
  }
  const target = isTree ? undefined : relationTarget(rules, predicate.path, origin);
  const inner = target?.relation ? { ...origin, model: target.relation.target } : origin;
  const predicates = predicate.predicates.map((member) => resolvePredicate(rules, member, inner));
  return isTree
    ? Object.freeze({ type: predicate.type, predicates: Object.freeze(predicates) })
    : relatedPredicate(predicate.type, target as ResolvedPath, predicates);
}

function relationTarget(
  rules: PredicateRules,
  path: string,
  { model, place }: PredicateOrigin,
): ResolvedPath {
  const target = pathTarget(rules, String(path), model)?.target;
  const isMany = target?.relation?.cardinality === 'many';
  if (isMany && target.hops.every(({ cardinality }) => cardinality === 'one')) return target;
  throw configurationError(
    `${place} added a predicate on rows of "${path}", which is not a relation of ${model} with many rows.`,
    { path },
  );
}

function checkCondition(
  rules: PredicateRules,
  { path, operator, value }: ConditionPredicate,
  { model, place }: PredicateOrigin,
): ResolvedCondition {
  const found = pathTarget(rules, String(path), model);
  const row = operators.get(operator);
  if (!found || !row) {
    throw configurationError(
      `${place} added a condition on "${path}" that ${model} cannot take; name a declared path and operator.`,
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
    throw new QueryError('OPERATOR_TYPE_MISMATCH', `${place} on "${path}": ${obstacle}`, {
      path,
      operator,
    });
  }
  const limits = { ...rules.limits, maxListLength: Number.MAX_SAFE_INTEGER };
  try {
    return condition(found, row, asTexts(value), limits);
  } catch (error) {
    if (!(error instanceof QueryError) || error.code !== 'FILTER_VALUE_INVALID') throw error;
    throw configurationError(`${place} on "${path}" with "${operator}": ${error.message}`, {
      path,
    });
  }
}

const isAbsent = (value: unknown): boolean => value === null || value === undefined;

function asTexts(value: PlanValue | readonly PlanValue[]): string | readonly string[] | null {
  if (Array.isArray(value)) return value.some(isAbsent) ? null : value.map(String);
  return isAbsent(value) ? null : String(value);
}
