/** Silent refresh: once per refresh token, for all requests and instances that find the session expired. */

import { createHash } from 'node:crypto';
import { refreshTokenGrant } from 'openid-client';
import { AuthProviderError, AuthStoreError } from '../auth-error.ts';
import type { Exchange } from '../exchange.ts';
import { ExpiringMap } from '../session/expiring-map.ts';
import { nowInSeconds } from '../session/session-life.ts';
import type { SealedCookie } from '../session/session-cookie.ts';
import { doneAcross, onceAcross } from '../store/once-across.ts';
import type { AuthStore } from '../store/store.ts';
import { pickClaims, refreshedUser } from './claims.ts';
import { isOfSubject, readGrant, type Grant } from './grant.ts';
import type { OidcSession, Sealed, SessionCore } from './oidc-session.ts';
import type { Discovered, Provider } from './provider.ts';
import { outage, refusal } from './provider-failure.ts';

/** A refreshed session. */
interface Refreshed {
  readonly sealed: string;
  readonly session: OidcSession;
}

interface Shared {
  readonly result: Refreshed | null;
  /** Whether this process sent the refresh request. */
  readonly own: boolean;
}

/**
 * Seconds for which requests with the old cookie receive the new session. Providers that rotate refresh tokens treat a
 * second use of the old token as theft and end the session.
 */
export const stragglers = 60;

interface RefreshParts {
  readonly provider: Provider;
  readonly cookie: SealedCookie<OidcSession>;
  /** Store shared by several instances; `null` without one. */
  readonly store: AuthStore | null;
  seal(core: SessionCore, grant: Grant): Promise<Sealed | null>;
  /** Called with the reason when the provider refused. */
  readonly report: (error: AuthProviderError, exchange: Exchange) => void;
}

export class Refresher {
  readonly #parts: RefreshParts;
  readonly #running = new ExpiringMap<Promise<Shared>>();

  constructor(parts: RefreshParts) {
    this.#parts = parts;
  }

  /**
   * Returns the new session, or `null` when the provider does not renew it.
   *
   * @throws {AuthProviderError} AUTH_PROVIDER_UNAVAILABLE when the provider is unavailable; the next request retries
   * @throws {AuthStoreError} AUTH_STORE_UNAVAILABLE when another instance may be refreshing, but the store fails
   */
  async refresh(content: OidcSession, exchange: Exchange): Promise<Refreshed | null> {
    const { refreshToken: token } = content;
    if (token === undefined) return null;
    const key = keyOf(content);
    const before = this.#running.get(key);
    const shared = await (before ?? this.#start(key, content, token, exchange));
    if (shared.result === null) return null;
    const { session } = shared.result;
    const isNew = before === undefined && shared.own;
    if (isNew || session.exp > nowInSeconds() || keyOf(session) === key) return shared.result;
    // The session refreshed elsewhere has expired too; a request with an old cookie does not extend it.
    return this.refresh(session, exchange);
  }

  /** The session that another request, here or in another instance, has got for this one; `null` if it is not known. */
  async successor(content: OidcSession): Promise<OidcSession | null> {
    const { store, cookie } = this.#parts;
    const key = keyOf(content);
    const own = await this.#running.get(key)?.catch(() => null);
    if (own || store === null) return own?.result?.session ?? null;
    const sealed = await doneAcross(store, nameOf(key));
    return sealed === null ? null : ((await cookie.open(sealed))?.content ?? null);
  }

  #start(key: string, content: OidcSession, token: string, exchange: Exchange): Promise<Shared> {
    const started = this.#once(key, content, token, exchange).catch((error: unknown) => {
      this.#running.delete(key);
      throw error;
    });
    this.#running.set(key, started, Date.now() + stragglers * 1000);
    return started;
  }

  /** Refreshes in this process, or waits for the instance that already does. */
  async #once(
    key: string,
    content: OidcSession,
    token: string,
    exchange: Exchange,
  ): Promise<Shared> {
    const { store, cookie } = this.#parts;
    if (store === null) return { result: await this.#ask(content, token, exchange), own: true };
    const own: Refreshed[] = [];
    const sealed = await onceAcross(store, nameOf(key), stragglers, async () => {
      const asked = await this.#ask(content, token, exchange);
      if (asked !== null) own.push(asked);
      return asked?.sealed ?? null;
    });
    const [result] = own;
    if (result !== undefined) return { result, own: true };
    const opened = sealed === null ? null : await cookie.open(sealed);
    return { result: opened && { sealed: opened.sealed, session: opened.content }, own: false };
  }

  async #ask(content: OidcSession, token: string, exchange: Exchange): Promise<Refreshed | null> {
    const { provider, report, seal } = this.#parts;
    const discovered = await provider.discover();
    await discovered.keys.ready();
    try {
      const answer = await refreshTokenGrant(discovered.configuration, token);
      const grant = await readGrant(answer, discovered.keys, discovered.settings);
      if (grant === null || (grant.told && !isOfSubject(grant.claims, content.sub))) {
        report(new AuthProviderError('refresh', 'tokens that are not good'), exchange);
        return null;
      }
      return await seal(renewed(content, grant, discovered), {
        ...grant,
        refreshToken: grant.refreshToken ?? token,
        idToken: grant.idToken ?? content.idToken,
      });
    } catch (error) {
      // The session is not refused, but cannot be kept.
      if (error instanceof AuthStoreError) throw error;
      const out = outage('refresh', error);
      if (out !== null) throw out;
      report(refusal('refresh', error), exchange);
      return null;
    }
  }
}

/**
 * Key that is the same for every cookie of a session between two refreshes. A provider without rotation returns the
 * same refresh token again, with a later expiry.
 */
function keyOf({ refreshToken, exp }: OidcSession): string {
  return createHash('sha256').update(`${exp} ${refreshToken}`).digest('base64url');
}

/** The name of a refresh in the store. */
const nameOf = (key: string): string => `refresh:${key}`;

/** The session with the current user data of the provider. */
function renewed(
  { id, sub, sid, since, user, claims }: OidcSession,
  grant: Grant,
  { settings }: Discovered,
): SessionCore {
  const same = { id, sub, ...(sid === undefined ? {} : { sid }), since, seen: nowInSeconds() };
  if (!grant.told) return { ...same, user, claims };
  return {
    ...same,
    user: refreshedUser(user, grant.claims, settings.rolesOf),
    claims: { ...claims, ...pickClaims(grant.claims, settings.claims) },
  };
}
