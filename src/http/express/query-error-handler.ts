/** An Express error handler that answers a `QueryError` with its status and JSON body. */

import { QueryError, checkConfiguration } from '../../schema/index.ts';
import type { QueryErrorEnvelope } from '../../schema/index.ts';
import { queryErrorAnswer, queryErrorHandlerTable } from '../query-error-options.ts';
import type { QueryErrorHandlerOptions } from '../query-error-options.ts';
import type { EndpointNext, EndpointResponse } from './endpoints.ts';

export type { QueryErrorHandlerOptions } from '../query-error-options.ts';

/**
 * Answers a `QueryError` with its status and `{statusCode, code, message, details}`, and `SOURCE_UNAVAILABLE` with a
 * `Retry-After` header as well; its `cause`, which may hold a driver's message, is not sent. Any other error, and any
 * error after the response has begun, is passed to the next error handler. Install it after the routes.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type
 */
export function queryErrorHandler(
  options: QueryErrorHandlerOptions = {},
): (
  error: unknown,
  request: unknown,
  response: EndpointResponse<QueryErrorEnvelope>,
  next: EndpointNext,
) => void {
  checkConfiguration('queryErrorHandler', options, queryErrorHandlerTable);
  // Express recognises an error handler by its four parameters.
  return (error, request, response, next) => {
    if (!(error instanceof QueryError) || response.headersSent) {
      next(error);
      return;
    }
    const { status, retryAfter, body } = queryErrorAnswer(error, request, options);
    if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
    response.status(status).json(body);
  };
}
