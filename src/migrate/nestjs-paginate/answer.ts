/** Answers in the form of nestjs-paginate: `data`, `meta` and `links`. */

import type { ListResult, Row } from '../../rules/index.ts';
import type { NestjsPaginateConfig, NestjsPaginateSort } from './config.ts';
import { type PaginateRequest, isCounter } from './request.ts';

/** An answer of nestjs-paginate. */
export interface NestjsPaginated<R = Row> {
  /** The rows of the page. */
  readonly data: readonly R[];
  /** The page and the request. */
  readonly meta: {
    /** Rows that a page holds; on pages by cursor, those of this one. */
    readonly itemsPerPage: number;
    /** Number of rows of all pages. Absent on pages by cursor. */
    readonly totalItems?: number;
    /** Number of the page, from 1. Absent on pages by cursor. */
    readonly currentPage?: number;
    /** Number of pages. Absent on pages by cursor. */
    readonly totalPages?: number;
    /** Sorts of the request, or the default. */
    readonly sortBy: readonly NestjsPaginateSort[];
    /** Text of the search. */
    readonly search?: string;
    /** Columns that were searched. */
    readonly searchBy?: readonly string[];
    /** Columns of the request, where they are fewer than all. */
    readonly select?: readonly string[];
    /** Filters of the request by column. */
    readonly filter?: { readonly [column: string]: string | readonly string[] };
    /** Cursor of the request. */
    readonly cursor?: string;
  };
  /** Addresses of pages; one that does not exist is absent. */
  readonly links: {
    /** First page; absent on it, and on pages by cursor. */
    readonly first?: string;
    /** Page before. */
    readonly previous?: string;
    /** This page. */
    readonly current: string;
    /** Page behind. */
    readonly next?: string;
    /** Last page; absent on it, and on pages by cursor. */
    readonly last?: string;
  };
}

/** Writes a result as the answer to a request; the links begin with the address of the endpoint, without its query. */
export function answerTo<R>(
  result: ListResult<R>,
  request: PaginateRequest,
  config: NestjsPaginateConfig,
  address: string,
): NestjsPaginated<R> {
  const { search, searchBy, select, filter, cursor } = request;
  const data = isCounter(request) ? [] : result.data;
  const asked = {
    sortBy: request.sortBy,
    ...(search !== '' && { search, searchBy }),
    ...(select && { select }),
    ...(filter.size > 0 && {
      filter: Object.fromEntries(
        [...filter].map(([name, texts]) => [name, texts.length === 1 ? (texts[0] ?? '') : texts]),
      ),
    }),
  };
  const link = linksOf(request, config, address);
  if ('nextCursor' in result) {
    const { nextCursor, prevCursor } = result;
    const to = (position: string | null | undefined) =>
      position ? link({ limit: result.perPage, cursor: position }) : undefined;
    return {
      data,
      meta: { itemsPerPage: data.length, ...asked, ...(cursor && { cursor }) },
      links: defined({
        previous: to(prevCursor),
        current: link({ limit: result.perPage, ...(cursor && { cursor }) }),
        next: to(nextCursor),
      }),
    };
  }
  const page = 'page' in result ? result.page : 1;
  const total = 'total' in result ? (result.total ?? data.length) : data.length;
  const limit = isCounter(request) ? 0 : 'perPage' in result ? result.perPage : data.length;
  const isPaged = 'page' in result && !isCounter(request);
  const totalPages = isPaged ? Math.ceil(total / limit) : 1;
  const current = Math.max(1, Math.min(page, totalPages));
  const to = (number: number) => link({ page: number, limit });
  return {
    data,
    meta: {
      itemsPerPage: isCounter(request) ? total : limit,
      totalItems: total,
      currentPage: current,
      totalPages,
      ...asked,
    },
    links: defined({
      first: current === 1 ? undefined : to(1),
      previous: current === 1 ? undefined : to(current - 1),
      current: to(current),
      next: current >= totalPages ? undefined : to(current + 1),
      last: current === totalPages || total === 0 ? undefined : to(totalPages),
    }),
  };
}

/** The parameters of a request that its links repeat, around the number of the page or the cursor. */
function linksOf(
  { sortBy, search, searchBy, select, filter }: PaginateRequest,
  config: NestjsPaginateConfig,
  address: string,
): (window: {
  readonly page?: number;
  readonly limit: number;
  readonly cursor?: string;
}) => string {
  const given = new URLSearchParams();
  for (const [column, direction] of sortBy) {
    given.append('sortBy', `${[column].flat().join('~')}:${direction}`);
  }
  if (search !== '') given.append('search', search);
  const all = config.searchableColumns ?? [];
  if (searchBy.length < all.length) for (const name of searchBy) given.append('searchBy', name);
  if (select) given.append('select', select.join(','));
  for (const [name, texts] of filter) {
    for (const text of texts) given.append(`filter.${name}`, text);
  }
  const start = baseOf(address, config);
  return ({ page, limit, cursor }) => {
    const params = new URLSearchParams();
    if (page !== undefined) params.set('page', String(page));
    params.set('limit', String(limit));
    for (const [name, text] of given) params.append(name, text);
    if (cursor !== undefined) params.set('cursor', cursor);
    return `${start}?${params}`;
  };
}

/** The address of the links: a path alone, or behind another origin, where the configuration says so. */
function baseOf(address: string, { relativePath, origin }: NestjsPaginateConfig): string {
  const [start = ''] = address.split('?');
  if (!relativePath && origin === undefined) return start;
  const path = start.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
  return relativePath ? path : `${origin}${path}`;
}

/** The links that there are. */
function defined(
  links: { readonly [Name in keyof NestjsPaginated['links']]: string | undefined } & {
    readonly current: string;
  },
): NestjsPaginated['links'] {
  const { current, ...others } = links;
  const given = Object.entries(others).filter(([, link]) => link !== undefined);
  return { current, ...(Object.fromEntries(given) as Partial<NestjsPaginated['links']>) };
}
