/** Classifies errors of reads and commands. */

import { codeOf, errorCauses, postgresqlErrorClass, sqlState } from '../../../lib/index.ts';

/** lock_not_available: raised where the role has a `lock_timeout`. */
const lockTimeout = '55P03';

/** Whether the read timed out in the server, the driver or the board. */
export function isTimeout(error: unknown): boolean {
  if (errorCauses(error).some((cause) => codeOf(cause) === 'QUERY_TIMEOUT')) return true;
  return postgresqlErrorClass(error) === 'timeout' || sqlState(error) === lockTimeout;
}

/** Whether the pool had no free connection within its timeout. */
export function isPoolTimeout(error: unknown): boolean {
  return errorCauses(error).some(({ message }) =>
    message.startsWith('timeout exceeded when trying to connect'),
  );
}

/** Whether the schema differs from the probed one, or the role has lost the permission to read it. */
export function isMisfit(error: unknown): boolean {
  const found = postgresqlErrorClass(error);
  return found === 'misfit' || found === 'forbidden';
}
