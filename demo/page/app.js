/** The index page: the address contains the request, the controls edit it, and every change sends it at once. */

import { answer, pages } from './answer.js';
import { controls } from './controls.js';
import { byId, h, segments, select } from './dom.js';
import { parseQuery, readable, writeQuery } from './query.js';
import { json, sql } from './text.js';

const databaseLabels = { pg: 'PostgreSQL', sqlite: 'SQLite' };
const typingPause = 250;

const { endpoints, examples } = await (await fetch('meta')).json();
const databases = [...new Set(endpoints.map(({ database }) => database))];
const lists = [...new Set(endpoints.map(({ list }) => list))];

/** Database, list and query of the address. */
let current;
/** The parsed query. */
let view;
let meta;
let form = 'table';
let pager = { previous: null, next: null };
let pending = new AbortController();
let typing;

const addressOf = ({ database, list, query }) =>
  `#/${database}/${list}${query === '' ? '' : `?${query}`}`;

function readAddress() {
  const [, database, list, query = ''] = /^#\/(\w+)\/(\w+)(?:\?(.*))?$/s.exec(location.hash) ?? [];
  const known = databases.includes(database) && lists.includes(list);
  return known
    ? { database, list, query: readable(query) }
    : { database: databases[0], list: lists[0], query: '' };
}

const endpointPath = ({ database, list }) => `${database}/${list}`;
const otherDatabase = () => databases.find((database) => database !== current.database);

/** Navigates to a request. `edited` keeps the form, because the user is typing in it. */
function go(next, { edited = false } = {}) {
  clearTimeout(typing);
  const address = addressOf(next);
  // Typing replaces the history entry, so that going back does not undo single characters.
  if (edited) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  show({ edited });
}

function show({ edited = false } = {}) {
  current = readAddress();
  meta = endpoints.find(
    ({ database, list }) => database === current.database && list === current.list,
  );
  if (!edited) view = parseQuery(current.query, meta);
  segments(
    byId('databases'),
    databases.map((name) => [name, databaseLabels[name]]),
    current.database,
    (database) => go({ ...current, database }),
  );
  segments(
    byId('lists'),
    lists.map((name) => [name, name]),
    current.list,
    (list) => go({ ...current, list, query: '' }),
  );
  byId('path').textContent = `/${endpointPath(current)}`;
  if (document.activeElement !== byId('query')) byId('query').value = current.query;
  byId('open').href = `${endpointPath(current)}?${current.query}`;
  document.title = `${current.list} · Sluice demo`;
  if (!edited) showForm();
  send();
}

/** Back to the first page, because the rows change. */
function resetPage() {
  view.page = 1;
  view.cursor = '';
}

function showForm() {
  const edit = () => {
    resetPage();
    clearTimeout(typing);
    typing = setTimeout(
      () => go({ ...current, query: writeQuery(view) }, { edited: true }),
      typingPause,
    );
  };
  const rebuild = (next) => {
    const had = document.activeElement?.getAttribute('aria-label');
    resetPage();
    go({ ...current, query: writeQuery(view) });
    const wanted =
      typeof next === 'string' ? [...byId('form').querySelectorAll(next)].at(-1) : null;
    const same =
      had &&
      [...byId('form').querySelectorAll('[aria-label]')].find(
        (each) => each.getAttribute('aria-label') === had,
      );
    (wanted ?? same)?.focus();
  };
  byId('form').replaceChildren(...controls(view, meta, { edit, rebuild }).flat());
}

async function explain(database, signal) {
  const path = `explain/${endpointPath({ ...current, database })}`;
  const response = await fetch(current.query === '' ? path : `${path}?${current.query}`, {
    signal,
  });
  if (!response.ok) throw new Error(`The demo answered ${response.status}.`);
  return response.json();
}

const badge = (kind, text) => h(`span.badge.${kind}`, {}, text);
const timed = (database, { ms }) =>
  h('span', {}, `${databaseLabels[database]} ${ms.toFixed(1)} ms`);

