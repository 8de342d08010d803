/** Checks whether a request comes from the board's own pages, for forms, writes and logouts. */

import type { AuthRequest } from '../web.ts';
import type { BoardAddress } from './board-address.ts';
import { type Exchange, header, isNavigation } from '../exchange.ts';
import type { Identity } from '../strategy.ts';

/**
 * For a form: true when `Sec-Fetch-Site`, if sent, is same-origin and `Origin` (else `Referer`) is the origin of the
 * board.
 */
export function isSameOrigin(exchange: Exchange, address: BoardAddress): boolean {
  const site = header(exchange, 'sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') return false;
  return isOwn(header(exchange, 'origin') ?? header(exchange, 'referer'), exchange, address);
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * Whether a request with these credentials may continue. With a session: it only reads, or according to the browser a page of the board or the
 * user started it. A browser without `Sec-Fetch-Site` sends `Origin` with a write. Both headers also refuse another
 * origin of the same site, whose requests carry even `Lax` and `Strict` cookies.
 */
export function mayWrite(exchange: Exchange, address: BoardAddress, by: Identity['by']): boolean {
  if (by === 'header' || safeMethods.has(exchange.method)) return true;
  if (by === 'password') return !isForeign(exchange.req, address);
  const site = header(exchange, 'sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return isOwn(header(exchange, 'origin'), exchange, address);
}

/**
 * Whether a long-lived request may use these credentials. With a session: an upgrade must send the origin of the board; any other stream must
 * not send a foreign origin.
 */
export function mayOpen(req: AuthRequest, address: BoardAddress, by: Identity['by']): boolean {
  if (by === 'header') return true;
  if (by === 'password') return !isForeign(req, address);
  const site = header({ req }, 'sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const origin = header({ req }, 'origin');
  if (origin === undefined) return req.headers.upgrade === undefined;
  return isOwn(origin, { req }, address);
}

/**
 * Whether a browser says that another origin started the request. A password is also sent by programs, which say nothing;
 * browsers always do for writes and upgrades.
 */
function isForeign(req: AuthRequest, address: BoardAddress): boolean {
  const site = header({ req }, 'sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const origin = header({ req }, 'origin') ?? header({ req }, 'referer');
  return origin !== undefined && !isOwn(origin, { req }, address);
}

/**
 * Whether the user intended the logout: started on a page of the board, typed, or sent by a program. A navigation
 * without information about its origin may come from any site.
 */
export function mayLogOut(exchange: Exchange, address: BoardAddress): boolean {
  const site = header(exchange, 'sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const source = header(exchange, 'origin') ?? header(exchange, 'referer');
  return source === undefined ? !isNavigation(exchange) : isOwn(source, exchange, address);
}

/**
 * Whether the URL in a header has the origin of the board: exactly that of `publicUrl`. Without it the scheme may be https
 * although the board sees http, because a proxy may terminate TLS without forwarding the scheme.
 */
export function isOwn(
  source: string | undefined,
  { req }: { readonly req: AuthRequest },
  address: BoardAddress,
): boolean {
  const expected = address.origin(req);
  if (expected === null || source === undefined || !URL.canParse(source)) return false;
  const { protocol, host } = new URL(source);
  if (address.isConfigured) return `${protocol}//${host}` === expected;
  if (protocol !== 'https:' && protocol !== new URL(expected).protocol) return false;
  // Parsed with the scheme of the source, so that its default port is optional.
  return host !== '' && host === new URL(expected.replace(/^https?:/, protocol)).host;
}
