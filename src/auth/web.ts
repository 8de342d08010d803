/** Requests of the Fetch API as the middleware reads them, and its responses to them. */

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

/**
 * A request as the middleware and the host's hooks see it: that of Node.js, or one with the same headers for a request of
 * the Fetch API.
 */
export interface AuthRequest {
  /** HTTP method. */
  readonly method?: string | undefined;
  /** Path and query string. */
  readonly url?: string | undefined;
  /** Headers, with names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The connection. */
  readonly socket: {
    /** Address of the client, or of the nearest proxy. */
    readonly remoteAddress?: string | undefined;
  };
  /** The request of the Fetch API; absent for a request of Node.js. */
  readonly request?: Request;
}

/** The part of a request that only the middleware uses: its body. */
export type ReadableRequest = AuthRequest &
  Pick<IncomingMessage, 'destroyed' | 'readableEnded'> & {
    resume(): unknown;
    iterator(options: { destroyOnReturn: boolean }): AsyncIterable<Uint8Array>;
  };

/** The part of a response that the middleware uses. */
export type AuthResponse = Pick<
  ServerResponse,
  'headersSent' | 'shouldKeepAlive' | 'statusCode'
> & {
  getHeader(name: string): number | string | readonly string[] | undefined;
  setHeader(name: string, value: number | string | readonly string[]): unknown;
  removeHeader(name: string): void;
  end(body?: string): unknown;
};

/** Where a request of the Fetch API comes from, and where it arrives. */
export interface AuthFetchMount {
  /** Path under which the board is mounted here. Default: the `basePath` of the middleware, else the root. */
  readonly mountPath?: string | undefined;
  /** Address of the client, for the limit of wrong tokens where no proxy states it. Default: unknown. */
  readonly remoteAddress?: string | undefined;
  /** Reads a body that middleware of the host has read already. Default: such a body counts as absent. */
  readonly readBody?: (() => Promise<ArrayBuffer | Uint8Array>) | undefined;
}

/** A request of the Fetch API in the form of Node.js. */
export class WebRequest implements ReadableRequest {
  readonly request: Request;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined; readonly encrypted: boolean };
  /** Mount path, as Express names it. */
  readonly baseUrl: string | undefined;
  readonly destroyed = false;
  readonly #readBody: AuthFetchMount['readBody'];

  constructor(request: Request, { mountPath, remoteAddress, readBody }: AuthFetchMount) {
    const { protocol, host, pathname, search } = new URL(request.url);
    this.request = request;
    this.method = request.method;
    this.url = pathname + search;
    this.headers = { host, ...Object.fromEntries(request.headers) };
    this.socket = { remoteAddress, encrypted: protocol === 'https:' };
    this.baseUrl = mountPath;
    this.#readBody = readBody;
  }

  get readableEnded(): boolean {
    const { body, bodyUsed } = this.request;
    return body === null || (bodyUsed && this.#readBody === undefined);
  }

  async *iterator(): AsyncGenerator<Uint8Array> {
    const { body, bodyUsed } = this.request;
    if (bodyUsed && this.#readBody) yield new Uint8Array(await this.#readBody());
    else yield* body ?? [];
  }

  /** Discards the body. */
  resume(): this {
    if (!this.request.bodyUsed) this.request.body?.cancel().catch(() => undefined);
    return this;
  }
}

/** Collects the middleware's response to a request of the Fetch API. */
export class WebResponse implements AuthResponse {
  statusCode = 200;
  shouldKeepAlive = true;
  headersSent = false;
  readonly #headers = new Map<string, readonly string[]>();
  #body = '';

  getHeader(name: string): readonly string[] | string | undefined {
    const values = this.#headers.get(name.toLowerCase());
    return values?.length === 1 ? values[0] : values;
  }

  setHeader(name: string, value: number | string | readonly string[]): void {
    this.#headers.set(name.toLowerCase(), [value].flat().map(String));
  }

  removeHeader(name: string): void {
    this.#headers.delete(name.toLowerCase());
  }

  end(body = ''): void {
    if (this.headersSent) return;
    this.headersSent = true;
    this.#body = body;
  }

  /** Values of `Set-Cookie`. */
  get cookies(): readonly string[] {
    return this.#headers.get('set-cookie') ?? [];
  }

  /** The response, once it has ended. */
  toResponse(isHead: boolean): Response {
    const headers = [...this.#headers].flatMap(([name, values]) =>
      values.map((value): [string, string] => [name, value]),
    );
    return new Response(isHead ? null : this.#body, { status: this.statusCode, headers });
  }
}

/** Headers that let a shared cache store a response regardless of `Cache-Control`. */
export const cacheHeaders = ['expires', 'surrogate-control', 'cdn-cache-control'];

/** The response of the handler with the middleware's cookies beside its own, and out of every cache. */
export function withCookies(response: Response, cookies: readonly string[]): Response {
  if (cookies.length === 0) return response;
  const result = new Response(response.body, response);
  const { headers } = result;
  const own = headers.getSetCookie().map(nameOf);
  for (const cookie of cookies) {
    if (!own.includes(nameOf(cookie))) headers.append('set-cookie', cookie);
  }
  for (const name of cacheHeaders) headers.delete(name);
  if (!/\bno-store\b|\bprivate\b(?!=)/i.test(headers.get('cache-control') ?? '')) {
    headers.set('cache-control', 'no-store');
  }
  return result;
}

const nameOf = (cookie: string): string => cookie.slice(0, cookie.indexOf('='));
