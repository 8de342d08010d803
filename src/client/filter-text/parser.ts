/** Reads a filter text against the description of rules, and knows at its end what may follow. */

import type { ClientOperand, OperatorName } from '../../rules/index.ts';
import type { DescribedFilter, RulesDescription } from '../../rules/client/index.ts';
import { FilterTextFailure } from './filter-text-error.ts';
import type { FilterTextErrorCode, FilterTextError } from './filter-text-error.ts';
import { type Spelling, operatorFor, operatorTexts, spellingsFrom } from './spellings.ts';
import { type Token, closedToken, isKeyword, tokensOf } from './tokens.ts';
import { type FilterTextValue, readValue } from './values.ts';

/** One operand: a value, a list of values, or the flag of `isNull`. */
type FilterTextOperand = FilterTextValue | readonly FilterTextValue[];

/** Conditions by path and operator, as `buildQuery` takes them in `filter`; all of them hold. */
export interface TextFilter {
  readonly [path: string]: {
    readonly [Operator in OperatorName]?: ClientOperand<Operator, FilterTextValue>;
  };
}

/** The part of the grammar that may follow. `start` is where it begins in the text. */
export type Expectation =
  | { readonly type: 'path'; readonly start: number }
  | { readonly type: 'operator'; readonly filter: DescribedFilter; readonly start: number }
  | { readonly type: 'value'; readonly filter: DescribedFilter; readonly operator: OperatorName }
  | { readonly type: 'keyword'; readonly words: readonly string[] };

type Conditions = Map<string, Map<OperatorName, FilterTextOperand>>;

/** Whether the token is this keyword, in upper or lower case. */
const isWord = (token: Token, word: string): boolean =>
  token.type === 'word' && token.value.toLowerCase() === word;

const isSymbol = (token: Token, symbol: string): boolean =>
  token.type === 'symbol' && token.value === symbol;

/** Reads one text, token by token. */
export class FilterTextParser {
  readonly #description: RulesDescription;
  readonly #filters: ReadonlyMap<string, DescribedFilter>;
  readonly #tokens: readonly Token[];
  readonly #conditions: Conditions = new Map();
  readonly #open: Token[] = [];
  #at = 0;
  #count = 0;
  #expectation: Expectation | null = null;

  constructor(description: RulesDescription, tokens: readonly Token[]) {
    this.#description = description;
    this.#filters = new Map(description.filters.map((filter) => [filter.path, filter]));
    this.#tokens = tokens;
  }

  /** The part of the grammar that the end of the text may be followed by; `null` if the parse ended before it. */
  get expectation(): Expectation | null {
    return this.#expectation;
  }

