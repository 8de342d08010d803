/** Splits a filter text into words, quoted texts and symbols, and writes them. */

import { FilterTextFailure } from './filter-text-error.ts';

/** A part of the text. `end` stands behind the last one. */
export interface Token {
  readonly type: 'word' | 'quoted' | 'symbol' | 'end';
  /** The word, the content of the quotes, or the symbol. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
  /** A quoted text without its closing quote. */
  readonly unclosed?: true;
}

const space = /\s/;
const symbols = /^(?:!=|<>|>=|<=|!~|==|[=<>~!(),])/;
const plainWord = /^[^\s"'`()=!<>~,\\]+$/;
const wordEnd = /[\s"'`()=!<>~,\\]/;

/** Words with a meaning of their own; written in quotes where they are values. */
const keywords = new Set(
  'and or not null is in between like ilike empty contains starts istarts ends with'.split(
    ' ',
  ) as readonly string[],
);

export const isKeyword = (word: string): boolean => keywords.has(word.toLowerCase());

/** The text as one token: as it is where that is a plain word, else in double quotes. */
export function quotedIfNeeded(text: string): string {
  if (plainWord.test(text) && !isKeyword(text)) return text;
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** The tokens of a text. An unclosed quote reaches to the end of the text and is marked. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    if (space.test(char)) {
      at += 1;
      continue;
    }
    const token = char === '"' || char === "'" || char === '`' ? quoted(text, at) : bare(text, at);
    tokens.push(token);
    at = token.end;
  }
  tokens.push({ type: 'end', value: '', start: text.length, end: text.length });
  return tokens;
}

function quoted(text: string, start: number): Token {
  const quote = text.charAt(start);
  let value = '';
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === quote) return { type: 'quoted', value, start, end: at + 1 };
    if (char === '\\') at += 1;
    value += text.charAt(at);
  }
  return { type: 'quoted', value, start, end: text.length, unclosed: true };
}

function bare(text: string, start: number): Token {
  // A symbol has at most two characters; the rest of a long text is not copied.
  const [symbol] = symbols.exec(text.slice(start, start + 2)) ?? [];
  if (symbol !== undefined) {
    return { type: 'symbol', value: symbol, start, end: start + symbol.length };
  }
  let end = start + 1;
  while (end < text.length && !wordEnd.test(text.charAt(end))) end += 1;
  return { type: 'word', value: text.slice(start, end), start, end };
}

/** Refuses a quoted text without its end. */
export function closedToken(token: Token): Token {
  if (!token.unclosed) return token;
  throw new FilterTextFailure({
    code: 'QUOTE_UNCLOSED',
    message: 'A quote is not closed.',
    start: token.start,
    end: token.end,
    expected: [],
  });
}
