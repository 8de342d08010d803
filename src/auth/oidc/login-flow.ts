/** A login on its way: what must come back from the provider, sealed in a cookie of its own for ten minutes. */

import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import type { TokenEndpointResponse } from 'openid-client';
import type { BoardAddress } from '../board-address.ts';
import type { Exchange } from '../exchange.ts';
import { boardHome } from '../return-to.ts';
import { SealedCookie } from '../session-cookie.ts';
import type { CookieSettings } from '../settings.ts';
import type { OidcSettings } from './oidc-settings.ts';
import type { Discovered } from './provider.ts';

/** Seconds that a login may take. */
const longestLogin = 600;

export interface Flow {
  readonly v: 1;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnTo: string;
  /** Where the provider was told to send the browser; the code is exchanged under the same address. */
  readonly redirectUri: string;
  readonly exp: number;
}

function readFlow(value: unknown): Flow | null {
  if (typeof value !== 'object' || value === null) return null;
  const found = value as Partial<Record<keyof Flow, unknown>>;
  const { v, state, nonce, verifier, returnTo, redirectUri, exp } = found;
  if (v !== 1 || typeof exp !== 'number' || exp * 1000 <= Date.now()) return null;
  const texts = [state, nonce, verifier, returnTo, redirectUri];
  return texts.every((text) => typeof text === 'string') ? (value as Flow) : null;
}

/** The cookie of logins on their way. A browser sends it along when the provider sends it back. */
export function flowCookie(
  { secret, name, secure }: CookieSettings,
  { issuer, clientId }: OidcSettings,
  address: BoardAddress,
): SealedCookie<Flow> {
  return new SealedCookie(
    {
      secret,
      purpose: `oidc login ${JSON.stringify([issuer, clientId])}`,
      name: `${name}_flow`,
      sameSite: 'Lax',
      maxAgeSeconds: longestLogin,
      secure,
      address,
    },
    readFlow,
  );
}

/** Writes the cookie and gives the provider's address to go to. */
export async function beginLogin(
  exchange: Exchange,
  cookie: SealedCookie<Flow>,
  { configuration }: Discovered,
  login: { readonly returnTo: string; readonly boardUrl: string; readonly basePath: string } & Pick<
    OidcSettings,
    'scope'
  >,
): Promise<string> {
  const flow: Flow = {
    v: 1,
    state: randomState(),
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
    returnTo: login.returnTo,
    redirectUri: `${login.boardUrl}/auth/callback`,
    exp: Math.floor(Date.now() / 1000) + longestLogin,
  };
  const sealed =
    (await cookie.seal(flow)) ??
    (await cookie.seal({ ...flow, returnTo: boardHome(login.basePath) }));
  if (sealed !== null) cookie.write(exchange, sealed);
  const url = buildAuthorizationUrl(configuration, {
    response_type: 'code',
    scope: login.scope,
    redirect_uri: flow.redirectUri,
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
  });
  return url.href;
}

/**
 * Exchanges the code of a callback, whose query is held against the flow: state, nonce and issuer.
 *
 * @throws errors of `openid-client`
 */
export function finishLogin(
  query: string,
  flow: Flow,
  { configuration }: Discovered,
): Promise<TokenEndpointResponse> {
  return authorizationCodeGrant(configuration, new URL(`${flow.redirectUri}?${query}`), {
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    pkceCodeVerifier: flow.verifier,
    idTokenExpected: true,
  });
}
