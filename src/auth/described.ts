/** The authentication as documents of an API tell it. */

import type { AuthMount, AuthOptions } from './options.ts';

/** How requests may prove who sends them; holds no secret. */
export interface DescribedAuth {
  readonly strategy: 'oidc' | 'token' | 'basic';
  /** Header that takes a token besides `Authorization`; null for none. */
  readonly header: string | null;
  /** Name of the cookie of sessions; null where there are none. */
  readonly sessionCookie: string | null;
  /** Address of the provider's discovery document; null without a provider. */
  readonly openIdConnectUrl: string | null;
}

export function describedAuth(options: AuthOptions, { name }: AuthMount): DescribedAuth {
  const { strategy } = options;
  const none = { strategy, header: null, sessionCookie: null, openIdConnectUrl: null };
  if (options.strategy === 'basic') return none;
  const cookieName = options.cookie?.name ?? (name ? `board_session_${name}` : 'board_session');
  if (options.strategy === 'token') {
    const header = options.header?.toLowerCase() ?? 'authorization';
    return {
      ...none,
      header: header === 'authorization' ? null : header,
      sessionCookie: options.cookie === undefined ? null : cookieName,
    };
  }
  const { issuer, url = '', realm = '', bearerOnly } = options;
  const base = issuer ?? `${url.replace(/\/+$/, '')}/realms/${encodeURIComponent(realm)}`;
  return {
    ...none,
    sessionCookie: bearerOnly === true ? null : cookieName,
    openIdConnectUrl: `${base.replace(/\/+$/, '')}/.well-known/openid-configuration`,
  };
}
