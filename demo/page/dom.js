/** Creates the elements of this page with calls, never with markup, so that data is never parsed as HTML. */

/**
 * @param {string} name tag, with classes: `div.bar.wide`
 * @param {Record<string, unknown>} properties properties of the element; `on...` are listeners, `data-` and `aria-` attributes
 * @param {...(Node | string | number | null | undefined | false | Array<unknown>)} children
 */
export function h(name, properties = {}, ...children) {
  const [tag, ...classes] = name.split('.');
  const element = document.createElement(tag);
  if (classes.length > 0) element.className = classes.join(' ');
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key.includes('-') || key === 'role' || key === 'for') element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children.flat(Infinity).filter((child) => child || child === 0));
  return element;
}

/** A drop-down list. `options` are `[value, label]`, or `{ label, options }` for a group. */
export function select(properties, options, chosen) {
  const option = ([value, label]) => h('option', { value, selected: value === chosen }, label);
  const entry = (each) =>
    Array.isArray(each)
      ? option(each)
      : h('optgroup', { label: each.label }, each.options.map(option));
  return h('select', properties, options.map(entry));
}

/** Buttons with one pressed at a time. */
export function segments(container, choices, chosen, choose) {
  container.replaceChildren(
    ...choices.map(([value, label]) =>
      h(
        'button',
        { type: 'button', 'aria-pressed': String(value === chosen), onclick: () => choose(value) },
        label,
      ),
    ),
  );
}

export const byId = (id) => document.getElementById(id);
