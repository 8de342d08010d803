/** An Express error handler that answers a `QueryError` with its status and JSON body. */

import * as option from '../../lib/option-rows.ts';
import type { OptionTableOf } from '../../lib/index.ts';
import { QueryError, checkConfiguration } from '../../schema/index.ts';
import type { QueryErrorEnvelope } from '../../schema/index.ts';
import type { EndpointNext, EndpointResponse } from './endpoint-types.ts';

/** Options of `queryErrorHandler`. */
export interface QueryErrorHandlerOptions {
  /**
   * Receives each `QueryError` with a status of 500 and above before it is answered; an error that it throws is passed
   * to the next error handler. Default: errors with status 500, which are mistakes of the application, such as a
   * condition of `transformPlan` that the schema does not allow, are logged with `console.error`.
   */
  readonly onError?: ((error: QueryError, request: unknown) => void) | undefined;
}

export const queryErrorHandlerTable = {
  onError: option.func,
} satisfies OptionTableOf<QueryErrorHandlerOptions>;

function logMistake(error: QueryError): void {
  if (error.status === 500) console.error(error);
}

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
  const { onError = logMistake } = options;
  // Express recognises an error handler by its four parameters.
  return (error, request, response, next) => {
    if (!(error instanceof QueryError) || response.headersSent) {
      next(error);
      return;
    }
    if (error.status >= 500) onError(error, request);
    if ('retryAfterSeconds' in error.details) {
      response.setHeader('Retry-After', String(error.details.retryAfterSeconds));
    }
    response.status(error.status).json(error.toJSON());
  };
}
