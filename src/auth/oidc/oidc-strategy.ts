/** The strategy `oidc`: a provider's bearer token, or a session that was begun by a login there. */

import type { IncomingMessage } from 'node:http';
import { buildEndSessionUrl } from 'openid-client';
import { forbidden, loginFailed, redirect, signedOut, unauthorized } from '../answers.ts';
import { AuthProviderError } from '../auth-error.ts';
import { bearerToken } from '../bearer.ts';
import type { BoardAddress } from '../board-address.ts';
import { isNavigation, isRead } from '../exchange.ts';
import type { Exchange } from '../exchange.ts';
import { askedElsewhere } from '../logout-check.ts';
import type { AuthUser } from '../options.ts';
import { RecognisedCookies } from '../recognised.ts';
import { boardHome, safeReturnTo } from '../return-to.ts';
import type { CookieSettings } from '../settings.ts';
import type { SealedCookie } from '../session-cookie.ts';
import type { Identity, Strategy } from '../strategy.ts';
import { BearerVerifier } from './bearer-verifier.ts';
import { hasRequiredRole, userFromClaims } from './claims.ts';
import { readGrant } from './grant.ts';
import type { Grant } from './grant.ts';
import { FlowCookies } from './flow-cookies.ts';
import type { Flow } from './flow-cookies.ts';
import { beginLogin, finishLogin } from './login-flow.ts';
import { oidcCookie, sealSession } from './oidc-session.ts';
import type { OidcSession } from './oidc-session.ts';
import type { OidcSettings } from './oidc-settings.ts';
import { Provider } from './provider.ts';
import { outage, refusal } from './provider-failure.ts';
import { Refresher } from './refresh.ts';

export interface OidcParts {
  readonly settings: OidcSettings;
  readonly cookie: CookieSettings;
  readonly address: BoardAddress;
  /** Told why a provider that works refused a login or a refresh. */
  readonly report: (error: AuthProviderError, exchange: Exchange) => void;
}

export class OidcStrategy implements Strategy {
  readonly name = 'oidc';
  readonly #parts: OidcParts;
  readonly #provider: Provider;
  readonly #bearers: BearerVerifier;
  readonly #sessions: SealedCookie<OidcSession>;
  readonly #recognised = new RecognisedCookies<AuthUser>();
  readonly #flows: FlowCookies;
  readonly #refresher: Refresher;

