/** An endpoint of one row for Express: reads the key from the route's parameters and answers the row as JSON. */

import type { CompiledQueryRules, Row, RowIn } from '../../rules/index.ts';
import { isScoped } from '../endpoint/cache-headers.ts';
import type { ItemEndpointConfig } from '../endpoint/config.ts';
import { itemRead } from '../endpoint/read.ts';
import { rawQuery } from '../raw-query.ts';
import { endpoint } from './endpoint.ts';
import type { EndpointNext, EndpointRequest, EndpointResponse } from './endpoint-types.ts';

/** A request with the parameters of its route. */
export interface ItemRequest extends EndpointRequest {
  /** Parameters of the route, by name. */
  readonly params: { readonly [name: string]: unknown };
}

/**
 * The handler of an endpoint of one row under Express 4 or 5. The request may have `fields` and `includes`, which it
 * reads from the raw query string. Every error is passed to the next error handler; `queryErrorHandler` answers those
 * that are a `QueryError`: 404 with the code ROW_NOT_FOUND where the request sees no row of the key.
 *
 * A client disconnect aborts the request, unless `options.signal` is set.
 *
 *     app.get('/users/:id', itemEndpoint({ source: users, rules: userRules }));
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type, or the source is of
 * another model or family than the rules
 */
export function itemEndpoint<
  R = Row,
  Customize = unknown,
  Request extends ItemRequest = ItemRequest,
  Listed = unknown,
  Rules extends CompiledQueryRules = CompiledQueryRules,
>(
  config: ItemEndpointConfig<R, Customize, Request, Listed, Rules>,
): (
  request: Request,
  response: EndpointResponse<RowIn<R, Listed, Rules>>,
  next: EndpointNext,
) => Promise<void> {
  return endpoint(
    itemRead(config, ({ params }) => params),
    rawQuery,
    isScoped(config),
  );
}
