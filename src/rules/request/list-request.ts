/** A request parsed by the grammar, before it is checked against rules. */

import type { BodyRequest } from './body-request.ts';
import type { OperatorRow } from '../declare/operators.ts';

/** One `filter[path][operator]` parameter. */
export interface RequestFilter {
  readonly path: string;
  readonly operatorName: string;
  /** `undefined` when the name is well-formed but not an operator. */
  readonly operator: OperatorRow | undefined;
  /** The text, the items of a list, or `null` where a framework's parser produced null. */
  readonly value: string | readonly string[] | null;
  /** The groups and quantifiers around it; absent where there are none. */
  readonly within?: readonly string[];
  /** Its place in the text of `where`; absent for other filters. */
  readonly at?: { readonly start: number; readonly end: number };
  /** A value in place of one that is told from now, by which cursors are bound. */
  readonly fixed?: string | readonly string[];
}

/** A parameter that holds one list: an unsplit text, or the items of a repeated parameter. */
export type RequestList = string | string[];

/** Every parameter of the grammar; `undefined` where absent. */
export interface ListRequest {
  filters: RequestFilter[];
  sort: RequestList | undefined;
  fields: RequestList | undefined;
  includes: RequestList | undefined;
  search: string | undefined;
  page: string | undefined;
  perPage: string | undefined;
  paginate: string | undefined;
  cursor: string | undefined;
  /** A filter as text, where the endpoint takes one. */
  where?: string;
  /** The filters of that text; absent where there is none. */
  written?: readonly RequestFilter[];
  /** The requests for the children of includes, by the path of the include; absent where there are none. */
  children?: Map<string, ListRequest>;
}

/**
 * A request in any of its forms: a raw query string, a `URLSearchParams`, the object that a framework's parser (`qs`,
 * `node:querystring`) made of one, or the body of a request, as `bodyRequest` returns it. All mean the same. Prefer the raw query string: an object whose parser has
 * visibly lost a part of the request is refused with QUERY_SYNTAX_INVALID, and some losses leave no trace. The build
 * for browsers takes no objects.
 */
export type ListRequestInput =
  | string
  | URLSearchParams
  | BodyRequest
  | { readonly [param: string]: unknown };

/** A request without parameters. */
export function emptyListRequest(): ListRequest {
  return {
    filters: [],
    sort: undefined,
    fields: undefined,
    includes: undefined,
    search: undefined,
    page: undefined,
    perPage: undefined,
    paginate: undefined,
    cursor: undefined,
  };
}
