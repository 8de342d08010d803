/** The session of the strategy `token`: the token itself and an expiry, sealed. */

import type { BoardAddress } from '../board-address.ts';
import type { CookieSettings } from '../settings.ts';
import { SealedCookie } from '../session-cookie.ts';

export interface TokenSession {
  readonly v: 1;
  readonly token: string;
  /** Seconds since 1970. */
  readonly exp: number;
}

/** A content that is not of this form counts as no session. */
function readSession(value: unknown): TokenSession | null {
  if (typeof value !== 'object' || value === null) return null;
  const { v, token, exp } = value as Partial<Record<keyof TokenSession, unknown>>;
  if (v !== 1 || typeof token !== 'string' || typeof exp !== 'number') return null;
  return exp * 1000 > Date.now() ? { v, token, exp } : null;
}

/** The cookie of these sessions. It is not sent with requests that other sites begin. */
export function tokenCookie(
  { secret, name, secure, maxAgeSeconds }: CookieSettings,
  address: BoardAddress,
): SealedCookie<TokenSession> {
  return new SealedCookie(
    {
      secret,
      purpose: 'token session',
      name,
      sameSite: 'Strict',
      maxAgeSeconds,
      secure,
      address,
    },
    readSession,
  );
}
