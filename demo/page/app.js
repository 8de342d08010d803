/** The index page: the address holds the view, the controls edit it, and every change is asked at once. */

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

/** Where the page is: database, list and query, as the address has them. */
let place;
/** The query in parts. */
let view;
let meta;
let form = 'table';
let turn = { previous: null, next: null };
let asked = new AbortController();
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
const otherDatabase = () => databases.find((database) => database !== place.database);

/** Goes to a place. `edited` keeps the form as it is, for somebody is typing in it. */
function go(next, { edited = false } = {}) {
  clearTimeout(typing);
  const address = addressOf(next);
  // Going back leads past what was typed, not through it letter by letter.
  if (edited) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  show({ edited });
}

function show({ edited = false } = {}) {
  place = readAddress();
  meta = endpoints.find(({ database, list }) => database === place.database && list === place.list);
  if (!edited) view = parseQuery(place.query, meta);
  segments(
    byId('databases'),
    databases.map((name) => [name, databaseLabels[name]]),
    place.database,
    (database) => go({ ...place, database }),
  );
  segments(
    byId('lists'),
    lists.map((name) => [name, name]),
    place.list,
    (list) => go({ ...place, list, query: '' }),
  );
  byId('path').textContent = `/${endpointPath(place)}`;
  if (document.activeElement !== byId('query')) byId('query').value = place.query;
  byId('open').href = `${endpointPath(place)}?${place.query}`;
  document.title = `${place.list} · Sluice demo`;
  if (!edited) showForm();
  ask();
}

/** Back to the first page: other rows are asked for. */
function rewind() {
  view.page = 1;
  view.cursor = '';
}

function showForm() {
  const edit = () => {
    rewind();
    clearTimeout(typing);
    typing = setTimeout(
      () => go({ ...place, query: writeQuery(view) }, { edited: true }),
      typingPause,
    );
  };
  const rebuild = (next) => {
    const had = document.activeElement?.getAttribute('aria-label');
    rewind();
    go({ ...place, query: writeQuery(view) });
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
  const path = `explain/${endpointPath({ ...place, database })}`;
  const response = await fetch(place.query === '' ? path : `${path}?${place.query}`, { signal });
  if (!response.ok) throw new Error(`The demo answered ${response.status}.`);
  return response.json();
}

const badge = (kind, text) => h(`span.badge.${kind}`, {}, text);
const timed = (database, { ms }) =>
  h('span', {}, `${databaseLabels[database]} ${ms.toFixed(1)} ms`);

/** Asks the chosen database, shows how it went, then asks the other one and compares. */
async function ask() {
  asked.abort();
  asked = new AbortController();
  const { signal } = asked;
  document.body.classList.add('asking');
  try {
    const explained = await explain(place.database, signal);
    showExplained(explained);
    const other = otherDatabase();
    const compared = await explain(other, signal);
    const same = JSON.stringify(compared.answer) === JSON.stringify(explained.answer);
    byId('status').append(
      timed(other, compared),
      same ? badge('good', 'same answer from both') : badge('bad', 'the databases disagree'),
    );
  } catch (error) {
    if (signal.aborted) return;
    byId('status').replaceChildren(badge('bad', error.message));
  } finally {
    if (!signal.aborted) document.body.classList.remove('asking');
  }
}

function showExplained(explained) {
  const { status, statements, plan } = explained;
  byId('status').replaceChildren(
    badge(
      status === 200 ? 'good' : 'bad',
      status === 200 ? '200 OK' : `${status} ${explained.answer.code}`,
    ),
    timed(place.database, explained),
  );
  byId('sql-note').textContent =
    `${statements.length} ${statements.length === 1 ? 'statement' : 'statements'} to ${databaseLabels[place.database]}`;
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
  turn = pages(explained);
  const button = (label, mark, move) =>
    h(
      'button',
      {
        type: 'button',
        disabled: !move,
        'aria-label': label,
        title: label,
        onclick: () => turnTo(move),
      },
      mark,
    );
  byId('pager').replaceChildren(
    h('span', {}, turn.text),
    button('Previous page', '‹', turn.previous),
    button('Next page', '›', turn.next),
  );
}

function turnTo(move) {
  if (!move) return;
  move(view);
  go({ ...place, query: writeQuery(view) });
}

/** Ascending, then descending, then not at all. */
function sortBy(path) {
  const sort = view.sorts.find((each) => each.path === path);
  if (!sort) view.sorts = [{ path, descending: false }];
  else if (sort.descending) view.sorts = view.sorts.filter((each) => each !== sort);
  else sort.descending = true;
  rewind();
  go({ ...place, query: writeQuery(view) });
}

byId('request').addEventListener('submit', (event) => {
  event.preventDefault();
  go({ ...place, query: readable(byId('query').value.replace(/^\?/, '')) });
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
    n: () => turnTo(turn.next),
    p: () => turnTo(turn.previous),
    d: () => go({ ...place, database: otherDatabase() }),
  };
  if (!Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key]();
});

addEventListener('popstate', () => show());
addEventListener('hashchange', () => show());
// On a phone the answer comes first; the controls open on demand.
if (matchMedia('(max-width: 700px)').matches) byId('controls').open = false;
if (location.hash === '') {
  const { database, list, query } =
    examples.find(({ query: each }) => each.includes('includes=country,country.languages')) ??
    examples[0];
  history.replaceState(null, '', addressOf({ database, list, query: readable(query) }));
}
show();
