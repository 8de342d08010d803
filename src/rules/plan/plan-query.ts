/** Request to plan: parse, authorise, resolve. Pure; the part of `runQuery` before the adapter. */

import * as option from '../../lib/option-rows.ts';
import { type OptionTableOf, BoundedCache } from '../../lib/index.ts';
import { checkConfiguration } from '../../schema/index.ts';
import { assertCompiled } from '../declare/assert-compiled.ts';
import type { CompiledQueryRules, ScopeIn } from '../declare/compiled.ts';
import { checkCost } from '../declare/cost.ts';
import type { ListRequest, ListRequestInput, RequestList } from '../request/list-request.ts';
import { ownText } from '../request/own-text.ts';
import { parseRequest } from '../request/parse-request.ts';
import type { StoredPosition } from './cursor/cursor-value.ts';
import type { cursorBinding } from './cursor/cursor.ts';
import type { OrderTerm, ProjectionNode, ResolvedPlan, ResolvedPredicate } from './plan.ts';
import { fieldNotAllowed } from '../request/request-error.ts';
import { authoriseFilters, conditionsOf } from './resolve-filters.ts';
import { readSorts, resolveOrder } from './resolve-order.ts';
import { readPaths, resolveIncludes, resolveProjection } from './resolve-projection.ts';
import { authoriseChildren, withChildren } from '../children/resolve-children.ts';
import { resolveWindow } from './resolve-window.ts';
import { planScopes } from './scopes.ts';
import { withFixedTimes } from './fixed-times.ts';
import { splitList } from '../request/split-list.ts';

/** Frozen parts of plans by the parameter text they come from. */
interface PlanCaches {
  readonly orders: BoundedCache<string, readonly OrderTerm[]>;
  readonly projections: BoundedCache<string, ProjectionNode>;
}

const caches = new WeakMap<CompiledQueryRules, PlanCaches>();

/** The caches of an endpoint. Equal texts share one frozen object, which adapters may use as a cache key. */
function planCaches(rules: CompiledQueryRules): PlanCaches {
  let found = caches.get(rules);
  if (!found) {
    found = { orders: new BoundedCache(200), projections: new BoundedCache(200) };
    caches.set(rules, found);
  }
  return found;
}

/** Inputs of a plan in addition to the request and the rules. */
export interface PlanOptions<Scope = unknown> {
  /**
   * Identifies the part of the data that the request may see, such as the id of its tenant. A cursor is valid only in
   * the scope in which it was created; in any other it causes CURSOR_INVALID. Default: the conditions of the scopes,
   * where the rules have scopes.
   */
  readonly cursorScope?: string | undefined;
  /** The values for the functions of `settings.scopes`; required where the rules have scopes. */
  readonly scope?: Scope | undefined;
}

const optionTable = {
  cursorScope: option.string,
  scope: option.plainObject,
} satisfies OptionTableOf<PlanOptions>;

/**
 * The validated plan of a request. It is frozen, contains no SQL and depends on the request and the rules only.
 *
 * @param request a raw query string (with or without `?`), a `URLSearchParams`, or an object that a framework's parser
 * produced; all three mean the same
 * @param rules the result of `defineQueryRules`
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when `rules` are not compiled or an option is unknown
 * @throws {QueryError} when the request is refused, with status 400, in this order of checks:
 * QUERY_SYNTAX_UNKNOWN_PARAM, QUERY_SYNTAX_INVALID; FIELD_NOT_ALLOWED, OPERATOR_NOT_ALLOWED, SORT_CONFLICT;
 * FILTER_VALUE_INVALID; PAGINATION_INVALID, CURSOR_INVALID. Before them, with status 500: SCOPE_MISSING when the rules
 * have scopes and `scope` does not provide their values.
 */
export function planQuery<Rules extends CompiledQueryRules>(
  request: ListRequestInput,
  rules: Rules,
  options: PlanOptions<ScopeIn<Rules>> = {},
): ResolvedPlan {
  assertCompiled(rules);
  checkConfiguration('planQuery', options, optionTable);
  return planOf(request, rules, options);
}

/**
 * The plan of a request whose rules and options have been checked. Where the ORM of the source rewrites columns, cursors
 * without keys are checked by what the columns store. `partsOf` may keep the parts of recurring requests.
 */
