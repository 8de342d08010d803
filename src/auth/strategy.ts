/** What a strategy is to the middleware. */

import type { Exchange } from './exchange.ts';
import type { AuthUser } from './options.ts';

/** How a request came to its user. */
export interface Identity {
  readonly user: AuthUser;
  /** By a cookie, which a logout ends, or by a header. */
  readonly by: 'session' | 'header';
}

export interface Strategy {
  readonly name: 'oidc' | 'token';
  /** Answers the routes of the strategy; false where the request is for none of them. */
  serve(exchange: Exchange): Promise<boolean>;
  /** Who makes the request; `null` where it has been answered instead. */
  identify(exchange: Exchange): Promise<Identity | null>;
}
