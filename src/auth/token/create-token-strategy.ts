/** Creates the strategy `token` from the host's options. */

import { AttemptLimiter } from '../attempt-limit.ts';
import type { StrategyPlace } from '../oidc/create-oidc-strategy.ts';
import type { TokenOptions } from '../options.ts';
import { Revocations } from '../session/revocations.ts';
import { cookieSettings } from '../settings.ts';
import { guardedStore } from '../store/guarded.ts';
import { memoryAuthStore } from '../store/memory.ts';
import { TokenStrategy } from './token-strategy.ts';

export function createTokenStrategy(
  options: TokenOptions,
  { mount, address, report, tell }: StrategyPlace,
): TokenStrategy {
  const { publicUrl } = options;
  const cookie =
    options.cookie === undefined
      ? null
      : cookieSettings(options.cookie, undefined, { mount, publicUrl });
  const store = options.store === undefined ? null : guardedStore(options.store);
  const requests = new AttemptLimiter(options);
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
    store,
    requests,
    logins: store === null ? requests : new AttemptLimiter(options, store),
    tell,
    report,
  });
}
