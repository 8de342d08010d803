/** The session of the strategy `token`: the token itself and an expiry, sealed. */

import type { BoardAddress } from '../address/board-address.ts';
import { endOf, type SessionAge } from '../session/session-life.ts';
import { SealedCookie } from '../session/session-cookie.ts';
import { sealedStore } from '../session/sealed-store.ts';
import type { CookieSettings } from '../settings.ts';
import type { AuthStore } from '../store/store.ts';

export interface TokenSession extends SessionAge {
  /** Id that survives re-sealing; absent in sessions sealed by an older version. */
  readonly id: string | undefined;
  readonly token: string;
}

/** The sealed content. */
export function sealedForm(
  { id, token, since, seen }: TokenSession,
  maxAgeSeconds: number,
): object {
  return { v: 1, id, token, exp: since + maxAgeSeconds, seen };
}

/** Content that does not match this form is not a session. */
function readSession(value: unknown, maxAgeSeconds: number): TokenSession | null {
  if (typeof value !== 'object' || value === null) return null;
  const { v, id, token, exp, seen } = value as Partial<Record<string, unknown>>;
  if (v !== 1 || typeof token !== 'string' || typeof exp !== 'number') return null;
  if (exp * 1000 <= Date.now()) return null;
  const since = exp - maxAgeSeconds;
  return {
    id: typeof id === 'string' ? id : undefined,
    token,
    since,
    seen: typeof seen === 'number' ? seen : since,
  };
}

/** The cookie of these sessions. It is not sent with requests started by other sites. */
export function tokenCookie(
  { secrets, name, secure, parts, ...limits }: CookieSettings,
  address: BoardAddress,
  store: AuthStore | null,
): SealedCookie<TokenSession> {
  const { maxAgeSeconds } = limits;
  const purpose = 'token session';
  return new SealedCookie(
    {
      secrets,
      purpose,
      name,
      sameSite: 'Strict',
      maxAgeSeconds,
      secure,
      parts,
      address,
      kept: sealedStore(store, { secrets, purpose }, limits),
    },
    {
      read: (value) => readSession(value, maxAgeSeconds),
      goodUntil: (session) => endOf(session, limits),
    },
  );
}
