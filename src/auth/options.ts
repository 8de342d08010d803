/** What a host says of authentication: the options of both strategies. */

import type { IncomingMessage } from 'node:http';
import type { AuthStore } from './store/store.ts';

/** Who made a request, as `getAuthUser` and `GET /auth/me` tell it. */
export interface AuthUser {
  /**
   * With `oidc` the subject of the tokens (`sub`): the one property that the provider never gives to another user. With
   * `token` what the options or `validate` say.
   */
  readonly id?: string;
  readonly username: string;
  readonly name?: string;
  /** With `oidc` only an address that the provider has verified (`email_verified`). */
  readonly email?: string;
  readonly roles: readonly string[];
}

/** How the session is kept in the browser. */
export interface CookieOptions {
  /**
   * The session is encrypted under this: 32 random characters or more, the same in every instance. Of a list the first
   * one encrypts and all decrypt: put a new secret in front to rotate it. `oidc` falls back to `clientSecret`, then to
   * a random key that ends all sessions on restart; `token` has no fallback. With `NODE_ENV=production` a secret of
   * fewer than 16 characters is refused.
   */
  readonly secret?: string | readonly string[] | undefined;
  /** Name of the cookie. Default `board_session`. */
  readonly name?: string | undefined;
  /** Whether the cookie is only sent over https. Default: when the board is served over https. */
  readonly secure?: boolean | undefined;
  /** Seconds after the login at which a session ends, however often it is refreshed. Default 28800, eight hours. */
  readonly maxAgeSeconds?: number | undefined;
  /**
   * Seconds without a request after which a session ends; a session may end after half of them. Default: only
   * `maxAgeSeconds` counts.
   */
  readonly idleSeconds?: number | undefined;
  /**
   * Over how many cookies a session may be spread, 1 to 4. Default 1, which is 4 KB. Four cookies need a server that
   * takes longer headers than Node's 16 KiB (`--max-http-header-size`), and a proxy that does.
   */
  readonly parts?: number | undefined;
}

/** Claims of a token, by name. */
export type AuthClaims = Readonly<Record<string, unknown>>;

/** Why a request with credentials was refused. */
export type RefusalReason =
  | 'credentials'
  | 'login'
  | 'role'
  | 'onAuthenticated'
  | 'origin'
  | 'refresh'
  | 'revoked'
  | 'limit';

/** What `onEvent` is told. It holds no token and no secret. */
export type AuthEvent =
  | { readonly type: 'login' | 'refresh'; readonly user: AuthUser }
  | { readonly type: 'logout'; readonly user?: AuthUser }
  | { readonly type: 'refusal'; readonly reason: RefusalReason; readonly user?: AuthUser };

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
  /**
   * Runs on every request that is let through, after the role check; exactly `false` answers 403. `claims` holds those
   * that the option `claims` names; with `token` it is empty.
   */
  readonly onAuthenticated?:
    | ((user: AuthUser, req: IncomingMessage, claims: AuthClaims) => unknown)
    | undefined;
  /** Told of logins, refusals, logouts and refreshes, for an audit log. An error that it throws is dropped. */
  readonly onEvent?: ((event: AuthEvent, req: IncomingMessage) => void) | undefined;
  /**
   * What several instances share: a session is refreshed once, a logout holds everywhere, and failed logins are
   * counted together. Default: each process knows of its own.
   */
  readonly store?: AuthStore | undefined;
  /**
   * Told of what keeps a request from being decided: a hook of the host that threw, or an `AuthProviderError`.
   * Default: `oidc` prints a provider's failure in one line, at most once a minute; `token` prints nothing.
   */
  readonly onError?: ((error: unknown, req: IncomingMessage) => void) | undefined;
}

/** Options of the strategy `oidc`: an OpenID Connect provider logs browsers in, scripts send its tokens. */
export interface OidcOptions extends CommonAuthOptions {
  readonly strategy: 'oidc';
  /** Base address of a Keycloak. The issuer is `<url>/realms/<realm>`. Required without `issuer`. */
  readonly url?: string | undefined;
  /** Name of the realm. Required with `url`. */
  readonly realm?: string | undefined;
  /** Issuer of any other provider, as its tokens name it. In place of `url` and `realm`. */
  readonly issuer?: string | undefined;
  readonly clientId: string;
  /** Secret of a confidential client; absent for a public one. */
  readonly clientSecret?: string | undefined;
  /** How the client proves its secret. Default: the first of these that the provider offers. */
  readonly clientAuthentication?:
    | 'client_secret_post'
    | 'client_secret_basic'
    | 'client_secret_jwt'
    | undefined;
  /** Roles of which the user needs one. Default: any user will do. */
  readonly requiredRoles?: readonly string[] | undefined;
  /**
   * The user's roles, from the claims of the ID token and, over them, of the access token. They are kept in the session,
   * so choose those that matter. Default: the roles of the realm and of this client that `requiredRoles` names; all of
   * them where it names none.
   */
  readonly roles?: ((claims: AuthClaims) => readonly string[]) | undefined;
  /**
   * Names of the claims that `onAuthenticated` is given; they are kept in the session. Default `email`,
   * `email_verified`, `acr`, `amr`, `hd` and `tid`, where the provider tells them.
   */
  readonly claims?: readonly string[] | undefined;
  /** More parameters of the authorize request, such as `{ access_type: 'offline' }`. Those of the protocol are refused. */
  readonly authorizeParameters?: Readonly<Record<string, string>> | undefined;
  /**
   * Whether a session without a refresh token outlives its access token: until `refresh_expires_in` of the provider's
   * answer, else for `cookie.maxAgeSeconds`. Nobody asks the provider about the user in that time. Default false.
   */
  readonly outliveAccessToken?: boolean | undefined;
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

/** How many wrong tokens one client may send by the form before it is answered 429. */
export interface LoginLimit {
  readonly failures: number;
  readonly seconds: number;
}

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
  /** With `store`, how many wrong tokens one client may send by the form. Default 10 in 60 seconds. */
  readonly loginLimit?: LoginLimit | undefined;
  /** With it there is a login form and a session; without it every request carries its token. */
  readonly cookie?: CookieOptions | undefined;
}

export type AuthOptions = OidcOptions | TokenOptions;

/** Where the middleware stands. */
export interface AuthMount {
  /**
   * Path under which requests for the board arrive. Default: the mount of Express (`req.baseUrl`), else the root.
   * `publicUrl` says where browsers find it, where that differs.
   */
  readonly basePath?: string | undefined;
  /** Name of the board, where several have sessions in one browser: its cookie is `board_session_<name>`. */
  readonly name?: string | undefined;
}
