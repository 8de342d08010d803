/** Whether a token is good, and whom it stands for. */

import { userOf } from '../auth-user.ts';
import type { AuthUser, TokenOptions } from '../options.ts';
import { TokenList } from './token-list.ts';

/** Characters of the longest token that is looked at. */
const longestToken = 4096;

/** A session's token that was found in the list remembers which state of the list that was. */
export interface SessionToken {
  readonly token: string;
}

export class TokenVerifier {
  readonly #list: TokenList;
  readonly #validate: TokenOptions['validate'];
  readonly #user: AuthUser;
  /** Sessions' tokens that were in the list, and its version then. */
  readonly #inList = new WeakMap<SessionToken, number>();

  constructor({ tokens = [], validate, user = {} }: TokenOptions) {
    this.#list = new TokenList(tokens);
    this.#validate = validate;
    this.#user = userOf(user, 'token');
  }

  /** The user that a token stands for, or `null`. */
  async user(token: string): Promise<AuthUser | null> {
    if (token === '' || token.length > longestToken) return null;
    const fixed = this.fixedUser(token);
    if (fixed !== null || this.#validate === undefined) return fixed;
    const verdict: unknown = await this.#validate(token);
    if (verdict === true) return this.#user;
    return typeof verdict === 'object' && verdict !== null ? userOf(verdict, 'token') : null;
  }

  /** The user of a fixed token. */
  fixedUser(token: string): AuthUser | null {
    return token.length <= longestToken && this.#list.has(token) ? this.#user : null;
  }

  /** The user of a session whose fixed token was compared in the present state of the list. */
  knownUser(session: SessionToken): AuthUser | null {
    return this.#inList.get(session) === this.#list.version() ? this.#user : null;
  }

  /** The user of a session, whose fixed token is only compared again after the list has changed. */
  async sessionUser(session: SessionToken): Promise<AuthUser | null> {
    const known = this.knownUser(session) ?? this.fixedUser(session.token);
    if (known === null) return this.user(session.token);
    this.#inList.set(session, this.#list.version());
    return known;
  }
}
