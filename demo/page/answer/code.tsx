/** Coloured code: JSON with as few lines as possible, and SQL with one clause per line. */

import type { ReactNode } from 'react';

import style from '../page.module.css';

const lineWidth = 58;

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${inline(member)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** Lays out JSON; a value that fits on one line stays on it. */
function layOut(value: unknown, indent = ''): string {
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

/** Text in coloured pieces: `pattern` has one named group per colour. */
function coloured(text: string, pattern: RegExp): ReactNode[] {
  const pieces: ReactNode[] = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    const groups = match.groups ?? {};
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
    pieces.push(
      text.slice(at, match.index),
      <span key={match.index} data-kind={kind}>
        {match[0]}
      </span>,
    );
    at = match.index + match[0].length;
  }
  return [...pieces, text.slice(at)];
}

const jsonTokens =
  /(?<key>"(?:[^"\\]|\\.)*"(?=:))|(?<text>"(?:[^"\\]|\\.)*")|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<word>\b(?:true|false|null)\b)/g;

export function Json({ value }: { readonly value: unknown }) {
  return <pre className={style['code']}>{coloured(layOut(value), jsonTokens)}</pre>;
}

const clauses =
  /(?<!\b(?:left|inner|cross))\s+(?=(?:from|where|group by|order by|limit|union|left join|inner join|join|cross join lateral|left join lateral)\b)/gi;
const keywords =
  'select|distinct|from|where|group|order|by|limit|offset|left|inner|cross|join|lateral|on|as|and|or|not|in|is|null|like|escape|exists|between|asc|desc|nulls|first|last|case|when|then|else|end|cast|count|with|union|all|true|false|collate|any|values|coalesce';
const sqlTokens = new RegExp(
  `(?<text>'(?:[^']|'')*')|(?<key>"(?:[^"]|"")*")|(?<parameter>\\$\\d+|\\?)|(?<keyword>\\b(?:${keywords})\\b)|(?<number>\\b\\d+\\b)`,
  'gi',
);

/** One statement: one clause per line, indented within parentheses. */
export function Sql({ text }: { readonly text: string }) {
  let depth = 0;
  let at = 0;
  let laidOut = '';
  for (const match of text.matchAll(clauses)) {
    const before = text.slice(at, match.index);
    depth += before.split('(').length - before.split(')').length;
    laidOut += `${before}\n${'  '.repeat(Math.max(0, depth))}`;
    at = match.index + match[0].length;
  }
  return <pre className={style['code']}>{coloured(laidOut + text.slice(at), sqlTokens)}</pre>;
}
