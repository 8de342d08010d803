/** A query string as an editable view, and the view as a query string in readable form. */

import type { EndpointMeta } from '../data.ts';

export interface Filter {
  readonly path: string;
  readonly operator: string;
  /** As it is written in the query string. */
  readonly value: string;
}

export interface Sort {
  readonly path: string;
  readonly descending: boolean;
}

/** The state of the controls of one endpoint. */
export interface View {
  readonly filters: readonly Filter[];
  readonly sorts: readonly Sort[];
  readonly includes: readonly string[];
  readonly fields: readonly string[];
  readonly search: string;
  readonly mode: 'offset' | 'keyset' | 'all';
  readonly page: number;
  readonly perPage: number | null;
  readonly cursor: string;
  /** Parameters without a control, unchanged. */
  readonly rest: readonly string[];
}

/** Changes the view; `typed` for a keystroke, `paged` for a step to another page of the same rows. */
export type ChangeView = (
  changes: Partial<View>,
  how?: { readonly typed?: boolean; readonly paged?: boolean },
) => void;

const emptyView: View = {
  filters: [],
  sorts: [],
  includes: [],
  fields: [],
  search: '',
  mode: 'offset',
  page: 1,
  perPage: null,
  cursor: '',
  rest: [],
};

/** Percent-encodes the characters that would break an address; letters of all scripts stay readable. */
// oxlint-disable-next-line no-control-regex
const breaking = /[\u0000-\u0020"#%&+<>`\\^{|}\u007f]/g;
const encode = (text: string) => text.replace(breaking, encodeURIComponent);

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** Splits a comma-separated list with double quotes and backslash escapes; `null` if the text is incomplete. */
export function splitList(text: string): string[] | null {
  if (text === '') return [];
  const items = [''];
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    let char = text.charAt(at);
    if (char === '"') quoted = !quoted;
    else if (char === ',' && !quoted) items.push('');
    else {
      if (char === '\\') {
        at += 1;
        if (at === text.length) return null;
        char = text.charAt(at);
      }
      items.push((items.pop() ?? '') + char);
    }
  }
  return quoted ? null : items;
}

/** Writes a comma-separated list. */
export const joinList = (items: readonly string[]): string =>
  items
    .map((item) => (/[",\\]/.test(item) ? `"${item.replace(/["\\]/g, '\\$&')}"` : item))
    .join(',');

/** The readable form of a percent-encoded query string. */
export function readable(query: string): string {
  return query
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=');
      const parts = at < 0 ? [pair] : [pair.slice(0, at), pair.slice(at + 1)];
      const decoded = parts.map(decode);
      return decoded.includes(null) ? pair : decoded.map((part) => encode(part ?? '')).join('=');
    })
    .join('&');
}

const filterKey = /^filter\[([^[\]]+)\](?:\[([^[\]]+)\])?$/;
const plainNumber = /^[1-9]\d{0,14}$/;

/** The change of the view by one parameter; `null` if no control can show it. */
function taken(view: View, meta: EndpointMeta, key: string, value: string): Partial<View> | null {
  const [, path, operator = 'eq'] = filterKey.exec(key) ?? [];
  if (path !== undefined) {
    const rule = meta.filters.find((each) => each.path === path);
    if (!rule?.operators.includes(operator)) return null;
    return { filters: [...view.filters, { path, operator, value }] };
  }
  const list = splitList(value);
  switch (key) {
    case 'sort': {
      const sorts = list?.map((term) => ({
        path: term.replace(/^-/, ''),
        descending: term.startsWith('-'),
      }));
      return sorts?.every(({ path }) => meta.sorts.includes(path)) ? { sorts } : null;
    }
    case 'includes': {
      const known = (path: string) => meta.includes.some((each) => each.path === path);
      return list?.every(known) ? { includes: list } : null;
    }
    case 'fields':
      return list && { fields: list };
    case 'search':
      return meta.search.length > 0 ? { search: value } : null;
    case 'page':
    case 'perPage':
      return plainNumber.test(value) ? { [key]: Number(value) } : null;
    case 'paginate':
      return value === 'false' ? { mode: 'all' } : null;
    case 'cursor':
      return meta.pagination.mode === 'offset' ? null : { mode: 'keyset', cursor: value };
    default:
      return null;
  }
}

/** Reads a query string. */
export function parseQuery(query: string, meta: EndpointMeta): View {
  let view = emptyView;
  const seen = new Set<string>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const key = decode(at < 0 ? pair : pair.slice(0, at));
    const value = at < 0 ? '' : decode(pair.slice(at + 1));
    // The controls do not merge repeated parameters: the endpoint decides about them.
    const free = key !== null && value !== null && !seen.has(key);
    const change = free ? taken(view, meta, key, value) : null;
    if (key !== null && change) seen.add(key);
    view = { ...view, ...(change ?? { rest: [...view.rest, pair] }) };
  }
  return view;
}

/** Writes the query string of a view without default values. */
export function writeQuery(view: View): string {
  const pairs = view.filters.map(
    ({ path, operator, value }) => `filter[${path}][${operator}]=${encode(value)}`,
  );
  const add = (key: string, value: string) => pairs.push(`${key}=${encode(value)}`);
  if (view.search !== '') add('search', view.search);
  if (view.sorts.length > 0) {
    const terms = view.sorts.map(({ path, descending }) => (descending ? `-${path}` : path));
    add('sort', terms.join(','));
  }
  if (view.includes.length > 0) add('includes', view.includes.join(','));
  if (view.fields.length > 0) add('fields', view.fields.join(','));
  if (view.mode === 'all') add('paginate', 'false');
  if (view.mode === 'keyset') add('cursor', view.cursor);
  if (view.mode === 'offset' && view.page > 1) add('page', String(view.page));
  if (view.perPage !== null && view.mode !== 'all') add('perPage', String(view.perPage));
  return [...pairs, ...view.rest].join('&');
}
