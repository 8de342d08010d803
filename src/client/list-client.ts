/** A typed client of one list endpoint, over `fetch`. */

import { checkOptions, type OptionTableOf } from '../lib/index.ts';
import * as option from '../lib/option-rows.ts';
import { buildQuery } from '../rules/index.ts';
import type { CompiledQueryRules, ListResult, RequestOf, Row } from '../rules/index.ts';
import { ListClientError } from './list-client-error.ts';

/** Options of {@link createListClient}. */
export interface ListClientOptions {
  /** Sends the requests. Default: the `fetch` of the runtime. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Headers of every request, or a function that returns them before each one. Default: none. */
  readonly headers?:
    | { readonly [name: string]: string }
    | (() => { readonly [name: string]: string } | Promise<{ readonly [name: string]: string }>)
    | undefined;
  /** Which requests carry cookies. Default: those to the same origin. */
  readonly credentials?: 'include' | 'omit' | 'same-origin' | undefined;
}

const optionTable = {
  fetch: option.func,
  headers: option.either(option.func, option.recordOf(option.string)),
  credentials: option.oneOf('include', 'omit', 'same-origin'),
} satisfies OptionTableOf<ListClientOptions>;

/** Options of one call. */
export interface ListCallOptions {
  /** Ends the request; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A client of one list endpoint. */
export interface ListClient<Rules extends CompiledQueryRules = CompiledQueryRules, R = Row> {
  /** The address of a request. */
  url(request?: RequestOf<Rules>): string;
  /** Asks for a list. Rejects with {@link ListClientError} when the answer is not a success. */
  list(request?: RequestOf<Rules>, options?: ListCallOptions): Promise<ListResult<R, Rules>>;
  /**
   * Asks for one row by its key, at the address of the list with the key behind it, such as `/users/7`. Rejects with
   * {@link ListClientError} of the code `ROW_NOT_FOUND` when no row that the sender may see has the key.
   *
   * @throws {RangeError} when the key is empty, `.` or `..`, which an address resolves to another one
   */
  one(
    key: string | number | bigint,
    request?: Pick<RequestOf<Rules>, 'fields' | 'includes'>,
    options?: ListCallOptions,
  ): Promise<R>;
  /**
   * All rows of a request, page by page: by cursor where the answers have one, otherwise by page number from the page of
   * the request. Ends with the loop; a page is asked for when the one before it is used up.
   */
  rows(request?: RequestOf<Rules>, options?: ListCallOptions): AsyncGenerator<R, void, undefined>;
}

/** An answer, in the form that pages are walked by. */
interface Page {
  readonly data: readonly unknown[];
  readonly page?: number;
  readonly perPage?: number;
  readonly lastPage?: number;
  readonly hasNextPage?: boolean;
  readonly totalCapped?: boolean;
  readonly nextCursor?: string | null;
}

/**
 * Creates a client of the list endpoint at an address: `createListClient<typeof rules, User>('/api/users')`. The types
 * of requests and answers come from the type of the rules, so that a bundle contains neither rules nor registry.
 *
 * @param url Absolute, or relative to the page where there is one. Parameters in it are sent with every request.
 * @throws {TypeError} when the address is not a string or URL, or an option is unknown or has a wrong type
 */
export function createListClient<Rules extends CompiledQueryRules = CompiledQueryRules, R = Row>(
  url: string | URL,
  options: ListClientOptions = {},
): ListClient<Rules, R> {
  if (typeof url !== 'string' && !(url instanceof URL)) {
    throw new TypeError('"url" must be a string or a URL');
  }
  checkOptions('createListClient', options, optionTable);
  const [path = '', search = ''] =
    String(url)
      .split('#')[0]
      ?.split(/\?(.*)/s) ?? [];
  const address = (base: string, request: object): string => {
    const query = [search, buildQuery(request as never)].filter((part) => part !== '').join('&');
    return query === '' ? base : `${base}?${query}`;
  };
  const get = async (target: string, { signal }: ListCallOptions): Promise<unknown> => {
    const { headers, credentials } = options;
    const send = options.fetch ?? globalThis.fetch;
    const given = typeof headers === 'function' ? await headers() : headers;
    const response = await send(target, {
      headers: { accept: 'application/json', ...given },
      ...(credentials && { credentials }),
      ...(signal && { signal }),
    });
    const body = jsonOf(await response.text());
    if (!response.ok || body === undefined) throw new ListClientError(response.status, body);
    return body;
  };

  const client: ListClient<Rules, R> = {
    url: (request) => address(path, request ?? {}),
    list: (request, call = {}) => get(client.url(request), call) as Promise<ListResult<R, Rules>>,
    one: (key, request, call = {}) => {
      if (/^\.{0,2}$/.test(String(key)))
        throw new RangeError('A key must not be empty, "." or "..".');
      const own = `${path.replace(/\/+$/, '')}/${encodeURIComponent(String(key))}`;
      return get(address(own, request ?? {}), call) as Promise<R>;
    },
    async *rows(request, call = {}) {
      let next: object | null = { ...request };
      while (next) {
        const page = (await get(address(path, next), call)) as Page;
        yield* page.data as readonly R[];
        next = following(next, page);
      }
    },
  };
  return client;
}

/** The request of the page behind a page; `null` behind the last one. */
function following(request: object, page: Page): object | null {
  if (page.nextCursor !== undefined) {
    return page.nextCursor === null ? null : { ...request, cursor: page.nextCursor };
  }
  if (page.page === undefined || page.data.length === 0) return null;
  // A capped total does not know the last page; a page that is not full is the last one.
  const more =
    page.hasNextPage ??
    (page.totalCapped ? page.data.length === page.perPage : page.page < (page.lastPage ?? 0));
  return more ? { ...request, page: page.page + 1 } : null;
}

/** The JSON of a text; `undefined` for any other text, such as the page of a proxy. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
