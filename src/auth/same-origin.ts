/** Whether a form was posted from the board's own pages. */

import type { BoardAddress } from './board-address.ts';
import type { Exchange } from './exchange.ts';
import { header } from './exchange.ts';

/**
 * True when the browser says same origin, or, from an older one, when `Origin` (else `Referer`) is the board's
 * own. The scheme may also be https where the board itself sees http: a proxy that ends TLS without saying so.
 */
export function isSameOrigin(exchange: Exchange, address: BoardAddress): boolean {
  const site = header(exchange, 'sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') return false;
  const expected = address.origin(exchange.req);
  const source = header(exchange, 'origin') ?? header(exchange, 'referer');
  if (expected === null || source === undefined || !URL.canParse(source)) return false;
  const { protocol, host } = new URL(source);
  if (protocol !== 'https:' && protocol !== new URL(expected).protocol) return false;
  // Read with the scheme of the source, so that its usual port may be said or left out.
  return host !== '' && host === new URL(expected.replace(/^https?:/, protocol)).host;
}
