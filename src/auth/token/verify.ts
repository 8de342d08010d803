/** Verifies tokens and returns their users. */

import type { AuthRequest } from '../web.ts';
import { AuthConfigurationError } from '../auth-error.ts';
import { isNamedUser, userOf } from '../auth-user.ts';
import type { AuthUser, TokenOptions } from '../options.ts';
import type { Report } from '../report.ts';
import { TokenList } from './token-list.ts';

/** Maximum length of a token, in characters. */
export const longestToken = 4096;

export class TokenVerifier {
  readonly #list: TokenList;
  readonly #validate: TokenOptions['validate'];
  readonly #report: Report;
  #reported = false;
  /** The user that every fixed token represents. */
  readonly fixed: AuthUser;

  constructor({ tokens = [], validate, user = {} }: TokenOptions, report: Report) {
    this.#list = new TokenList(tokens);
    this.#validate = validate;
    this.#report = report;
    this.fixed = userOf(user, 'token');
  }

  /** Returns the user of a token, or `null`. */
  async user(token: string, req: AuthRequest): Promise<AuthUser | null> {
    if (token === '' || token.length > longestToken) return null;
    const fixed = this.fixedUser(token);
    if (fixed !== null || this.#validate === undefined) return fixed;
    const verdict: unknown = await this.#validate(token);
    if (verdict === true) return this.fixed;
    if (isNamedUser(verdict)) return userOf(verdict, verdict.username);
    if (verdict !== false) this.#reportOnce(req);
    return null;
  }

  /** Reports a result of `validate` that is not one of its type. Clients cause such results, so one report is enough. */
  #reportOnce(req: AuthRequest): void {
    if (this.#reported) return;
    this.#reported = true;
    const message =
      '"validate" must return true, false or a user with a non-empty "username"; ' +
      '"id", "name" and "email" must be strings and "roles" a list of strings';
    this.#report(new AuthConfigurationError(message), req);
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
