/** The form on the left. Its controls are generated from the rules of the endpoint. */

import { h, select } from './dom.js';
import { joinList, splitList } from './query.js';
import { projectionControls } from './projection.js';

const operatorLabels = {
  eq: '=',
  ne: '≠',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  in: 'is one of',
  notIn: 'is not one of',
  between: 'between',
  like: 'contains',
  notLike: 'does not contain',
  ilike: 'contains, any case',
  notIlike: 'does not contain, any case',
  isNull: 'is null',
};

const relationLabel = (path) => path.split('.').slice(0, -1).join(' › ');
const lastPart = (path) => path.split('.').at(-1);
const pageSizes = [5, 10, 20, 50, 100];

/** Paths in groups: those of the model, then those of each relation. */
function pathOptions(paths) {
  const groups = Map.groupBy(paths, relationLabel);
  return [...groups].flatMap(([label, members]) => {
    const options = members.map((path) => [path, lastPart(path)]);
    return label === '' ? options : [{ label, options }];
  });
}

/** The initial value of a new filter. */
function firstValue(rule, operator) {
  if (operator === 'isNull' || rule.kind === 'boolean') return 'true';
  if (rule.kind === 'enum') return rule.values[0];
  return '';
}

function preferredOperator(rule) {
  const wanted = { string: ['ilike', 'like', 'eq'], integer: ['gte'], decimal: ['gte'] };
  const order = wanted[rule.kind] ?? [];
  return order.find((operator) => rule.operators.includes(operator)) ?? rule.operators[0];
}

function valueControl(filter, rule, edit) {
  const label = `Value for ${filter.path}`;
  const set = (value) => {
    filter.value = value;
    edit();
  };
  const numeric = ['integer', 'bigint', 'decimal'].includes(rule.kind);
  const input = (value, label_, oninput, placeholder) =>
    h('input', {
      type: 'text',
      value,
      oninput,
      placeholder,
      inputMode: numeric ? 'decimal' : 'text',
      'aria-label': label_,
    });
  if (filter.operator === 'isNull' || rule.kind === 'boolean') {
    const options = ['true', 'false'].map((value) => [value, value]);
    return select(
      { 'aria-label': label, onchange: (event) => set(event.target.value) },
      options,
      filter.value,
    );
  }
  if (rule.kind === 'enum' && ['eq', 'ne'].includes(filter.operator)) {
    const options = rule.values.map((value) => [value, value]);
    return select(
      { 'aria-label': label, onchange: (event) => set(event.target.value) },
      options,
      filter.value,
    );
  }
  if (filter.operator === 'between') {
    const ends = [...(splitList(filter.value) ?? []), '', ''].slice(0, 2);
    const end = (index, name) =>
      input(
        ends[index],
        `${label}, ${name}`,
        (event) => {
          ends[index] = event.target.value;
          set(joinList(ends));
        },
        name,
      );
    return h('span.pair', {}, end(0, 'low'), end(1, 'high'));
  }
  const isList = ['in', 'notIn'].includes(filter.operator);
  const hint = rule.kind === 'enum' ? rule.values.slice(0, 2).join(',') : 'a,b,c';
  return input(filter.value, label, (event) => set(event.target.value), isList ? hint : rule.kind);
}

function filterRow(view, meta, filter, { edit, rebuild }) {
  const rule = meta.filters.find(({ path }) => path === filter.path);
  const onpath = (event) => {
    const next = meta.filters.find(({ path }) => path === event.target.value);
    filter.path = next.path;
    filter.operator = preferredOperator(next);
    filter.value = firstValue(next, filter.operator);
    rebuild();
  };
  const onoperator = (event) => {
    filter.operator = event.target.value;
    const free = !['isNull'].includes(filter.operator) && !['boolean', 'enum'].includes(rule.kind);
    if (!free || ['true', 'false'].includes(filter.value)) {
      filter.value = firstValue(rule, filter.operator);
    }
    rebuild();
  };
  const remove = () => {
    view.filters.splice(view.filters.indexOf(filter), 1);
    rebuild();
  };
  return h(
    'div.row.filter',
    {},
    select(
      { 'aria-label': 'Filtered path', title: filter.path, onchange: onpath },
      pathOptions(meta.filters.map(({ path }) => path)),
      filter.path,
    ),
    h(
      'button.quiet',
      {
        type: 'button',
        title: 'Remove',
        'aria-label': `Remove the filter on ${filter.path}`,
        onclick: remove,
      },
      '×',
    ),
    relationLabel(filter.path) && h('span.of', {}, `of ${relationLabel(filter.path)}`),
    select(
      { 'aria-label': `Operator for ${filter.path}`, onchange: onoperator },
      rule.operators.map((operator) => [operator, operatorLabels[operator] ?? operator]),
      filter.operator,
    ),
    valueControl(filter, rule, edit),
  );
}

