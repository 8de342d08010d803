/** Parses any form of a request into a `ListRequest`. */

import type { CompiledQueryRules } from '../declare/compiled.ts';
import type { ListRequest, ListRequestInput } from './list-request.ts';
import { boundObject, parseObject } from './parse-object.ts';
import { parseQueryString } from './parse-query-string.ts';
import { RequestBuilder } from './request-builder.ts';
import { syntaxError } from './request-error.ts';

/**
 * Parses the request.
 *
 * @throws {QueryError} QUERY_SYNTAX_UNKNOWN_PARAM when a parameter is unknown, before QUERY_SYNTAX_INVALID when the
 * request does not follow the grammar.
 */
export function parseRequest(input: ListRequestInput, rules: CompiledQueryRules): ListRequest {
  const { maxQueryLength, maxFilters } = rules.limits;
  const keyset = rules.pagination.mode !== 'offset';
  const builder = new RequestBuilder(rules.passthroughParams, keyset, maxFilters);
  const text = input instanceof URLSearchParams ? input.toString() : input;
  if (typeof text === 'string') {
    if (text.length > maxQueryLength) {
      throw syntaxError(`The query string is longer than ${maxQueryLength} characters.`, {
        maxQueryLength,
      });
    }
    parseQueryString(text, builder);
  } else if (typeof text !== 'object' || text === null) {
    throw syntaxError('The request is neither a query string nor an object of parameters.');
  } else {
    boundObject(text, maxQueryLength);
    parseObject(text, builder);
  }
  return builder.finish();
}
