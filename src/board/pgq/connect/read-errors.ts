/** The meaning of errors of reads and commands for the board. */

import { codeOf, errorCauses, postgresqlErrorClass, sqlState } from '../../../lib/index.ts';

/** lock_not_available: raised where the role has a `lock_timeout`. */
const lockTimeout = '55P03';

/** Whether the read was stopped for its time, by the server, the driver or the board. */
export function isTimeout(error: unknown): boolean {
  if (errorCauses(error).some((cause) => codeOf(cause) === 'QUERY_TIMEOUT')) return true;
  return postgresqlErrorClass(error) === 'timeout' || sqlState(error) === lockTimeout;
}

/** Whether the pool had no connection to give within its limit. */
export function waitedForConnection(error: unknown): boolean {
  return errorCauses(error).some(({ message }) =>
    message.startsWith('timeout exceeded when trying to connect'),
  );
}

/** Whether the schema differs from the one that was probed, or the role may no longer read it. */
export function isMisfit(error: unknown): boolean {
  const found = postgresqlErrorClass(error);
  return found === 'misfit' || found === 'forbidden';
}
