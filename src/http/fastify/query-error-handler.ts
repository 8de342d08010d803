/** A Fastify error handler that answers a `QueryError` with its status and JSON body. */

import { QueryError, checkConfiguration } from '../../schema/index.ts';
import { queryErrorAnswer, queryErrorHandlerTable } from '../query-error-options.ts';
import type { QueryErrorHandlerOptions } from '../query-error-options.ts';

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
