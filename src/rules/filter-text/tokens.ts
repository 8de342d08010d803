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

const symbols: ReadonlySet<string> = new Set('!= <> >= <= !~ == = < > ~ ! ( ) ,'.split(' '));
/** First characters of symbols with two. */
const doubled = '!<>=';
const plainWord = /^[^\s"'`()=!<>~,\\]+$/;

/** Whether each character of a class is in it: those of ASCII are looked up. */
function characters(all: RegExp): (text: string, at: number) => boolean {
  const ascii = Array.from({ length: 128 }, (_, code) => all.test(String.fromCharCode(code)));
  return (text, at) => ascii[text.charCodeAt(at)] ?? all.test(text.charAt(at));
}

const isSpace = characters(/\s/);
const endsWord = characters(/[\s"'`()=!<>~,\\]/);

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

/** All tokens of a text. */
export function tokensOf(text: string): Token[] {
  const tokens = [tokenFrom(text, 0)];
  for (let last = tokens[0]; last && last.type !== 'end'; tokens.push(last)) {
    last = tokenFrom(text, last.end);
  }
  return tokens;
}

/** The first token from a place on. An unclosed quote reaches to the end of the text and is marked. */
export function tokenFrom(text: string, from: number): Token {
  let start = from;
  while (start < text.length && isSpace(text, start)) start += 1;
  if (start === text.length) return { type: 'end', value: '', start, end: start };
  const char = text.charAt(start);
  return char === '"' || char === "'" || char === '`' ? quoted(text, start) : bare(text, start);
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
  const char = text.charAt(start);
  if (symbols.has(char)) {
    const isPair = doubled.includes(char) && symbols.has(text.slice(start, start + 2));
    const value = isPair ? text.slice(start, start + 2) : char;
    return { type: 'symbol', value, start, end: start + value.length };
  }
  let end = start + 1;
  while (end < text.length && !endsWord(text, end)) end += 1;
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
