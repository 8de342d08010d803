/** The identity provider: discovered when it is first needed, and again after every failure. */

import { allowInsecureRequests, clockTolerance, customFetch, discovery } from 'openid-client';
import type { Configuration, ServerMetadata } from 'openid-client';
import { AuthProviderError } from '../auth-error.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { clientAuthentication } from './client-authentication.ts';
import { mayBeAsked } from '../plain-http.ts';
import type { OidcSettings } from './oidc-settings.ts';
import { reasonOf } from './provider-failure.ts';
import { SigningKeys } from './signing-keys.ts';

/** Seconds that the provider has for an answer. */
const timeout = 5;

type EndpointName =
  | 'jwks_uri'
  | 'authorization_endpoint'
  | 'token_endpoint'
  | 'end_session_endpoint';

/** What discovery gives. */
export interface Discovered {
  readonly configuration: Configuration;
  readonly keys: SigningKeys;
  /** The settings, with the issuer as the provider writes it. */
  readonly settings: OidcSettings;
}

export class Provider {
  readonly #settings: OidcSettings;
  #discovered: Promise<Discovered> | null = null;

  constructor(settings: OidcSettings) {
    this.#settings = settings;
  }

  /** @throws {AuthProviderError} AUTH_PROVIDER_UNAVAILABLE when the provider cannot be asked; the next call asks again */
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
    const { issuer, slashMatters, clientId, clockToleranceSeconds, bearerOnly } = this.#settings;
    const address = new URL(issuer);
    const configuration = await discovery(
      address,
      clientId,
      { [clockTolerance]: clockToleranceSeconds },
      clientAuthentication(this.#settings),
      {
        timeout,
        [customFetch]: boundedFetch,
        execute: address.protocol === 'http:' ? [allowInsecureRequests] : [],
      },
    );
    const server = configuration.serverMetadata();
    // The library forgives some providers an issuer of another spelling; tokens are checked against the exact one.
    const same =
      server.issuer === issuer || (!slashMatters && bare(server.issuer) === bare(issuer));
    if (!same) throw new AuthProviderError('discovery', 'another issuer');
    const keys = new SigningKeys(this.#endpoint('jwks_uri', server));
    if (!bearerOnly) {
      this.#endpoint('authorization_endpoint', server);
      this.#endpoint('token_endpoint', server);
      if (server.end_session_endpoint !== undefined) this.#endpoint('end_session_endpoint', server);
    }
    return { configuration, keys, settings: { ...this.#settings, issuer: server.issuer } };
  }

  /** An address that the provider names for itself. It gets no less protection than the issuer has. */
  #endpoint(name: EndpointName, server: Readonly<ServerMetadata>): URL {
    const { issuer, allowInsecureRequests: plain } = this.#settings;
    const named = server[name];
    const url = typeof named === 'string' && URL.canParse(named) ? new URL(named) : null;
    if (url === null) throw new AuthProviderError('discovery', `no ${name}`);
    const worse = new URL(issuer).protocol === 'https:' && url.protocol !== 'https:';
    if (worse || !mayBeAsked(url, plain)) {
      throw new AuthProviderError('discovery', `${name} is not https`);
    }
    return url;
  }
}

/** An issuer without the slash at its end, which some providers write. */
function bare(issuer: string): string {
  return issuer.replace(/\/$/, '');
}
