/** A Hono error handler that answers a `QueryError` with its status and JSON body. */

import type { Context } from 'hono';
import { QueryError, checkConfiguration } from '../../schema/index.ts';
import { queryErrorHandlerTable, queryErrorResponse } from '../query-error-options.ts';
import type { QueryErrorHandlerOptions } from '../query-error-options.ts';

/**
 * Answers a `QueryError` with its status and `{statusCode, code, message, details}`, and `SOURCE_UNAVAILABLE` with a
 * `Retry-After` header as well: `app.onError(queryErrorHandler())`. Any other error is answered as Hono does without a
 * handler: an `HTTPException` with its response, all others with 500 and a line on the console; `otherwise` replaces
 * that. `onError` receives the context.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type
 */
export function queryErrorHandler(
  options: QueryErrorHandlerOptions = {},
  otherwise: (error: Error, context: Context) => Response | Promise<Response> = asHono,
): (error: Error, context: Context) => Response | Promise<Response> {
  checkConfiguration('queryErrorHandler', options, queryErrorHandlerTable);
  return (error, context) => {
    if (!(error instanceof QueryError)) return otherwise(error, context);
    const response = queryErrorResponse(error, context, options);
    return context.newResponse(response.body, response);
  };
}

function asHono(error: Error, context: Context): Response {
  if ('getResponse' in error && typeof error.getResponse === 'function') {
    const response = error.getResponse() as Response;
    return context.newResponse(response.body, response);
  }
  console.error(error);
  return context.text('Internal Server Error', 500);
}
