/** A request read by the grammar, before it is held against any rules. */

import type { OperatorRow } from '../declare/operators.ts';

/** One `filter[path][operator]` parameter. */
export interface RequestFilter {
  readonly path: string;
  readonly operatorName: string;
  /** `undefined` when the name is well-formed but no operator. */
  readonly operator: OperatorRow | undefined;
  /** The text, the items of a list, or `null` where a framework's parser gave null. */
  readonly value: string | readonly string[] | null;
}

/** A parameter that holds one list: as text not yet split, or the items of a repeated parameter. */
export type RequestList = string | string[];

/** Every parameter of the grammar, `undefined` where absent. */
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
}

/** What a request may be: a raw query string, a `URLSearchParams`, or what a framework's parser made of one. */
export type ListRequestInput = string | URLSearchParams | { readonly [param: string]: unknown };

/** A request with nothing asked. */
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
