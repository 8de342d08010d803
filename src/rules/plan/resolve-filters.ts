/** Filters and search to a predicate: checks first that they are allowed, then their values. */

import {
  type FieldDescriptor,
  coerceBoolean,
  comparedKind,
  fieldKindRow,
  foldText,
  isStorableText,
} from '../../schema/index.ts';
import type {
  AskedRows,
  CompiledFilter,
  CompiledQueryRules,
  FilterLevel,
  ResolvedPath,
} from '../declare/compiled.ts';
import type { QueryLimits } from '../declare/declaration.ts';
import type { ListRequest, RequestFilter } from '../request/list-request.ts';
import { type OperatorRow, operatorRow } from '../declare/operators.ts';
import type { PlanValue, ResolvedCondition, ResolvedPredicate } from './plan.ts';
import { resolvedCondition } from './resolved.ts';
import { checkedAt } from '../request/where-text.ts';
import { fieldNotAllowed, operatorNotAllowed, valueInvalid } from '../request/request-error.ts';
import { groupedConditions, levelOf } from './resolve-groups.ts';
import { dayPredicate } from './whole-days.ts';

/**
 * Checks every filter against the rules. The error is the same for a path that does not exist and one that is not
 * allowed.
 *
 * @throws {QueryError} FIELD_NOT_ALLOWED, OPERATOR_NOT_ALLOWED when the rules do not name path or operator.
 */
export function authoriseFilters(rules: AskedRows, filters: readonly RequestFilter[]): void {
  for (const filter of filters) {
    if (filter.at) checkedAt(filter.at, () => authoriseFilter(rules, filter));
    else authoriseFilter(rules, filter);
  }
}

function authoriseFilter(
  rules: AskedRows,
  { path, operator, operatorName, within }: RequestFilter,
): void {
  const level = within === undefined ? rules : levelOf(rules, within);
  const rule = level.filters.get(path);
  if (!rule) {
    throw fieldNotAllowed('filter', level === rules ? path : wholePath(level, path));
  }
  if (!operator || !rule.operators.has(operator.name)) {
    throw operatorNotAllowed(rule.whole ?? path, operatorName);
  }
}

/** A path in errors, from the rows of the endpoint. */
const wholePath = (level: FilterLevel, path: string): string =>
  'path' in level ? `${String(level.path)}.${path}` : path;

/** The predicates of authorised filters; all of them have to hold. */
export function filterConditions(
  rules: AskedRows,
  filters: readonly RequestFilter[],
): ResolvedPredicate[] {
  const conditionOf = (filter: RequestFilter, rule = rules.filters.get(filter.path)) => {
    const make = () => filterCondition(rules.limits, filter, rule as CompiledFilter);
    return filter.at ? checkedAt(filter.at, make) : make();
  };
  return filters.some(({ within }) => within !== undefined)
    ? groupedConditions(rules, filters, conditionOf)
    : filters.map((filter) => conditionOf(filter));
}

/**
 * The condition of an authorised filter.
 *
 * @throws {QueryError} FILTER_VALUE_INVALID when the value does not fit kind, operator or limits.
 */
function filterCondition(
  limits: QueryLimits,
  filter: RequestFilter,
  rule: CompiledFilter,
): ResolvedPredicate {
  const row = filter.operator as OperatorRow;
  const days =
    rule.wholeDays &&
    dayPredicate(rule, row, filter.value, limits, (operator, value) =>
      condition(rule, operator, value, limits),
    );
  return days || condition(rule, row, filter.value, limits);
}

/** A filter's path with the conversion of its values. */
type ConditionRule = Pick<CompiledFilter, 'target' | 'coerce' | 'whole'> & {
  readonly wholeDays?: boolean;
};

/** A condition from texts. Also used to check the conditions that a host adds. */
export function condition(
  rule: ConditionRule,
  operator: OperatorRow,
  value: string | readonly string[] | null,
  limits: QueryLimits,
): ResolvedCondition {
  return resolvedCondition(rule.target, operator, operatorValue(rule, operator, value, limits));
}

