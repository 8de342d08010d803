/** Bearer tokens of scripts: verified once, then remembered while that verification still holds. */

import { longestBearer } from '../bearer.ts';
import { ExpiringCache } from '../../lib/index.ts';
import type { AuthClaims, AuthUser } from '../options.ts';
import { pickClaims, userFromClaims } from './claims.ts';
import type { Provider } from './provider.ts';
import type { SigningKeys } from './signing-keys.ts';
import { verifyBearer } from './verify-token.ts';

/** How many tokens are remembered, in each of two generations. */
const remembered = 500;

interface Verified {
  readonly user: AuthUser;
  /** Claims that `onAuthenticated` is given. */
  readonly claims: AuthClaims;
  /** The state of the signing keys then; with another one the token is verified again. */
  readonly generation: number | null;
}

export class BearerVerifier {
  readonly #provider: Provider;
  readonly #verified = new ExpiringCache<Verified>(remembered);

  #keys: SigningKeys | null = null;

  constructor(provider: Provider) {
    this.#provider = provider;
  }

  /** A token that was verified before, while that still holds. */
  known(token: string): Verified | null {
    const known = this.#verified.get(token);
    const generation = this.#keys?.generation ?? null;
    return known !== undefined && generation !== null && known.generation === generation
      ? known
      : null;
  }

  /**
   * The user and the claims of a token; `null` where it is not good.
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
