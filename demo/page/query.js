/** Parses a query string into an editable view, and writes the view back in readable form. */

/** The state of the controls of one endpoint. */
export function emptyView() {
  return {
    filters: [],
    sorts: [],
    includes: [],
    fields: [],
    search: '',
    mode: 'offset',
    page: 1,
    perPage: null,
    cursor: '',
    /** Parameters without a control, unchanged. */
    rest: [],
  };
}

/** Percent-encodes the characters that would break an address; letters of all scripts stay readable. */
// oxlint-disable-next-line no-control-regex
const encode = (text) => text.replace(/[\u0000-\u0020"#%&+<>`\\^{|}\u007f]/g, encodeURIComponent);

function decode(text) {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** Splits a comma-separated list with double quotes and backslash escapes; `null` if the text is incomplete. */
export function splitList(text) {
  if (text === '') return [];
  const items = [''];
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\') {
      at += 1;
      if (at === text.length) return null;
      items[items.length - 1] += text[at];
    } else if (char === '"') quoted = !quoted;
    else if (char === ',' && !quoted) items.push('');
    else items[items.length - 1] += char;
  }
  return quoted ? null : items;
}

/** Writes a comma-separated list. */
export const joinList = (items) =>
  items
    .map((item) => (/[",\\]/.test(item) ? `"${item.replace(/["\\]/g, '\\$&')}"` : item))
    .join(',');

/** The readable form of a percent-encoded query string. */
export function readable(query) {
  return query
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=');
      const parts = at < 0 ? [pair] : [pair.slice(0, at), pair.slice(at + 1)];
      const decoded = parts.map(decode);
      return decoded.includes(null) ? pair : decoded.map(encode).join('=');
    })
    .join('&');
}

const filterKey = /^filter\[([^[\]]+)\](?:\[([^[\]]+)\])?$/;
const plainNumber = /^[1-9]\d{0,14}$/;

/** Adds one parameter to the view; `false` if no control can show it. */
function take(view, meta, key, value) {
  const filter = filterKey.exec(key);
  if (filter) {
    const [, path, operator = 'eq'] = filter;
    const rule = meta.filters.find((each) => each.path === path);
    if (!rule?.operators.includes(operator)) return false;
    return view.filters.push({ path, operator, value }) > 0;
  }
  const list = splitList(value);
  switch (key) {
    case 'sort': {
      const sorts = list?.map((term) => ({
        path: term.replace(/^-/, ''),
        descending: term.startsWith('-'),
      }));
      if (!sorts?.every(({ path }) => meta.sorts.includes(path))) return false;
      view.sorts = sorts;
      return true;
    }
    case 'includes':
      if (!list?.every((path) => meta.includes.some((each) => each.path === path))) return false;
      view.includes = list;
      return true;
    case 'fields':
      if (!list) return false;
      view.fields = list;
      return true;
    case 'search':
      if (meta.search.length === 0) return false;
      view.search = value;
      return true;
    case 'page':
    case 'perPage':
      if (!plainNumber.test(value)) return false;
      view[key] = Number(value);
      return true;
    case 'paginate':
      if (value !== 'false') return false;
      view.mode = 'all';
      return true;
    case 'cursor':
      if (meta.pagination.mode === 'offset') return false;
      view.mode = 'keyset';
      view.cursor = value;
      return true;
    default:
      return false;
  }
}

/** Reads a query string. */
export function parseQuery(query, meta) {
  const view = emptyView();
  const seen = new Set();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const key = decode(at < 0 ? pair : pair.slice(0, at));
    const value = at < 0 ? '' : decode(pair.slice(at + 1));
    // The controls do not merge repeated parameters: the endpoint decides about them.
    const known = key !== null && value !== null && !seen.has(key) && take(view, meta, key, value);
    if (known) seen.add(key);
    else view.rest.push(pair);
  }
  return view;
}

/** Writes the query string of a view without default values. */
export function writeQuery(view) {
  const pairs = view.filters.map(
    ({ path, operator, value }) => `filter[${path}][${operator}]=${encode(value)}`,
  );
  const add = (key, value) => pairs.push(`${key}=${encode(value)}`);
  if (view.search !== '') add('search', view.search);
  if (view.sorts.length > 0) {
    add(
      'sort',
      view.sorts.map(({ path, descending }) => (descending ? `-${path}` : path)).join(','),
    );
  }
  if (view.includes.length > 0) add('includes', view.includes.join(','));
  if (view.fields.length > 0) add('fields', view.fields.join(','));
  if (view.mode === 'all') add('paginate', 'false');
  if (view.mode === 'keyset') add('cursor', view.cursor);
  if (view.mode === 'offset' && view.page > 1) add('page', String(view.page));
  if (view.perPage !== null && view.mode !== 'all') add('perPage', String(view.perPage));
  return [...pairs, ...view.rest].join('&');
}
