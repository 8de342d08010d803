/** `suggest`: what may be written at the caret of a filter text. */

import type { RulesDescription } from '../client/describe-rules.ts';
import { FilterTextFailure } from './filter-text-error.ts';
import { FilterTextParser } from './parser.ts';
import { hasTimes } from './relative-times.ts';
import { operatorTexts } from './spellings.ts';
import type { Expectation } from './token-reader.ts';
import { type Token, quotedIfNeeded, tokensOf } from './tokens.ts';

/** One text that may stand at the caret. */
export interface Suggestion {
  /** The part of a filter that the suggestion completes. */
  readonly type: Expectation['type'];
  /** The text to insert, quoted where it must be. */
  readonly text: string;
  /** The same without quotes, to show. */
  readonly label: string;
}

/** Texts that may replace the part of the filter text around the caret. */
export interface Suggestions {
  /** First character of the part that a suggestion replaces. */
  readonly start: number;
  /** End of that part, exclusive. */
  readonly end: number;
  /** Texts that may stand here, the likeliest first. */
  readonly items: readonly Suggestion[];
}

/**
 * Paths, operators, members and keywords that may stand at the caret: those that continue what is written before it,
 * then those that contain it. Empty where the text before the caret is already wrong, or any text may stand.
 *
 * @param caret Position in UTF-16 code units from 0; beyond the end it is the end.
 * @throws {TypeError} when `caret` is not a number, or `NaN`
 */
export function suggest(description: RulesDescription, text: string, caret: number): Suggestions {
  if (typeof caret !== 'number' || Number.isNaN(caret)) {
    throw new TypeError('`caret` must be a number');
  }
  const at = Math.min(Math.max(Math.trunc(caret), 0), text.length);
  const last = tokensOf(text.slice(0, at)).at(-2);
  const partial = last && isPartial(last, at) ? last : undefined;
  const end = partial?.start ?? at;
  const parser = new FilterTextParser(description, text.slice(0, end), {
    now: new Date(),
    utcOffset: 0,
  });
  try {
    parser.parse();
  } catch (error) {
    if (!(error instanceof FilterTextFailure)) throw error;
  }
  const { expectation } = parser;
  if (!expectation) return { start: at, end: at, items: [] };
  const start = 'start' in expectation ? expectation.start : end;
  const written =
    expectation.type === 'operator'
      ? text.slice(start, at).trimEnd().replaceAll(/\s+/g, ' ')
      : (partial?.value ?? '');
  return {
    start,
    end: partial ? endOf(text, partial) : at,
    items: matching(candidates(expectation), written),
  };
}

/** Whether the caret stands in or at the end of a token that it may still change. */
function isPartial(token: Token, caret: number): boolean {
  if (token.end !== caret) return false;
  if (token.type === 'quoted') return token.unclosed === true;
  return token.type === 'word' || !['(', ')', ','].includes(token.value);
}

/** The end of the token in the whole text, behind the caret. */
const endOf = (text: string, { start }: Token): number =>
  tokensOf(text).find((token) => token.start === start)?.end ?? text.length;

function candidates(expectation: Expectation): Suggestion[] {
  const { type } = expectation;
  const named = (label: string): Suggestion => ({ type, label, text: quotedIfNeeded(label) });
  const literal = (label: string): Suggestion => ({ type, label, text: label });
  switch (type) {
    case 'path':
    case 'keyword':
      return expectation.words.map(literal);
    case 'operator':
      return operatorTexts(expectation.filter).map(literal);
    case 'value': {
      const { kind, members = [] } = expectation.filter;
      if (hasTimes(expectation.filter)) return ['now', 'today'].map(literal);
      return (kind === 'boolean' ? ['true', 'false'] : members).map(named);
    }
  }
}

/** The suggestions that continue the written text, in upper or lower case, then those that contain it. */
function matching(all: readonly Suggestion[], written: string): Suggestion[] {
  const wanted = written.toLowerCase();
  const rank = ({ label }: Suggestion): number => label.toLowerCase().indexOf(wanted);
  const found = all.filter((each) => rank(each) >= 0);
  return [...found.filter((each) => rank(each) === 0), ...found.filter((each) => rank(each) > 0)];
}