export function planOf(
  request: ListRequestInput,
  rules: CompiledQueryRules,
  { cursorScope, scope }: PlanOptions,
  source?: { readonly storedPosition?: StoredPosition | undefined },
  partsOf = planParts,
): ResolvedPlan {
  const scopes = planScopes(rules, scope);
  const { parsed, order, projection, conditions, bindingOf } = partsOf(request, rules);
  return Object.freeze({
    model: rules.model,
    projection,
    where: conjunction(conditions),
    order,
    page: resolveWindow(
      rules,
      parsed,
      order,
      conditions,
      cursorScope ?? scopes,
      source?.storedPosition,
      bindingOf,
    ),
    count: rules.pagination.count,
    ...(scopes && { scopes }),
  });
}

/** The parts of a plan that depend on neither its cursor nor its scope, with the request that they come from. */
export interface PlanParts {
  readonly parsed: ListRequest;
  readonly order: readonly OrderTerm[];
  readonly projection: ProjectionNode;
  readonly conditions: readonly ResolvedPredicate[];
  /** The binding of cursors, where it is kept with the parts. */
  readonly bindingOf?: typeof cursorBinding;
  /** Whether values are told from now, so that the parts belong to one request. */
  readonly isMoving?: true;
}

/** Parses a request and resolves everything that its window does not decide. */
export function planParts(input: ListRequestInput, rules: CompiledQueryRules): PlanParts {
  const parsed = parseRequest(input, rules);
  const { order, projection, children } = authorise(parsed, rules);
  const parts = {
    parsed,
    order,
    projection: withChildren(projection, children),
    conditions: conditionsOf(rules, parsed),
  };
  return parsed.written ? withFixedTimes(rules, parts) : parts;
}

/** The conjunction of the predicates; `null` when there are none. */
export function conjunction(predicates: readonly ResolvedPredicate[]): ResolvedPredicate | null {
  if (predicates.length < 2) return predicates[0] ?? null;
  return Object.freeze({ type: 'and', predicates: Object.freeze(predicates) });
}

/** Longest text whose result is cached; recurring requests are shorter. */
const maxKeptLength = 1000;

/** Only single texts are cached: repeated parameters are rare, and a list cannot be a key. */
function cacheKey(list: RequestList | undefined): string | null {
  if (list === undefined) return '';
  return typeof list === 'string' && list.length <= maxKeptLength ? list : null;
}

const items = (list: RequestList | undefined, param: string): readonly string[] =>
  list === undefined ? [] : typeof list === 'string' ? splitList(ownText(list), param) : list;

/** The order and the projection of a request that the rules allow; both shared among requests of equal texts. */
export function authorise(
  request: ListRequest,
  rules: CompiledQueryRules,
): {
  readonly order: readonly OrderTerm[];
  readonly projection: ProjectionNode;
  readonly children: ReturnType<typeof authoriseChildren>;
} {
  const asked = [...(request.children?.keys() ?? [])].map((path) => ownText(path));
  const { orders, projections } = planCaches(rules);
  const sortKey = cacheKey(request.sort);
  const includesKey = cacheKey(request.includes);
  const fieldsKey = cacheKey(request.fields);
  const shownKey =
    includesKey === null || fieldsKey === null
      ? null
      : `${includesKey}\n${asked.join()}\n${fieldsKey}`;
  let order = sortKey === null ? undefined : orders.get(sortKey);
  let projection = shownKey === null ? undefined : projections.get(shownKey);
  const hasAggregates = rules.aggregates.size > 0;
  // The syntax of every list is checked before any authorisation.
  const sorts = order ? null : readSorts(items(request.sort, 'sort'), hasAggregates);
  const fields = projection
    ? null
    : readPaths(items(request.fields, 'fields'), 'fields', hasAggregates);
  const paths = projection ? null : readPaths(items(request.includes, 'includes'), 'includes');
  const children = authoriseChildren(rules, request.children);
  const includes = paths && resolveIncludes(rules, [...paths, ...asked]);
  authoriseFilters(rules, request.filters);
  authoriseFilters(rules, request.written ?? []);
  if (sorts) {
    order = resolveOrder(rules, sorts);
    if (sortKey !== null) orders.set(ownText(sortKey), order);
  }
  if (includes && fields) {
    projection = resolveProjection(rules, includes, fields);
    if (shownKey !== null) projections.set(ownText(shownKey), projection);
  }
  if (request.search?.trim() && rules.search.length === 0) {
    throw fieldNotAllowed('search', undefined);
  }
  checkCost(rules, request, projection as ProjectionNode, order as readonly OrderTerm[], children);
  return {
    order: order as readonly OrderTerm[],
    projection: projection as ProjectionNode,
    children,
  };
}
