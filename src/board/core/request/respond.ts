/** Converts results and errors to responses. */

import type { BoardBody, BoardResponse } from './request.ts';
import { BoardError } from '../board-error.ts';
import type { ResolvedOptions } from '../options.ts';
import { SharedBody } from '../reply/shared-body.ts';

const jsonHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // A browser must show the response as text only.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** A success whose body is not JSON, such as a stream of events: what a handler returns instead of a value. */
export class RawBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: BoardBody;

  /** `headers` has names in lower case and contains `content-type`; those of every API response are added. */
  constructor(headers: Readonly<Record<string, string>>, body: BoardBody) {
    this.headers = headers;
    this.body = body;
  }
}

/** A success whose work goes on after the answer, with status 202: what a handler returns instead of a value. */
export class Accepted<Value = unknown> {
  readonly body: Value;

  constructor(body: Value) {
    this.body = body;
  }
}

/** A JSON response, or that of a `RawBody` or `SharedBody`; undefined sends no body. */
export function jsonResponse(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): BoardResponse {
  if (body instanceof RawBody) {
    return { status, headers: { ...jsonHeaders, ...headers, ...body.headers }, body: body.body };
  }
  if (body instanceof SharedBody) {
    const { bytes, etag } = body;
    return { status, headers: { ...jsonHeaders, etag, ...headers }, body: bytes };
  }
  if (body === undefined || status === 204) {
    const { 'content-type': _type, ...rest } = jsonHeaders;
    return { status, headers: { ...rest, ...headers }, body: undefined };
  }
  return { status, headers: { ...jsonHeaders, ...headers }, body: JSON.stringify(body) };
}

export function errorResponse(error: BoardError): BoardResponse {
  return jsonResponse(error.status, error.toJSON(), error.params.headers);
}

/** The response to an unexpected error: its message is logged, and sent to the client only if exposed. */
export function internalError(error: unknown, options: ResolvedOptions): BoardError {
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new BoardError('INTERNAL_SERVER_ERROR', {
    status: statusOf(error),
    cause: error,
    ...(options.exposeErrors && { details }),
  });
}

/** The status that the error itself carries, if it is an error status. */
function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return 500;
  const { statusCode } = error;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode <= 599
    ? statusCode
    : 500;
}
