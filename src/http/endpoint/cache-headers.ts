/** `ETag` and `Cache-Control` of lists and items, and whether the client has the answer already. */

import { isKnown } from '../../lib/index.ts';
import type { CompiledQueryRules } from '../../rules/index.ts';

/** Whether the answers of an endpoint depend on who asks: its rules have scopes, or it has a scope of its own. */
export const isScoped = ({
  rules,
  scope,
}: {
  readonly rules: CompiledQueryRules;
  readonly scope?: unknown;
}): boolean => rules.scopes !== null || scope !== undefined;

/** The headers of an answer that is not sent yet. */
export interface AnswerHeaders {
  /** A header that is set already; nothing for none. */
  get(name: string): unknown;
  set(name: string, value: string): unknown;
}

/** The part of a response of Node.js that holds headers; that of a framework may have the methods as well. */
export interface HeaderHolder {
  /** A header that is set already. */
  getHeader(name: string): unknown;
  /** Sets a header of the response. */
  setHeader(name: string, value: string): unknown;
}

/** The headers of a response of Node.js. */
export const headersOf = (response: HeaderHolder): AnswerHeaders => ({
  get: (name) => response.getHeader(name),
  set: (name, value) => response.setHeader(name, value),
});

/** Keeps the answer of a scoped endpoint out of caches that several people use, unless the host has decided. */
export function tellCaches(headers: AnswerHeaders, scoped: boolean): void {
  if (scoped && (headers.get('cache-control') ?? undefined) === undefined) {
    headers.set('cache-control', 'private');
  }
}

/** The part of a request that asks for what the client does not have. */
export interface ConditionalRequest {
  readonly method?: string | undefined;
  readonly ifNoneMatch: unknown;
}

/** Sets the headers of a success, with the host's own ETag or this one. Tells whether the client has the answer already. */
export function isFresh(
  headers: AnswerHeaders,
  { method, ifNoneMatch }: ConditionalRequest,
  etag: string | undefined,
  scoped: boolean,
): boolean {
  tellCaches(headers, scoped);
  const own = headers.get('etag') ?? undefined;
  const sent = own === undefined ? etag : String(own);
  if (sent === undefined) return false;
  if (own === undefined) headers.set('etag', sent);
  return (method === 'GET' || method === 'HEAD') && isKnown(ifNoneMatch, sent);
}
