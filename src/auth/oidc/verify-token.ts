/** Verifies tokens of the provider and checks their audience. */

import { jwtVerify, type JWTPayload, type JWTVerifyResult } from 'jose';
import { AuthProviderError } from '../auth-error.ts';
import { texts } from '../auth-user.ts';
import { nameOf } from './claims.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Asymmetric signatures only: a shared secret or `none` does not prove that the provider issued the token. */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

interface TokenRules {
  readonly issuer: string;
  /** One of these must be the token's `azp` or in its `aud`. */
  readonly audience: readonly string[];
  readonly clockToleranceSeconds: number;
}

/**
 * Returns the claims of a token with valid signature, issuer, times and audience; `null` for every other token.
 *
 * @throws {AuthProviderError} when the keys are needed and cannot be had
 */
export async function verifyToken(
  token: string,
  keys: SigningKeys,
  rules: TokenRules,
): Promise<JWTPayload | null> {
  return (await verified(token, keys, rules))?.payload ?? null;
}

/**
 * Verifies the bearer token of a script, which must also be issued for that use.
 *
 * @throws {AuthProviderError} when the keys are needed and cannot be had
 */
export async function verifyBearer(
  token: string,
  keys: SigningKeys,
  rules: TokenRules,
): Promise<JWTPayload | null> {
  const found = await verified(token, keys, rules);
  return found !== null && isBearer(found) ? found.payload : null;
}

async function verified(
  token: string,
  keys: SigningKeys,
  { issuer, audience, clockToleranceSeconds }: TokenRules,
): Promise<JWTVerifyResult | null> {
  try {
    const found = await jwtVerify(token, keys.find, {
      issuer,
      algorithms,
      clockTolerance: clockToleranceSeconds,
      requiredClaims: ['exp'],
    });
    const meantFor = [found.payload['azp'], found.payload.aud].flat();
    return meantFor.some((name) => texts([name]).some((text) => audience.includes(text)))
      ? found
      : null;
  } catch (error) {
    if (error instanceof AuthProviderError) throw error;
    return null;
  }
}

/** Accepted `typ` headers of access tokens; most providers send none, or only `JWT`. */
const bearerTypes = new Set(['jwt', 'at+jwt', 'application/at+jwt']);

/** Claims of ID tokens, which appear in URLs, and of logout tokens and other security events. */
const otherPurposes = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'];

/**
 * Whether a verified token may be used as a bearer token. The provider also signs ID tokens, logout tokens, tokens
 * bound to a key that a bearer token does not prove, and responses to login requests, which are available without an
 * account and identify no user.
 */
function isBearer({ payload, protectedHeader }: JWTVerifyResult): boolean {
  if (payload['cnf'] !== undefined || nameOf(payload) === undefined) return false;
  const type = protectedHeader.typ?.toLowerCase();
  if (type !== undefined && !bearerTypes.has(type)) return false;
  const claimed = payload['typ'];
  if (claimed !== undefined) return claimed === 'Bearer';
  return otherPurposes.every((name) => payload[name] === undefined);
}
