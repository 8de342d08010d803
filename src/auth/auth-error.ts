/** Errors of the authentication: a configuration that cannot work, a provider or a store that does not answer. */

/** A configuration that `createAuthMiddleware` refuses. The message names the option, never its value. */
export class AuthConfigurationError extends Error {
  override readonly name = 'AuthConfigurationError';
  readonly code = 'AUTH_CONFIGURATION_INVALID';
}

/** What was asked of the provider when it failed. */
export type ProviderStep = 'discovery' | 'keys' | 'login' | 'refresh';

/**
 * A provider that could not be asked, or whose answer could not be used. It holds a reason made of fixed words
 * and error codes, never an address with a query, a body or a token.
 */
export class AuthProviderError extends Error {
  override readonly name = 'AuthProviderError';
  readonly code = 'AUTH_PROVIDER_UNAVAILABLE';
  readonly step: ProviderStep;

  constructor(step: ProviderStep, reason: string) {
    super(`The identity provider did not serve ${step}: ${reason}`);
    this.step = step;
  }
}

/** A store that could not be asked: whether a session still holds is not known. */
export class AuthStoreError extends Error {
  override readonly name = 'AuthStoreError';
  readonly code = 'AUTH_STORE_UNAVAILABLE';

  constructor(cause: unknown) {
    super('The store of the authentication did not answer', { cause });
  }
}
