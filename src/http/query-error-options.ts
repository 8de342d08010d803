/** The common part of the error handlers of all frameworks: their options, and the answer to a `QueryError`. */

import * as option from '../lib/option-rows.ts';
import type { OptionTableOf } from '../lib/index.ts';
import type { QueryError, QueryErrorEnvelope } from '../schema/index.ts';

/** Options of the handlers that answer a `QueryError`. */
export interface QueryErrorHandlerOptions {
  /**
   * Receives each `QueryError` with a status of 500 and above before it is answered, and the request. Default: errors
   * with status 500, which are mistakes of the application, such as a condition of `transformPlan` that the schema does
   * not allow, are logged with `console.error`.
   */
  readonly onError?: ((error: QueryError, request: unknown) => void) | undefined;
}

export const queryErrorHandlerTable = {
  onError: option.func,
} satisfies OptionTableOf<QueryErrorHandlerOptions>;

function logMistake(error: QueryError): void {
  if (error.status === 500) console.error(error);
}

/** The answer to a `QueryError`. */
interface QueryErrorAnswer {
  readonly status: number;
  /** Seconds for the header `Retry-After`; absent where it is not sent. */
  readonly retryAfter?: string;
  readonly body: QueryErrorEnvelope;
}

/** Reports the error to the host and returns the answer. */
export function queryErrorAnswer(
  error: QueryError,
  request: unknown,
  { onError = logMistake }: QueryErrorHandlerOptions,
): QueryErrorAnswer {
  if (error.status >= 500) onError(error, request);
  const { details } = error;
  return {
    status: error.status,
    ...('retryAfterSeconds' in details && { retryAfter: String(details.retryAfterSeconds) }),
    body: error.toJSON(),
  };
}

/** The answer to a `QueryError` as a response of the Fetch API. Reports the error to the host. */
export function queryErrorResponse(
  error: QueryError,
  request: unknown,
  options: QueryErrorHandlerOptions,
): Response {
  const { status, retryAfter, body } = queryErrorAnswer(error, request, options);
  const headers = {
    'content-type': 'application/json',
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
  };
  return new Response(JSON.stringify(body), { status, headers });
}
