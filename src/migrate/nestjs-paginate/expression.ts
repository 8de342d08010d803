/** Expressions in the parameter `filter`: `color=$eq:white OR NOT (age=$gt:3 AND toys.name=Ball)`. */

import { syntaxError } from '../../rules/index.ts';

/** A condition of a column, or a group. */
export type Expression =
  | { readonly type: 'leaf'; readonly column: string; readonly text: string }
  | { readonly type: 'not'; readonly member: Expression }
  | { readonly type: 'and' | 'or'; readonly members: readonly Expression[] };

/** A part of a text: a bracket, `AND`, `OR`, `NOT`, or a condition, whose quotes are taken off. */
interface Part {
  readonly type: '(' | ')' | 'and' | 'or' | 'not' | 'leaf';
  readonly text: string;
}

const invalid = () =>
  syntaxError('The expression in the parameter "filter" is not complete.', { param: 'filter' });

/**
 * Reads an expression of at most `most` parts. `NOT` binds closest, then `AND`.
 *
 * @throws {QueryError} QUERY_SYNTAX_INVALID when it is not complete, or has more parts.
 */
export function readExpression(text: string, most: number): Expression {
  const parts = partsOf(text);
  if (parts.length > most) {
    throw syntaxError(`The expression in the parameter "filter" has more than ${most} parts.`, {
      param: 'filter',
    });
  }
  let at = 0;
  const joined = (type: 'and' | 'or', next: () => Expression): Expression => {
    const members = [next()];
    while (parts[at]?.type === type) {
      at += 1;
      members.push(next());
    }
    const [first] = members;
    return first && members.length === 1 ? first : { type, members };
  };
  const alternatives = (): Expression => joined('or', () => joined('and', one));
  const one = (): Expression => {
    const part = parts[at];
    at += 1;
    if (part?.type === 'not') return { type: 'not', member: one() };
    if (part?.type === '(') {
      const within = alternatives();
      if (parts[at]?.type !== ')') throw invalid();
      at += 1;
      return within;
    }
    const [column = '', ...value] = part?.type === 'leaf' ? part.text.split('=') : [];
    if (column === '' || value.length === 0) throw invalid();
    return { type: 'leaf', column, text: value.join('=') };
  };
  const expression = alternatives();
  if (at < parts.length) throw invalid();
  return expression;
}

/** Blanks and brackets end a condition, but not within quotes, where a backslash escapes quotes and itself. */
const partPattern =
  /\s*(?:([()])|((?:"(?:[^"\\]|\\["'\\]|\\(?!["'\\]))*"|'(?:[^'\\]|\\["'\\]|\\(?!["'\\]))*'|[^\s()"'])+))/y;
const quotedPattern =
  /"((?:[^"\\]|\\["'\\]|\\(?!["'\\]))*)"|'((?:[^'\\]|\\["'\\]|\\(?!["'\\]))*)'/g;

function partsOf(text: string): readonly Part[] {
  const parts: Part[] = [];
  const end = text.trimEnd().length;
  partPattern.lastIndex = 0;
  while (partPattern.lastIndex < end) {
    const [, bracket, raw = ''] = partPattern.exec(text) ?? [];
    if (bracket === undefined && raw === '') throw invalid();
    const keyword = /^(?:and|or|not)$/i.test(raw) ? raw.toLowerCase() : 'leaf';
    const type = (bracket ?? keyword) as Part['type'];
    parts.push({ type, text: raw.replaceAll(quotedPattern, unquoted) });
  }
  return parts;
}

const unquoted = (_all: string, first?: string, second?: string): string =>
  (first ?? second ?? '').replaceAll(/\\(["'\\])/g, '$1');
