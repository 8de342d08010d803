/** Warns the host once that its base path does not match the mount path, which makes logins impossible. */

import { targetOf } from '../exchange.ts';
import type { Exchange } from '../exchange.ts';

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
