/**
 * Warnings for the host, each told once: its base path does not match the mount path, which makes logins impossible, or a
 * proxy tells what is not read, because `trustProxy` does not say how many there are.
 */

import { targetOf, type Exchange } from '../exchange.ts';
import type { AuthOptions } from '../options.ts';

const ownRoute = /\/auth\/(?:me|login|callback|logout)(?:\?|$)/;

/**
 * Watches requests until one matches a route of the middleware. A request for such a route under another path means
 * that the base path is missing, or that a proxy strips it: frameworks other than Express do not report the mount path.
 */
export function mountNotice(): (exchange: Exchange) => void {
  let settled = false;
  return ({ req, route }) => {
    if (settled || !ownRoute.test(targetOf(req))) return;
    settled = true;
    if (route !== null && ownRoute.test(route) && route.startsWith('/auth/')) return;
    console.warn(
      'sluice/auth: a request for a route of the middleware lies outside of its base path. Set `basePath` to the path that the middleware is mounted under, and `publicUrl` to the address that browsers use.',
    );
  };
}

/** Headers that proxies write. */
const written = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded'];

/** Watches requests until one has such a header. A number in the options, also 0, is an answer. */
export function proxyNotice({
  strategy,
  publicUrl,
  trustProxy,
}: AuthOptions): (exchange: Exchange) => void {
  // Nothing is read of them then.
  let settled = trustProxy !== undefined || (strategy === 'oidc' && publicUrl !== undefined);
  return ({ req: { headers } }) => {
    if (settled || !written.some((name) => headers[name] !== undefined)) return;
    settled = true;
    console.warn(
      'sluice/auth: requests carry headers of a proxy, such as X-Forwarded-For, which are ignored. Set `trustProxy` to the number of proxies in front of this process, or to 0 if there are none.',
    );
  };
}
