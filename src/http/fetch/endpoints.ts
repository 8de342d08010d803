/** List and item endpoints for servers and frameworks of the Fetch API; they answer a `QueryError` themselves. */

import { type CompiledQueryRules, type Row } from '../../rules/index.ts';
import type { ItemEndpointConfig, ListEndpointConfig } from '../endpoint/config.ts';
import { itemHandler, listHandler, type Port } from '../endpoint/handlers.ts';
import { QueryError, checkConfiguration } from '../../schema/index.ts';
import { queryErrorHandlerTable, queryErrorResponse } from '../query-error-options.ts';
import type { QueryErrorHandlerOptions } from '../query-error-options.ts';
import { queryOf, webListRequest } from './list-request.ts';
import { unknownBytes } from './web-answer.ts';

/** The second argument of a handler: the parameters of its route, as Next.js passes them. */
export interface EndpointContext {
  /** Parameters of the route, or a promise of them. */
  readonly params?: object | Promise<object>;
}

/** The handler of a route. Rejects with errors other than a `QueryError`. */
export type EndpointHandler<Request> = (
  request: Request,
  context?: EndpointContext,
) => Promise<Response>;

/**
 * The handler of a list endpoint: `export const GET = listEndpoint({ source, rules })` in a route of Next.js, or any
 * function of a `Request`. A `QueryError` is answered with its status and `{statusCode, code, message, details}`, and
 * told to `errors.onError` as `QueryErrorHandlerOptions` describes. A client disconnect aborts the request, unless
 * `options.signal` is set.
 *
 * As `POST` and for the method QUERY, the parameters may be the body of the request as well, for lists that no address
 * holds.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type, or the source is of
 * another model or family than the rules
 */
export function listEndpoint<
  R = Row,
  Customize = unknown,
  Request extends globalThis.Request = globalThis.Request,
  Listed = unknown,
  Rules extends CompiledQueryRules = CompiledQueryRules,
>(
  config: ListEndpointConfig<R, Customize, Request, Listed, Rules>,
  errors?: QueryErrorHandlerOptions,
): EndpointHandler<Request> {
  return listHandler(config, portWith(errors));
}

/**
 * The handler of an endpoint of one row: `export const GET = itemEndpoint({ source, rules })` in
 * `app/users/[id]/route.ts` of Next.js. Elsewhere the parameters are passed as `{ params }`, or the option `key` reads
 * them from the request. Answers 404 with the code ROW_NOT_FOUND where the request sees no row of the key.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type, or the source is of
 * another model or family than the rules
 */
export function itemEndpoint<
  R = Row,
  Customize = unknown,
  Request extends globalThis.Request = globalThis.Request,
  Listed = unknown,
  Rules extends CompiledQueryRules = CompiledQueryRules,
>(
  config: ItemEndpointConfig<R, Customize, Request, Listed, Rules>,
  errors?: QueryErrorHandlerOptions,
): EndpointHandler<Request> {
  return itemHandler(config, portWith(errors));
}

/** Parameters of routes by request. */
const params = new WeakMap<object, object | Promise<object>>();

/** The port of the Fetch API, which answers errors with these options. */
function portWith(
  errors: QueryErrorHandlerOptions = {},
): Port<Request, [context?: EndpointContext], Response> {
  checkConfiguration('QueryErrorHandlerOptions', errors, queryErrorHandlerTable);
  return {
    queryOf,
    listRequestOf: (request, rules) => webListRequest(request, rules),
    paramsOf: (request) => params.get(request) ?? {},
    open(request, context) {
      if (context?.params) params.set(request, context.params);
      const headers = new Headers({ 'content-type': 'application/json' });
      return {
        gone: request.signal,
        headers,
        async send(result, scoped) {
          const bytes = await unknownBytes(request, headers, result, scoped);
          if (bytes) return new Response(bytes, { headers });
          headers.delete('content-type');
          return new Response(null, { status: 304, headers });
        },
        fail(error) {
          if (!(error instanceof QueryError)) throw error;
          return queryErrorResponse(error, request, errors);
        },
      };
    },
  };
}
