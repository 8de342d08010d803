/** Logs responses with status 500 and above; repeated errors of a datastore outage are logged at intervals. */

import type { BoardError } from './board-error.ts';
import { loggableError } from './loggable-error.ts';
import type { BoardLogger } from './options.ts';

/** Minimum milliseconds between two log entries of an outage. */
const quietMs = 10_000;

/** Logs the response to an operation, with the cause that the client does not see and without values of statements. */
export function errorLog(
  logger: BoardLogger,
  now: () => number = Date.now,
): (operation: string, error: BoardError) => void {
  const lastLogged = new Map<string, number>();
  return (operation, error) => {
    const text = `Board: ${operation} answered ${error.status} ${error.key}`;
    const cause = loggableError(error.params.cause ?? error);
    if (error.status === 500) {
      logger.error(text, cause);
      return;
    }
    const time = now();
    if (time - (lastLogged.get(error.key) ?? -Infinity) < quietMs) return;
    lastLogged.set(error.key, time);
    logger.warn(text, cause);
  };
}
