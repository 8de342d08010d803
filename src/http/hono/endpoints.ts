/** List and item endpoints for Hono. */

import type { Context } from 'hono';
import type { CompiledQueryRules, Row } from '../../rules/index.ts';
import type { ItemEndpointConfig, ListEndpointConfig } from '../endpoint/config.ts';
import { itemRead, listRead } from '../endpoint/read.ts';
import type { Read } from '../endpoint/read.ts';

/** The handler of a route. */
export type EndpointHandler<Request> = (context: Request) => Promise<Response>;

/**
 * The handler of a list endpoint under Hono: `app.get('/users', listEndpoint({ source, rules }))`. Functions of the
 * configuration receive the context. Errors are thrown to the error handler of the application; `queryErrorHandler`
 * answers those that are a `QueryError`. A client disconnect aborts the request, unless `options.signal` is set.
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
>(config: ListEndpointConfig<R, Customize, Request, Listed, Rules>): EndpointHandler<Request>;
export function listEndpoint<R, Customize, Request extends Context>(
  config: ListEndpointConfig<R, Customize, Request>,
): EndpointHandler<Request> {
  return handler(listRead(config));
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
>(config: ItemEndpointConfig<R, Customize, Request, Listed, Rules>): EndpointHandler<Request>;
export function itemEndpoint<R, Customize, Request extends Context>(
  config: ItemEndpointConfig<R, Customize, Request>,
): EndpointHandler<Request> {
  return handler(itemRead(config, ({ req }) => req.param()));
}

function handler<Request extends Context>(read: Read<Request, unknown>): EndpointHandler<Request> {
  return async (context) => {
    const { search } = new URL(context.req.url);
    const result = await read(context, search.slice(1), context.req.raw.signal);
    return context.body(JSON.stringify(result), 200, { 'content-type': 'application/json' });
  };
}
