/** Names that a new list has: of its files, its exports and its path. */

import type { FoundTable } from './tables/table.ts';

/** The names of a list of `orderLine`: `order-lines`, `orderLines` and `OrderLines`. */
export interface ListNames {
  readonly kebab: string;
  readonly camel: string;
  readonly pascal: string;
}

export function namesOf({ model }: FoundTable): ListNames {
  const words = model
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
  const all = [...words.slice(0, -1), plural(words.at(-1) ?? 'row')];
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  // An identifier cannot begin with a digit.
  const pascal = all
    .map((word) => capital(word))
    .join('')
    .replace(/^\d/, 'List$&');
  return {
    kebab: all.join('-'),
    camel: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    pascal,
  };
}

function plural(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  if (/(x|ch|sh|ss)$/.test(word)) return `${word}es`;
  return word.endsWith('s') ? word : `${word}s`;
}

const identifier = /^[A-Za-z_$][\w$]*$/;
const lineWidth = 80;

/** A value as a literal in the style of formatters: on one line where it fits. */
export function literal(value: unknown, indent = '', used = 0): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  const members: readonly (readonly [string, unknown])[] = isList
    ? value.map((each) => ['', each] as const)
    : Object.entries(value).map(([key, each]) => [`${propertyName(key)}: `, each] as const);
  const [open, close] = isList ? '[]' : '{}';
  if (members.length === 0) return `${open}${close}`;
  const space = isList ? '' : ' ';
  const inline = members.map(([key, each]) => key + literal(each, '', -Infinity)).join(', ');
  const whole = `${open}${space}${inline}${space}${close}`;
  const isListOfObjects = isList && value.length > 1 && typeof value[0] === 'object';
  if (indent.length + used + whole.length <= lineWidth && !isListOfObjects) return whole;
  const inner = `${indent}  `;
  const lines = members.map(
    ([key, each]) => `${inner}${key}${literal(each, inner, key.length + 1)},\n`,
  );
  return `${open}\n${lines.join('')}${indent}${close}`;
}

const propertyName = (key: string): string => (identifier.test(key) ? key : quoted(key));

/** In single quotes, which no name of a table contains unless escaped. */
const quoted = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, String.raw`\x22`)
    .replaceAll("'", String.raw`\x27`)}'`;
