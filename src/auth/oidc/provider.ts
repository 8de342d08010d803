/** The identity provider: discovered on first use, and again after every failure. */

import {
  allowInsecureRequests,
  clockTolerance,
  customFetch,
  discovery,
  ClientSecretBasic,
  ClientSecretJwt,
  ClientSecretPost,
  None,
  type ClientAuth,
} from 'openid-client';
import type { Configuration, ServerMetadata } from 'openid-client';
import { AuthProviderError } from '../auth-error.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { mayBeAsked } from '../address/plain-http.ts';
import type { OidcSettings } from './oidc-settings.ts';
import { reasonOfDiscovery } from './provider-failure.ts';
import { SigningKeys } from './signing-keys.ts';

const methods = {
  client_secret_post: ClientSecretPost,
  client_secret_basic: ClientSecretBasic,
  client_secret_jwt: ClientSecretJwt,
} as const;

type Method = keyof typeof methods;

/** Methods assumed when discovery does not list any. */
const unsaid: readonly string[] = ['client_secret_basic'];

/** The configured method, else the first of `methods` that discovery lists; none for a public client. */
function clientAuthentication({
  clientSecret,
  clientAuthentication: chosen,
}: OidcSettings): ClientAuth {
  if (clientSecret === undefined) return None();
  const made = Object.entries(methods).map(
    ([method, make]) => [method as Method, make(clientSecret)] as const,
  );
  const [[, first]] = made as [(typeof made)[number]];
  return (server, client, body, headers) => {
    const offered = server.token_endpoint_auth_methods_supported ?? unsaid;
    const found = made.find(([method]) =>
      chosen === undefined ? offered.includes(method) : method === chosen,
    );
    // A signature takes a while.
    return (found?.[1] ?? first)(server, client, body, headers);
  };
}

/** Timeout of requests to the provider, in seconds. */
const timeout = 5;

type EndpointName =
  | 'jwks_uri'
  | 'authorization_endpoint'
  | 'token_endpoint'
  | 'end_session_endpoint';

/** The result of discovery. */
export interface Discovered {
  readonly configuration: Configuration;
  readonly keys: SigningKeys;
  /** The settings, with the issuer as spelled by the provider. */
  readonly settings: OidcSettings;
}

export class Provider {
  readonly #settings: OidcSettings;
  #discovered: Promise<Discovered> | null = null;

  constructor(settings: OidcSettings) {
    this.#settings = settings;
  }

  /** @throws {AuthProviderError} AUTH_PROVIDER_UNAVAILABLE when the provider is unavailable; the next call retries */
  discover(): Promise<Discovered> {
    this.#discovered ??= this.#ask().catch((error: unknown) => {
      this.#discovered = null;
      throw error instanceof AuthProviderError
        ? error
        : new AuthProviderError('discovery', reasonOfDiscovery(error));
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
    // The library accepts a different issuer from some providers; tokens are checked against the exact issuer.
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

  /** A URL from the provider's metadata. It must be as well protected as the issuer: https if the issuer has it. */
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

/** The issuer without the trailing slash that some providers write. */
function bare(issuer: string): string {
  return issuer.replace(/\/$/, '');
}
