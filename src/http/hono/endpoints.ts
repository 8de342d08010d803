/** List and item endpoints for Hono. */

import type { Context, HonoRequest } from 'hono';
import { type CompiledQueryRules, type Row } from '../../rules/index.ts';
import type { ItemEndpointConfig, ListEndpointConfig } from '../endpoint/config.ts';
import { isFresh, isScoped } from '../endpoint/cache-headers.ts';
import { itemRead, listRead } from '../endpoint/read.ts';
import type { Read } from '../endpoint/read.ts';
import { queryOf, webListRequest } from '../fetch/list-request.ts';
import { withWebEtag } from '../fetch/web-etag.ts';

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
  return handler(
    listRead(config),
    ({ req }) => webListRequest(req.raw, config.rules, () => cachedBody(req)),
    isScoped(config),
  );
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
  return handler(
    itemRead(config, ({ req }) => req.param()),
    ({ req }) => queryOf(req.raw),
    isScoped(config),
  );
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

function handler<Request extends Context, Input>(
  read: Read<Request, unknown, Input>,
  inputOf: (context: Request) => Input | Promise<Input>,
  scoped: boolean,
): EndpointHandler<Request> {
  return async (context) => {
    const { signal } = context.req.raw;
    const addTiming = (value: string): void =>
      context.header('server-timing', value, { append: true });
    const result = await read(context, await inputOf(context), signal, addTiming);
    const { bytes, etag } = await withWebEtag(JSON.stringify(result));
    const headers = {
      get: (name: string) => context.res.headers.get(name),
      set: (name: string, value: string) => context.header(name, value),
    };
    const { method, raw } = context.req;
    const asked = { method, ifNoneMatch: raw.headers.get('if-none-match') };
    if (isFresh(headers, asked, etag, scoped)) return context.body(null, 304);
    // As `context.json`, without a status of its own: middleware may have set one.
    return context.body(bytes, undefined, {
      'content-type': 'application/json',
    });
  };
}
