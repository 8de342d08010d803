/**
 * Keeps the parts of plans by query string: clients that page or poll send the same one again, apart from its cursor.
 * Parts are frozen or only read, and hold nothing but the text of their own key.
 */

import { BoundedCache } from '../../lib/index.ts';
import type { CompiledQueryRules } from '../declare/compiled.ts';
import type { ListRequestInput } from '../request/list-request.ts';
import { ownText } from '../request/own-text.ts';
import { cursorBinding } from './cursor.ts';
import { type PlanParts, planParts } from './plan-query.ts';

/** Longest text that is kept; recurring requests are shorter. */
const maxLength = 500;

const caches = new WeakMap<CompiledQueryRules, BoundedCache<string, PlanParts>>();

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
function partsOf(query: string, rules: CompiledQueryRules): PlanParts | undefined {
  if (query.length > maxLength) return undefined;
  let cache = caches.get(rules);
  if (!cache) {
    cache = new BoundedCache(200);
    caches.set(rules, cache);
  }
  const known = cache.get(query);
  if (known) return known;
  const own = ownText(query);
  const found = planParts(own, rules);
  const { order, conditions } = found;
  Object.freeze(conditions);
  const binding = cursorBinding(rules, order, conditions, undefined);
  const parts: PlanParts = {
    ...found,
    bindingOf: (given, terms, predicates, scope) =>
      scope === undefined ? binding : cursorBinding(given, terms, predicates, scope),
  };
  cache.set(own, parts);
  return parts;
}
