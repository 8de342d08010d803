/** Whether a request comes from the board's own pages: forms, writes and logouts ask for it. */

import type { IncomingMessage } from 'node:http';
import type { BoardAddress } from './board-address.ts';
import type { Exchange } from './exchange.ts';
import { header, isNavigation } from './exchange.ts';

/**
 * For a form: true when the browser says same origin, and `Origin` (else `Referer`) is the board's own. The scheme may
 * also be https where the board itself sees http: a proxy that ends TLS without saying so.
 */
export function isSameOrigin(exchange: Exchange, address: BoardAddress): boolean {
  const site = header(exchange, 'sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') return false;
  return isOwn(header(exchange, 'origin') ?? header(exchange, 'referer'), exchange, address);
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * Whether a request with a session may go on: it reads, or the browser says that the board's own page or the user
 * began it. A browser that sends no `Sec-Fetch-Site` sends `Origin` with a write. Another origin of the same site,
 * whose requests carry a `Lax` and a `Strict` cookie, is refused by both.
 */
export function mayWrite(exchange: Exchange, address: BoardAddress): boolean {
  if (safeMethods.has(exchange.method)) return true;
  const site = header(exchange, 'sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return isOwn(header(exchange, 'origin'), exchange, address);
}

/**
 * Whether a request that stays open may use a session: an upgrade names its origin, which must be the board's own; another
 * stream must not name a foreign one.
 */
export function mayOpen(req: IncomingMessage, address: BoardAddress): boolean {
  const site = header({ req }, 'sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const origin = header({ req }, 'origin');
  if (origin === undefined) return req.headers.upgrade === undefined;
  return isOwn(origin, { req }, address);
}

/**
 * Whether a logout is the user's own: begun on the board's pages, typed, or sent by a program. A navigation of which the
 * browser says nothing may come from anywhere.
 */
export function mayLogOut(exchange: Exchange, address: BoardAddress): boolean {
  const site = header(exchange, 'sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const source = header(exchange, 'origin') ?? header(exchange, 'referer');
  return source === undefined ? !isNavigation(exchange) : isOwn(source, exchange, address);
}

/** Whether an address of a header has the origin of the board. */
export function isOwn(
  source: string | undefined,
  { req }: Pick<Exchange, 'req'>,
  address: BoardAddress,
): boolean {
  const expected = address.origin(req);
  if (expected === null || source === undefined || !URL.canParse(source)) return false;
  const { protocol, host } = new URL(source);
  if (protocol !== 'https:' && protocol !== new URL(expected).protocol) return false;
  // Read with the scheme of the source, so that its default port may be written or left out.
  return host !== '' && host === new URL(expected.replace(/^https?:/, protocol)).host;
}
