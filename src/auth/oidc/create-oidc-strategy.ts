/** Creates the strategy `oidc` from the host's options. */

import type { OidcOptions } from '../options.ts';
import { Revocations } from '../session/revocations.ts';
import { cookieSettings } from '../settings.ts';
import { guardedStore } from '../store/guarded.ts';
import type { StrategyPlace } from '../strategy.ts';
import { oidcSettings } from './oidc-settings.ts';
import { OidcStrategy } from './oidc-strategy.ts';

/** Creates the strategy. Warns once if its sessions end with the process. */
export function createOidcStrategy(
  options: OidcOptions,
  { mount, address, report, tell }: StrategyPlace,
): OidcStrategy {
  const settings = oidcSettings(options);
  const { cookie = {}, clientSecret, publicUrl } = options;
  if (cookie.secret === undefined && clientSecret === undefined && !settings.bearerOnly) {
    console.warn(
      'sluice/auth: no `cookie.secret`: sessions are sealed under a random key and end when this process does.',
    );
  }
  const kept = cookieSettings(cookie, clientSecret, { mount, publicUrl });
  const store = options.store === undefined ? null : guardedStore(options.store);
  return new OidcStrategy({
    settings,
    cookie: kept,
    address,
    store,
    revocations: new Revocations({
      store,
      purpose: JSON.stringify([settings.issuer, settings.clientId]),
      maxAgeSeconds: kept.maxAgeSeconds,
    }),
    tell,
    report: (error, { req }) => report(error, req),
  });
}
