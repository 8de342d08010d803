/** The sessions of the strategy `oidc`: lookup, limits, refresh and logout. */

import type { AuthRequest } from '../web.ts';
import type { Exchange } from '../exchange.ts';
import { ExpiringMap } from '../session/expiring-map.ts';
import { endOf, nowInSeconds, renewalOf } from '../session/session-life.ts';
import type { SealedCookie } from '../session/session-cookie.ts';
import type { Grant } from './grant.ts';
import type { OidcParts } from './login-routes.ts';
import { oidcCookie, sealSession, sealedForm } from './oidc-session.ts';
import type { LeftOut, OidcSession, Sealed, SessionCore } from './oidc-session.ts';
import type { Provider } from './provider.ts';
import { Refresher, stragglers } from './refresh.ts';

export interface Found {
  readonly session: OidcSession;
  /** Whether it is the session in the request's cookie and not its refreshed successor. */
  readonly asSent: boolean;
}

export class OidcSessions {
  readonly #parts: OidcParts;
  readonly #cookie: SealedCookie<OidcSession>;
  readonly #refresher: Refresher;
  readonly #noticed = new Set<LeftOut>();
  /** Sessions by id as they last became, while their cookies may still be the ones of open streams. */
  readonly #latest = new ExpiringMap<OidcSession>();

  constructor(parts: OidcParts, provider: Provider) {
    const { settings, cookie, address, store, report, tell } = parts;
    this.#parts = parts;
    this.#cookie = oidcCookie(cookie, settings, address, store);
    this.#refresher = new Refresher({
      provider,
      cookie: this.#cookie,
      store,
      seal: (core, grant) => this.seal(core, grant),
      report: (error, exchange) => {
        report(error, exchange);
        tell({ type: 'refusal', reason: 'refresh' }, exchange.req);
      },
    });
  }

  /**
   * Returns the session of a request if it is valid without a refresh, for a request that was let in before also what
   * other requests have made of it since.
   */
  async ofRequest(req: AuthRequest, wasLetIn: boolean): Promise<OidcSession | null> {
    const opened = await this.#cookie.find(req);
    const session = opened && (wasLetIn ? await this.#latestOf(opened.content) : opened.content);
    if (!session || this.#goodUntil(session) <= nowInSeconds()) return null;
    return (await this.#parts.revocations.isEnded(session)) ? null : session;
  }

  async #latestOf(content: OidcSession): Promise<OidcSession> {
    const known = this.#latest.get(content.id) ?? content;
    if (known.exp > nowInSeconds()) return known;
    const next = await this.#refresher.successor(known);
    if (next === null || next.exp <= known.exp) return known;
    this.#note(next);
    return this.#latestOf(next);
  }

  #note(session: OidcSession): void {
    this.#latest.set(session.id, session, (this.#goodUntil(session) + stragglers) * 1000);
  }

  /** Returns the session of a request, refreshed if needed. A cookie without a valid session is removed. */
  async ofExchange(exchange: Exchange): Promise<Found | null> {
    const opened = await this.#cookie.find(exchange.req);
    if (opened === undefined) return null;
    const session = opened && (await this.#usable(opened.content, exchange));
    if (session === null) this.#cookie.clear(exchange);
    return session && { session, asSent: session === opened?.content };
  }

  /** Time in seconds since 1970 until which requests do not change this session. */
  unchangedUntil(session: OidcSession): number {
    return Math.min(this.#goodUntil(session), renewalOf(session, this.#parts.cookie));
  }

  async #usable(content: OidcSession, exchange: Exchange): Promise<OidcSession | null> {
    const { revocations, cookie, tell } = this.#parts;
    const now = nowInSeconds();
    if (endOf(content, cookie) <= now) return null;
    if (await revocations.isEnded(content)) {
      tell({ type: 'refusal', reason: 'revoked', user: content.user }, exchange.req);
      return null;
    }
    if (content.exp > now) {
      if (renewalOf(content, cookie) <= now) await this.#renew({ ...content, seen: now }, exchange);
      return content;
    }
    const refreshed = await this.#refresher.refresh(content, exchange);
    // The session may have been ended in the meantime.
    if (refreshed === null || (await revocations.isEnded(refreshed.session))) return null;
    this.#note(refreshed.session);
    this.#cookie.writeLate(exchange, refreshed.sealed);
    tell({ type: 'refresh', user: refreshed.session.user }, exchange.req);
    return refreshed.session;
  }

  /** Seals an active session again before its idle timeout. */
  async #renew(session: OidcSession, exchange: Exchange): Promise<void> {
    const sealed = await this.#cookie.seal(sealedForm(session));
    if (sealed === null) return;
    this.#note(session);
    this.#cookie.writeLate(exchange, sealed);
  }

  #goodUntil(session: OidcSession): number {
    return Math.min(session.exp, endOf(session, this.#parts.cookie));
  }

  /** Seals a session with the tokens that fit; warns once about tokens that do not. */
  async seal(core: SessionCore, grant: Grant): Promise<Sealed | null> {
    const { settings, cookie } = this.#parts;
    const life = grant.refreshLife ?? cookie.maxAgeSeconds;
    const outlive = settings.outliveAccessToken ? life : null;
    const sealed = await sealSession(this.#cookie, core, grant, outlive);
    for (const token of sealed?.leftOut ?? []) {
      if (this.#noticed.has(token)) continue;
      this.#noticed.add(token);
      console.warn(
        `sluice/auth: a session is kept without its ${token}, which does not fit its cookie: see "roles", "claims" and "cookie.parts", or set a "store".`,
      );
    }
    return sealed;
  }

  /** Starts a session and sets its cookie on this response. */
  begin(exchange: Exchange, { sealed }: Sealed): void {
    this.#cookie.write(exchange, sealed);
  }

  /** Ends the sessions of a request in every instance and returns the one that was in use, if there was one. */
  async end(exchange: Exchange): Promise<OidcSession | null> {
    const opened = await this.#cookie.find(exchange.req);
    for (const { content } of await this.#cookie.all(exchange.req)) {
      await this.#parts.revocations.end(content);
    }
    await this.#cookie.forget(exchange.req);
    // Not before: a logout that fails can be repeated.
    this.#cookie.clear(exchange);
    return opened?.content ?? null;
  }
}