  constructor(parts: OidcParts) {
    const { settings, cookie, address, report } = parts;
    this.#parts = parts;
    this.#provider = new Provider(settings);
    this.#bearers = new BearerVerifier(this.#provider, settings);
    this.#sessions = oidcCookie(cookie, settings, address);
    this.#flows = new FlowCookies(cookie, settings, address);
    this.#refresher = new Refresher({
      provider: this.#provider,
      settings,
      cookie: this.#sessions,
      maxAgeSeconds: cookie.maxAgeSeconds,
      report,
    });
  }

  async serve(exchange: Exchange): Promise<boolean> {
    const { method, route } = exchange;
    if (this.#parts.settings.bearerOnly) return false;
    if (route === '/auth/login' && isRead(exchange)) {
      await this.#login(exchange, new URLSearchParams(exchange.query).get('returnTo'));
      return true;
    }
    if (route === '/auth/callback' && method === 'GET') {
      await this.#callback(exchange);
      return true;
    }
    if (route === '/auth/logout') {
      await this.#logout(exchange);
      return true;
    }
    return false;
  }

  recognise(req: IncomingMessage): AuthUser | null {
    const token = bearerToken(req);
    if (token === undefined) return this.#recognised.get(req) ?? null;
    const user = this.#bearers.known(token);
    return user && hasRequiredRole(user, this.#parts.settings.requiredRoles) ? user : null;
  }

  async identify(exchange: Exchange): Promise<Identity | null> {
    const token = bearerToken(exchange.req);
    if (token !== undefined) {
      const user = await this.#bearers.user(token);
      if (user !== null) return this.#withRole(exchange, { user, by: 'header' });
      unauthorized(exchange, { invalid: true });
      return null;
    }
    if (this.#parts.settings.bearerOnly) {
      unauthorized(exchange);
      return null;
    }
    const user = await this.#sessionUser(exchange);
    if (user !== null) return this.#withRole(exchange, { user, by: 'session' });
    if (isNavigation(exchange)) await this.#login(exchange, exchange.target);
    else unauthorized(exchange);
    return null;
  }

  #withRole(exchange: Exchange, identity: Identity): Identity | null {
    if (hasRequiredRole(identity.user, this.#parts.settings.requiredRoles)) return identity;
    forbidden(exchange, identity.by === 'session' ? `${exchange.basePath}/auth/logout` : null);
    return null;
  }

  async #sessionUser(exchange: Exchange): Promise<AuthUser | null> {
    const opened = await this.#sessions.find(exchange.req);
    if (opened && opened.content.exp * 1000 > Date.now()) {
      const { user, exp } = opened.content;
      const { requiredRoles } = this.#parts.settings;
      if (hasRequiredRole(user, requiredRoles)) this.#recognised.set(exchange.req, user, exp);
      return user;
    }
    const refreshed = opened ? await this.#refresher.refresh(opened, exchange) : null;
    if (refreshed !== null) {
      this.#sessions.writeLate(exchange, refreshed.sealed);
      return refreshed.session.user;
    }
    if (opened !== undefined) this.#sessions.clear(exchange);
    return null;
  }

  async #login(exchange: Exchange, returnTo: string | null): Promise<void> {
    const boardUrl = this.#boardUrl(exchange);
    // Without a host there is no place for the provider to send the browser back to.
    if (boardUrl === null) return unauthorized(exchange);
    const location = await beginLogin(exchange, this.#flows, await this.#provider.discover(), {
      returnTo: safeReturnTo(returnTo, exchange.basePath),
      boardUrl,
      scope: this.#parts.settings.scope,
    });
    return redirect(exchange, 302, location);
  }

  /** Origin and base path of the board, without a slash at the end; `null` where the request names no host. */
  #boardUrl({ req, basePath }: Exchange): string | null {
    const origin = this.#parts.address.origin(req);
    return origin === null ? null : origin + basePath;
  }

  async #callback(exchange: Exchange): Promise<void> {
    const { settings, cookie } = this.#parts;
    const state = new URLSearchParams(exchange.query).get('state') ?? '';
    const flow = await this.#flows.take(exchange, state);
    const grant = flow && (await this.#exchangeCode(exchange, flow));
    if (!flow || grant === null) return this.#notLoggedIn(exchange);
    const user = userFromClaims(grant.claims, settings.clientId);
    if (!hasRequiredRole(user, settings.requiredRoles)) {
      return forbidden(exchange, `${exchange.basePath}/auth/logout`);
    }
    const sub = grant.claims.sub ?? '';
    const session = await sealSession(this.#sessions, { sub, user, grant }, cookie.maxAgeSeconds);
    if (session === null) {
      this.#parts.report(refusal('login', new Error('the user does not fit a cookie')), exchange);
      return this.#notLoggedIn(exchange);
    }
    this.#sessions.write(exchange, session.sealed);
    return redirect(exchange, 302, flow.returnTo);
  }

  /** A callback that failed: with a good session, as after the back button, there is nothing to log in for. */
  async #notLoggedIn(exchange: Exchange): Promise<void> {
    const home = boardHome(exchange.basePath);
    const opened = await this.#sessions.find(exchange.req);
    const good = opened && opened.content.exp * 1000 > Date.now();
    return good ? redirect(exchange, 302, home) : loginFailed(exchange, home);
  }

  async #exchangeCode(exchange: Exchange, flow: Flow): Promise<Grant | null> {
    if (!new URLSearchParams(exchange.query).has('code')) return null;
    const discovered = await this.#provider.discover();
    try {
      const answer = await finishLogin(exchange.query, flow, discovered);
      const grant = await readGrant(answer, discovered.keys, this.#parts.settings);
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

  async #logout(exchange: Exchange): Promise<void> {
    if (askedElsewhere(exchange, this.#parts.address)) return;
    const opened = await this.#sessions.find(exchange.req);
    this.#sessions.clear(exchange);
    if (opened) this.#refresher.end(opened.sealed);
    const provider = await this.#endSession(exchange, opened?.content.idToken);
    if (provider === null) signedOut(exchange);
    else redirect(exchange, 302, provider);
  }

  /** Address of the provider's own logout; `null` where there is none, or where it cannot be asked for. */
  async #endSession(exchange: Exchange, idToken: string | undefined): Promise<string | null> {
    const boardUrl = this.#boardUrl(exchange);
    try {
      const { configuration } = await this.#provider.discover();
      if (boardUrl === null || !configuration.serverMetadata().end_session_endpoint) return null;
      return buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: `${boardUrl}/`,
        ...(idToken === undefined ? {} : { id_token_hint: idToken }),
      }).href;
    } catch {
      return null;
    }
  }
}
