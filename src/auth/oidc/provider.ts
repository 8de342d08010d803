/** The identity provider: discovered when it is first needed, and again after every failure. */

import {
  ClientSecretPost,
  None,
  allowInsecureRequests,
  clockTolerance,
  discovery,
} from 'openid-client';
import type { Configuration } from 'openid-client';
import { AuthProviderError } from '../auth-error.ts';
import type { OidcSettings } from './oidc-settings.ts';
import { reasonOf } from './provider-failure.ts';
import { SigningKeys } from './signing-keys.ts';

/** Seconds that the provider has for an answer. */
const timeout = 5;

/** What discovery gives. */
export interface Discovered {
  readonly configuration: Configuration;
  readonly keys: SigningKeys;
}

export class Provider {
  readonly #settings: OidcSettings;
  #discovered: Promise<Discovered> | null = null;

  constructor(settings: OidcSettings) {
    this.#settings = settings;
  }

  /** @throws AuthProviderError when the provider cannot be asked; the next call asks again */
  discover(): Promise<Discovered> {
    this.#discovered ??= this.#ask().catch((error: unknown) => {
      this.#discovered = null;
      throw error instanceof AuthProviderError
        ? error
        : new AuthProviderError('discovery', reasonOf(error));
    });
    return this.#discovered;
  }

  async #ask(): Promise<Discovered> {
    const { issuer, clientId, clientSecret, clockToleranceSeconds } = this.#settings;
    const address = new URL(issuer);
    const configuration = await discovery(
      address,
      clientId,
      { [clockTolerance]: clockToleranceSeconds },
      clientSecret === undefined ? None() : ClientSecretPost(clientSecret),
      { timeout, execute: address.protocol === 'http:' ? [allowInsecureRequests] : [] },
    );
    const server = configuration.serverMetadata();
    // The library forgives some providers an issuer of another spelling; tokens are held to the exact one.
    if (server.issuer !== issuer) throw new AuthProviderError('discovery', 'another issuer');
    if (server.jwks_uri === undefined) throw new AuthProviderError('discovery', 'no jwks_uri');
    return { configuration, keys: new SigningKeys(new URL(server.jwks_uri)) };
  }
}
