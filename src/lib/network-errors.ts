/** Tells errors of the network from others, whichever server is behind it. */

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

/** Codes that a file can give too; on `connect` they mean the path of a Unix socket. */
const socketCodes: ReadonlySet<string | undefined> = new Set(['ENOENT', 'EACCES', 'EAGAIN']);

/** Whether one error, its causes aside, says that a host cannot be reached or that a connection broke. */
export function isNetworkFailure(error: Error): boolean {
  const code = codeOf(error);
  if (networkCodes.has(code)) return true;
  return socketCodes.has(code) && Reflect.get(error, 'syscall') === 'connect';
}

/** Whether the error, or one that it was made of, is a failure of the network. */
export function isNetworkError(error: unknown): boolean {
  return errorCauses(error).some(isNetworkFailure);
}
