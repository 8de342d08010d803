/** A case of the corpus: a request and the answer that decisions-query gives it, as data. */

import type { QueryErrorCode } from '../../../src/index.ts';
import type { EndpointName } from './endpoints.ts';

/** What a case expects. */
export type Expectation =
  /** The whole body, byte for byte. */
  | { readonly body: unknown }
  /** The first shown field of every row in order, and the total. */
  | { readonly keys: readonly unknown[]; readonly total: number }
  /** The first shown field of every row of a keyset page, and which way one may go on. */
  | { readonly keys: readonly unknown[]; readonly next: boolean; readonly prev: boolean }
  /** A refusal, with all of its details where they are given. */
  | { readonly status: number; readonly code: QueryErrorCode; readonly details?: object };

/** One case. */
export interface CorpusCase {
  readonly name: string;
  readonly endpoint: EndpointName;
  /** Raw query string. Characters beyond ASCII stand for themselves; `%25`, `%26`, `%2B`, `%23` are encoded. */
  readonly request: string;
  readonly expect: Expectation;
}

/** Keys of one page, in order, of a list of `total` rows. */
export function page(
  endpoint: EndpointName,
  name: string,
  request: string,
  keys: readonly unknown[],
  total = keys.length,
): CorpusCase {
  return { name, endpoint, request, expect: { keys, total } };
}

/** A whole body. */
export function body(
  endpoint: EndpointName,
  name: string,
  request: string,
  value: unknown,
): CorpusCase {
  return { name, endpoint, request, expect: { body: value } };
}

/** All rows of a list that fits one page. */
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

/** A 400. */
export function refused(
  endpoint: EndpointName,
  name: string,
  request: string,
  code: QueryErrorCode,
  details?: object,
): CorpusCase {
  return { name, endpoint, request, expect: { status: 400, code, ...(details && { details }) } };
}
