/** Controls for the projection: the included relations, and the fields of each. */

import { h } from './dom.js';

const prefixed = (path, field) => (path === '' ? field : `${path}.${field}`);

/** The fields of a projection in the view: the named ones, else the default. */
function shownFields(view, projection) {
  const named = projection.allowed.filter((field) =>
    view.fields.includes(prefixed(projection.path, field)),
  );
  return named.length > 0 ? named : projection.default;
}

const sameFields = (a, b) => a.length === b.length && a.every((field) => b.includes(field));

/** Stores the fields of one projection; the default fields are not named. */
function setFields(view, projection, fields) {
  const own = new Set(projection.allowed.map((field) => prefixed(projection.path, field)));
  const others = view.fields.filter((field) => !own.has(field));
  const named = sameFields(fields, projection.default) ? [] : fields;
  view.fields = [...others, ...named.map((field) => prefixed(projection.path, field))];
}

function include(view, meta, projection, wanted) {
  const under = (path) => path === projection.path || path.startsWith(`${projection.path}.`);
  if (wanted) {
    const parents = meta.includes.filter(({ path }) => projection.path.startsWith(`${path}.`));
    const paths = [...parents.map(({ path }) => path), projection.path];
    view.includes = [...new Set([...view.includes, ...paths])];
  } else {
    view.includes = view.includes.filter((path) => !under(path));
    const gone = meta.includes.filter(({ path }) => under(path));
    for (const each of gone) setFields(view, each, each.default);
  }
}

function fieldChecks(view, projection, rebuild) {
  const shown = shownFields(view, projection);
  const check = (field) =>
    h(
      'label.chip',
      {},
      h('input', {
        type: 'checkbox',
        checked: shown.includes(field),
        onchange: (event) => {
          const fields = projection.allowed.filter((each) =>
            each === field ? event.target.checked : shown.includes(each),
          );
          setFields(view, projection, fields.length > 0 ? fields : projection.default);
          rebuild();
        },
      }),
      field,
    );
  return h(
    'div.fields',
    {},
    h(
      'p.hint',
      {},
      projection.path === '' ? 'of each row' : `of ${projection.path.replaceAll('.', ' › ')}`,
    ),
    h('div.chips', {}, projection.allowed.map(check)),
  );
}

let fieldsOpen = false;

/** Check boxes for includes and fields. */
export function projectionControls(view, meta, { rebuild }) {
  const includes = meta.includes.map((projection) =>
    h(
      `label.check.depth${projection.path.split('.').length}`,
      {},
      h('input', {
        type: 'checkbox',
        checked: view.includes.includes(projection.path),
        onchange: (event) => {
          include(view, meta, projection, event.target.checked);
          rebuild();
        },
      }),
      projection.path.split('.').at(-1),
      h('span.hint', {}, projection.cardinality === 'one' ? ' one' : ' many'),
    ),
  );
  const projections = [
    meta.root,
    ...meta.includes.filter(({ path }) => view.includes.includes(path)),
  ];
  return [
    includes.length > 0 && h('fieldset', {}, h('legend', {}, 'Include'), includes),
    h(
      'fieldset',
      {},
      h(
        'details',
        { open: fieldsOpen, ontoggle: (event) => (fieldsOpen = event.target.open) },
        h('summary', {}, 'Fields'),
        projections.map((projection) => fieldChecks(view, projection, rebuild)),
      ),
    ),
  ];
}
