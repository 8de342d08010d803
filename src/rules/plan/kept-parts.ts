/**
 * Keeps plans and their parts by query string: clients that page or poll send the same one again, apart from its cursor.
 * They are frozen or only read, and hold nothing but the text of their own key.
 */

import { BoundedCache } from '../../lib/index.ts';
import type { CompiledQueryRules } from '../declare/compiled.ts';
import type { ListRequestInput } from '../request/list-request.ts';
import { ownText } from '../request/own-text.ts';
import { cursorBinding } from './cursor/cursor.ts';
import type { StoredPosition } from './cursor/cursor-value.ts';
import type { ResolvedPlan } from './plan.ts';
import { type PlanOptions, type PlanParts, planOf, planParts } from './plan-query.ts';

/** Longest text that is kept; recurring requests are shorter. */
const maxLength = 500;

/** The parts for a query string, and its plan where nothing else decides it. */
interface Kept {
  readonly parts: PlanParts;
  plan?: ResolvedPlan;
}

const caches = new WeakMap<CompiledQueryRules, BoundedCache<string, Kept>>();

/** Holds what an adapter derives from a plan that is kept. */
export interface PlanMemo {
  /** Set and read by the adapter; other adapters may replace it. */
  derived?: unknown;
}

const memos = new WeakMap<ResolvedPlan, PlanMemo>();

/** The memo of a plan that is kept; `undefined` for a plan that belongs to one request. */
export const memoOf = (plan: ResolvedPlan): PlanMemo | undefined => memos.get(plan);

/** The plan of a request, as `planOf` returns it; the same one for the same query string, where nothing else decides it. */
export function keptPlan(
  input: ListRequestInput,
  rules: CompiledQueryRules,
  options: PlanOptions,
  source?: { readonly storedPosition?: StoredPosition | undefined },
): ResolvedPlan {
  const { scope, cursorScope } = options;
  const isPlain = scope === undefined && cursorScope === undefined && !rules.scopes;
  const kept = isPlain && isRead(input, rules) ? keptFor(input, rules) : undefined;
  // A cursor is decoded for its source.
  if (!kept || kept.parts.parsed.cursor !== undefined) {
    return planOf(input, rules, options, source, keptParts);
  }
  if (!kept.plan) {
    kept.plan = planOf(input, rules, options, source, () => kept.parts);
    memos.set(kept.plan, {});
  }
  return kept.plan;
}

/** Whether a request is a query string without a cursor, of a length that is read. */
const isRead = (input: ListRequestInput, { limits }: CompiledQueryRules): input is string =>
  typeof input === 'string' && input.length <= limits.maxQueryLength && cursorBegin(input) < 0;

/** The parts of a plan as `planParts` returns them; those of query strings are kept. */
export function keptParts(input: ListRequestInput, rules: CompiledQueryRules): PlanParts {
  if (typeof input !== 'string' || input.length > rules.limits.maxQueryLength) {
    return planParts(input, rules);
  }
  const begin = cursorBegin(input);
  if (begin < 0) return partsOf(input, rules) ?? planParts(input, rules);
  const next = input.indexOf('&', begin);
  const end = next < 0 ? input.length : next;
  const cursor = input.slice(begin, end);
  // An encoded cursor is left to the parser.
  const parts = /[%+]/.test(cursor)
    ? undefined
    : partsOf(input.slice(0, begin) + input.slice(end), rules);
  if (!parts) return planParts(input, rules);
  return { ...parts, parsed: { ...parts.parsed, cursor } };
}

/** Where the value of a cursor begins; -1 where the request has none by this name. */
function cursorBegin(query: string): number {
  const name = 'cursor=';
  if (query.startsWith(name)) return name.length;
  const at = query.indexOf(`&${name}`);
  return at < 0 ? -1 : at + 1 + name.length;
}

/** The parts for a query string without the value of its cursor; `undefined` where it is too long to be kept. */
const partsOf = (query: string, rules: CompiledQueryRules): PlanParts | undefined =>
  keptFor(query, rules)?.parts;

function keptFor(query: string, rules: CompiledQueryRules): Kept | undefined {
  if (query.length > maxLength) return undefined;
  let cache = caches.get(rules);
  if (!cache) {
    cache = new BoundedCache<string, Kept>(200);
    caches.set(rules, cache);
  }
  const known = cache.get(query);
  if (known) return known;
  const own = ownText(query);
  const found = planParts(own, rules);
  const { order, conditions, bindingOf = cursorBinding } = found;
  Object.freeze(conditions);
  const binding = bindingOf(rules, order, conditions, undefined);
  const parts: PlanParts = {
    ...found,
    bindingOf: (given, terms, predicates, scope) =>
      scope === undefined ? binding : bindingOf(given, terms, predicates, scope),
  };
  const kept: Kept = { parts };
  if (!found.isMoving) cache.set(own, kept);
  return kept;
}
