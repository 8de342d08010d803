/** Verifies bearer tokens of scripts and caches the result while it remains valid. */

import { longestBearer } from '../bearer.ts';
import { ExpiringCache } from '../../lib/index.ts';
import type { AuthClaims, AuthUser } from '../options.ts';
import { pickClaims, userFromClaims } from './claims.ts';
import type { Provider } from './provider.ts';
import type { SigningKeys } from './signing-keys.ts';
import { verifyBearer } from './verify-token.ts';

/** Number of cached tokens in each of two generations. */
const remembered = 500;

interface Verified {
  readonly user: AuthUser;
  /** Claims passed to `onAuthenticated`. */
  readonly claims: AuthClaims;
  /** Version of the signing keys at that time; when it changes, the token is verified again. */
  readonly generation: number | null;
}

export class BearerVerifier {
  readonly #provider: Provider;
  readonly #verified = new ExpiringCache<Verified>(remembered);

  #keys: SigningKeys | null = null;

  constructor(provider: Provider) {
    this.#provider = provider;
  }

  /** Returns the cached result of a token, while it is valid. */
  known(token: string): Verified | null {
    const known = this.#verified.get(token);
    const generation = this.#keys?.generation ?? null;
    return known !== undefined && generation !== null && known.generation === generation
      ? known
      : null;
  }

  /**
   * Returns the user and the claims of a token; `null` if it is not valid.
   *
   * @throws {AuthProviderError} AUTH_PROVIDER_UNAVAILABLE when the keys are needed and cannot be had
   */
  async verify(token: string): Promise<Verified | null> {
    if (token === '' || token.length > longestBearer) return null;
    const { keys, settings } = await this.#provider.discover();
    this.#keys = keys;
    const known = this.known(token);
    if (known !== null) return known;
    const claims = await verifyBearer(token, keys, settings);
    if (claims === null) {
      this.#verified.delete(token);
      return null;
    }
    const verified = {
      user: userFromClaims(claims, settings.rolesOf),
      claims: pickClaims(claims, settings.claims),
      generation: keys.generation,
    };
    const until = ((claims.exp ?? 0) + settings.clockToleranceSeconds) * 1000;
    this.#verified.set(token, verified, until);
    return verified;
  }
}
