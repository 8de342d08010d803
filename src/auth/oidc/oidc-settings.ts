/** The options of the strategy `oidc` with nothing left open. */

import type { OidcOptions } from '../options.ts';

export interface OidcSettings {
  /** `<url>/realms/<realm>`, as tokens name it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly requiredRoles: readonly string[];
  readonly scope: string;
  readonly audience: readonly string[];
  readonly clockToleranceSeconds: number;
  readonly bearerOnly: boolean;
  readonly allowInsecureRequests: boolean;
}

export function oidcSettings(options: OidcOptions): OidcSettings {
  return {
    issuer: `${options.url.replace(/\/+$/, '')}/realms/${encodeURIComponent(options.realm)}`,
    clientId: options.clientId,
    clientSecret: options.clientSecret,
    requiredRoles: options.requiredRoles ?? [],
    scope: options.scope ?? 'openid profile email',
    audience: [options.audience ?? options.clientId].flat(),
    clockToleranceSeconds: options.clockToleranceSeconds ?? 30,
    bearerOnly: options.bearerOnly ?? false,
    allowInsecureRequests: options.allowInsecureRequests ?? false,
  };
}
