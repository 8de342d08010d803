/** A list endpoint for Express: the raw query string in, one `ListResult` as JSON out. */

import * as option from '../../lib/option-rows.ts';
import type { OptionTableOf } from '../../lib/index.ts';
import { queryOptionTable, runQuery } from '../../rules/index.ts';
import { checkConfiguration } from '../../schema/index.ts';
import type {
  CompiledQueryRules,
  ListResult,
  QuerySource,
  Row,
  QueryOptions,
} from '../../rules/index.ts';
import type {
  EndpointNext,
  EndpointRequest,
  EndpointResponse,
  PerRequest,
} from './endpoint-types.ts';

/** Options of `listEndpoint`. */
export interface ListEndpointConfig<R, Customize, Request extends EndpointRequest> {
  /** The source of rows; a function of the request selects it per tenant or per transaction. */
  readonly source: PerRequest<Request, QuerySource<R, Customize>>;
  /** Result of `defineQueryRules`. */
  readonly rules: CompiledQueryRules;
  /** Options of `runQuery`; a function of the request adds tenancy and the like. Default: none. */
  readonly options?: PerRequest<Request, QueryOptions<Customize>>;
}

const configTable = {
  source: option.required(option.either(option.plainObject, option.func)),
  rules: option.required(option.plainObject),
  options: option.either(option.objectOf(queryOptionTable), option.func),
} satisfies OptionTableOf<ListEndpointConfig<Row, unknown, EndpointRequest>>;

/**
 * The handler of a list endpoint under Express 4 or 5. It reads the raw query string, so whatever
 * `query parser` the application set plays no part. Every error goes to the next error handler;
 * `queryErrorHandler` answers those that are a `QueryError`.
 *
 * A client that goes away aborts the request, unless `options.signal` names a signal of the host's own.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type
 */
export function listEndpoint<
  R = Row,
  Customize = unknown,
  Request extends EndpointRequest = EndpointRequest,
>(
  config: ListEndpointConfig<R, Customize, Request>,
): (
  request: Request,
  response: EndpointResponse<ListResult<R>>,
  next: EndpointNext,
) => Promise<void> {
  checkConfiguration('listEndpoint', config, configTable);
  return async (request, response, next) => {
    const gone = new AbortController();
    const abort = (): void => gone.abort();
    response.once('close', abort);
    // A client that left before this handler ran leaves no event to wait for.
    if (response.closed) abort();
    try {
      const [source, options] = await Promise.all([
        resolve(config.source, request),
        resolve(config.options ?? {}, request),
      ]);
      const result = await runQuery(source, rawQuery(request), config.rules, {
        ...options,
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

/** What follows the first question mark of the target, still encoded. */
function rawQuery(request: EndpointRequest): string {
  const target = request.originalUrl ?? request.url;
  const mark = target.indexOf('?');
  return mark < 0 ? '' : target.slice(mark + 1);
}
