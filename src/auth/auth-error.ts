/** Errors of the authentication: an invalid configuration, an unavailable provider or store. */

/** An invalid configuration, thrown at boot, or reported for a hook whose result has the wrong type. The message contains the name of the option, never its value. */
export class AuthConfigurationError extends Error {
  /** Always `AuthConfigurationError`. */
  override readonly name = 'AuthConfigurationError';
  /** Always `AUTH_CONFIGURATION_INVALID`. */
  readonly code = 'AUTH_CONFIGURATION_INVALID';
}

/** The error of a login whose session does not fit, for the host. */
export const tooLarge = (): AuthConfigurationError =>
  new AuthConfigurationError(
    'a session does not fit its cookie: see "cookie.parts", "store", "roles" and "claims"',
  );

/** The step in which a request to the provider failed. */
export type ProviderStep = 'discovery' | 'keys' | 'login' | 'refresh';

/**
 * The identity provider is unavailable, or its response is not usable. The reason consists of fixed words and error
 * codes; it never contains a URL with a query, a body or a token.
 */
export class AuthProviderError extends Error {
  /** Always `AuthProviderError`. */
  override readonly name = 'AuthProviderError';
  /** Always `AUTH_PROVIDER_UNAVAILABLE`. */
  readonly code = 'AUTH_PROVIDER_UNAVAILABLE';
  /** The exchange with the provider that failed. */
  readonly step: ProviderStep;

  constructor(step: ProviderStep, reason: string) {
    super(`The identity provider did not serve ${step}: ${reason}`);
    this.step = step;
  }
}

/** The store is unavailable, so the validity of a session is not known. */
export class AuthStoreError extends Error {
  /** Always `AuthStoreError`. */
  override readonly name = 'AuthStoreError';
  /** Always `AUTH_STORE_UNAVAILABLE`. */
  readonly code = 'AUTH_STORE_UNAVAILABLE';

  constructor(cause: unknown) {
    super('The store of the authentication did not answer', { cause });
  }
}
