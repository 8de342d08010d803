/** The response as a table or as JSON, and the navigation to its neighbour pages. */

import { h } from './dom.js';
import { json } from './text.js';

const chipsShown = 12;
const numericKinds = ['integer', 'bigint', 'decimal'];
const words = (row) =>
  Object.values(row)
    .filter((value) => value !== null && typeof value !== 'object')
    .join(' · ');

const isRow = (value) => typeof value === 'object' && value !== null;
const nothing = () => h('span.null', {}, 'none');

/** Related rows below a related row, on one line: `languages French, Italian`. */
function nested(name, value) {
  const rows = [value].flat();
  return h('span.nested', {}, `${name}: `, rows.map(words).join(', ') || nothing());
}

/** A related row: its own values, then its related rows. */
function related(row) {
  const below = Object.entries(row).filter(([, value]) => isRow(value));
  if (below.length === 0) return words(row);
  return h(
    'span.related',
    {},
    h('span', {}, words(row)),
    below.map(([name, value]) => nested(name, value)),
  );
}

function cell(value, format) {
  if (value === null) return h('span.null', {}, 'null');
  if (typeof value === 'boolean') return h('span.word', {}, String(value));
  return isRow(value) ? related(value) : format(value);
}

function chips(rows) {
  if (rows.length === 0) return nothing();
  const more = rows.length - chipsShown;
  return h(
    'div.chips',
    {},
    rows.slice(0, chipsShown).map((row) => h('span.tag', {}, related(row))),
    more > 0 && h('span.null', {}, `and ${more} more`),
  );
}

/** Rows of to-many includes, below their parent row; in columns they would need a very wide table. */
function below(row, lists, columns) {
  if (lists.length === 0) return null;
  const items = lists.map((name) => [h('dt', {}, name), h('dd', {}, chips(row[name]))]);
  return h('tr.below', {}, h('td', { colSpan: columns }, h('dl', {}, items)));
}

const asIs = (value) => String(value);
/** Adds thousands separators to the text of a number; conversion to a number would lose digits. */
const grouped = (value) => String(value).replace(/\B(?=(\d{3})+(?:\.|$))(?<!\.\d*)/g, ',');

/** The rows as a table. The heads of sortable columns are buttons. */
function table(rows, meta, view, sortBy) {
  const all = Object.keys(rows[0]);
  const lists = all.filter((name) => Array.isArray(rows[0][name]));
  const names = all.filter((name) => !lists.includes(name));
  const numeric = new Set(names.filter((name) => numericKinds.includes(meta.kinds[name])));
  const format = (name) => (numeric.has(name) && !meta.primaryKey.includes(name) ? grouped : asIs);
  const head = (name) => {
    const sort = view.sorts.find(({ path }) => path === name);
    const state = sort ? (sort.descending ? 'descending' : 'ascending') : 'none';
    const mark = sort ? (sort.descending ? ' ↓' : ' ↑') : '';
    const content = meta.sorts.includes(name)
      ? h(
          'button',
          { type: 'button', title: `Sort by ${name}`, onclick: () => sortBy(name) },
          name + mark,
        )
      : name;
    const properties = { scope: 'col', 'aria-sort': sort ? state : undefined };
    return h(numeric.has(name) ? 'th.numeric' : 'th', properties, content);
  };
  return h(
    'table',
    {},
    h('thead', {}, h('tr', {}, names.map(head))),
    h(
      'tbody',
      {},
      rows.map((row) => [
        h(
          'tr',
          {},
          names.map((name) =>
            h(numeric.has(name) ? 'td.numeric' : 'td', {}, cell(row[name], format(name))),
          ),
        ),
        below(row, lists, names.length),
      ]),
    ),
  );
}

/** The body of the response panel. */
export function answer({ status, answer: body }, { form, meta, view, sortBy }) {
  if (form === 'json') return json(body);
  if (status !== 200) {
    return h(
      'div.refusal',
      {},
      h('p', {}, h('b', {}, `${status} ${body.code}`)),
      h('p', {}, body.message),
      json(body),
    );
  }
  if (body.data.length === 0) return h('p.empty', {}, 'No rows.');
  return table(body.data, meta, view, sortBy);
}

/** The label of the pager, and functions that change the view to the neighbour pages; `null` if there is none. */
export function pages({ status, answer: body }) {
  if (status !== 200) return { text: '', previous: null, next: null };
  const { data, page, total, lastPage, hasNextPage, nextCursor, prevCursor } = body;
  const count = (number) => number.toLocaleString('en');
  if (page !== undefined) {
    const go = (number) => (view) => (view.page = number);
    const more = lastPage === undefined ? hasNextPage : page < lastPage;
    const of = lastPage === undefined ? '' : ` of ${count(lastPage)}`;
    const rows = total === undefined ? '' : ` · ${count(total)} ${total === 1 ? 'row' : 'rows'}`;
    return {
      text: `Page ${count(page)}${of}${rows}`,
      previous: page > 1 ? go(page - 1) : null,
      next: more ? go(page + 1) : null,
    };
  }
  if (nextCursor === undefined)
    return { text: `${count(data.length)} rows`, previous: null, next: null };
  const go = (cursor) => (cursor === null ? null : (view) => (view.cursor = cursor));
  return { text: 'By cursor', previous: go(prevCursor), next: go(nextCursor) };
}
