/** The one error class of list queries, its codes and the HTTP status of each. */

import type { QueryErrorDetailsByCode } from './query-error-details.ts';

/** The HTTP status of each code. */
export const queryErrorStatus: { readonly [Code in keyof QueryErrorDetailsByCode]: number } =
  Object.freeze({
    QUERY_SYNTAX_INVALID: 400,
    QUERY_SYNTAX_UNKNOWN_PARAM: 400,
    FIELD_NOT_ALLOWED: 400,
    OPERATOR_NOT_ALLOWED: 400,
    FILTER_VALUE_INVALID: 400,
    QUERY_TOO_EXPENSIVE: 400,
    PAGINATION_INVALID: 400,
    CURSOR_INVALID: 400,
    SORT_CONFLICT: 400,
    CAPABILITY_UNAVAILABLE: 400,
    ROW_NOT_FOUND: 404,
    OPERATOR_TYPE_MISMATCH: 500,
    SOURCE_CONFIGURATION_INVALID: 500,
    SCOPE_MISSING: 500,
    PORTABILITY_PROFILE_MISMATCH: 500,
    QUERY_TIMEOUT: 504,
    SOURCE_UNAVAILABLE: 503,
    ADAPTER_CONTRACT_VIOLATION: 500,
  });

/** The code of a {@link QueryError}, such as `CURSOR_INVALID`. It determines the status and the type of `details`. */
export type QueryErrorCode = keyof QueryErrorDetailsByCode;

/** The details of a code; of any code by default. */
export type QueryErrorDetails<Code extends QueryErrorCode = QueryErrorCode> =
  QueryErrorDetailsByCode[Code];

interface EnvelopeOf<Code extends QueryErrorCode> {
  readonly statusCode: number;
  readonly code: Code;
  readonly message: string;
  readonly details: QueryErrorDetails<Code>;
}

/** The JSON envelope of a failed list request. A check of `code` narrows `details`. */
export type QueryErrorEnvelope<Code extends QueryErrorCode = QueryErrorCode> = {
  [Each in Code]: EnvelopeOf<Each>;
}[Code];

/** An error of one code. */
export interface QueryErrorOf<Code extends QueryErrorCode> extends Error {
  /** Always `QueryError`. */
  readonly name: 'QueryError';
  /** Stable code of the error, by which a program tells errors apart. */
  readonly code: Code;
  /** HTTP status of the code. */
  readonly status: number;
  /** The same as `status`, under the name of the envelope and of most web frameworks. */
  readonly statusCode: number;
  /** Whether a web framework may show the message to the client: not where the status is 500 or above. */
  readonly expose: boolean;
  /** Details of the code: paths, operators, parameters and limits. */
  readonly details: QueryErrorDetails<Code>;
  /** The envelope `{statusCode, code, message, details}`. */
  toJSON(): QueryErrorEnvelope<Code>;
}

/**
 * The error of every refused list query or configuration. A check of `code` narrows `details`. `cause` is the error of
 * the driver, if there is one; `toJSON` does not include it.
 */
export type QueryError<Code extends QueryErrorCode = QueryErrorCode> = {
  [Each in Code]: QueryErrorOf<Each>;
}[Code];

/** Details may be omitted if all of their properties are optional. */
type DetailsAndOptions<Code extends QueryErrorCode> =
  object extends QueryErrorDetails<Code>
    ? [details?: QueryErrorDetails<Code>, options?: ErrorOptions]
    : [details: QueryErrorDetails<Code>, options?: ErrorOptions];

interface QueryErrorClass {
  new <Code extends QueryErrorCode>(
    code: Code,
    message: string,
    ...rest: DetailsAndOptions<Code>
  ): QueryErrorOf<Code>;
  /** Lets `instanceof` narrow to the union of all codes. */
  readonly prototype: QueryError;
}

class QueryErrorImplementation<Code extends QueryErrorCode> extends Error {
  static {
    Object.defineProperty(this, 'name', { value: 'QueryError' });
  }

  override readonly name = 'QueryError';
  readonly code: Code;
  readonly status: number;
  readonly details: QueryErrorDetails<Code>;

  constructor(
    code: Code,
    message: string,
    details = {} as QueryErrorDetails<Code>,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.code = code;
    this.status = queryErrorStatus[code];
    this.details = details;
  }

  get statusCode(): number {
    return this.status;
  }

  get expose(): boolean {
    return this.status < 500;
  }

  toJSON() {
    const { status: statusCode, code, message, details } = this;
    return { statusCode, code, message, details };
  }
}

export const QueryError = QueryErrorImplementation as unknown as QueryErrorClass;

/** Creates the error of an invalid configuration. The message states the violated rule, the position and the remedy. */
export function configurationError(
  message: string,
  details: QueryErrorDetails<'SOURCE_CONFIGURATION_INVALID'> = {},
): QueryError<'SOURCE_CONFIGURATION_INVALID'> {
  return new QueryError('SOURCE_CONFIGURATION_INVALID', message, details);
}
