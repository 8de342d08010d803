/** The options of the authentication strategies. */

import type { AuthRequest } from './web.ts';
import type { AuthStore } from './store/store.ts';

/** The user who made a request, as returned by `getAuthUser` and `GET /auth/me`. */
export interface AuthUser {
  /**
   * With `oidc` the subject of the tokens (`sub`): the only property that the provider never reassigns to another user.
   * With `token` the `id` from the option `user` or from the result of `validate`.
   */
  readonly id?: string;
  /** Name by which the user is shown and logged in. */
  readonly username: string;
  /** Full name. */
  readonly name?: string;
  /** With `oidc` only an address that the provider has verified (`email_verified`). */
  readonly email?: string;
  /** Roles of the user; empty where there are none. */
  readonly roles: readonly string[];
}

/** Options of the encrypted session cookie. */
export interface CookieOptions {
  /**
   * Secret that encrypts the session: 32 random characters or more, the same in every instance. In a list the first
   * secret encrypts and all decrypt: to rotate, put a new secret in front. `oidc` falls back to `clientSecret`, then to
   * a random key that ends all sessions on restart; `token` has no fallback. With `NODE_ENV=production` a secret of
   * fewer than 16 characters is refused.
   */
  readonly secret?: string | readonly string[] | undefined;
  /** Name of the cookie. Default `board_session`. */
  readonly name?: string | undefined;
  /** Whether the cookie is only sent over https. Default: true when the board is served over https. */
  readonly secure?: boolean | undefined;
  /** Seconds from login to the end of the session, regardless of refreshes. Default 28800 (eight hours). */
  readonly maxAgeSeconds?: number | undefined;
  /**
   * Idle timeout: seconds without a request after which a session ends; it may end after half of this time. Default:
   * no idle timeout, only `maxAgeSeconds` applies.
   */
  readonly idleSeconds?: number | undefined;
  /**
   * Maximum number of cookies that a session may be split over, 1 to 4. Default 1, which is 4 KB. Four cookies need a
   * server and a proxy that accept longer headers than Node's 16 KiB (`--max-http-header-size`). With `store` a session has
   * any size: it lies there, sealed, and its one cookie is an id.
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

/** Event passed to `onEvent`. It contains neither tokens nor secrets. */
export type AuthEvent =
  | {
      /** A user has logged in, or a session was refreshed. */
      readonly type: 'login' | 'refresh';
      /** The user. */
      readonly user: AuthUser;
    }
  | {
      /** A user has logged out. */
      readonly type: 'logout';
      /** The user; absent where the session had none. */
      readonly user?: AuthUser;
    }
  | {
      /** A request with credentials was refused. */
      readonly type: 'refusal';
      /** Why the request was refused. */
      readonly reason: RefusalReason;
      /** The user; absent where the credentials belong to none. */
      readonly user?: AuthUser;
    };

/** Options that the strategies have in common. */
export interface CommonAuthOptions {
  /**
   * URL of the board as browsers see it, including the base path; the base path is appended to a bare origin. Default:
   * the URL is derived from each request.
   */
  readonly publicUrl?: string | undefined;
  /**
   * Number of proxies in front of the process, 0 to 100. Of `X-Forwarded-For`, and without `publicUrl` of
   * `X-Forwarded-Proto` and `X-Forwarded-Host`, the item that the outermost of them has written is read. Default 0: the
   * headers are ignored, with a warning when one comes.
   */
  readonly trustProxy?: number | undefined;
  /**
   * Runs on every authenticated request, after the role check; only the result `false` answers 403. `claims` holds the
   * claims that the option `claims` names; with `token` it is empty.
   */
  readonly onAuthenticated?:
    | ((user: AuthUser, req: AuthRequest, claims: AuthClaims) => unknown)
    | undefined;
  /** Called on logins, refusals, logouts and refreshes, for an audit log. Errors that it throws are ignored. */
  readonly onEvent?: ((event: AuthEvent, req: AuthRequest) => void) | undefined;
  /**
   * State shared by several instances: sessions lie in it, sealed, a session is refreshed once, a logout applies to all
   * instances, and failed logins are counted together. Default: sessions in cookies, the rest in the memory of the process.
   */
  readonly store?: AuthStore | undefined;
  /**
   * Called with an error that prevented a decision about a request: one thrown by a hook of the host, an
   * `AuthProviderError`, an `AuthStoreError`, or an `AuthConfigurationError` for the first result of `validate` that has
   * the wrong type. Default: `oidc` logs one line, at most once a minute; `token` logs such a result only.
   */
  readonly onError?: ((error: unknown, req: AuthRequest) => void) | undefined;
}

/** Options of the strategy `oidc`: browsers log in at an OpenID Connect provider, scripts send its access tokens. */
export interface OidcOptions extends CommonAuthOptions {
  /** Chooses these options. */
  readonly strategy: 'oidc';
  /** Base URL of a Keycloak server. The issuer is `<url>/realms/<realm>`. Required without `issuer`. */
  readonly url?: string | undefined;
  /** Name of the realm. Required with `url`. */
  readonly realm?: string | undefined;
  /** Issuer of any other provider, exactly as in its tokens. Replaces `url` and `realm`. */
  readonly issuer?: string | undefined;
  /** Identifier of the client at the provider. */
  readonly clientId: string;
  /** Secret of a confidential client; absent for a public client. */
  readonly clientSecret?: string | undefined;
  /** Client authentication method. Default: the first of these that the provider supports. */
  readonly clientAuthentication?:
    | 'client_secret_post'
    | 'client_secret_basic'
    | 'client_secret_jwt'
    | undefined;
  /** Roles of which the user needs at least one. Default: every user is accepted. */
  readonly requiredRoles?: readonly string[] | undefined;
  /**
   * Returns the user's roles, given the claims of the ID token overridden by those of the access token. Roles are
   * stored in the session, so return only the relevant ones. Default: the roles of the realm and of this client that
   * `requiredRoles` names; all of them when it names none.
   */
  readonly roles?: ((claims: AuthClaims) => readonly string[]) | undefined;
  /**
   * Names of the claims passed to `onAuthenticated`; they are stored in the session. Default `email`,
   * `email_verified`, `acr`, `amr`, `hd` and `tid`, as far as the provider sends them.
   */
  readonly claims?: readonly string[] | undefined;
  /** Extra authorize parameters, e.g. `{ access_type: 'offline' }`. Parameters of the protocol are rejected. */
  readonly authorizeParameters?: Readonly<Record<string, string>> | undefined;
  /**
   * Whether a session without a refresh token outlives its access token: until `refresh_expires_in` of the token
   * response, else for `cookie.maxAgeSeconds`. The provider is not asked about the user in that time. Default false.
   */
  readonly outliveAccessToken?: boolean | undefined;
  /** Scopes requested from the provider, separated by spaces. Default `openid profile email`. */
  readonly scope?: string | undefined;
  /** Accepted audiences of a bearer token: one must be its `azp` or in its `aud`. Default `clientId`. */
  readonly audience?: string | readonly string[] | undefined;
  /** Tolerated clock difference in seconds when `exp` and `nbf` are checked. Default 30. */
  readonly clockToleranceSeconds?: number | undefined;
  /** Whether only bearer tokens are accepted: no login, no cookie. Default false. */
  readonly bearerOnly?: boolean | undefined;
  /**
   * Whether plain http is allowed to a provider on a host other than this machine. Default false. Set it only in a
   * network where no third party can read the traffic.
   */
  readonly allowInsecureRequests?: boolean | undefined;
  /** The session cookie of browsers. Default: the defaults of `CookieOptions`. */
  readonly cookie?: CookieOptions | undefined;
}

/**
 * Result of `validate`: a user, `true` for the user of the option `user`, `false` to reject the token. Properties of the
 * user other than those of `AuthUser` are left out.
 */
export type TokenVerdict = (Partial<AuthUser> & Pick<AuthUser, 'username'>) | boolean;

/** Number of wrong tokens or passwords that one client may send per time window, before it is answered 429. */
export interface LoginLimit {
  /** Wrong ones that are tolerated, 1 to 100. */
  readonly failures: number;
  /** Length of the time window, in seconds. */
  readonly seconds: number;
}

/** Options of the strategy `token`: fixed tokens, or tokens that the host validates. */
export interface TokenOptions extends CommonAuthOptions {
  /** Chooses these options. */
  readonly strategy: 'token';
  /**
   * Accepted tokens; 32 characters or more are recommended, and with `NODE_ENV=production` one of fewer than 16, or of
   * fewer than 5 distinct ones, is refused. The array is read on each request, so removing a token ends its sessions.
   * Required unless `validate` is given.
   */
  readonly tokens?: readonly string[] | undefined;
  /**
   * Validates a token that matches no fixed token. Called on every request, including those with a session. Any other
   * result than a `TokenVerdict` rejects the token, and the first one is reported to `onError`, by default to the
   * console.
   */
  readonly validate?: ((token: string) => TokenVerdict | Promise<TokenVerdict>) | undefined;
  /**
   * Name of a header that carries the bare token, in addition to `Authorization: Bearer`, which is always read. Headers
   * that HTTP, browsers or proxies use, such as `cookie` and `host`, are refused. Default: none.
   */
  readonly header?: string | undefined;
  /** User that a fixed token represents. Default: `username` is `token` and `roles` is empty. */
  readonly user?: Partial<AuthUser> | undefined;
  /**
   * Limit of wrong tokens per client: an IPv4 address or an IPv6 /64. Those of the login form are counted in the `store`,
   * where there is one, those in headers by each process. Default 10 in 60 seconds. A client over the limit is let in by a
   * token of 16 characters or more, 5 of them distinct; others are refused unseen.
   */
  readonly loginLimit?: LoginLimit | undefined;
  /** Enables the login form and sessions. Without it every request must carry its token. */
  readonly cookie?: CookieOptions | undefined;
}

/**
 * Options of the strategy `basic`: one user name and password, which browsers ask for and then send with every request.
 * There is no logout. Use it over https or on a trusted network only.
 */
export interface BasicOptions extends Omit<CommonAuthOptions, 'store'> {
  /** Chooses these options. */
  readonly strategy: 'basic';
  /** User name, without a colon. */
  readonly user: string;
  /**
   * Password of the user. With `NODE_ENV=production` one of fewer than 16 characters, or fewer than 5 distinct ones, is
   * refused.
   */
  readonly password: string;
  /**
   * Limit of wrong passwords per client: an IPv4 address or an IPv6 /64, counted by each process. Default 10 in 60 seconds.
   * A client over the limit is let in by a password of 16 characters or more, 5 of them distinct; others are refused unseen.
   */
  readonly loginLimit?: LoginLimit | undefined;
}

/** Options of `createAuthMiddleware`: those of one of its strategies. */
export type AuthOptions = OidcOptions | TokenOptions | BasicOptions;

/** Where the middleware is mounted, and the name of the board. */
export interface AuthMount {
  /**
   * Path under which requests for the board arrive. Default: the mount path of Express (`req.baseUrl`), else the root.
   * If browsers use a different path, set it in `publicUrl`.
   */
  readonly basePath?: string | undefined;
  /** Name of the board, to separate several in one browser: its cookie is `board_session_<name>`. Default: none. */
  readonly name?: string | undefined;
}
