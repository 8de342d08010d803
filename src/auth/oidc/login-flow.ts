/** A pending login: the authorize request, and the exchange of the returned code. */

import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import type { TokenEndpointResponse } from 'openid-client';
import type { Exchange } from '../exchange.ts';
import { longestLogin, type Flow, type FlowCookies } from './flow-cookies.ts';
import type { Discovered } from './provider.ts';

interface LoginRequest {
  /** Path to which the login redirects at its end. */
  readonly returnTo: string;
  /** Origin and base path of the board. */
  readonly boardUrl: string;
}

/** Writes the cookie of the login and returns the authorize URL of the provider. */
export async function beginLogin(
  exchange: Exchange,
  cookies: FlowCookies,
  { configuration, settings }: Discovered,
  { returnTo, boardUrl }: LoginRequest,
): Promise<string> {
  const flow: Flow = {
    v: 1,
    state: randomState(),
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
    returnTo,
    redirectUri: `${boardUrl}/auth/callback`,
    exp: Math.floor(Date.now() / 1000) + longestLogin,
  };
  await cookies.write(exchange, flow);
  const url = buildAuthorizationUrl(configuration, {
    ...settings.authorizeParameters,
    response_type: 'code',
    scope: settings.scope,
    redirect_uri: flow.redirectUri,
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
  });
  return url.href;
}

/**
 * Exchanges the code of a callback. State, nonce and issuer are checked against the stored flow.
 *
 * @throws {Error} when `openid-client` rejects the response of the provider
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
