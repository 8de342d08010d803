/** The options of the strategy `oidc` with their defaults. */

import { texts } from '../auth-user.ts';
import type { OidcOptions } from '../options.ts';
import { realmRoles } from './claims.ts';
import type { RolesOf } from './claims.ts';

export interface OidcSettings {
  /** Issuer from the options: `<url>/realms/<realm>`, or `issuer`. */
  readonly issuer: string;
  /** Whether the provider may write its issuer with or without a trailing slash. */
  readonly slashMatters: boolean;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly clientAuthentication: OidcOptions['clientAuthentication'];
  readonly requiredRoles: readonly string[];
  readonly rolesOf: RolesOf;
  /** Names of the claims passed to `onAuthenticated`. */
  readonly claims: readonly string[];
  readonly scope: string;
  readonly authorizeParameters: Readonly<Record<string, string>>;
  readonly audience: readonly string[];
  readonly clockToleranceSeconds: number;
  readonly bearerOnly: boolean;
  readonly allowInsecureRequests: boolean;
  readonly outliveAccessToken: boolean;
}

const usualClaims = ['email', 'email_verified', 'acr', 'amr', 'hd', 'tid'];

export function oidcSettings(options: OidcOptions): OidcSettings {
  const { issuer, url = '', realm = '', clientId, requiredRoles = [], roles } = options;
  const keycloak = `${url.replace(/\/+$/, '')}/realms/${encodeURIComponent(realm)}`;
  return {
    issuer: issuer ?? keycloak,
    slashMatters: issuer === undefined,
    clientId,
    clientSecret: options.clientSecret,
    clientAuthentication: options.clientAuthentication,
    requiredRoles,
    rolesOf:
      roles === undefined ? realmRoles(clientId, requiredRoles) : (claims) => texts(roles(claims)),
    claims: options.claims ?? usualClaims,
    scope: options.scope ?? 'openid profile email',
    authorizeParameters: options.authorizeParameters ?? {},
    audience: [options.audience ?? clientId].flat(),
    clockToleranceSeconds: options.clockToleranceSeconds ?? 30,
    bearerOnly: options.bearerOnly ?? false,
    allowInsecureRequests: options.allowInsecureRequests ?? false,
    outliveAccessToken: options.outliveAccessToken ?? false,
  };
}
