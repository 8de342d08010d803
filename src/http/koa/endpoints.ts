/** List and item endpoints for Koa, and the handler of their errors. */

import type { CompiledQueryRules, Row } from '../../rules/index.ts';
import type { ItemEndpointConfig, ListEndpointConfig } from '../endpoint/config.ts';
import { type HeaderHolder, headersOf, isFresh } from '../endpoint/cache-headers.ts';
import { askedBy, etagOfJson } from '../endpoint/node-etag.ts';
import {
  itemHandler,
  listHandler,
  type Port,
  ClientGone,
  type ClosableResponse,
} from '../endpoint/handlers.ts';
import { clientClosedRequest } from '../client-gone.ts';
import { listRequest, rawQuery } from '../list-request.ts';
import { QueryError, checkConfiguration } from '../../schema/index.ts';
import {
  queryErrorAnswer,
  queryErrorHandlerTable,
  type QueryErrorHandlerOptions,
} from '../query-error-options.ts';

/** The part of Koa's context that an endpoint uses; `params` are those of a router. */
export interface EndpointContext {
  /** Path and query string, as middleware may have changed them. */
  readonly url: string;
  /** Path and query string as they were sent. */
  readonly originalUrl: string;
  /** The request of Node.js. */
  readonly req: object;
  /** The request of Koa, whose `body` a body parser has set. */
  readonly request: object;
  /** The response of Node.js. */
  readonly res: ClosableResponse &
    HeaderHolder & {
      /** Status of the response. */
      statusCode: number;
    };
  /** Parameters of the route, where a router has set them. */
  readonly params?: unknown;
  /** Status of the response. */
  status: number;
  /** Body of the response. */
  body: unknown;
}

/** The handler of a route. */
export type EndpointHandler<Context> = (context: Context) => Promise<void>;

/**
 * The middleware of a list endpoint under Koa: `router.get('/users', listEndpoint({ source, rules }))`. Functions of the
 * configuration receive the context. Errors are thrown to the middleware in front; `queryErrorHandler` answers those that
 * are a `QueryError`. A client disconnect aborts the request, unless `options.signal` is set.
 *
 * Under `router.post` and the method QUERY, the parameters may be the body of the request as well, for lists that no
 * address holds.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type, or the source is of
 * another model or family than the rules
 */
export function listEndpoint<
  R = Row,
  Customize = unknown,
  Request extends EndpointContext = EndpointContext,
  Listed = unknown,
  Rules extends CompiledQueryRules = CompiledQueryRules,
>(config: ListEndpointConfig<R, Customize, Request, Listed, Rules>): EndpointHandler<Request> {
  return listHandler(config, koa);
}

/**
 * The middleware of an endpoint of one row under Koa: `router.get('/users/:id', itemEndpoint({ source, rules }))`, with a
 * router that sets `context.params`, or with the option `key`. Errors are thrown to the middleware in front;
 * `queryErrorHandler` answers 404 with the code ROW_NOT_FOUND where the request sees no row of the key.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type, or the source is of
 * another model or family than the rules
 */
export function itemEndpoint<
  R = Row,
  Customize = unknown,
  Request extends EndpointContext = EndpointContext,
  Listed = unknown,
  Rules extends CompiledQueryRules = CompiledQueryRules,
>(config: ItemEndpointConfig<R, Customize, Request, Listed, Rules>): EndpointHandler<Request> {
  return itemHandler(config, koa);
}

const koa: Port<EndpointContext, [], void> = {
  queryOf: rawQuery,
  listRequestOf(context, rules) {
    // Body parsers set the property on the request of Koa.
    const parsed: unknown = Reflect.get(context.request, 'body');
    return listRequest(context.req, rawQuery(context), rules, parsed);
  },
  paramsOf: ({ params }) => Object(params) as object,
  open(context) {
    const gone = new ClientGone(context.res);
    const headers = headersOf(context.res);
    return {
      gone,
      headers,
      send(result, scoped) {
        if (isFresh(headers, askedBy(context.req), etagOfJson(result), scoped)) {
          context.status = 304;
        } else context.body = result;
      },
      fail(error) {
        if (!gone.aborted) throw error;
        context.res.statusCode = clientClosedRequest;
      },
    };
  },
};

/** The part of Koa's context that the middleware uses. */
interface ErrorContext {
  status: number;
  body: unknown;
  set(name: string, value: string): unknown;
}

/**
 * Answers a `QueryError` of the middleware behind it with its status and `{statusCode, code, message, details}`, and
 * `SOURCE_UNAVAILABLE` with a `Retry-After` header as well: `app.use(queryErrorHandler())` in front of the routes. Any
 * other error is thrown on. `onError` receives the context.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type
 */
export function queryErrorHandler(
  options: QueryErrorHandlerOptions = {},
): (context: ErrorContext, next: () => Promise<unknown>) => Promise<void> {
  checkConfiguration('queryErrorHandler', options, queryErrorHandlerTable);
  return async (context, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      const { status, retryAfter, body } = queryErrorAnswer(error, context, options);
      context.status = status;
      context.body = body;
      if (retryAfter !== undefined) context.set('retry-after', retryAfter);
    }
  };
}
