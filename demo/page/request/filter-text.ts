/** The filters of a view as text that a person writes, and back. */

import { buildQuery, parseFilterText, printFilterText } from '../../../src/client/index.ts';
import type { FilterTextError } from '../../../src/client/index.ts';
import type { EndpointMeta } from '../data.ts';
import { parseQuery, readable, splitList } from './query.ts';
import type { Filter } from './query.ts';

const lists = ['in', 'notIn', 'between'];

/** The text of filters. */
export function textOf(filters: readonly Filter[], meta: EndpointMeta): string {
  const conditions: Record<string, Record<string, string | readonly string[]>> = {};
  for (const { path, operator, value } of filters) {
    const operand = lists.includes(operator) ? (splitList(value) ?? []) : value;
    conditions[path] = { ...conditions[path], [operator]: operand };
  }
  return printFilterText(meta.description, conditions);
}

/** The filters of a text, or why it has none. */
export function filtersOf(
  text: string,
  meta: EndpointMeta,
): { readonly filters: readonly Filter[] } | { readonly error: FilterTextError } {
  const { filter, error } = parseFilterText(meta.description, text);
  if (error) return { error };
  return { filters: parseQuery(readable(buildQuery({ filter } as never)), meta).filters };
}
