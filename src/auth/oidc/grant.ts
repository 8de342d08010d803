/** Reads a token response of the provider: verified claims, tokens to store, and their lifetimes. */

import type { JWTPayload } from 'jose';
import type { TokenEndpointResponse } from 'openid-client';
import type { OidcSettings } from './oidc-settings.ts';
import type { SigningKeys } from './signing-keys.ts';
import { verifyToken } from './verify-token.ts';

/** Assumed lifetime in seconds of an access token without a known expiry. */
const usualLife = 300;

export interface Grant {
  /** Claims of the ID token and, over them, of the access token. */
  readonly claims: JWTPayload;
  /** Whether any token in the response contained claims. */
  readonly told: boolean;
  readonly refreshToken: string | undefined;
  readonly idToken: string | undefined;
  /** Expiry of the access token, in seconds since 1970. */
  readonly accessExp: number;
  /** Lifetime of the refresh token in seconds, if the provider sends it. */
  readonly refreshLife: number | undefined;
}

/**
 * Reads a token response. An ID token must be valid if present; the claims of an access token are ignored when it has
 * another issuer or is not a JWT.
 *
 * @returns `null` when the ID token is not valid or the two tokens have different subjects
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
 * Whether the claims belong to a subject. Okta puts the user name into `sub` of access tokens, and the subject of the
 * ID token into `uid`.
 */
export function isOfSubject(claims: JWTPayload, sub: string | undefined): boolean {
  if (claims.sub === undefined || claims.sub === sub) return true;
  return sub !== undefined && claims['uid'] === sub;
}

function seconds(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined;
}
