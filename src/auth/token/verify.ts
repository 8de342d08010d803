/** Whether a token is good, and whom it stands for. */

import { userOf } from '../auth-user.ts';
import type { AuthUser, TokenOptions } from '../options.ts';
import { TokenList } from './token-list.ts';

/** Characters of the longest token that is looked at. */
export const longestToken = 4096;

export class TokenVerifier {
  readonly #list: TokenList;
  readonly #validate: TokenOptions['validate'];
  /** The user that every fixed token stands for. */
  readonly fixed: AuthUser;

  constructor({ tokens = [], validate, user = {} }: TokenOptions) {
    this.#list = new TokenList(tokens);
    this.#validate = validate;
    this.fixed = userOf(user, 'token');
  }

  /** The user that a token stands for, or `null`. */
  async user(token: string): Promise<AuthUser | null> {
    if (token === '' || token.length > longestToken) return null;
    const fixed = this.fixedUser(token);
    if (fixed !== null || this.#validate === undefined) return fixed;
    const verdict: unknown = await this.#validate(token);
    if (verdict === true) return this.fixed;
    // A list is what a lookup found, and may be empty: it is no user.
    const isUser = typeof verdict === 'object' && verdict !== null && !Array.isArray(verdict);
    return isUser ? userOf(verdict, 'token') : null;
  }

  /** The user of a fixed token. */
  fixedUser(token: string): AuthUser | null {
    return token.length <= longestToken && this.#list.has(token) ? this.fixed : null;
  }

  /** A number that changes whenever the list of fixed tokens does: what was compared before is compared again. */
  version(): number {
    return this.#list.version();
  }
}
