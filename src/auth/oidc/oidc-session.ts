/** The session of the strategy `oidc`: the user, the expiry, and the tokens that fit beside them. */

import { userOf } from '../auth-user.ts';
import type { BoardAddress } from '../address/board-address.ts';
import type { AuthClaims, AuthUser } from '../options.ts';
import { endOf, type SessionAge } from '../session/session-life.ts';
import { SealedCookie } from '../session/session-cookie.ts';
import { sealedStore } from '../session/sealed-store.ts';
import type { CookieSettings } from '../settings.ts';
import type { AuthStore } from '../store/store.ts';
import type { Grant } from './grant.ts';
import type { OidcSettings } from './oidc-settings.ts';

/** The part of the session that does not depend on the stored tokens. */
export interface SessionCore extends SessionAge {
  /** Random id; unchanged by refreshes. */
  readonly id: string;
  /** The provider's id of the user (`sub`); unchanged by refreshes. */
  readonly sub: string;
  /** The provider's id of its session (`sid`). */
  readonly sid?: string;
  readonly user: AuthUser;
  /** Claims passed to `onAuthenticated`. */
  readonly claims: AuthClaims;
}

export interface OidcSession extends SessionCore {
  readonly v: 2;
  /** Time in seconds since 1970 after which the session needs a refresh. */
  readonly exp: number;
  readonly refreshToken?: string;
  /** Identifies the session to the provider at logout. */
  readonly idToken?: string;
}

/** Content that does not match this form is not a session. */
function readSession(value: unknown): OidcSession | null {
  if (typeof value !== 'object' || value === null) return null;
  const content = value as Partial<Record<keyof OidcSession, unknown>>;
  const { v, id, sub, sid, user, claims, since, seen, exp, refreshToken, idToken } = content;
  if (v !== 2 || typeof id !== 'string' || typeof sub !== 'string') return null;
  if (typeof exp !== 'number' || typeof since !== 'number' || typeof seen !== 'number') return null;
  if (typeof user !== 'object' || user === null) return null;
  return {
    v,
    id,
    sub,
    since,
    seen,
    exp,
    user: userOf({ ...user, id: sub }, sub),
    claims: Object.freeze({ ...(typeof claims === 'object' ? claims : {}) }),
    ...(typeof sid === 'string' ? { sid } : {}),
    ...(typeof refreshToken === 'string' ? { refreshToken } : {}),
    ...(typeof idToken === 'string' ? { idToken } : {}),
  };
}

/** The sealed content: the user's `id` is stored as `sub`. */
export function sealedForm({ user, ...session }: OidcSession): object {
  const { id: _id, ...rest } = user;
  return { ...session, user: rest };
}

/** The cookie of these sessions. Another realm or client with the same secret cannot open them. */
export function oidcCookie(
  { secrets, name, secure, parts, ...limits }: CookieSettings,
  { issuer, clientId }: OidcSettings,
  address: BoardAddress,
  store: AuthStore | null,
): SealedCookie<OidcSession> {
  const purpose = `oidc session ${JSON.stringify([issuer, clientId])}`;
  const { maxAgeSeconds } = limits;
  const kept = sealedStore(store, { secrets, purpose }, limits);
  return new SealedCookie(
    { secrets, purpose, name, sameSite: 'Lax', maxAgeSeconds, secure, parts, address, kept },
    {
      read: readSession,
      goodUntil: (session) => Math.min(session.exp, endOf(session, limits)),
    },
  );
}

/** A token that was left out because of the size limit. */
export type LeftOut = 'refresh token' | 'ID token';

export interface Sealed {
  readonly sealed: string;
  readonly session: OidcSession;
  readonly leftOut: readonly LeftOut[];
}

/**
 * Seals the session with as many of the two tokens as fit: both, the refresh token, the ID token, or neither. Returns
 * `null` when the user alone does not fit.
 *
 * @param outlive lifetime in seconds of a session without a refresh token; `null` ends it with its access token
 */
export async function sealSession(
  cookie: SealedCookie<OidcSession>,
  core: SessionCore,
  grant: Pick<Grant, 'refreshToken' | 'idToken' | 'accessExp'>,
  outlive: number | null,
): Promise<Sealed | null> {
  const refresh = grant.refreshToken === undefined ? {} : { refreshToken: grant.refreshToken };
  const id = grant.idToken === undefined ? {} : { idToken: grant.idToken };
  const alone = outlive === null ? grant.accessExp : Math.floor(Date.now() / 1000) + outlive;
  for (const tokens of [{ ...refresh, ...id }, refresh, id, {}]) {
    const exp = 'refreshToken' in tokens ? grant.accessExp : alone;
    const session: OidcSession = { v: 2, ...core, exp, ...tokens };
    const sealed = await cookie.seal(sealedForm(session));
    if (sealed === null) continue;
    const leftOut: LeftOut[] = [];
    if ('refreshToken' in refresh && !('refreshToken' in tokens)) leftOut.push('refresh token');
    if ('idToken' in id && !('idToken' in tokens)) leftOut.push('ID token');
    return { sealed, session, leftOut };
  }
  return null;
}
