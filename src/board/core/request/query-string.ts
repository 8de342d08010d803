/** Query strings: every value as text, a repeated name as a list, bounded. */

/** A query string that has been read, or the reason it cannot be. */
export type ParsedQuery = Readonly<Record<string, string | readonly string[]>>;

const maxLength = 16_384;
const maxValues = 256;

/** Undefined when the text is too long, names too many values or is not UTF-8. */
export function parseQuery(raw: string): ParsedQuery | undefined {
  // No prototype: a name such as `__proto__` is a name like any other.
  const query: Record<string, string | string[]> = Object.create(null);
  if (raw === '') return query;
  if (raw.length > maxLength) return undefined;
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

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/** The query string that a query would be read from. */
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

/** The query without the values that are empty: they count as omitted. */
export function withoutEmpty(query: unknown): unknown {
  if (typeof query !== 'object' || query === null) return query;
  const kept: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(query)) {
    if (value !== '') kept[name] = value;
  }
  return kept;
}
