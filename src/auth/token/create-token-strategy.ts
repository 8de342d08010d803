/** Creates the strategy `token` from the host's options. */

import type { StrategyPlace } from '../oidc/create-oidc-strategy.ts';
import type { TokenOptions } from '../options.ts';
import { Revocations } from '../revocations.ts';
import { cookieSettings } from '../settings.ts';
import { guardedStore } from '../store/guarded.ts';
import { memoryAuthStore } from '../store/memory.ts';
import { LoginLimiter } from './login-limit.ts';
import { TokenStrategy } from './token-strategy.ts';

export function createTokenStrategy(
  options: TokenOptions,
  { mount, address, report, tell }: StrategyPlace,
): TokenStrategy {
  const { publicUrl, loginLimit, trustProxy } = options;
  const cookie =
    options.cookie === undefined
      ? null
      : cookieSettings(options.cookie, undefined, { mount, publicUrl });
  const store = options.store === undefined ? null : guardedStore(options.store);
  return new TokenStrategy({
    options,
    cookie,
    address,
    revocations: new Revocations({
      store: store ?? memoryAuthStore(),
      shared: store !== null,
      purpose: 'token',
      maxAgeSeconds: cookie?.maxAgeSeconds ?? 0,
    }),
    limiter: store === null ? null : new LoginLimiter(store, loginLimit, trustProxy),
    tell,
    report,
  });
}
