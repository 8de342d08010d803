/** List and item endpoints for a server of `node:http`; they answer a `QueryError` themselves. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CompiledQueryRules, type Row } from '../../rules/index.ts';
import type { ItemEndpointConfig, ListEndpointConfig } from '../endpoint/config.ts';
import { itemHandler, listHandler, type Port, ClientGone } from '../endpoint/handlers.ts';
import { headersOf, isFresh } from '../endpoint/cache-headers.ts';
import { askedBy, weakEtag } from '../endpoint/node-etag.ts';
import { type SentText, endWith, sentText } from '../endpoint/sent-text.ts';
import { QueryError, checkConfiguration } from '../../schema/index.ts';
import { queryErrorAnswer, queryErrorHandlerTable } from '../query-error-options.ts';
import type { QueryErrorHandlerOptions } from '../query-error-options.ts';
import { listRequest, rawQuery, type TargetedRequest } from '../list-request.ts';

/** The handler of a route. Rejects with errors other than a `QueryError`. */
export type EndpointHandler<Request> = (
  request: Request,
  response: ServerResponse,
) => Promise<void>;

/**
 * The handler of a list endpoint under `node:http`. A `QueryError` is answered with its status and
 * `{statusCode, code, message, details}`, and told to `errors.onError` as `QueryErrorHandlerOptions` describes. A client
 * disconnect aborts the request, unless `options.signal` is set.
 *
 * The parameters of a POST or QUERY request may be its body as well, for lists that no address holds.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type, or the source is of
 * another model or family than the rules
 */
export function listEndpoint<
  R = Row,
  Customize = unknown,
  Request extends IncomingMessage = IncomingMessage,
  Listed = unknown,
  Rules extends CompiledQueryRules = CompiledQueryRules,
>(
  config: ListEndpointConfig<R, Customize, Request, Listed, Rules>,
  errors?: QueryErrorHandlerOptions,
): EndpointHandler<Request> {
  return listHandler(config, portWith(errors));
}

/**
 * The handler of an endpoint of one row under `node:http`, which has no parameters of routes: the option `key` reads the
 * key from the request. Answers 404 with the code ROW_NOT_FOUND where the request sees no row of the key.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type, or the source is of
 * another model or family than the rules
 */
export function itemEndpoint<
  R = Row,
  Customize = unknown,
  Request extends IncomingMessage = IncomingMessage,
  Listed = unknown,
  Rules extends CompiledQueryRules = CompiledQueryRules,
>(
  config: ItemEndpointConfig<R, Customize, Request, Listed, Rules> &
    Required<Pick<ItemEndpointConfig<R, Customize, Request>, 'key'>>,
  errors?: QueryErrorHandlerOptions,
): EndpointHandler<Request> {
  return itemHandler(config, portWith(errors));
}

const queryOf = (request: IncomingMessage): string => rawQuery(request as TargetedRequest);

/** The port of `node:http`, which answers errors with these options. */
function portWith(
  errors: QueryErrorHandlerOptions = {},
): Port<IncomingMessage, [ServerResponse], void> {
  checkConfiguration('QueryErrorHandlerOptions', errors, queryErrorHandlerTable);
  return {
    queryOf,
    listRequestOf: (request, rules) => listRequest(request, queryOf(request), rules),
    paramsOf: () => ({}),
    open(request, response) {
      const gone = new ClientGone(response);
      const headers = headersOf(response);
      return {
        gone,
        headers,
        send(result, scoped) {
          if (gone.aborted) return;
          const sent = sentText(response, JSON.stringify(result));
          if (isFresh(headers, askedBy(request), weakEtag(sent), scoped)) {
            response.statusCode = 304;
            response.end();
          } else end(request, response, 200, sent);
        },
        fail(error) {
          if (gone.aborted) return;
          if (!(error instanceof QueryError)) throw error;
          const { status, retryAfter, body } = queryErrorAnswer(error, request, errors);
          if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
          end(request, response, status, sentText(response, JSON.stringify(body)));
        },
      };
    },
  };
}

function end(
  { method }: IncomingMessage,
  response: ServerResponse,
  status: number,
  sent: SentText,
): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', sent.length);
  if (method === 'HEAD') response.end();
  else endWith(response, sent);
}
