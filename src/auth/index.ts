/** Entry file of `sluice/auth`: authentication in front of a board. */

export { createAuthMiddleware } from './create-auth-middleware.ts';
export type { AuthMiddleware } from './create-auth-middleware.ts';
export { getAuthUser } from './auth-user.ts';
export { AuthConfigurationError, AuthProviderError, AuthStoreError } from './auth-error.ts';
export type { ProviderStep } from './auth-error.ts';
export { postgresqlAuthStore } from './store/postgresql.ts';
export type { PostgresqlAuthPool, PostgresqlAuthStoreOptions } from './store/postgresql.ts';
export { redisAuthStore } from './store/redis.ts';
export type { RedisAuthClient, RedisAuthStoreOptions } from './store/redis.ts';
export type { AuthRequest, AuthFetchMount } from './web.ts';
export type { AuthStore } from './store/store.ts';
export type {
  AuthClaims,
  AuthEvent,
  AuthMount,
  AuthOptions,
  AuthUser,
  BasicOptions,
  CommonAuthOptions,
  CookieOptions,
  LoginLimit,
  OidcOptions,
  RefusalReason,
  TokenOptions,
  TokenVerdict,
} from './options.ts';