function filterControls(view, meta, actions) {
  const add = (event) => {
    const rule = meta.filters.find(({ path }) => path === event.target.value);
    const operator = preferredOperator(rule);
    view.filters.push({ path: rule.path, operator, value: firstValue(rule, operator) });
    actions.rebuild('.filter:last-of-type input, .filter:last-of-type select:last-of-type');
  };
  return h(
    'fieldset',
    {},
    h('legend', {}, 'Filters'),
    view.filters.map((filter) => filterRow(view, meta, filter, actions)),
    select(
      { className: 'add', 'aria-label': 'Add a filter', onchange: add },
      [['', '+ filter'], ...pathOptions(meta.filters.map(({ path }) => path))],
      '',
    ),
  );
}

function sortControls(view, meta, { rebuild }) {
  const row = (sort, index) =>
    h(
      'div.row.sort',
      {},
      h('span.name', {}, sort.path),
      h(
        'button',
        {
          type: 'button',
          'aria-label': `${sort.path}: ${sort.descending ? 'descending' : 'ascending'}; reverse`,
          onclick: () => {
            sort.descending = !sort.descending;
            rebuild();
          },
        },
        sort.descending ? '↓ descending' : '↑ ascending',
      ),
      h(
        'button.quiet',
        {
          type: 'button',
          title: 'Remove',
          'aria-label': `Remove the sort by ${sort.path}`,
          onclick: () => {
            view.sorts.splice(index, 1);
            rebuild();
          },
        },
        '×',
      ),
    );
  const free = meta.sorts.filter((path) => !view.sorts.some((sort) => sort.path === path));
  const add = (event) => {
    view.sorts.push({ path: event.target.value, descending: false });
    rebuild();
  };
  return h(
    'fieldset',
    {},
    h('legend', {}, 'Sort'),
    view.sorts.map(row),
    free.length > 0 &&
      select(
        { className: 'add', 'aria-label': 'Add a sort', onchange: add },
        [
          ['', view.sorts.length > 0 ? '+ then by' : '+ sort by'],
          ...free.map((path) => [path, path]),
        ],
        '',
      ),
  );
}

function searchControl(view, meta, { edit }) {
  return h(
    'fieldset',
    {},
    h('legend', {}, 'Search'),
    h('input', {
      id: 'search',
      type: 'search',
      value: view.search,
      placeholder: 'any script, any case',
      'aria-label': `Search in ${meta.search.join(', ')}`,
      oninput: (event) => {
        view.search = event.target.value;
        edit();
      },
    }),
    h('p.hint', {}, `in ${meta.search.join(', ')}`),
  );
}

function pagingControls(view, meta, { rebuild }) {
  const { mode, allowUnpaginated, defaultPerPage, maxUnpaginatedRows } = meta.pagination;
  const modes = [
    mode !== 'keyset' && ['offset', 'Numbered pages'],
    mode !== 'offset' && ['keyset', 'Keyset, by cursor'],
    allowUnpaginated && ['all', `All rows, up to ${maxUnpaginatedRows}`],
  ].filter(Boolean);
  return h(
    'fieldset',
    {},
    h('legend', {}, 'Pages'),
    modes.map(([value, label]) =>
      h(
        'label.check',
        {},
        h('input', {
          type: 'radio',
          name: 'mode',
          value,
          checked: view.mode === value,
          onchange: () => {
            view.mode = value;
            rebuild();
          },
        }),
        label,
      ),
    ),
    view.mode !== 'all' &&
      h(
        'label.inline',
        {},
        'Rows per page ',
        select(
          {
            onchange: (event) => {
              const size = Number(event.target.value);
              view.perPage = size === defaultPerPage ? null : size;
              rebuild();
            },
          },
          [...new Set([...pageSizes, view.perPage ?? defaultPerPage])]
            .toSorted((a, b) => a - b)
            .map((size) => [String(size), String(size)]),
          String(view.perPage ?? defaultPerPage),
        ),
      ),
  );
}

function restControls(view, { rebuild }) {
  if (view.rest.length === 0) return null;
  return h(
    'fieldset',
    {},
    h('legend', {}, 'Other parameters'),
    h('p.hint', {}, 'These parameters have no control. The request contains them unchanged.'),
    view.rest.map((pair, index) =>
      h(
        'div.row.sort',
        {},
        h('code.name', {}, pair),
        h(
          'button.quiet',
          {
            type: 'button',
            'aria-label': `Remove ${pair}`,
            onclick: () => {
              view.rest.splice(index, 1);
              rebuild();
            },
          },
          '×',
        ),
      ),
    ),
  );
}

/**
 * The form of a view.
 *
 * @param view edited in place
 * @param meta description of the endpoint
 * @param actions `edit` after a keystroke, `rebuild` after a change of the form itself
 */
export function controls(view, meta, actions) {
  return [
    meta.search.length > 0 && searchControl(view, meta, actions),
    filterControls(view, meta, actions),
    sortControls(view, meta, actions),
    projectionControls(view, meta, actions),
    pagingControls(view, meta, actions),
    restControls(view, actions),
  ].filter(Boolean);
}
