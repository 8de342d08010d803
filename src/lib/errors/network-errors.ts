/** Recognises network errors, independently of the server behind the connection. */

import { codeOf, errorCauses } from './error-causes.ts';

const networkCodes: ReadonlySet<string | undefined> = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Codes that file operations also produce; on `connect` they concern the path of a Unix socket. */
const socketCodes: ReadonlySet<string | undefined> = new Set(['ENOENT', 'EACCES', 'EAGAIN']);

/** Whether this error, without its causes, reports that a host cannot be reached or that a connection broke. */
export function isNetworkFailure(error: Error): boolean {
  const code = codeOf(error);
  if (networkCodes.has(code)) return true;
  return socketCodes.has(code) && Reflect.get(error, 'syscall') === 'connect';
}

/** Whether the error or one of its causes is a network failure. */
export function isNetworkError(error: unknown): boolean {
  return errorCauses(error).some(isNetworkFailure);
}
