/** A token answer of the provider, read: verified claims, tokens to keep, and how long they hold. */

import type { JWTPayload } from 'jose';
import type { TokenEndpointResponse } from 'openid-client';
import type { OidcSettings } from './oidc-settings.ts';
import type { SigningKeys } from './signing-keys.ts';
import { verifyToken } from './verify-token.ts';

/** Seconds that an access token is taken to hold when nothing says so. */
const usualLife = 300;

export interface Grant {
  /** Claims of the ID token and, over them, of the access token. */
  readonly claims: JWTPayload;
  /** Whether any token in the answer told claims. */
  readonly told: boolean;
  readonly refreshToken: string | undefined;
  readonly idToken: string | undefined;
  /** Seconds since 1970 until which the access token holds. */
  readonly accessExp: number;
  /** Seconds that the refresh token holds, where the provider says so. */
  readonly refreshLife: number | undefined;
}

/**
 * Reads an answer. The ID token must be good where there is one; an access token of another issuer, or one that is not a
 * JWT, is only not read.
 *
 * @returns `null` when the ID token is not good or the two tokens speak of different subjects
 * @throws {AuthProviderError} AUTH_PROVIDER_UNAVAILABLE when the keys cannot be had
 */
export async function readGrant(
  answer: TokenEndpointResponse,
  keys: SigningKeys,
  settings: OidcSettings,
): Promise<Grant | null> {
  const { issuer, clientId, audience, clockToleranceSeconds } = settings;
  const rules = { issuer, clockToleranceSeconds };
  const { id_token: idToken, access_token: accessToken } = answer;
  const id =
    idToken === undefined
      ? undefined
      : await verifyToken(idToken, keys, { ...rules, audience: [clientId] });
  if (id === null) return null;
  const access = (await verifyToken(accessToken, keys, { ...rules, audience })) ?? undefined;
  if (id && access && !isOfSubject(access, id.sub)) return null;
  const life = seconds(answer.expires_in) ?? usualLife;
  return {
    claims: { ...id, ...access, ...(id?.sub === undefined ? {} : { sub: id.sub }) },
    told: id !== undefined || access !== undefined,
    refreshToken: answer.refresh_token,
    idToken,
    accessExp: access?.exp ?? Math.floor(Date.now() / 1000) + life,
    refreshLife: seconds(answer['refresh_expires_in']),
  };
}

/**
 * Whether the claims speak of a subject. Okta writes the user's name as the subject of access tokens, and the subject of
 * the ID token as `uid`.
 */
export function isOfSubject(claims: JWTPayload, sub: string | undefined): boolean {
  if (claims.sub === undefined || claims.sub === sub) return true;
  return sub !== undefined && claims['uid'] === sub;
}

function seconds(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined;
}
