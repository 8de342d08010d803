/** A list endpoint for Express: reads the raw query string and answers one `ListResult` as JSON. */

import type { CompiledQueryRules, ListResult, Row, RowIn } from '../../rules/index.ts';
import { isScoped } from '../endpoint/cache-headers.ts';
import type { ListEndpointConfig } from '../endpoint/config.ts';
import { listRead } from '../endpoint/read.ts';
import { listRequest } from '../list-request.ts';
import { rawQuery } from '../raw-query.ts';
import { endpoint } from './endpoint.ts';
import type { EndpointNext, EndpointRequest, EndpointResponse } from './endpoint-types.ts';

/**
 * The handler of a list endpoint under Express 4 or 5. It reads the raw query string, so the application's
 * `query parser` has no effect on it. Every error is passed to the next error handler;
 * `queryErrorHandler` answers those that are a `QueryError`.
 *
 * Under `app.post` and `app.query`, the parameters may be the body of the request as well, for lists that no address
 * holds: `app.post('/users/search', listEndpoint({ source, rules }))`.
 *
 * A client disconnect aborts the request, unless `options.signal` is set.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type, or the source is of
 * another model or family than the rules
 */
export function listEndpoint<
  R = Row,
  Customize = unknown,
  Request extends EndpointRequest = EndpointRequest,
  Listed = unknown,
  Rules extends CompiledQueryRules = CompiledQueryRules,
>(
  config: ListEndpointConfig<R, Customize, Request, Listed, Rules>,
): (
  request: Request,
  response: EndpointResponse<ListResult<RowIn<R, Listed, Rules>, Rules>>,
  next: EndpointNext,
) => Promise<void> {
  return endpoint(
    listRead(config),
    (request) => listRequest(request, rawQuery(request), config.rules),
    isScoped(config),
  );
}
