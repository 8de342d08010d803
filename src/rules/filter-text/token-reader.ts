/** Reads the tokens of a filter text one by one, and knows at their end what may follow. */

import type { OperatorName } from '../declare/operators.ts';
import type { DescribedFilter } from '../client/describe-rules.ts';
import { FilterTextFailure } from './filter-text-error.ts';
import type { FilterTextErrorCode } from './filter-text-error.ts';
import type { TextSpan } from './placed-conditions.ts';
import { type Token, closedToken, tokenFrom } from './tokens.ts';

/** The part of the grammar that may follow. `start` is where it begins in the text. */
export type Expectation =
  | { readonly type: 'path'; readonly words: readonly string[]; readonly start: number }
  | { readonly type: 'operator'; readonly filter: DescribedFilter; readonly start: number }
  | { readonly type: 'value'; readonly filter: DescribedFilter; readonly operator: OperatorName }
  | { readonly type: 'keyword'; readonly words: readonly string[] };

/** Whether the token is this keyword, in upper or lower case. */
export const isWord = (token: Token, word: string): boolean =>
  token.type === 'word' && token.value.toLowerCase() === word;

export const isSymbol = (token: Token, symbol: string): boolean =>
  token.type === 'symbol' && token.value === symbol;

/** The place in a text. */
export class TokenReader {
  readonly #text: string;
  #token: Token;
  /** Tokens behind the next one that have been looked at. */
  readonly #ahead: Token[] = [];
  #lastEnd = 0;
  #expectation: Expectation | null = null;

  constructor(text: string) {
    this.#text = text;
    this.#token = tokenFrom(text, 0);
  }

  /** The part of the grammar that the end of the text may be followed by; `null` if it is not reached. */
  get expectation(): Expectation | null {
    return this.#expectation;
  }

  /** The token that is read next. */
  get token(): Token {
    return this.#token;
  }

  /** The end of the last token that was read. */
  get lastEnd(): number {
    return this.#lastEnd;
  }

  get isAtEnd(): boolean {
    return this.#token.type === 'end';
  }

  /** The tokens behind the next one. A text may be refused at its first, so that none is read before. */
  following(count: number): readonly Token[] {
    while (this.#ahead.length < count) {
      this.#ahead.push(tokenFrom(this.#text, (this.#ahead.at(-1) ?? this.#token).end));
    }
    return this.#ahead;
  }

  next(): Token {
    const token = closedToken(this.#token);
    this.#lastEnd = token.end;
    this.#token = this.#ahead.shift() ?? tokenFrom(this.#text, token.end);
    return token;
  }

  /** Notes what may follow if the text ends here. */
  expect(expectation: Expectation): void {
    if (this.isAtEnd) this.#expectation = expectation;
  }

  /** @throws {FilterTextFailure} always */
  fail(
    code: FilterTextErrorCode,
    message: string,
    { start, end }: TextSpan = this.token,
    expected: readonly string[] = [],
  ): never {
    throw new FilterTextFailure({ code, message, start, end, expected });
  }

  /** Reads one of these words or symbols, and returns it. */
  keyword(...words: readonly string[]): string {
    const { token } = this;
    const { type, value } = token;
    const found = type === 'word' ? value.toLowerCase() : type === 'symbol' ? value : '';
    if (!words.includes(found)) {
      this.expect({ type: 'keyword', words });
      const message = `\`${words.join('` or `')}\` is missing here.`;
      this.fail('VALUE_EXPECTED', message, token, words);
    }
    this.next();
    return found;
  }
}
