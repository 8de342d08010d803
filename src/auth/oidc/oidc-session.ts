/** The session of the strategy `oidc`: the user, the expiry, and the tokens that fit beside them. */

import { userOf } from '../auth-user.ts';
import type { BoardAddress } from '../board-address.ts';
import type { AuthUser } from '../options.ts';
import { SealedCookie } from '../session-cookie.ts';
import type { CookieSettings } from '../settings.ts';
import type { Grant } from './grant.ts';
import type { OidcSettings } from './oidc-settings.ts';

export interface OidcSession {
  readonly v: 1;
  /** The provider's name for the user; the same after every refresh. */
  readonly sub: string;
  readonly user: AuthUser;
  /** Seconds since 1970. Past it the session needs a refresh. */
  readonly exp: number;
  readonly refreshToken?: string;
  /** Tells the provider at logout whose session ends. */
  readonly idToken?: string;
}

/** A content that is not of this form counts as no session. */
function readSession(value: unknown): OidcSession | null {
  if (typeof value !== 'object' || value === null) return null;
  const { v, sub, user, exp, refreshToken, idToken } = value as Partial<
    Record<keyof OidcSession, unknown>
  >;
  if (v !== 1 || typeof sub !== 'string' || typeof exp !== 'number') return null;
  if (typeof user !== 'object' || user === null) return null;
  return {
    v,
    sub,
    user: userOf(user, sub),
    exp,
    ...(typeof refreshToken === 'string' ? { refreshToken } : {}),
    ...(typeof idToken === 'string' ? { idToken } : {}),
  };
}

/** The cookie of these sessions. Another realm or client with the same secret opens none of them. */
export function oidcCookie(
  { secret, name, secure, maxAgeSeconds }: CookieSettings,
  { issuer, clientId }: OidcSettings,
  address: BoardAddress,
): SealedCookie<OidcSession> {
  const purpose = `oidc session ${JSON.stringify([issuer, clientId])}`;
  return new SealedCookie(
    { secret, purpose, name, sameSite: 'Lax', maxAgeSeconds, secure, address },
    readSession,
  );
}

/**
 * The sealed session with as many of the two tokens as a cookie holds: both, the refresh token, the ID token,
 * neither. `null` when the user alone is too much.
 */
export async function sealSession(
  cookie: SealedCookie<OidcSession>,
  { sub, user, grant }: { sub: string; user: AuthUser; grant: Grant },
  maxAgeSeconds: number,
): Promise<{ readonly sealed: string; readonly session: OidcSession } | null> {
  const refresh = grant.refreshToken === undefined ? {} : { refreshToken: grant.refreshToken };
  const id = grant.idToken === undefined ? {} : { idToken: grant.idToken };
  const unrefreshed = Math.floor(Date.now() / 1000) + (grant.refreshLife ?? maxAgeSeconds);
  for (const tokens of [{ ...refresh, ...id }, refresh, id, {}]) {
    const exp = 'refreshToken' in tokens ? grant.accessExp : unrefreshed;
    const session: OidcSession = { v: 1, sub, user, exp, ...tokens };
    const sealed = await cookie.seal(session);
    if (sealed !== null) return { sealed, session };
  }
  return null;
}
