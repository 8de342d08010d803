/** The interface of a strategy to the middleware. */

import type { IncomingMessage } from 'node:http';
import type { Exchange } from './exchange.ts';
import type { AuthClaims, AuthUser } from './options.ts';

/** How a request came to its user. */
export interface Identity {
  readonly user: AuthUser;
  /** By a cookie, which a logout ends, or by a header. */
  readonly by: 'session' | 'header';
  /** Claims that `onAuthenticated` is given. */
  readonly claims: AuthClaims;
}

export interface Strategy {
  readonly name: 'oidc' | 'token';
  /**
   * The user of a request that may go on, when that is known from an earlier one; else `null`, and `identify` decides.
   * Waits for nothing and answers nothing.
   */
  recognise(req: IncomingMessage): AuthUser | null;
  /** Answers the routes of the strategy; false where the request is for none of them. */
  serve(exchange: Exchange): Promise<boolean>;
  /** Who makes the request; `null` where it has been answered instead. */
  identify(exchange: Exchange): Promise<Identity | null>;
  /** Who makes the request, by credentials that are good as they are: without an answer, a login or a refresh. */
  authenticate(req: IncomingMessage): Promise<Identity | null>;
}
