/** An Express error handler that answers a `QueryError` with its status and JSON body. */

import { QueryError } from '../../schema/index.ts';
import type { QueryErrorEnvelope } from '../../schema/index.ts';
import type { EndpointNext, EndpointResponse } from './endpoint-types.ts';

/**
 * Answers a `QueryError` with its status and `{statusCode, code, message, details}`, and `SOURCE_UNAVAILABLE` with a
 * `Retry-After` header as well; its `cause`, which may hold a driver's message, is not sent. Any other error, and any
 * error after the response has begun, is passed to the next error handler. Install it after the routes; to log errors,
 * install a logging error handler before it.
 */
export function queryErrorHandler(): (
  error: unknown,
  request: unknown,
  response: EndpointResponse<QueryErrorEnvelope>,
  next: EndpointNext,
) => void {
  // Express recognises an error handler by its four parameters.
  return (error, _request, response, next) => {
    if (!(error instanceof QueryError) || response.headersSent) {
      next(error);
      return;
    }
    if ('retryAfterSeconds' in error.details) {
      response.setHeader('Retry-After', String(error.details.retryAfterSeconds));
    }
    response.status(error.status).json(error.toJSON());
  };
}
