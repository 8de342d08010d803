/** Whether a declaration has the form of version 3: its keys, its lists and what they hold. */

import { configurationError } from '../../schema/index.ts';
import type { QueryRulesDeclaration } from './declaration.ts';

const declarationKeys = new Set(['filters', 'sorts', 'fields', 'includes', 'search', 'pagination']);
const paginationKeys = new Set(['maxUnpaginatedRows', 'allowUnpaginated', 'mode', 'count']);

/** What version 2 had, and what to do about it. */
const removed: ReadonlyMap<string, string> = new Map([
  ['operators', 'name operators in each filter rule'],
  ['alias', 'declare the paths themselves'],
]);

/**
 * Refuses what is no declaration, keys that it does not have, and lists that are none or hold something else. Filter
 * rules are looked at one by one where they are compiled.
 *
 * @throws QueryError `SOURCE_CONFIGURATION_INVALID`
 */
export function assertDeclarationForm(rules: QueryRulesDeclaration): void {
  if (typeof rules !== 'object' || rules === null) {
    throw configurationError('rules must be an object with filters, sorts, fields and so on.');
  }
  for (const key of Object.keys(rules)) {
    const advice = removed.get(key);
    if (advice) {
      throw configurationError(`rules.${key} was removed in version 3; ${advice}.`, { rule: key });
    }
    if (declarationKeys.has(key)) continue;
    throw configurationError(
      `rules has no key "${key}"; it has ${[...declarationKeys].join(', ')}.`,
      { rule: key },
    );
  }
  for (const key of ['filters', 'sorts', 'includes', 'search'] as const) {
    if (rules[key] === undefined || Array.isArray(rules[key])) continue;
    throw configurationError(`rules.${key} is a list; write it as an array.`, { rule: key });
  }
  for (const key of ['includes', 'search'] as const) {
    if (rules[key]?.every((path) => typeof path === 'string') ?? true) continue;
    throw configurationError(`rules.${key} is a list of paths; each of them is a text.`, {
      rule: key,
    });
  }
  assertPagination(rules.pagination);
}

function assertPagination(pagination: QueryRulesDeclaration['pagination']): void {
  if (pagination === undefined) return;
  if (typeof pagination !== 'object' || pagination === null || Array.isArray(pagination)) {
    throw configurationError('rules.pagination is an object.', { rule: 'pagination' });
  }
  for (const key of Object.keys(pagination)) {
    if (paginationKeys.has(key)) continue;
    throw configurationError(
      `rules.pagination has no key "${key}"; it has ${[...paginationKeys].join(', ')}.`,
      { rule: 'pagination' },
    );
  }
}
