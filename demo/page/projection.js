/** What is shown: related rows to include, and the fields of each. */

import { h } from './dom.js';

const prefixed = (path, field) => (path === '' ? field : `${path}.${field}`);

/** The fields of `shape` that the view shows: those it names, or else the default. */
function shownFields(view, shape) {
  const named = shape.allowed.filter((field) => view.fields.includes(prefixed(shape.path, field)));
  return named.length > 0 ? named : shape.default;
}

const sameFields = (a, b) => a.length === b.length && a.every((field) => b.includes(field));

/** Writes the fields of one shape back; the default is said by saying nothing. */
function setFields(view, shape, fields) {
  const own = new Set(shape.allowed.map((field) => prefixed(shape.path, field)));
  const others = view.fields.filter((field) => !own.has(field));
  const named = sameFields(fields, shape.default) ? [] : fields;
  view.fields = [...others, ...named.map((field) => prefixed(shape.path, field))];
}

function include(view, meta, shape, wanted) {
  const under = (path) => path === shape.path || path.startsWith(`${shape.path}.`);
  if (wanted) {
    const parents = meta.includes.filter(({ path }) => shape.path.startsWith(`${path}.`));
    const paths = [...parents.map(({ path }) => path), shape.path];
    view.includes = [...new Set([...view.includes, ...paths])];
  } else {
    view.includes = view.includes.filter((path) => !under(path));
    const gone = meta.includes.filter(({ path }) => under(path));
    for (const each of gone) setFields(view, each, each.default);
  }
}

function fieldChecks(view, shape, rebuild) {
  const shown = shownFields(view, shape);
  const check = (field) =>
    h(
      'label.chip',
      {},
      h('input', {
        type: 'checkbox',
        checked: shown.includes(field),
        onchange: (event) => {
          const fields = shape.allowed.filter((each) =>
            each === field ? event.target.checked : shown.includes(each),
          );
          setFields(view, shape, fields.length > 0 ? fields : shape.default);
          rebuild();
        },
      }),
      field,
    );
  return h(
    'div.fields',
    {},
    h('p.hint', {}, shape.path === '' ? 'of each row' : `of ${shape.path.replaceAll('.', ' › ')}`),
    h('div.chips', {}, shape.allowed.map(check)),
  );
}

let fieldsOpen = false;

/** Check boxes for includes and for fields. */
export function projectionControls(view, meta, { rebuild }) {
  const includes = meta.includes.map((shape) =>
    h(
      `label.check.depth${shape.path.split('.').length}`,
      {},
      h('input', {
        type: 'checkbox',
        checked: view.includes.includes(shape.path),
        onchange: (event) => {
          include(view, meta, shape, event.target.checked);
          rebuild();
        },
      }),
      shape.path.split('.').at(-1),
      h('span.hint', {}, shape.cardinality === 'one' ? ' one' : ' many'),
    ),
  );
  const shapes = [meta.root, ...meta.includes.filter(({ path }) => view.includes.includes(path))];
  return [
    includes.length > 0 && h('fieldset', {}, h('legend', {}, 'Include'), includes),
    h(
      'fieldset',
      {},
      h(
        'details',
        { open: fieldsOpen, ontoggle: (event) => (fieldsOpen = event.target.open) },
        h('summary', {}, 'Fields'),
        shapes.map((shape) => fieldChecks(view, shape, rebuild)),
      ),
    ),
  ];
}
