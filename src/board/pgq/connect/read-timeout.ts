/** The error of a read that timed out in the board instead of the server. */

import { QueryError } from '../../../schema/index.ts';

/** The `QUERY_TIMEOUT` error for a timeout in milliseconds. */
export function readTimeout(timeoutMs: number, cause?: unknown): QueryError {
  const message = `The read took longer than ${timeoutMs} ms.`;
  return new QueryError('QUERY_TIMEOUT', message, { timeoutMs }, { cause });
}
