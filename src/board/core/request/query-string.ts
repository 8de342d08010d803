/** Parses query strings with limits: values are strings, repeated names are arrays. */

import { queryLength } from '../../../lib/index.ts';

/** A parsed query string, or the reason why it is invalid. */
type ParsedQuery = Readonly<Record<string, string | readonly string[]>>;

const maxLength = 16_384;
const maxValues = 256;

/** Undefined when the query string is too long, has too many values or is not UTF-8. */
export function parseQuery(raw: string): ParsedQuery | undefined {
  // No prototype, so that `__proto__` is an ordinary name.
  const query: Record<string, string | string[]> = Object.create(null);
  if (raw === '') return query;
  if (raw.length > maxLength && queryLength(raw) > maxLength) return undefined;
  const pairs = raw.split('&', maxValues + 1).filter((pair) => pair !== '');
  if (pairs.length > maxValues) return undefined;
  try {
    for (const pair of pairs) {
      const mark = pair.indexOf('=');
      const name = decode(mark < 0 ? pair : pair.slice(0, mark));
      const value = mark < 0 ? '' : decode(pair.slice(mark + 1));
      const before = query[name];
      if (before === undefined) query[name] = value;
      else if (typeof before === 'string') query[name] = [before, value];
      else before.push(value);
    }
  } catch {
    return undefined;
  }
  return query;
}

/** Whether the name belongs to the filters of the list grammar. */
export function isFilterParam(name: string): boolean {
  return name === 'filter' || name.startsWith('filter[') || name.startsWith('filter.');
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/** Serializes a query to a query string. */
export function queryText(query: unknown): string {
  const text = new URLSearchParams();
  if (typeof query !== 'object' || query === null) return '';
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) text.append(name, String(one));
    }
  }
  return text.toString();
}

/** The query without empty values, which count as omitted. */
export function withoutEmpty(query: unknown): unknown {
  if (typeof query !== 'object' || query === null) return query;
  const kept: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(query)) {
    if (value !== '') kept[name] = value;
  }
  return kept;
}
