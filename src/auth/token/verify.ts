/** Verifies tokens and returns their users. */

import { userOf } from '../auth-user.ts';
import type { AuthUser, TokenOptions } from '../options.ts';
import { TokenList } from './token-list.ts';

/** Maximum length of a token, in characters. */
export const longestToken = 4096;

export class TokenVerifier {
  readonly #list: TokenList;
  readonly #validate: TokenOptions['validate'];
  /** The user that every fixed token represents. */
  readonly fixed: AuthUser;

  constructor({ tokens = [], validate, user = {} }: TokenOptions) {
    this.#list = new TokenList(tokens);
    this.#validate = validate;
    this.fixed = userOf(user, 'token');
  }

  /** Returns the user of a token, or `null`. */
  async user(token: string): Promise<AuthUser | null> {
    if (token === '' || token.length > longestToken) return null;
    const fixed = this.fixedUser(token);
    if (fixed !== null || this.#validate === undefined) return fixed;
    const verdict: unknown = await this.#validate(token);
    if (verdict === true) return this.fixed;
    // An array is not a user: it may be the empty result of a lookup.
    const isUser = typeof verdict === 'object' && verdict !== null && !Array.isArray(verdict);
    return isUser ? userOf(verdict, 'token') : null;
  }

  /** Returns the user of a fixed token. */
  fixedUser(token: string): AuthUser | null {
    return token.length <= longestToken && this.#list.has(token) ? this.fixed : null;
  }

  /** Version number of the list of fixed tokens: when it changes, cached comparisons are void. */
  version(): number {
    return this.#list.version();
  }
}
