/** An Express error handler that answers a `QueryError` with its status and envelope. */

import { QueryError } from '../../schema/index.ts';
import type { QueryErrorEnvelope } from '../../schema/index.ts';
import type { EndpointNext, EndpointResponse } from './endpoint-types.ts';

/**
 * Answers a `QueryError` with `{statusCode, code, message, details}`, and `SOURCE_UNAVAILABLE` with `Retry-After` as
 * well; its `cause`, which may hold a driver's
 * message, is not shown. Any other error, and any error after the answer has begun, goes on to the next
 * error handler. Install it after the routes; to log errors, install a handler of your own before it.
 */
export function queryErrorHandler(): (
  error: unknown,
  request: unknown,
  response: EndpointResponse<QueryErrorEnvelope>,
  next: EndpointNext,
) => void {
  // Express tells an error handler by its four parameters.
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
