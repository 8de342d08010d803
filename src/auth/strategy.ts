/** The interface between the middleware and a strategy. */

import type { AuthRequest } from './web.ts';
import type { BoardAddress } from './address/board-address.ts';
import type { Tell } from './event.ts';
import type { Exchange } from './exchange.ts';
import type { AuthClaims, AuthMount, AuthUser } from './options.ts';
import type { Report } from './report.ts';

/** The result of authentication. */
export interface Identity {
  readonly user: AuthUser;
  /**
   * Whether the user came from a cookie, which a logout ends; from a password, which a browser sends by itself; or from a
   * header that only a program sends.
   */
  readonly by: 'session' | 'password' | 'header';
  /** Claims passed to `onAuthenticated`. */
  readonly claims: AuthClaims;
}

/** How requests may prove who sends them; holds no secret. */
export interface DescribedAuth {
  readonly strategy: 'oidc' | 'token' | 'basic';
  /** Header that takes a token besides `Authorization`; null for none. */
  readonly header: string | null;
  /** Name of the cookie of sessions; null where there are none. */
  readonly sessionCookie: string | null;
  /** Address of the provider's discovery document; null without a provider. */
  readonly openIdConnectUrl: string | null;
}

/** The parts of the middleware that a strategy is made with. */
export interface StrategyPlace {
  readonly mount: AuthMount;
  readonly address: BoardAddress;
  readonly report: Report;
  readonly tell: Tell;
}

export interface Strategy {
  readonly described: DescribedAuth;
  /**
   * Returns the user of a request that may continue, if cached from an earlier request; else `null`, and `identify`
   * decides. Synchronous, and never sends a response.
   */
  recognise(req: AuthRequest): AuthUser | null;
  /** Answers the routes of the strategy; false if the request is not for one of them. */
  serve(exchange: Exchange): Promise<boolean>;
  /** Authenticates the request; `null` if it has been answered instead. */
  identify(exchange: Exchange): Promise<Identity | null>;
  /**
   * Authenticates the request by currently valid credentials, without a response, a login or a refresh. A request that
   * was let in before counts with what its session has since become through other requests.
   */
  authenticate(req: AuthRequest, wasLetIn: boolean): Promise<Identity | null>;
}
