/** One request and its response, seen from the board's base path. */

import { acceptsHtml, below } from '../lib/index.ts';
import type { AuthRequest, AuthResponse, ReadableRequest } from './web.ts';
import type { BoardAddress } from './address/board-address.ts';

export interface Exchange {
  readonly req: ReadableRequest;
  readonly res: AuthResponse;
  readonly method: string;
  /** Path of the board in browsers, without trailing slash. */
  readonly basePath: string;
  /** Path and query of the request as seen by the browser; the board's home page outside of the base path. */
  readonly target: string;
  /** Path below the base path (`/auth/me`), or `null` outside of it. */
  readonly route: string | null;
  /** The part after the first question mark. */
  readonly query: string;
}

/** The request target as sent by the client. Frameworks that shorten `url` keep the original in `originalUrl`. */
export function targetOf(req: AuthRequest): string {
  const { originalUrl } = req as { originalUrl?: unknown };
  return typeof originalUrl === 'string' ? originalUrl : (req.url ?? '/');
}

/** Creates the exchange of a request. */
export function exchangeOf(
  req: ReadableRequest,
  res: AuthResponse,
  address: BoardAddress,
): Exchange {
  const target = originForm(targetOf(req));
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const internal = address.internalPath(req, path);
  const basePath = address.externalPath(req);
  const route = below(internal, path) ?? null;
  return {
    req,
    res,
    method: req.method ?? 'GET',
    basePath,
    target: route === null ? `${basePath}/` : basePath + target.slice(internal.length),
    route,
    query: mark < 0 ? '' : target.slice(mark + 1),
  };
}

/** A request target may also be an absolute URL, or `*`. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  if (!URL.canParse(target)) return '/';
  const { pathname, search } = new URL(target);
  return pathname.startsWith('/') ? pathname + search : '/';
}

/** Whether the request only reads. */
export function isRead(exchange: Exchange): boolean {
  return exchange.method === 'GET' || exchange.method === 'HEAD';
}

/** Whether a browser navigates to a page: such a request can be redirected to a login. */
export function isNavigation(exchange: Exchange): boolean {
  if (!isRead(exchange)) return false;
  const destination = header(exchange, 'sec-fetch-dest');
  if (destination !== undefined && destination !== 'document' && destination !== 'iframe') {
    return false;
  }
  return acceptsHtml(header(exchange, 'accept'));
}

/** Returns a header by its lower-case name; repeated headers are joined with commas. */
export function header(exchange: { readonly req: AuthRequest }, name: string): string | undefined {
  const value = exchange.req.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
