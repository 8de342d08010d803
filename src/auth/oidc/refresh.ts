/** Silent refresh: once per session, however many requests find it expired at the same time. */

import { refreshTokenGrant } from 'openid-client';
import type { AuthProviderError } from '../auth-error.ts';
import type { Exchange } from '../exchange.ts';
import { ExpiringCache } from '../expiring-cache.ts';
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

/** How many refreshes are remembered, in each of two generations. */
const remembered = 500;

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
  readonly #running = new ExpiringCache<Promise<Refreshed | null>>(remembered);

  constructor(parts: RefreshParts) {
    this.#parts = parts;
  }

  /**
   * The new session, or `null` when the provider does not renew it.
   *
   * @throws AuthProviderError when the provider cannot be asked; the next request asks again
   */
  refresh({ sealed, content }: Opened<OidcSession>, exchange: Exchange): Promise<Refreshed | null> {
    const running = this.#running.get(sealed);
    if (running !== undefined) return running;
    const started = this.#ask(content, exchange).catch((error: unknown) => {
      this.#running.delete(sealed);
      throw error;
    });
    this.#running.set(sealed, started, Date.now() + stragglers);
    return started;
  }

  /** Forgets a session that has been ended. */
  forget(sealed: string): void {
    this.#running.delete(sealed);
  }

  async #ask(
    { sub, user, refreshToken, idToken }: OidcSession,
    exchange: Exchange,
  ): Promise<Refreshed | null> {
    if (refreshToken === undefined) return null;
    const { provider, settings, cookie, maxAgeSeconds, report } = this.#parts;
    const { configuration, keys } = await provider.discover();
    try {
      const answer = await refreshTokenGrant(configuration, refreshToken);
      const grant = await readGrant(answer, keys, settings);
      if (grant === null || (grant.told && grant.claims.sub !== sub)) return null;
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
