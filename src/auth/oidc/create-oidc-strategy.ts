/** Puts the strategy `oidc` together from the host's options. */

import type { BoardAddress } from '../board-address.ts';
import type { OidcOptions } from '../options.ts';
import type { Report } from '../report.ts';
import { cookieSettings } from '../settings.ts';
import { oidcSettings } from './oidc-settings.ts';
import { OidcStrategy } from './oidc-strategy.ts';

/** The strategy. Says once when its sessions will end with the process. */
export function createOidcStrategy(
  options: OidcOptions,
  address: BoardAddress,
  report: Report,
): OidcStrategy {
  const settings = oidcSettings(options);
  const { cookie = {}, clientSecret } = options;
  if (cookie.secret === undefined && clientSecret === undefined && !settings.bearerOnly) {
    console.warn(
      'sluice/auth: no `cookie.secret`: sessions are sealed under a random key and end when this process does.',
    );
  }
  return new OidcStrategy({
    settings,
    cookie: cookieSettings(cookie, clientSecret),
    address,
    report: (error, { req }) => report(error, req),
  });
}
