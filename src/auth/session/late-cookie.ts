/** A cookie on a response that the handler behind the middleware writes: not lost, and never cached. */

import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type AuthResponse, cacheHeaders, WebResponse } from '../web.ts';

type HeaderList = OutgoingHttpHeaders | readonly OutgoingHttpHeader[];

/**
 * Adds a cookie when the headers are written. Until then the handler may replace `Set-Cookie`, or pass its headers to
 * `writeHead`, as Fastify and Hono do. A cookie of the same name that the handler sets itself is kept.
 */
export function addLateCookie(response: AuthResponse, text: string): void {
  // Its cookies are added to the response of the handler.
  if (response instanceof WebResponse) return;
  const res = response as ServerResponse;
  const name = text.slice(0, text.indexOf('=') + 1);
  const original = res.writeHead.bind(res);
  const writeHead = (status: number, ...rest: unknown[]): ServerResponse => {
    const reason = typeof rest[0] === 'string' ? rest[0] : undefined;
    // As in Node, the reason may be left out or `undefined`.
    const headers = rest[1] ?? (reason === undefined ? rest[0] : undefined);
    if (typeof headers === 'object' && headers !== null) setHeaders(res, headers as HeaderList);
    const cookies = [res.getHeader('set-cookie') ?? []].flat().map(String);
    if (!cookies.some((cookie) => cookie.startsWith(name))) {
      res.setHeader('set-cookie', [...cookies, text]);
    }
    forbidCaching(res);
    return reason === undefined ? original(status) : original(status, reason);
  };
  res.writeHead = writeHead;
}

/** Sets the headers of a `writeHead`: an object, or a flat list of names and values. */
function setHeaders(res: ServerResponse, headers: HeaderList): void {
  const named = new Map<string, OutgoingHttpHeader | undefined>();
  if (isList(headers)) {
    for (let at = 0; at + 1 < headers.length; at += 2) {
      const name = String(headers[at]).toLowerCase();
      const value = [headers[at + 1] ?? ''].flat().map(String);
      const before = named.get(name);
      named.set(name, before === undefined ? value : [...[before].flat().map(String), ...value]);
    }
  } else for (const [name, value] of Object.entries(headers)) named.set(name, value);
  for (const [name, value] of named) if (value !== undefined) res.setHeader(name, value);
}

function isList(headers: HeaderList): headers is readonly OutgoingHttpHeader[] {
  return Array.isArray(headers);
}

/** A response with a session cookie is private to one user. */
function forbidCaching(res: ServerResponse): void {
  for (const name of cacheHeaders) res.removeHeader(name);
  const control = String(res.getHeader('cache-control') ?? '');
  if (!/\bno-store\b|\bprivate\b(?!=)/i.test(control)) res.setHeader('cache-control', 'no-store');
}
