/** Login, callback and logout routes of the strategy `oidc`. */

import { buildEndSessionUrl } from 'openid-client';
import {
  forbidden,
  loginFailed,
  redirect,
  sessionTooLarge,
  signedOut,
  unauthorized,
} from '../answers.ts';
import { AuthProviderError, tooLarge, type AuthConfigurationError } from '../auth-error.ts';
import type { BoardAddress } from '../address/board-address.ts';
import type { Tell } from '../event.ts';
import type { Exchange } from '../exchange.ts';
import { askedElsewhere } from '../session/logout-check.ts';
import { newSessionId, type Revocations } from '../session/revocations.ts';
import { boardHome, safeReturnTo } from '../address/return-to.ts';
import { nowInSeconds } from '../session/session-life.ts';
import type { CookieSettings } from '../settings.ts';
import type { AuthStore } from '../store/store.ts';
import { hasRequiredRole, pickClaims, userFromClaims } from './claims.ts';
import { FlowCookies, type Flow } from './flow-cookies.ts';
import { readGrant, type Grant } from './grant.ts';
import { beginLogin, finishLogin } from './login-flow.ts';
import type { OidcSessions } from './oidc-sessions.ts';
import type { OidcSettings } from './oidc-settings.ts';
import type { Provider } from './provider.ts';
import { outage, refusal } from './provider-failure.ts';

export interface OidcParts {
  readonly settings: OidcSettings;
  readonly cookie: CookieSettings;
  readonly address: BoardAddress;
  /** Store shared by several instances; `null` without one. */
  readonly store: AuthStore | null;
  readonly revocations: Revocations;
  readonly tell: Tell;
  /** Called with the reason when a login or a refresh failed although the provider works. */
  readonly report: (error: AuthProviderError | AuthConfigurationError, exchange: Exchange) => void;
}

/** A longer ID token does not pass in an address: Node.js takes 16 KiB of headers. The provider then asks the user. */
const longestHint = 12_000;

export class LoginRoutes {
  readonly #parts: OidcParts;
  readonly #provider: Provider;
  readonly #sessions: OidcSessions;
  readonly #flows: FlowCookies;

  constructor(parts: OidcParts, provider: Provider, sessions: OidcSessions) {
    this.#parts = parts;
    this.#provider = provider;
    this.#sessions = sessions;
    this.#flows = new FlowCookies(parts.cookie, parts.settings, parts.address);
  }

  /** Redirects the browser to the provider. */
  async login(exchange: Exchange, returnTo: string | null): Promise<void> {
    const boardUrl = this.#boardUrl(exchange);
    // Without a host there is no redirect URI to which the provider can return.
    if (boardUrl === null) return unauthorized(exchange);
    const location = await beginLogin(exchange, this.#flows, await this.#provider.discover(), {
      returnTo: safeReturnTo(returnTo, exchange.basePath),
      boardUrl,
    });
    return redirect(exchange, 302, location);
  }

  /** Handles the redirect back from the provider. */
  async callback(exchange: Exchange): Promise<void> {
    const { settings, tell } = this.#parts;
    const state = new URLSearchParams(exchange.query).get('state') ?? '';
    const flow = await this.#flows.take(exchange, state);
    const grant = flow && (await this.#exchangeCode(exchange, flow));
    if (!flow || grant === null) return this.#notLoggedIn(exchange);
    const { claims } = grant;
    const user = userFromClaims(claims, settings.rolesOf);
    const kept = pickClaims(claims, settings.claims);
    if (!hasRequiredRole(user, settings.requiredRoles)) {
      tell({ type: 'refusal', reason: 'role', user }, exchange.req);
      return forbidden(exchange, `${exchange.basePath}/auth/logout`);
    }
    const now = nowInSeconds();
    const { sub = '', sid } = claims;
    const provided = typeof sid === 'string' ? { sid } : {};
    const core = {
      id: newSessionId(),
      sub,
      ...provided,
      user,
      claims: kept,
      since: now,
      seen: now,
    };
    const session = await this.#sessions.seal(core, grant);
    if (session === null) {
      this.#parts.report(tooLarge(), exchange);
      tell({ type: 'refusal', reason: 'login', user }, exchange.req);
      return sessionTooLarge(exchange);
    }
    this.#sessions.begin(exchange, session);
    tell({ type: 'login', user }, exchange.req);
    return redirect(exchange, 302, flow.returnTo);
  }

  /** Ends the session of the board and redirects the browser to the provider's logout. */
  async logout(exchange: Exchange): Promise<void> {
    if (askedElsewhere(exchange, this.#parts.address)) return;
    const session = await this.#sessions.end(exchange);
    const user = session === null ? {} : { user: session.user };
    this.#parts.tell({ type: 'logout', ...user }, exchange.req);
    const provider = await this.#endSession(exchange, session?.idToken);
    if (provider === null) signedOut(exchange);
    else redirect(exchange, 302, provider);
  }

  /** Origin and base path of the board, without trailing slash; `null` if the request has no valid host. */
  #boardUrl({ req, basePath }: Exchange): string | null {
    const origin = this.#parts.address.origin(req);
    return origin === null ? null : origin + basePath;
  }

  /** Answers a failed callback. With a valid session, as after the back button, no new login is needed. */
  async #notLoggedIn(exchange: Exchange): Promise<void> {
    const home = boardHome(exchange.basePath);
    if ((await this.#sessions.ofRequest(exchange.req, false)) !== null)
      return redirect(exchange, 302, home);
    this.#parts.tell({ type: 'refusal', reason: 'login' }, exchange.req);
    return loginFailed(exchange, home);
  }

  async #exchangeCode(exchange: Exchange, flow: Flow): Promise<Grant | null> {
    if (!new URLSearchParams(exchange.query).has('code')) return null;
    const discovered = await this.#provider.discover();
    try {
      const answer = await finishLogin(exchange.query, flow, discovered);
      const grant = await readGrant(answer, discovered.keys, discovered.settings);
      if (grant === null) {
        const error = new AuthProviderError('login', 'tokens that are not good');
        this.#parts.report(error, exchange);
      }
      return grant;
    } catch (error) {
      const out = outage('login', error);
      if (out !== null) throw out;
      this.#parts.report(refusal('login', error), exchange);
      return null;
    }
  }

  /** URL of the provider's logout; `null` if there is none, or if discovery fails. */
  async #endSession(exchange: Exchange, idToken: string | undefined): Promise<string | null> {
    const boardUrl = this.#boardUrl(exchange);
    try {
      const { configuration } = await this.#provider.discover();
      if (boardUrl === null || !configuration.serverMetadata().end_session_endpoint) return null;
      return buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: `${boardUrl}/`,
        ...(idToken !== undefined && idToken.length <= longestHint && { id_token_hint: idToken }),
      }).href;
    } catch {
      return null;
    }
  }
}
