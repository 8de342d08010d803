/** Highlighted code: JSON with as few lines as possible, and SQL with one clause per line. */

import { h } from './dom.js';

const lineWidth = 58;

/** Formats JSON; a value that fits on one line stays on it. */
export function layOut(value, indent = '') {
  const flat = inline(value);
  if (typeof value !== 'object' || value === null || indent.length + flat.length <= lineWidth)
    return flat;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const members = isList
    ? value.map((member) => inner + layOut(member, inner))
    : Object.entries(value).map(
        ([key, member]) => `${inner}${JSON.stringify(key)}: ${layOut(member, inner)}`,
      );
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${members.join(',\n')}\n${indent}${close}`;
}

function inline(value) {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${inline(member)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** Splits text into coloured pieces: `pattern` has one named group per colour. */
function colour(text, pattern) {
  const pieces = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    pieces.push(text.slice(at, match.index));
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    pieces.push(h(`span.${kind}`, {}, match[0]));
    at = match.index + match[0].length;
  }
  return [...pieces, text.slice(at)];
}

const jsonTokens =
  /(?<key>"(?:[^"\\]|\\.)*"(?=:))|(?<string>"(?:[^"\\]|\\.)*")|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<word>\b(?:true|false|null)\b)/g;

/** JSON as an element. */
export const json = (value) => h('pre.code', {}, colour(layOut(value), jsonTokens));

const clauses =
  /(?<!\b(?:left|inner|cross))\s+(?=(?:from|where|group by|order by|limit|union|left join|inner join|join|cross join lateral|left join lateral)\b)/gi;
const keywords =
  'select|distinct|from|where|group|order|by|limit|offset|left|inner|cross|join|lateral|on|as|and|or|not|in|is|null|like|escape|exists|between|asc|desc|nulls|first|last|case|when|then|else|end|cast|count|with|union|all|true|false|collate|any|values|coalesce';
const sqlTokens = new RegExp(
  `(?<string>'(?:[^']|'')*')|(?<name>"(?:[^"]|"")*")|(?<param>\\$\\d+|\\?)|(?<keyword>\\b(?:${keywords})\\b)|(?<number>\\b\\d+\\b)`,
  'gi',
);

/** One statement as an element: one clause per line, indented within parentheses. */
export function sql(text) {
  let depth = 0;
  let at = 0;
  let laidOut = '';
  for (const match of text.matchAll(clauses)) {
    const before = text.slice(at, match.index);
    depth += before.split('(').length - before.split(')').length;
    laidOut += `${before}\n${'  '.repeat(Math.max(0, depth))}`;
    at = match.index + match[0].length;
  }
  return h('pre.code', {}, colour(laidOut + text.slice(at), sqlTokens));
}