function operatorValue(
  { target, coerce, wholeDays, whole }: ConditionRule,
  { name, arity, need }: OperatorRow,
  value: string | readonly string[] | null,
  limits: QueryLimits,
): PlanValue | readonly PlanValue[] {
  const path = whole ?? target.path;
  if (value === null) throw valueInvalid(path, name, 'use isNull for null');
  const expected = target.field ? acceptedValues(target.field, wholeDays) : '';
  const isTooLong = (text: string): boolean =>
    target.field !== null &&
    comparedKind(target.field.kind) === 'string' &&
    text.length > limits.maxTextLength;
  const one = (text: string): PlanValue => {
    const canonical = coerce(text);
    if (canonical === undefined) {
      throw valueInvalid(path, name, isTooLong(text) ? tooLong(limits) : expected);
    }
    return canonical;
  };
  switch (arity) {
    case 'list':
    case 'pair':
      if (typeof value === 'string') throw valueInvalid(path, name, 'a list of values');
      if (arity === 'pair' && value.length !== 2) {
        throw valueInvalid(path, name, 'two values, low then high');
      }
      if (value.length > limits.maxListLength) {
        throw valueInvalid(path, name, `at most ${limits.maxListLength} values`);
      }
      return Object.freeze(value.map(one));
    case 'flag': {
      if (typeof value !== 'string') throw valueInvalid(path, name, 'one value');
      const flag = coerceBoolean(value);
      if (flag === undefined) throw valueInvalid(path, name, 'true, false, 1 or 0');
      return flag;
    }
    case 'one': {
      if (typeof value !== 'string') throw valueInvalid(path, name, 'one value');
      if (need !== 'text' && need !== 'foldedText') return one(value);
      const term = searchTerm(value, limits);
      if (term === null) throw valueInvalid(path, name, tooLong(limits));
      return need === 'text' ? term : comparedTerm(target, term);
    }
  }
}

/** Describes the values that a filter takes. */
export const acceptedValues = (field: FieldDescriptor, wholeDays = false): string =>
  fieldKindRow(field).accepts + (wholeDays ? ', or a whole day in UTC as YYYY-MM-DD' : '');

/** The term as a folded companion contains it. Where there is none, the database folds both sides. */
function comparedTerm({ field }: ResolvedPath, term: string): string {
  return field?.foldedField === undefined ? term : foldText(term);
}

const tooLong = ({ maxTextLength }: QueryLimits): string =>
  `text of at most ${maxTextLength} characters`;

function searchTerm(text: string, limits: QueryLimits): string | null {
  return text.length <= limits.maxTextLength && isStorableText(text) ? text : null;
}

/** The predicates of an authorised request; all of them have to hold. */
export function conditionsOf(
  rules: CompiledQueryRules,
  { filters, written, search }: ListRequest,
): ResolvedPredicate[] {
  const conditions = filterConditions(rules, filters);
  if (written) conditions.push(...filterConditions(rules, written));
  const found = search ? searchPredicate(rules, search) : null;
  if (found) conditions.push(found);
  return conditions;
}

/**
 * The search predicate: any of the configured paths contains the folded term; `null` when nothing is searched.
 *
 * @throws {QueryError} FILTER_VALUE_INVALID when the value does not fit kind, operator or limits.
 */
function searchPredicate(rules: CompiledQueryRules, search: string): ResolvedPredicate | null {
  const trimmed = search.trim();
  if (trimmed === '') return null;
  const term = searchTerm(trimmed, rules.limits);
  if (term === null) {
    throw valueInvalid(
      'search',
      'search',
      `text of at most ${rules.limits.maxTextLength} characters`,
    );
  }
  const row = operatorRow('ilike');
  const predicates = rules.search.map((target) =>
    resolvedCondition(target, row, comparedTerm(target, term)),
  );
  return Object.freeze({ type: 'or', predicates: Object.freeze(predicates) });
}
