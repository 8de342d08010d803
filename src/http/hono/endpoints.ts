/** List and item endpoints for Hono, and the handler of their errors. */

import type { Context, HonoRequest } from 'hono';
import { type CompiledQueryRules, type Row } from '../../rules/index.ts';
import type { ItemEndpointConfig, ListEndpointConfig } from '../endpoint/config.ts';
import type { AnswerHeaders } from '../endpoint/cache-headers.ts';
import { itemHandler, listHandler, type Port } from '../endpoint/handlers.ts';
import { queryOf, webListRequest } from '../fetch/list-request.ts';
import { unknownBytes } from '../fetch/web-answer.ts';
import { QueryError, checkConfiguration } from '../../schema/index.ts';
import {
  queryErrorHandlerTable,
  queryErrorResponse,
  type QueryErrorHandlerOptions,
} from '../query-error-options.ts';

/** The handler of a route. */
export type EndpointHandler<Request> = (context: Request) => Promise<Response>;

/**
 * The handler of a list endpoint under Hono: `app.get('/users', listEndpoint({ source, rules }))`. Functions of the
 * configuration receive the context. Errors are thrown to the error handler of the application; `queryErrorHandler`
 * answers those that are a `QueryError`. A client disconnect aborts the request, unless `options.signal` is set.
 *
 * Under `app.post` and the method QUERY, the parameters may be the body of the request as well, for lists that no address
 * holds: `app.on(['POST', 'QUERY'], '/users/search', listEndpoint({ source, rules }))`.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type, or the source is of
 * another model or family than the rules
 */
export function listEndpoint<
  R = Row,
  Customize = unknown,
  Request extends Context = Context,
  Listed = unknown,
  Rules extends CompiledQueryRules = CompiledQueryRules,
>(config: ListEndpointConfig<R, Customize, Request, Listed, Rules>): EndpointHandler<Request> {
  return listHandler(config, hono);
}

/**
 * The handler of an endpoint of one row under Hono: `app.get('/users/:id', itemEndpoint({ source, rules }))`. Errors are
 * thrown to the error handler of the application; `queryErrorHandler` answers 404 with the code ROW_NOT_FOUND where the
 * request sees no row of the key.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type, or the source is of
 * another model or family than the rules
 */
export function itemEndpoint<
  R = Row,
  Customize = unknown,
  Request extends Context = Context,
  Listed = unknown,
  Rules extends CompiledQueryRules = CompiledQueryRules,
>(config: ItemEndpointConfig<R, Customize, Request, Listed, Rules>): EndpointHandler<Request> {
  return itemHandler(config, hono);
}

/** The text of a body that middleware has read; undefined where it has not read it through Hono. */
function cachedBody(request: HonoRequest): Promise<string> | undefined {
  const [cached] = Object.keys(request.bodyCache);
  if (cached !== 'formData') return cached === undefined ? undefined : request.text();
  return request.formData().then((form) => {
    const text = new URLSearchParams();
    for (const [name, value] of form) text.append(name, String(value));
    return text.toString();
  });
}

const hono: Port<Context, [], Response> = {
  queryOf: ({ req }) => queryOf(req.raw),
  listRequestOf: ({ req }, rules) => webListRequest(req.raw, rules, () => cachedBody(req)),
  paramsOf: ({ req }) => req.param(),
  open(context) {
    const { raw } = context.req;
    const headers: AnswerHeaders = {
      get: (name) => context.res.headers.get(name),
      set: (name, value) => context.header(name, value),
    };
    return {
      gone: raw.signal,
      headers,
      async send(result, scoped) {
        const bytes = await unknownBytes(raw, headers, result, scoped);
        // As `context.json`, without a status of its own: middleware may have set one.
        return bytes
          ? context.body(bytes, undefined, { 'content-type': 'application/json' })
          : context.body(null, 304);
      },
      fail(error) {
        throw error;
      },
    };
  },
};

/**
 * Answers a `QueryError` with its status and `{statusCode, code, message, details}`, and `SOURCE_UNAVAILABLE` with a
 * `Retry-After` header as well: `app.onError(queryErrorHandler())`. Any other error is answered as Hono does without a
 * handler: an `HTTPException` with its response, all others with 500 and a line on the console; `otherwise` replaces
 * that. `onError` receives the context.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type
 */
export function queryErrorHandler(
  options: QueryErrorHandlerOptions = {},
  otherwise: (error: Error, context: Context) => Response | Promise<Response> = asHono,
): (error: Error, context: Context) => Response | Promise<Response> {
  checkConfiguration('queryErrorHandler', options, queryErrorHandlerTable);
  return (error, context) => {
    if (!(error instanceof QueryError)) return otherwise(error, context);
    const response = queryErrorResponse(error, context, options);
    return context.newResponse(response.body, response);
  };
}

function asHono(error: Error, context: Context): Response {
  if ('getResponse' in error && typeof error.getResponse === 'function') {
    const response = error.getResponse() as Response;
    return context.newResponse(response.body, response);
  }
  console.error(error);
  return context.text('Internal Server Error', 500);
}