/** Sends the request to the chosen database, shows the result, then compares it with the other database. */
async function send() {
  pending.abort();
  pending = new AbortController();
  const { signal } = pending;
  document.body.classList.add('loading');
  try {
    const explained = await explain(current.database, signal);
    showExplained(explained);
    const other = otherDatabase();
    const compared = await explain(other, signal);
    const same = JSON.stringify(compared.answer) === JSON.stringify(explained.answer);
    byId('status').append(
      timed(other, compared),
      same ? badge('good', 'same response from both') : badge('bad', 'the responses differ'),
    );
  } catch (error) {
    if (signal.aborted) return;
    byId('status').replaceChildren(badge('bad', error.message));
  } finally {
    if (!signal.aborted) document.body.classList.remove('loading');
  }
}

function showExplained(explained) {
  const { status, statements, plan } = explained;
  byId('status').replaceChildren(
    badge(
      status === 200 ? 'good' : 'bad',
      status === 200 ? '200 OK' : `${status} ${explained.answer.code}`,
    ),
    timed(current.database, explained),
  );
  byId('sql-note').textContent =
    `${statements.length} ${statements.length === 1 ? 'statement' : 'statements'} to ${databaseLabels[current.database]}`;
  byId('sql-body').replaceChildren(
    ...statements.map(({ sql: text, params }) =>
      h(
        'div.statement',
        {},
        sql(text),
        params.length > 0 && h('p.params.code', {}, 'parameters ', JSON.stringify(params)),
      ),
    ),
  );
  if (statements.length === 0) {
    byId('sql-body').replaceChildren(h('p.empty', {}, 'Refused before any statement ran.'));
  }
  byId('plan-body').replaceChildren(
    plan ? json(plan) : h('p.empty', {}, 'No plan: the request is refused.'),
  );
  showAnswer(explained);
}

function showAnswer(explained) {
  segments(
    byId('views'),
    [
      ['table', 'Table'],
      ['json', 'JSON'],
    ],
    form,
    (chosen) => {
      form = chosen;
      showAnswer(explained);
    },
  );
  byId('answer-body').replaceChildren(answer(explained, { form, meta, view, sortBy }));
  byId('answer-body').scrollTop = 0;
  pager = pages(explained);
  const button = (label, mark, move) =>
    h(
      'button',
      {
        type: 'button',
        disabled: !move,
        'aria-label': label,
        title: label,
        onclick: () => goToPage(move),
      },
      mark,
    );
  byId('pager').replaceChildren(
    h('span', {}, pager.text),
    button('Previous page', '‹', pager.previous),
    button('Next page', '›', pager.next),
  );
}

function goToPage(move) {
  if (!move) return;
  move(view);
  go({ ...current, query: writeQuery(view) });
}

/** Changes the sort: ascending, then descending, then none. */
function sortBy(path) {
  const sort = view.sorts.find((each) => each.path === path);
  if (!sort) view.sorts = [{ path, descending: false }];
  else if (sort.descending) view.sorts = view.sorts.filter((each) => each !== sort);
  else sort.descending = true;
  resetPage();
  go({ ...current, query: writeQuery(view) });
}

byId('request').addEventListener('submit', (event) => {
  event.preventDefault();
  go({ ...current, query: readable(byId('query').value.replace(/^\?/, '')) });
});

byId('examples').replaceWith(
  select(
    {
      id: 'examples',
      onchange: (event) => {
        const example = examples[Number(event.target.value)];
        event.target.value = '';
        go({ ...example, query: readable(example.query) });
      },
    },
    [['', 'Try an example …'], ...examples.map(({ title }, index) => [String(index), title])],
    '',
  ),
);

document.addEventListener('keydown', (event) => {
  const typed = event.target.closest('input, select, textarea');
  if (typed || event.ctrlKey || event.metaKey || event.altKey) return;
  const keys = {
    '/': () => {
      byId('controls').open = true;
      byId('search')?.focus();
    },
    n: () => goToPage(pager.next),
    p: () => goToPage(pager.previous),
    d: () => go({ ...current, database: otherDatabase() }),
  };
  if (!Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key]();
});

addEventListener('popstate', () => show());
addEventListener('hashchange', () => show());
// On a phone the response comes first; the controls open on demand.
if (matchMedia('(max-width: 700px)').matches) byId('controls').open = false;
if (location.hash === '') {
  const { database, list, query } =
    examples.find(({ query: each }) => each.includes('includes=country,country.languages')) ??
    examples[0];
  history.replaceState(null, '', addressOf({ database, list, query: readable(query) }));
}
show();
