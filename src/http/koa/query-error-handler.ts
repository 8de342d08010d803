/** A Koa middleware that answers a `QueryError` with its status and JSON body. */

import { QueryError, checkConfiguration } from '../../schema/index.ts';
import { queryErrorAnswer, queryErrorHandlerTable } from '../query-error-options.ts';
import type { QueryErrorHandlerOptions } from '../query-error-options.ts';

/** The part of Koa's context that the middleware uses. */
interface ErrorContext {
  status: number;
  body: unknown;
  set(name: string, value: string): unknown;
}

/**
 * Answers a `QueryError` of the middleware behind it with its status and `{statusCode, code, message, details}`, and
 * `SOURCE_UNAVAILABLE` with a `Retry-After` header as well: `app.use(queryErrorHandler())` in front of the routes. Any
 * other error is thrown on. `onError` receives the context.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type
 */
export function queryErrorHandler(
  options: QueryErrorHandlerOptions = {},
): (context: ErrorContext, next: () => Promise<unknown>) => Promise<void> {
  checkConfiguration('queryErrorHandler', options, queryErrorHandlerTable);
  return async (context, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      const { status, retryAfter, body } = queryErrorAnswer(error, context, options);
      context.status = status;
      context.body = body;
      if (retryAfter !== undefined) context.set('retry-after', retryAfter);
    }
  };
}
