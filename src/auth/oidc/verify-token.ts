/** Whether a token of the realm is good, and for us. */

import { jwtVerify } from 'jose';
import type { JWTPayload } from 'jose';
import { AuthProviderError } from '../auth-error.ts';
import { texts } from '../auth-user.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Signatures by a key pair only: a shared secret or none proves nothing about the realm. */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

export interface TokenRules {
  readonly issuer: string;
  /** One of these must be the token's `azp` or in its `aud`. */
  readonly audience: readonly string[];
  readonly clockToleranceSeconds: number;
}

/**
 * The claims of a token whose signature, issuer, times and audience are good; `null` for every other token.
 *
 * @throws AuthProviderError when the keys are needed and cannot be had
 */
export async function verifyToken(
  token: string,
  keys: SigningKeys,
  { issuer, audience, clockToleranceSeconds }: TokenRules,
): Promise<JWTPayload | null> {
  try {
    const { payload } = await jwtVerify(token, keys.find, {
      issuer,
      algorithms,
      clockTolerance: clockToleranceSeconds,
      requiredClaims: ['exp'],
    });
    const meantFor = [payload['azp'], payload.aud].flat();
    return meantFor.some((name) => texts([name]).some((text) => audience.includes(text)))
      ? payload
      : null;
  } catch (error) {
    if (error instanceof AuthProviderError) throw error;
    return null;
  }
}

/**
 * Whether verified claims may stand in a bearer header: the realm also signs tokens for other purposes, and
 * tokens that are bound to a key which a bearer does not show.
 */
export function isBearer(claims: JWTPayload): boolean {
  const type = claims['typ'];
  return (type === undefined || type === 'Bearer') && claims['cnf'] === undefined;
}
