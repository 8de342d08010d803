/** Parses any form of a request into a `ListRequest`. */

import type { CompiledQueryRules } from '../declare/compiled.ts';
import type { ListRequest, ListRequestInput } from './list-request.ts';
import { boundQuery } from './bound-object.ts';
import { parseObject } from './parse-object.ts';
import { parseQueryString } from './parse-query-string.ts';
import { RequestBuilder } from './request-builder.ts';
import { longestCursor } from '../../lib/index.ts';
import { tooLong } from './request-error.ts';
import { readWhere } from './where-text.ts';

/**
 * Adds every search parameter to the builder. A program may have made them, so each value is the text that it is.
 *
 * @throws {QueryError} QUERY_SYNTAX_INVALID when they are longer than the longest query string
 */
function parseSearchParams(
  params: URLSearchParams,
  maxLength: number,
  builder: RequestBuilder,
): void {
  let length = -1;
  for (const [name, value] of params) {
    const isSpared = name === 'cursor' && value.length <= longestCursor;
    length += name.length + (isSpared ? 0 : value.length) + (value === '' ? 1 : 2);
    if (length > maxLength) throw tooLong({ maxQueryLength: maxLength });
    builder.add(builder.keyOf(name), value);
  }
}

const none: ReadonlySet<string> = new Set();
const cursor: ReadonlySet<string> = new Set(['cursor']);
const ofLists: ReadonlySet<string> = new Set([
  'filter',
  'where',
  'sort',
  'search',
  'page',
  'perPage',
  'paginate',
  'cursor',
]);

/**
 * Parses the request, for one row or for a list of them. A request for one row has `fields` and `includes` only.
 *
 * @throws {QueryError} QUERY_SYNTAX_UNKNOWN_PARAM when a parameter is unknown, before QUERY_SYNTAX_INVALID when the
 * request does not follow the grammar.
 */
export function parseRequest(
  input: ListRequestInput,
  rules: CompiledQueryRules,
  wanted: 'list' | 'item' = 'list',
): ListRequest {
  const { maxQueryLength, maxFilters } = rules.limits;
  const ofList = rules.pagination.mode === 'offset' ? cursor : none;
  const absent = wanted === 'item' ? ofLists : ofList;
  const builder = new RequestBuilder(
    rules.passthroughParams,
    absent,
    maxFilters,
    rules,
    rules.children,
  );
  if (typeof input === 'string') {
    boundQuery(input, { maxQueryLength });
    parseQueryString(input, builder);
  } else if (input instanceof URLSearchParams) {
    parseSearchParams(input, maxQueryLength, builder);
  } else {
    parseObject(input, rules.limits, builder);
  }
  const request = builder.finish();
  if (request.where) readWhere(request, rules);
  return request;
}
