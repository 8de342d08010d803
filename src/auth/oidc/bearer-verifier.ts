/** Bearer tokens of scripts: verified once, then remembered while that verification still holds. */

import { longestBearer } from '../bearer.ts';
import { ExpiringCache } from '../../lib/index.ts';
import type { AuthUser } from '../options.ts';
import { userFromClaims } from './claims.ts';
import type { OidcSettings } from './oidc-settings.ts';
import type { Provider } from './provider.ts';
import type { SigningKeys } from './signing-keys.ts';
import { verifyBearer } from './verify-token.ts';

/** How many tokens are remembered, in each of two generations. */
const remembered = 500;

interface Verified {
  readonly user: AuthUser;
  /** The state of the signing keys then; with another one the token is verified again. */
  readonly generation: number | null;
}

export class BearerVerifier {
  readonly #provider: Provider;
  readonly #settings: OidcSettings;
  readonly #verified = new ExpiringCache<Verified>(remembered);

  #keys: SigningKeys | null = null;

  constructor(provider: Provider, settings: OidcSettings) {
    this.#provider = provider;
    this.#settings = settings;
  }

  /** The user of a token that was verified before, while that still holds. */
  known(token: string): AuthUser | null {
    const known = this.#verified.get(token);
    const generation = this.#keys?.generation ?? null;
    return known !== undefined && generation !== null && known.generation === generation
      ? known.user
      : null;
  }

  /** @throws {AuthProviderError} when the keys are needed and cannot be had */
  async user(token: string): Promise<AuthUser | null> {
    if (token === '' || token.length > longestBearer) return null;
    const { keys } = await this.#provider.discover();
    this.#keys = keys;
    const known = this.known(token);
    if (known !== null) return known;
    const claims = await verifyBearer(token, keys, this.#settings);
    if (claims === null) {
      this.#verified.delete(token);
      return null;
    }
    const user = userFromClaims(claims, this.#settings.clientId);
    const until = ((claims.exp ?? 0) + this.#settings.clockToleranceSeconds) * 1000;
    this.#verified.set(token, { user, generation: keys.generation }, until);
    return user;
  }
}
