/** The options of the strategy `oidc` with their defaults. */

import { type WithDefaults, withDefaults } from '../../lib/index.ts';
import { texts } from '../auth-user.ts';
import type { OidcOptions } from '../options.ts';
import { realmRoles, type RolesOf } from './claims.ts';

const defaults = {
  requiredRoles: [],
  claims: ['email', 'email_verified', 'acr', 'amr', 'hd', 'tid'],
  scope: 'openid profile email',
  authorizeParameters: {},
  clockToleranceSeconds: 30,
  bearerOnly: false,
  allowInsecureRequests: false,
  outliveAccessToken: false,
} satisfies Partial<OidcOptions>;

export interface OidcSettings extends Omit<
  WithDefaults<OidcOptions, typeof defaults>,
  'issuer' | 'audience'
> {
  /** Issuer from the options: `<url>/realms/<realm>`, or `issuer`. */
  readonly issuer: string;
  /** Whether the provider may write its issuer with or without a trailing slash. */
  readonly slashMatters: boolean;
  readonly rolesOf: RolesOf;
  readonly audience: readonly string[];
}

export function oidcSettings(options: OidcOptions): OidcSettings {
  const settings = withDefaults(options, defaults);
  const { issuer, url = '', realm = '', clientId, requiredRoles, roles } = settings;
  const keycloak = `${url.replace(/\/+$/, '')}/realms/${encodeURIComponent(realm)}`;
  return {
    ...settings,
    issuer: issuer ?? keycloak,
    slashMatters: issuer === undefined,
    rolesOf:
      roles === undefined ? realmRoles(clientId, requiredRoles) : (claims) => texts(roles(claims)),
    audience: [settings.audience ?? clientId].flat(),
  };
}
