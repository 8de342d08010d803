/** Whether a write comes from the board's own pages, or from a client that is not a browser. */

import type { RequestHeaders } from './request/request.ts';

/**
 * A browser says with every write where it comes from, and no page of another origin can forge it: `Sec-Fetch-Site`, and
 * on plain http `Origin`. Without both the client is not a browser. An https origin also counts where the board is
 * asked over http, since a proxy in front may end TLS.
 */
export function isOwnWrite(headers: RequestHeaders): boolean {
  const site = first(headers['sec-fetch-site']);
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = first(headers['origin']);
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  const own = first(headers['x-forwarded-host']) ?? first(headers['host'] ?? headers[':authority']);
  if (protocol === 'http:' && first(headers['x-forwarded-proto']) === 'https') return false;
  // Read with the scheme of the origin, so that its default port may be written or left out.
  const expected = `${protocol}//${own}`;
  return host !== '' && URL.canParse(expected) && new URL(expected).host === host;
}

/** The first item of a comma-separated header: the one that the proxy nearest to the browser wrote. */
function first(value: string | readonly string[] | undefined): string | undefined {
  const text = typeof value === 'string' ? value : value?.[0];
  return text?.split(',', 1)[0]?.trim().toLowerCase();
}
