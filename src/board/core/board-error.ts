/** The error that handlers throw for every response other than success. */

import { type ErrorKey, errorStatuses, translationKey } from '../contract/index.ts';

/** A translation key with its parameters, for the `message` of an error. */
export interface Translatable {
  readonly key: ErrorKey;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Optional parts of an error besides its key. */
export interface BoardErrorParams {
  /** Default: the status of the key. */
  readonly status?: number;
  /** Parameters of the text, such as the `field` that failed. They are shown to users, so never a secret. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** A more specific message: a key, or text that users may see. */
  readonly message?: Translatable | string;
  /** A stable identifier for programs. Default: the key. */
  readonly code?: string;
  /** Text for the person who asked, such as the reason of a datastore. */
  readonly details?: string;
  /** Additional members of the body, such as `jobSchedulerId`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Response headers, such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Only logged. */
  readonly cause?: unknown;
}

/** The response body of an error. */
export interface ErrorBody {
  readonly error: { readonly key: string; readonly options?: Readonly<Record<string, unknown>> };
  readonly message?:
    | string
    | { readonly key: string; readonly options?: Readonly<Record<string, unknown>> };
  readonly code?: string;
  readonly details?: string;
}

/** Sent with its status and a body of translation keys, never with texts of the board. */
export class BoardError extends Error {
  /** Always `BoardError`. */
  override readonly name = 'BoardError';
  /** Stable key of the error, which the dashboard translates. */
  readonly key: ErrorKey;
  /** HTTP status of the response. */
  readonly status: number;
  /** Values for the translated text. */
  readonly params: BoardErrorParams;

  constructor(key: ErrorKey, params: BoardErrorParams = {}) {
    super(key, params.cause === undefined ? undefined : { cause: params.cause });
    this.key = key;
    this.status = params.status ?? errorStatuses[key];
    this.params = params;
  }

  /** The response body. */
  toJSON(): ErrorBody {
    const { options, message, code = this.key, details, extra } = this.params;
    return {
      error: { key: translationKey(this.key), ...(options && { options }) },
      ...(message !== undefined && { message: messageOf(message) }),
      code,
      ...(details !== undefined && { details }),
      ...extra,
    };
  }
}

function messageOf(message: Translatable | string): NonNullable<ErrorBody['message']> {
  if (typeof message === 'string') return message;
  const { key, options } = message;
  return { key: translationKey(key), ...(options && { options }) };
}

/** The board does not serve the route. */
export function routeNotFound(): BoardError {
  return new BoardError('ROUTE_NOT_FOUND');
}

/** Seconds after which a client may retry when the datastore is down. */
const retryAfterSeconds = 3;

/** The datastore, by default Redis and otherwise PostgreSQL, is unreachable: 503 with `Retry-After`. */
export function datastoreUnavailable(cause?: unknown, datastore: 'kv' | 'sql' = 'kv'): BoardError {
  return new BoardError(datastore === 'sql' ? 'SQL_UNAVAILABLE' : 'KV_UNAVAILABLE', {
    headers: { 'retry-after': String(retryAfterSeconds) },
    cause,
  });
}

/** The reason for a refused write. */
export const readOnlyReason: Translatable = { key: 'QUEUE_READ_ONLY' };

/** @throws {BoardError} QUEUE_READ_ONLY when the queue is read-only */
export function requireWritable({ readOnly }: { readonly readOnly: boolean }): void {
  if (readOnly) throw new BoardError('QUEUE_READ_ONLY');
}
