/** Parses a `URLSearchParams` into a request. */

import { longestCursor } from '../../lib/index.ts';
import type { RequestBuilder } from './request-builder.ts';
import { tooLong } from './request-error.ts';
import { requestKey } from './request-key.ts';

/**
 * Adds every search parameter to the builder. A program may have made them, so each value is the text that it is.
 *
 * @throws {QueryError} QUERY_SYNTAX_INVALID when they are longer than the longest query string
 */
export function parseSearchParams(
  params: URLSearchParams,
  maxLength: number,
  builder: RequestBuilder,
): void {
  let length = -1;
  for (const [name, value] of params) {
    const isSpared = name === 'cursor' && value.length <= longestCursor;
    length += name.length + (isSpared ? 0 : value.length) + (value === '' ? 1 : 2);
    if (length > maxLength) throw tooLong({ maxQueryLength: maxLength });
    builder.add(requestKey(name), value);
  }
}
