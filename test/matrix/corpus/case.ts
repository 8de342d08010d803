/** A case of the corpus: a request and its expected response, as data. */

import type { QueryErrorCode } from '../../../src/index.ts';
import type { EndpointName } from './endpoints.ts';

/** The expected response of a case. */
export type Expectation =
  /** The body, compared byte for byte. */
  | { readonly body: unknown }
  /** The first field of every row, in order, and the total. */
  | { readonly keys: readonly unknown[]; readonly total: number }
  /** The first field of every row of a keyset page, and whether it has a next and a previous page. */
  | { readonly keys: readonly unknown[]; readonly next: boolean; readonly prev: boolean }
  /** An error, with its exact details if given. */
  | { readonly status: number; readonly code: QueryErrorCode; readonly details?: object };

/** A case. */
export interface CorpusCase {
  readonly name: string;
  readonly endpoint: EndpointName;
  /** Raw query string. Non-ASCII characters are not encoded; `%`, `&`, `+` and `#` are. */
  readonly request: string;
  readonly expect: Expectation;
}

/** Expects the keys of one page, in order, of a list of `total` rows. */
export function page(
  endpoint: EndpointName,
  name: string,
  request: string,
  keys: readonly unknown[],
  total = keys.length,
): CorpusCase {
  return { name, endpoint, request, expect: { keys, total } };
}

/** Expects a body. */
export function body(
  endpoint: EndpointName,
  name: string,
  request: string,
  value: unknown,
): CorpusCase {
  return { name, endpoint, request, expect: { body: value } };
}

/** Expects the rows of a list that fits on one page. */
export function rows(
  endpoint: EndpointName,
  name: string,
  request: string,
  data: readonly unknown[],
): CorpusCase {
  return body(endpoint, name, request, {
    data,
    page: 1,
    perPage: 10,
    total: data.length,
    lastPage: 1,
  });
}

/** Expects an error with status 400. */
export function refused(
  endpoint: EndpointName,
  name: string,
  request: string,
  code: QueryErrorCode,
  details?: object,
): CorpusCase {
  return { name, endpoint, request, expect: { status: 400, code, ...(details && { details }) } };
}
