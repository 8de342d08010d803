/** Silent refresh: once per session, however many requests find it expired at the same time. */

import { refreshTokenGrant } from 'openid-client';
import { AuthProviderError } from '../auth-error.ts';
import type { Exchange } from '../exchange.ts';
import { ExpiringMap } from '../expiring-map.ts';
import type { Opened, SealedCookie } from '../session-cookie.ts';
import { refreshedUser } from './claims.ts';
import { readGrant } from './grant.ts';
import { sealSession } from './oidc-session.ts';
import type { OidcSession } from './oidc-session.ts';
import type { OidcSettings } from './oidc-settings.ts';
import type { Provider } from './provider.ts';
import { outage, refusal } from './provider-failure.ts';

/** A session in its new form. */
export interface Refreshed {
  readonly sealed: string;
  readonly session: OidcSession;
}

/**
 * Milliseconds for which requests that still carry the old cookie are given the new session. Providers that
 * rotate refresh tokens take a second use of the old one for theft, and end the session.
 */
const stragglers = 60_000;

export interface RefreshParts {
  readonly provider: Provider;
  readonly settings: OidcSettings;
  readonly cookie: SealedCookie<OidcSession>;
  readonly maxAgeSeconds: number;
  /** Told why the provider refused. */
  readonly report: (error: AuthProviderError, exchange: Exchange) => void;
}

export class Refresher {
  readonly #parts: RefreshParts;
  readonly #running = new ExpiringMap<Promise<Refreshed | null>>();
  readonly #ended = new ExpiringMap<true>();

  constructor(parts: RefreshParts) {
    this.#parts = parts;
  }

  /**
   * The new session, or `null` when the provider does not renew it, or when it was ended here.
   *
   * @throws {AuthProviderError} when the provider cannot be asked; the next request asks again
   */
  async refresh(
    { sealed, content }: Opened<OidcSession>,
    exchange: Exchange,
  ): Promise<Refreshed | null> {
    if (this.#isEnded(sealed)) return null;
    const before = this.#running.get(sealed);
    const refreshed = await (before ?? this.#start(sealed, content, exchange));
    // It may have been ended meanwhile, with the cookie of then or with the new one.
    if (refreshed === null || this.#isEnded(sealed) || this.#isEnded(refreshed.sealed)) return null;
    const { session } = refreshed;
    // What a straggler is given may have expired too: it holds no longer for being asked for with an old cookie.
    if (before === undefined || session.exp * 1000 > Date.now()) return refreshed;
    return this.refresh({ sealed: refreshed.sealed, content: session }, exchange);
  }

  /** Ends a session: neither its cookie nor the one before it leads to a refreshed one any more. */
  end(sealed: string): void {
    this.#ended.set(sealed, true, Date.now() + stragglers);
  }

  #isEnded(sealed: string): boolean {
    return this.#ended.get(sealed) !== undefined;
  }

  #start(sealed: string, content: OidcSession, exchange: Exchange): Promise<Refreshed | null> {
    const started = this.#ask(content, exchange).catch((error: unknown) => {
      this.#running.delete(sealed);
      throw error;
    });
    this.#running.set(sealed, started, Date.now() + stragglers);
    return started;
  }

  async #ask(
    { sub, user, refreshToken, idToken }: OidcSession,
    exchange: Exchange,
  ): Promise<Refreshed | null> {
    if (refreshToken === undefined) return null;
    const { provider, settings, cookie, maxAgeSeconds, report } = this.#parts;
    const { configuration, keys } = await provider.discover();
    await keys.ready();
    try {
      const answer = await refreshTokenGrant(configuration, refreshToken);
      const grant = await readGrant(answer, keys, settings);
      if (grant === null || (grant.told && grant.claims.sub !== sub)) {
        report(new AuthProviderError('refresh', 'tokens that are not good'), exchange);
        return null;
      }
      const next = {
        ...grant,
        refreshToken: grant.refreshToken ?? refreshToken,
        idToken: grant.idToken ?? idToken,
      };
      const now = grant.told ? refreshedUser(user, grant.claims, settings.clientId) : user;
      return await sealSession(cookie, { sub, user: now, grant: next }, maxAgeSeconds);
    } catch (error) {
      const out = outage('refresh', error);
      if (out !== null) throw out;
      report(refusal('refresh', error), exchange);
      return null;
    }
  }
}
