/** The one error a handler throws to answer something other than success. */

import type { ErrorKey } from '../contract/index.ts';
import { errorStatuses, translationKey } from '../contract/index.ts';

/** A key with what its text needs, for the `message` of an error. */
export interface Translatable {
  readonly key: ErrorKey;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Optional parts of an error besides its key. */
export interface BoardErrorParams {
  /** Default: the status of the key. */
  readonly status?: number;
  /** Values for the text of the key, such as the `field` that failed. They are shown, so never a secret. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Something more specific: a key, or text that may be shown. */
  readonly message?: Translatable | string;
  /** A stable name to branch on. */
  readonly code?: string;
  readonly details?: string;
  /** Further members of the body, such as `jobSchedulerId`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Headers of the answer, such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log only. */
  readonly cause?: unknown;
}

/** The body of an error as it is sent. */
export interface ErrorBody {
  readonly error: { readonly key: string; readonly options?: Readonly<Record<string, unknown>> };
  readonly message?:
    | string
    | { readonly key: string; readonly options?: Readonly<Record<string, unknown>> };
  readonly code?: string;
  readonly details?: string;
}

/** Answered with its status and a body of translation keys, never with text of the board's own. */
export class BoardError extends Error {
  override readonly name = 'BoardError';
  readonly key: ErrorKey;
  readonly status: number;
  readonly params: BoardErrorParams;

  constructor(key: ErrorKey, params: BoardErrorParams = {}) {
    super(key, params.cause === undefined ? undefined : { cause: params.cause });
    this.key = key;
    this.status = params.status ?? errorStatuses[key];
    this.params = params;
  }

  /** The body of the answer. */
  toJSON(): ErrorBody {
    const { options, message, code, details, extra } = this.params;
    return {
      error: { key: translationKey(this.key), ...(options && { options }) },
      ...(message !== undefined && { message: messageOf(message) }),
      ...(code !== undefined && { code }),
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

/** Seconds after which a client may try again when the datastore is down. */
const retryAfterSeconds = 3;

/** The datastore cannot be reached: 503 with `Retry-After`. */
export function datastoreUnavailable(cause?: unknown): BoardError {
  return new BoardError('KV_UNAVAILABLE', {
    code: 'KV_UNAVAILABLE',
    headers: { 'retry-after': String(retryAfterSeconds) },
    cause,
  });
}
