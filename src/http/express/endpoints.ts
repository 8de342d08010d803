/** List and item endpoints for Express, and the handler of their errors, by structure: Express 4 and 5 both fit, and neither is imported. */

import type { CompiledQueryRules, ListResult, Row, RowIn } from '../../rules/index.ts';
import { headersOf, tellCaches } from '../endpoint/cache-headers.ts';
import type { ItemEndpointConfig, ListEndpointConfig } from '../endpoint/config.ts';
import { itemHandler, listHandler, type Port, ClientGone } from '../endpoint/handlers.ts';
import { listRequest, rawQuery, type TargetedRequest as EndpointRequest } from '../list-request.ts';
import { QueryError, checkConfiguration, type QueryErrorEnvelope } from '../../schema/index.ts';
import {
  queryErrorAnswer,
  queryErrorHandlerTable,
  type QueryErrorHandlerOptions,
} from '../query-error-options.ts';

export type { QueryErrorHandlerOptions } from '../query-error-options.ts';

export type { EndpointRequest };

/** A request with the parameters of its route. */
export interface ItemRequest extends EndpointRequest {
  /** Parameters of the route, by name. */
  readonly params: { readonly [name: string]: unknown };
}

/** A response whose body has the type `Body`, and whose connection can be watched for a disconnect. */
export interface EndpointResponse<Body = unknown> {
  /** Whether the response has begun. */
  readonly headersSent: boolean;
  /** Whether the connection has ended. */
  readonly closed: boolean;
  /** A header that is set already. */
  getHeader(name: string): unknown;
  /** Sets a header of the response. */
  setHeader(name: string, value: string): unknown;
  /** Sets the status of the response. */
  status(code: number): EndpointResponse<Body>;
  /** Sends a value as JSON. */
  json(body: Body): unknown;
  /** Listens to the end of the connection. */
  once(event: 'close', listener: () => void): unknown;
  /** Ends listening. */
  off(event: 'close', listener: () => void): unknown;
}

/** Passes the request to the next handler, or an error to the next error handler. */
export type EndpointNext = (error?: unknown) => void;

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
  return listHandler(config, express);
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
  return itemHandler(config, express);
}

const express: Port<EndpointRequest, [EndpointResponse, EndpointNext], void> = {
  queryOf: rawQuery,
  listRequestOf: (request, rules) => listRequest(request, rawQuery(request), rules),
  paramsOf: (request) => (request as ItemRequest).params,
  open(_request, response, next) {
    const gone = new ClientGone(response);
    const headers = headersOf(response);
    return {
      gone,
      headers,
      send(result, scoped) {
        if (gone.aborted) return;
        // Express makes ETags itself.
        tellCaches(headers, scoped);
        response.json(result);
      },
      fail(error) {
        if (!gone.aborted) next(error);
      },
    };
  },
};

/**
 * Answers a `QueryError` with its status and `{statusCode, code, message, details}`, and `SOURCE_UNAVAILABLE` with a
 * `Retry-After` header as well; its `cause`, which may hold a driver's message, is not sent. Any other error, and any
 * error after the response has begun, is passed to the next error handler. Install it after the routes.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type
 */
export function queryErrorHandler(
  options: QueryErrorHandlerOptions = {},
): (
  error: unknown,
  request: unknown,
  response: EndpointResponse<QueryErrorEnvelope>,
  next: EndpointNext,
) => void {
  checkConfiguration('queryErrorHandler', options, queryErrorHandlerTable);
  // Express recognises an error handler by its four parameters.
  return (error, request, response, next) => {
    if (!(error instanceof QueryError) || response.headersSent) {
      next(error);
      return;
    }
    const { status, retryAfter, body } = queryErrorAnswer(error, request, options);
    if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
    response.status(status).json(body);
  };
}