  /** Reads conditions joined by `and` to the end of the text. */
  parse(): TextFilter {
    if (this.#isAtEnd()) {
      this.#expect({ type: 'path', start: this.#token.start });
      return {};
    }
    for (;;) {
      while (isSymbol(this.#token, '(')) this.#open.push(this.#next());
      this.#condition();
      while (this.#open.length > 0 && isSymbol(this.#token, ')')) {
        this.#open.pop();
        this.#next();
      }
      if (this.#isAtEnd()) break;
      this.#joint();
    }
    this.#expect({ type: 'keyword', words: this.#open.length > 0 ? ['and', ')'] : ['and'] });
    const unclosed = this.#open.at(-1);
    if (unclosed) this.#fail('PARENTHESIS_UNMATCHED', 'A parenthesis is not closed.', unclosed);
    return Object.fromEntries(
      [...this.#conditions].map(([path, operands]) => [path, Object.fromEntries(operands)]),
    );
  }

  get #token(): Token {
    return this.#tokens[this.#at] as Token;
  }

  #isAtEnd(): boolean {
    return this.#token.type === 'end';
  }

  #next(): Token {
    const token = closedToken(this.#token);
    this.#at += 1;
    return token;
  }

  /** Notes what may follow if the text ends here. */
  #expect(expectation: Expectation): void {
    if (this.#isAtEnd()) this.#expectation = expectation;
  }

  #fail(
    code: FilterTextErrorCode,
    message: string,
    from: Token = this.#token,
    to: Token = from,
    expected: readonly string[] = [],
  ): never {
    throw new FilterTextFailure({ code, message, start: from.start, end: to.end, expected });
  }

  #joint(): void {
    const token = this.#token;
    if (isWord(token, 'and')) {
      this.#next();
      return;
    }
    if (isWord(token, 'or')) {
      this.#fail(
        'OR_UNSUPPORTED',
        'Conditions are joined with `and`; write `in (a, b)` for several values of one path.',
        token,
        token,
        ['and'],
      );
    }
    if (isSymbol(token, ')')) {
      this.#fail('PARENTHESIS_UNMATCHED', 'A parenthesis is not opened.');
    }
    this.#fail('AND_EXPECTED', 'Conditions are joined with `and`.', token, token, ['and']);
  }

  #condition(): void {
    const first = this.#token;
    const filter = this.#path();
    const { spelling, operator } = this.#operator(filter);
    const operators =
      this.#conditions.get(filter.path) ?? new Map<OperatorName, FilterTextOperand>();
    this.#conditions.set(filter.path, operators);
    const last = this.#tokens[this.#at - 1] ?? first;
    if (operators.has(operator)) {
      this.#fail('CONDITION_REPEATED', 'A path takes each operator once.', first, last);
    }
    const { maxFilters } = this.#description.limits;
    this.#count += 1;
    if (this.#count > maxFilters) {
      const message = `A filter has at most ${maxFilters} conditions.`;
      this.#fail('TOO_MANY_CONDITIONS', message, first, last);
    }
    operators.set(operator, spelling.flag ?? this.#operand(filter, operator));
  }

  #path(): DescribedFilter {
    this.#expect({ type: 'path', start: this.#token.start });
    const paths = [...this.#filters.keys()];
    const token = this.#token;
    if (token.type !== 'word') {
      this.#fail('PATH_EXPECTED', 'A condition begins with a path.', token, token, paths);
    }
    const filter = this.#filters.get(token.value);
    if (!filter && isWord(token, 'not')) {
      this.#fail(
        'NOT_UNSUPPORTED',
        'A condition is negated by its operator: `!=`, `!~`, `not in`, `not like`, `is not null`.',
      );
    }
    if (!filter) {
      this.#fail('PATH_UNKNOWN', 'This path has no filter.', token, token, paths);
    }
    this.#next();
    return filter;
  }

  /** Takes the longest spelling, so that `is not null` is not `is` with a value. */
  #operator(filter: DescribedFilter): { spelling: Spelling; operator: OperatorName } {
    const first = this.#token;
    const parts: string[] = [];
    let found: Spelling | undefined;
    for (;;) {
      this.#expect({ type: 'operator', filter, start: first.start });
      const token = this.#token;
      const isPart = token.type === 'word' || token.type === 'symbol';
      const next = isPart ? spellingsFrom([...parts, token.value.toLowerCase()]) : [];
      if (next.length === 0) break;
      parts.push(token.value.toLowerCase());
      this.#next();
      found = next.find((each) => each.parts.length === parts.length);
      // No spelling continues a complete one.
      if (found) break;
    }
    const texts = operatorTexts(filter);
    if (!found) {
      const from = parts.length > 0 ? first : this.#token;
      const message = 'An operator follows the path.';
      this.#fail('OPERATOR_EXPECTED', message, from, this.#token, texts);
    }
    const operator = operatorFor(filter, found);
    if (!operator) {
      const last = this.#tokens[this.#at - 1] ?? first;
      const message = 'The path does not take this operator.';
      this.#fail('OPERATOR_NOT_ALLOWED', message, first, last, texts);
    }
    return { spelling: found, operator };
  }

  #operand(filter: DescribedFilter, operator: OperatorName): FilterTextOperand {
    if (operator === 'between') {
      const low = this.#value(filter, operator);
      this.#keyword('and');
      return [low, this.#value(filter, operator)];
    }
    if (operator === 'in' || operator === 'notIn') return this.#list(filter, operator);
    return this.#value(filter, operator);
  }

  #keyword(word: string): void {
    this.#expect({ type: 'keyword', words: [word] });
    const token = this.#token;
    if (!isWord(token, word) && !isSymbol(token, word)) {
      const message = `\`${word}\` is missing here.`;
      this.#fail('VALUE_EXPECTED', message, token, token, [word]);
    }
    this.#next();
  }

  #list(filter: DescribedFilter, operator: OperatorName): readonly FilterTextValue[] {
    const { maxListLength } = this.#description.limits;
    const values: FilterTextValue[] = [];
    this.#keyword('(');
    if (isSymbol(this.#token, ')')) {
      this.#next();
      return values;
    }
    for (;;) {
      const token = this.#token;
      values.push(this.#value(filter, operator));
      if (values.length > maxListLength) {
        this.#fail('LIST_TOO_LONG', `A list has at most ${maxListLength} values.`, token);
      }
      this.#expect({ type: 'keyword', words: [',', ')'] });
      if (isSymbol(this.#token, ')')) break;
      if (!isSymbol(this.#token, ',')) {
        const message = 'Values of a list are separated by commas, and `)` ends it.';
        this.#fail('VALUE_EXPECTED', message, this.#token, this.#token, [',', ')']);
      }
      this.#next();
    }
    this.#next();
    return values;
  }

  #value(filter: DescribedFilter, operator: OperatorName): FilterTextValue {
    this.#expect({ type: 'value', filter, operator });
    const token = this.#token;
    const { members = [] } = filter;
    if (token.type === 'symbol' || token.type === 'end') {
      const message = 'A value follows; put it in quotes where it has spaces or symbols.';
      this.#fail('VALUE_EXPECTED', message, token, token, members);
    }
    if (token.type === 'word' && isKeyword(token.value)) {
      const message = isWord(token, 'null')
        ? 'Null is found with `is null`; put the text in quotes.'
        : 'The word has a meaning of its own; put it in quotes to use it as a value.';
      this.#fail('VALUE_EXPECTED', message, token, token, members);
    }
    const read = readValue(filter, operator, closedToken(token).value, this.#description.limits);
    if ('accepts' in read) {
      this.#fail('VALUE_INVALID', `The value must be ${read.accepts}.`, token, token, members);
    }
    this.#next();
    return read.value;
  }
}

/** A parsed text: its filter, or the error and its position. */
export type ParsedFilterText =
  | {
      /** The filter. */
      readonly filter: TextFilter;
      /** No error. */
      readonly error: null;
    }
  | {
      /** No filter, because the text has an error. */
      readonly filter: null;
      /** The first error of the text. */
      readonly error: FilterTextError;
    };

/**
 * Reads a filter as a person writes it, such as `state = failed and name ~ "charge"`, and checks it against the
 * description of the endpoint's rules: paths, operators, values and limits. The result's `filter` is the `filter` of
 * `buildQuery`; an empty text is the filter without conditions. Never throws: an error has a code and a position.
 */
export function parseFilterText(description: RulesDescription, text: string): ParsedFilterText {
  try {
    return { filter: new FilterTextParser(description, tokensOf(text)).parse(), error: null };
  } catch (error) {
    if (!(error instanceof FilterTextFailure)) throw error;
    return { filter: null, error: error.detail };
  }
}
