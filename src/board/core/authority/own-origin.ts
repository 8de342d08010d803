/**
 * Checks whether a write comes from the pages of the board or from a client that is not a browser (CSRF protection).
 */

import type { RequestHeaders } from '../request/request.ts';

/**
 * With every write, a browser sends its origin in a header that pages of other origins cannot forge: `Sec-Fetch-Site`,
 * or on plain HTTP `Origin`. Without both headers, the client is not a browser. An https origin also matches a request
 * over HTTP, because a proxy may terminate TLS.
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
  // Parse with the scheme of the origin, so that its default port may be given or omitted.
  const expected = `${protocol}//${own}`;
  return host !== '' && URL.canParse(expected) && new URL(expected).host === host;
}

/** The first item of a comma-separated header, written by the proxy nearest to the browser. */
function first(value: string | readonly string[] | undefined): string | undefined {
  const text = typeof value === 'string' ? value : value?.[0];
  return text?.split(',', 1)[0]?.trim().toLowerCase();
}
