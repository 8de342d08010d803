/** The one error class of list queries, its codes and the HTTP status of each. */

/** Every code and the HTTP status it answers with. */
export const queryErrorStatus = Object.freeze({
  QUERY_SYNTAX_INVALID: 400,
  QUERY_SYNTAX_UNKNOWN_PARAM: 400,
  FIELD_NOT_ALLOWED: 400,
  OPERATOR_NOT_ALLOWED: 400,
  FILTER_VALUE_INVALID: 400,
  PAGINATION_INVALID: 400,
  CURSOR_INVALID: 400,
  SORT_CONFLICT: 400,
  OPERATOR_TYPE_MISMATCH: 400,
  CAPABILITY_UNAVAILABLE: 400,
  SOURCE_CONFIGURATION_INVALID: 500,
  PORTABILITY_PROFILE_MISMATCH: 500,
  QUERY_TIMEOUT: 504,
  SOURCE_UNAVAILABLE: 503,
  ADAPTER_CONTRACT_VIOLATION: 500,
});

export type QueryErrorCode = keyof typeof queryErrorStatus;

/** Paths, operators, parameters and limits; never a value that a client sent, never SQL. */
export interface QueryErrorDetails {
  readonly [key: string]: unknown;
}

/** The JSON envelope of a failed list request. */
export interface QueryErrorEnvelope {
  readonly statusCode: number;
  readonly code: QueryErrorCode;
  readonly message: string;
  readonly details: QueryErrorDetails;
}

/**
 * What every refusal of Sluice throws. Tell errors apart by `code`; `cause` keeps the driver's own
 * error, which `toJSON` leaves out.
 */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly code: QueryErrorCode;
  /** HTTP status the code answers with. */
  readonly status: number;
  readonly details: QueryErrorDetails;

  constructor(
    code: QueryErrorCode,
    message: string,
    details: QueryErrorDetails = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.code = code;
    this.status = queryErrorStatus[code];
    this.details = details;
  }

  /** The same as `status`, under the name of the envelope and of most web frameworks. */
  get statusCode(): number {
    return this.status;
  }

  /** The envelope `{statusCode, code, message, details}`. */
  toJSON(): QueryErrorEnvelope {
    return {
      statusCode: this.status,
      code: this.code,
      message: this.message,
      details: this.details,
    };
  }
}

/** A configuration that cannot work: names the rule broken, the place, and what to do. */
export function configurationError(message: string, details: QueryErrorDetails = {}): QueryError {
  return new QueryError('SOURCE_CONFIGURATION_INVALID', message, details);
}
