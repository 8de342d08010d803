/** What a host says of authentication: the options of both strategies. */

import type { IncomingMessage } from 'node:http';

/** Who made a request, as `getAuthUser` and `GET /auth/me` tell it. */
export interface AuthUser {
  readonly username: string;
  readonly name?: string;
  readonly email?: string;
  readonly roles: readonly string[];
}

/** How the session is kept in the browser. */
export interface CookieOptions {
  /**
   * What the session is encrypted under. Long, random, and the same in every instance. `oidc` falls back to
   * `clientSecret`, then to a random key that ends all sessions on restart; `token` has no fallback.
   */
  readonly secret?: string | undefined;
  /** Name of the cookie. Default `board_session`. */
  readonly name?: string | undefined;
  /** Whether the cookie is only sent over https. Default: when the board is served over https. */
  readonly secure?: boolean | undefined;
  /** Seconds that the cookie lives. Default 28800, eight hours. */
  readonly maxAgeSeconds?: number | undefined;
}

/** What both strategies take. */
export interface CommonAuthOptions {
  /**
   * The board's address as browsers see it, with the base path; a bare origin is completed with it. Without it
   * the address is read from each request.
   */
  readonly publicUrl?: string | undefined;
  /**
   * Whether `X-Forwarded-Proto` and `X-Forwarded-Host` are believed. Default true. They only matter where
   * `publicUrl` is absent.
   */
  readonly trustProxy?: boolean | undefined;
  /** Runs on every request that is let through, after the role check; exactly `false` answers 403. */
  readonly onAuthenticated?: ((user: AuthUser, req: IncomingMessage) => unknown) | undefined;
  /**
   * Told of what keeps a request from being decided: a hook of the host that threw, or an `AuthProviderError`.
   * Default: `oidc` prints a provider's failure in one line, at most once a minute; `token` prints nothing.
   */
  readonly onError?: ((error: unknown, req: IncomingMessage) => void) | undefined;
}

/** Options of the strategy `oidc`: an OpenID Connect provider logs browsers in, scripts send its tokens. */
export interface OidcOptions extends CommonAuthOptions {
  readonly strategy: 'oidc';
  /** Base address of the provider. The issuer is `<url>/realms/<realm>`. */
  readonly url: string;
  readonly realm: string;
  readonly clientId: string;
  /** Secret of a confidential client; absent for a public one. */
  readonly clientSecret?: string | undefined;
  /** Roles of which the user needs one: of the realm, or of this client. Default: any user will do. */
  readonly requiredRoles?: readonly string[] | undefined;
  /** What is asked of the provider. Default `openid profile email`. */
  readonly scope?: string | undefined;
  /** Whom a token must be meant for: one of these is its `azp` or in its `aud`. Default `clientId`. */
  readonly audience?: string | readonly string[] | undefined;
  /** Seconds by which clocks may differ where `exp` and `nbf` are read. Default 30. */
  readonly clockToleranceSeconds?: number | undefined;
  /** Whether bearer tokens are the only way in: no login, no cookie. Default false. */
  readonly bearerOnly?: boolean | undefined;
  /**
   * Whether the provider may be asked over plain http on a host other than this machine. Default false: only
   * for a network that nobody else can listen to.
   */
  readonly allowInsecureRequests?: boolean | undefined;
  readonly cookie?: CookieOptions | undefined;
}

/** What `validate` may answer: who it is, `true` for the user of the options, `false` for nobody. */
export type TokenVerdict = Partial<AuthUser> | boolean;

/** Options of the strategy `token`: fixed tokens, or tokens that the host knows. */
export interface TokenOptions extends CommonAuthOptions {
  readonly strategy: 'token';
  /**
   * Tokens that are accepted; 32 characters or more advised. Read at each request, so that taking one out of
   * the array ends its sessions. Required unless `validate` is given.
   */
  readonly tokens?: readonly string[] | undefined;
  /** Asked on every request, sessions too, when no fixed token fits. */
  readonly validate?: ((token: string) => TokenVerdict | Promise<TokenVerdict>) | undefined;
  /** A header that carries the bare token, beside `Authorization: Bearer`. Default: none. */
  readonly header?: string | undefined;
  /** Who a fixed token stands for. `username` is `token` and `roles` are empty unless said. */
  readonly user?: Partial<AuthUser> | undefined;
  /** With it there is a login form and a session; without it every request carries its token. */
  readonly cookie?: CookieOptions | undefined;
}

export type AuthOptions = OidcOptions | TokenOptions;

/** Where the middleware stands. */
export interface AuthMount {
  /** Path under which the board is served. Default: the root. */
  readonly basePath?: string | undefined;
}
