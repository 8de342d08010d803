/** Back-channel logout: the provider ends one session, or all sessions of a user. */

import { sendJson } from '../answers.ts';
import type { Exchange } from '../exchange.ts';
import { readForm } from '../form-body.ts';
import type { Revocations } from '../session/revocations.ts';
import type { Provider } from './provider.ts';
import { verifyToken } from './verify-token.ts';

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/**
 * Handles a logout token (OpenID Connect Back-Channel Logout 1.0): 200 when the sessions are ended, else 400. A
 * replayed token does not end sessions that started after it was issued.
 *
 * @throws {AuthProviderError} AUTH_PROVIDER_UNAVAILABLE when the provider's keys cannot be had
 */
export async function receiveLogout(
  exchange: Exchange,
  provider: Provider,
  revocations: Revocations,
): Promise<void> {
  const form = await readForm(exchange.req);
  const token = form === 'too large' ? undefined : form['logout_token'];
  const ended = token !== undefined && (await endSessions(token, provider, revocations));
  if (ended) return sendJson(exchange, 200, {});
  // Do not wait for the rest of a body that is too large.
  exchange.res.shouldKeepAlive = form !== 'too large';
  exchange.req.resume();
  return sendJson(exchange, 400, { error: 'invalid_request' });
}

async function endSessions(
  token: string,
  provider: Provider,
  revocations: Revocations,
): Promise<boolean> {
  const { keys, settings } = await provider.discover();
  const { issuer, clientId, clockToleranceSeconds } = settings;
  const rules = { issuer, audience: [clientId], clockToleranceSeconds };
  const claims = await verifyToken(token, keys, rules);
  if (claims === null) return false;
  const { sub, sid, iat, nonce, events } = claims;
  const isLogout = typeof events === 'object' && events !== null && logoutEvent in events;
  if (!isLogout || nonce !== undefined || typeof iat !== 'number') return false;
  if (typeof sid === 'string') await revocations.endProviderSession(sid, iat);
  else if (typeof sub === 'string') await revocations.endUser(sub, iat);
  else return false;
  return true;
}
