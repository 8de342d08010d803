/** The strategy `oidc`: a bearer token of the provider, or a session started by a login at the provider. */

import type { AuthRequest } from '../web.ts';
import { forbidden, unauthorized } from '../answers.ts';
import { bearerToken } from '../bearer.ts';
import { isNavigation, isRead, type Exchange } from '../exchange.ts';
import type { AuthUser } from '../options.ts';
import { RecognisedCookies } from '../session/recognised.ts';
import type { DescribedAuth, Identity, Strategy } from '../strategy.ts';
import { receiveLogout } from './back-channel.ts';
import { BearerVerifier } from './bearer-verifier.ts';
import { hasRequiredRole } from './claims.ts';
import { LoginRoutes, type OidcParts } from './login-routes.ts';
import { OidcSessions } from './oidc-sessions.ts';
import type { OidcSession } from './oidc-session.ts';
import { Provider } from './provider.ts';

/** A recognised session, and the version of the revocations at that time. */
interface Finding {
  readonly user: AuthUser;
  readonly epoch: number;
}

export class OidcStrategy implements Strategy {
  readonly described: DescribedAuth;
  readonly #parts: OidcParts;
  readonly #provider: Provider;
  readonly #bearers: BearerVerifier;
  readonly #sessions: OidcSessions;
  readonly #routes: LoginRoutes;
  readonly #recognised = new RecognisedCookies<Finding>();

  constructor(parts: OidcParts) {
    const { settings, cookie } = parts;
    this.described = {
      strategy: 'oidc',
      header: null,
      sessionCookie: settings.bearerOnly ? null : cookie.name,
      openIdConnectUrl: `${settings.issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`,
    };
    this.#parts = parts;
    this.#provider = new Provider(settings);
    this.#bearers = new BearerVerifier(this.#provider);
    this.#sessions = new OidcSessions(parts, this.#provider);
    this.#routes = new LoginRoutes(parts, this.#provider, this.#sessions);
  }

  async serve(exchange: Exchange): Promise<boolean> {
    const { method, route, query } = exchange;
    if (this.#parts.settings.bearerOnly) return false;
    if (route === '/auth/login' && isRead(exchange)) {
      await this.#routes.login(exchange, new URLSearchParams(query).get('returnTo'));
    } else if (route === '/auth/callback' && method === 'GET') {
      await this.#routes.callback(exchange);
    } else if (route === '/auth/logout') {
      await this.#routes.logout(exchange);
    } else if (route === '/auth/backchannel-logout' && method === 'POST') {
      await receiveLogout(exchange, this.#provider, this.#parts.revocations);
    } else {
      return false;
    }
    return true;
  }

  recognise(req: AuthRequest): AuthUser | null {
    const token = bearerToken(req);
    if (token === undefined) {
      const found = this.#recognised.get(req);
      return found?.epoch === this.#parts.revocations.epoch ? found.user : null;
    }
    const known = this.#bearers.known(token);
    return known && this.#hasRole(known.user) ? known.user : null;
  }

  async identify(exchange: Exchange): Promise<Identity | null> {
    const { req } = exchange;
    const token = bearerToken(req);
    if (token !== undefined) {
      const verified = await this.#bearers.verify(token);
      if (verified !== null) return this.#withRole(exchange, { ...verified, by: 'header' });
      this.#parts.tell({ type: 'refusal', reason: 'credentials' }, req);
      unauthorized(exchange, { invalid: true });
      return null;
    }
    if (this.#parts.settings.bearerOnly) {
      unauthorized(exchange);
      return null;
    }
    const { epoch } = this.#parts.revocations;
    const found = await this.#sessions.ofExchange(exchange);
    if (found !== null) {
      const { user, claims } = found.session;
      // A request with an old cookie must receive the new one.
      if (found.asSent && this.#hasRole(user)) this.#remember(req, found.session, epoch);
      return this.#withRole(exchange, { user, claims, by: 'session' });
    }
    if (isNavigation(exchange)) await this.#routes.login(exchange, exchange.target);
    else unauthorized(exchange);
    return null;
  }

  async authenticate(req: AuthRequest, wasLetIn: boolean): Promise<Identity | null> {
    const token = bearerToken(req);
    const { bearerOnly } = this.#parts.settings;
    const session =
      token === undefined && !bearerOnly ? await this.#sessions.ofRequest(req, wasLetIn) : null;
    const verified = token === undefined ? session : await this.#bearers.verify(token);
    if (verified === null || !this.#hasRole(verified.user)) return null;
    const { user, claims } = verified;
    return { user, claims, by: token === undefined ? 'session' : 'header' };
  }

  #hasRole(user: AuthUser): boolean {
    return hasRequiredRole(user, this.#parts.settings.requiredRoles);
  }

  /** Remembers a session that was valid in an epoch: the next request with this cookie continues without further checks. */
  #remember(req: AuthRequest, session: OidcSession, epoch: number): void {
    const { revocations } = this.#parts;
    const until = revocations.trustedUntil(this.#sessions.unchangedUntil(session));
    this.#recognised.set(req, { user: session.user, epoch }, until);
  }

  #withRole(exchange: Exchange, { user, by, claims }: Identity): Identity | null {
    if (this.#hasRole(user)) return { user, by, claims };
    this.#parts.tell({ type: 'refusal', reason: 'role', user }, exchange.req);
    forbidden(exchange, by === 'session' ? `${exchange.basePath}/auth/logout` : null);
    return null;
  }
}
