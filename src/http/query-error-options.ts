/** The common part of the error handlers of all frameworks: their options, and the answer to a `QueryError`. */

import * as option from '../lib/option-rows.ts';
import { type OptionTableOf, errorCauses } from '../lib/index.ts';
import type { QueryError, QueryErrorEnvelope } from '../schema/index.ts';

/** Options of the handlers that answer a `QueryError`. */
export interface QueryErrorHandlerOptions {
  /**
   * Receives each `QueryError` with a status of 500 and above before it is answered, and the request. Default: errors
   * with status 500, which are mistakes of the application, such as a condition of `transformPlan` that the schema does
   * not allow, are logged with `console.error`, and so is the reason of `SOURCE_UNAVAILABLE`, in one line a minute at
   * most.
   */
  readonly onError?: ((error: QueryError, request: unknown) => void) | undefined;
}

export const queryErrorHandlerTable = {
  onError: option.func,
} satisfies OptionTableOf<QueryErrorHandlerOptions>;

/** Milliseconds between two lines about a database that cannot answer. */
const quiet = 60_000;
let toldAt = -Infinity;

function logFailure(error: QueryError): void {
  if (error.status === 500) console.error(error);
  if (error.code !== 'SOURCE_UNAVAILABLE' || Math.abs(Date.now() - toldAt) < quiet) return;
  toldAt = Date.now();
  console.error(`A list could not be read, the database cannot answer: ${reasonOf(error)}`);
}

/** The message of the driver, in one line. Errors of ORMs around it contain statements; a list of attempts has no text. */
function reasonOf(error: QueryError): string {
  const messages = errorCauses(error).map(({ message }) => message.trim());
  return messages.findLast((text) => text !== '')?.split('\n', 1)[0] ?? error.code;
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
  { onError = logFailure }: QueryErrorHandlerOptions,
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
