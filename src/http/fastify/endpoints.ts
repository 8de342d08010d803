/** List and item endpoints for Fastify, which serialises what they return, and the handler of their errors. */

import type { CompiledQueryRules, ListResult, Row, RowIn } from '../../rules/index.ts';
import type { ItemEndpointConfig, ListEndpointConfig } from '../endpoint/config.ts';
import { type AnswerHeaders, isFresh } from '../endpoint/cache-headers.ts';
import { noBody } from '../endpoint/no-body.ts';
import { askedBy, etagOfJson } from '../endpoint/node-etag.ts';
import {
  itemHandler,
  listHandler,
  type Port,
  ClientGone,
  type ClosableResponse,
} from '../endpoint/handlers.ts';
import { clientClosedRequest } from '../client-gone.ts';
import { listRequest, rawQuery, type TargetedRequest } from '../list-request.ts';
import { QueryError, checkConfiguration } from '../../schema/index.ts';
import {
  queryErrorAnswer,
  queryErrorHandlerTable,
  type QueryErrorHandlerOptions,
} from '../query-error-options.ts';

/** The part of Fastify's request that an endpoint uses. */
export interface EndpointRequest {
  /** The request of Node.js. */
  readonly raw: {
    /** Path and query string. */
    readonly url?: string | undefined;
  };
  /** Parameters of the route. */
  readonly params: unknown;
  /** The body as a parser of the application has left it. */
  readonly body?: unknown;
}

/** The part of Fastify's reply that an endpoint uses. */
export interface EndpointReply {
  /** The response of Node.js. */
  readonly raw: ClosableResponse;
  /** A header that is set already. */
  getHeader(name: string): unknown;
  /** Sets a header of the response. */
  header(name: string, value: string): unknown;
  /** Sets the status of the response. */
  code(status: number): unknown;
}

/** The handler of a route. */
export type EndpointHandler<Request, Answer> = (
  request: Request,
  reply: EndpointReply,
) => Promise<Answer>;

/**
 * The handler of a list endpoint under Fastify: `app.get('/users', listEndpoint({ source, rules }))`. It reads the raw
 * query string, so the application's `querystringParser` has no effect on it. Errors are thrown to the error handler;
 * `queryErrorHandler` answers those that are a `QueryError`. A client disconnect aborts the request, unless
 * `options.signal` is set.
 *
 * Under `app.post` and the method QUERY, the parameters may be the body of the request as well, for lists that no address
 * holds; `listBodies` makes the application take bodies of forms.
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
): EndpointHandler<Request, ListResult<RowIn<R, Listed, Rules>, Rules>> {
  return listHandler(config, fastify);
}

/**
 * The handler of an endpoint of one row under Fastify: `app.get('/users/:id', itemEndpoint({ source, rules }))`. Errors
 * are thrown to the error handler; `queryErrorHandler` answers 404 with the code ROW_NOT_FOUND where the request sees no
 * row of the key.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type, or the source is of
 * another model or family than the rules
 */
export function itemEndpoint<
  R = Row,
  Customize = unknown,
  Request extends EndpointRequest = EndpointRequest,
  Listed = unknown,
  Rules extends CompiledQueryRules = CompiledQueryRules,
>(
  config: ItemEndpointConfig<R, Customize, Request, Listed, Rules>,
): EndpointHandler<Request, RowIn<R, Listed, Rules>> {
  return itemHandler(config, fastify);
}

const queryOf = ({ raw }: EndpointRequest): string => rawQuery(raw as TargetedRequest);

/** It returns what Fastify sends: the result, whose type is that of the endpoint. */
const fastify: Port<EndpointRequest, [EndpointReply], never> = {
  queryOf,
  listRequestOf: (request, rules) =>
    listRequest(request.raw, queryOf(request), rules, request.body),
  paramsOf: ({ params }) => Object(params) as object,
  open(request, reply) {
    const gone = new ClientGone(reply.raw);
    const headers: AnswerHeaders = {
      get: (name) => reply.getHeader(name),
      set: (name, value) => reply.header(name, value),
    };
    return {
      gone,
      headers,
      send(result, scoped) {
        const isKnown = isFresh(headers, askedBy(request.raw), etagOfJson(result), scoped);
        if (isKnown) reply.code(304);
        return (isKnown ? noBody() : result) as never;
      },
      fail(error) {
        if (!gone.aborted) throw error;
        reply.code(clientClosedRequest);
        return '' as never;
      },
    };
  },
};

/** The part of Fastify's reply that the error handler uses. */
interface ErrorReply {
  header(name: string, value: string): unknown;
  code(status: number): { send(body: object): unknown };
}

/**
 * Answers a `QueryError` with its status and `{statusCode, code, message, details}`, and `SOURCE_UNAVAILABLE` with a
 * `Retry-After` header as well: `app.setErrorHandler(queryErrorHandler())`. Any other error is thrown to the error
 * handler of the surrounding context.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type
 */
export function queryErrorHandler(
  options: QueryErrorHandlerOptions = {},
): (error: unknown, request: unknown, reply: ErrorReply) => unknown {
  checkConfiguration('queryErrorHandler', options, queryErrorHandlerTable);
  return (error, request, reply) => {
    if (!(error instanceof QueryError)) throw error;
    const { status, retryAfter, body } = queryErrorAnswer(error, request, options);
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
    return reply.code(status).send(body);
  };
}
