/** The error of a read that was given up by the board rather than by the server. */

import { QueryError } from '../../../schema/index.ts';

/** The `QUERY_TIMEOUT` of a read, by the limit in milliseconds. */
export function readTimeout(timeoutMs: number, cause?: unknown): QueryError {
  const message = `The read took longer than ${timeoutMs} ms.`;
  return new QueryError('QUERY_TIMEOUT', message, { timeoutMs }, { cause });
}
