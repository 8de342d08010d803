/** A list endpoint for Express: reads the raw query string and answers one `ListResult` as JSON. */

import * as option from '../../lib/option-rows.ts';
import type { OptionTableOf } from '../../lib/index.ts';
import {
  assertPair,
  compiledRules,
  queryOptionTable,
  querySource,
  runQuery,
} from '../../rules/index.ts';
import { checkConfiguration } from '../../schema/index.ts';
import type {
  CompiledQueryRules,
  ListResult,
  PairedRules,
  QuerySource,
  Row,
  RowIn,
  ScopeIn,
  QueryOptions,
} from '../../rules/index.ts';
import type {
  EndpointNext,
  EndpointRequest,
  EndpointResponse,
  PerRequest,
} from './endpoint-types.ts';

/** Options of `listEndpoint`. */
export interface ListEndpointConfig<
  R,
  Customize,
  Request extends EndpointRequest,
  Listed = unknown,
  Rules extends CompiledQueryRules = CompiledQueryRules,
> {
  /** The source of rows, or a function of the request that selects it per tenant or per transaction. */
  readonly source: PerRequest<Request, QuerySource<R, Customize, Listed>>;
  /** The result of `defineQueryRules`, for the model of the source. */
  readonly rules: PairedRules<Rules, Listed> & Rules;
  /**
   * The values for the functions of `settings.scopes`, usually as a function of the request. Default: the `scope` of
   * `options`.
   */
  readonly scope?: PerRequest<Request, ScopeIn<Rules> & object>;
  /** Options of `runQuery`, or a function of the request that returns them, for tenancy and the like. Default: none. */
  readonly options?: PerRequest<Request, QueryOptions<Customize, ScopeIn<Rules>>>;
}

const configTable = {
  source: option.required(option.either(querySource, option.func)),
  rules: option.required(compiledRules),
  scope: option.either(option.plainObject, option.func),
  options: option.either(option.objectOf(queryOptionTable), option.func),
} satisfies OptionTableOf<ListEndpointConfig<Row, unknown, EndpointRequest>>;

/**
 * The handler of a list endpoint under Express 4 or 5. It reads the raw query string, so the application's
 * `query parser` has no effect on it. Every error is passed to the next error handler;
 * `queryErrorHandler` answers those that are a `QueryError`.
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
) => Promise<void>;
export function listEndpoint<R, Customize, Request extends EndpointRequest>(
  config: ListEndpointConfig<R, Customize, Request>,
): (
  request: Request,
  response: EndpointResponse<ListResult<R>>,
  next: EndpointNext,
) => Promise<void> {
  checkConfiguration('listEndpoint', config, configTable);
  if (typeof config.source !== 'function') assertPair(config.source, config.rules);
  return async (request, response, next) => {
    const gone = new AbortController();
    const abort = (): void => gone.abort();
    response.once('close', abort);
    // A client that disconnected before this handler ran causes no further event.
    if (response.closed) abort();
    try {
      const [source, options, scope] = await Promise.all([
        resolve(config.source, request),
        resolve(config.options ?? {}, request),
        config.scope && resolve(config.scope, request),
      ]);
      const result = await runQuery(source, rawQuery(request), config.rules, {
        ...options,
        scope: scope ?? options.scope,
        signal: options.signal ?? gone.signal,
      });
      if (!gone.signal.aborted) response.json(result);
    } catch (error) {
      if (!gone.signal.aborted) next(error);
    } finally {
      response.off('close', abort);
    }
  };
}

function resolve<Request, Value extends object>(
  value: PerRequest<Request, Value>,
  request: Request,
): Value | Promise<Value> {
  return typeof value === 'function' ? value(request) : value;
}

/** The part of the target after the first question mark, still percent-encoded. */
function rawQuery(request: EndpointRequest): string {
  const target = request.originalUrl ?? request.url;
  const mark = target.indexOf('?');
  return mark < 0 ? '' : target.slice(mark + 1);
}
