/** Door of `sluice/auth`: authentication in front of a board. */

export { createAuthMiddleware } from './create-auth-middleware.ts';
export type { AuthMiddleware } from './create-auth-middleware.ts';
export { getAuthUser } from './auth-user.ts';
export { AuthConfigurationError, AuthProviderError } from './auth-error.ts';
export type { ProviderStep } from './auth-error.ts';
export type {
  AuthMount,
  AuthOptions,
  AuthUser,
  CommonAuthOptions,
  CookieOptions,
  OidcOptions,
  TokenOptions,
  TokenVerdict,
} from './options.ts';
