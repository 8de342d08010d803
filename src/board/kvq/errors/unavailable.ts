/** Recognizes errors of a datastore that is unreachable or temporarily unable to serve. */

import { BoardError, datastoreUnavailable } from '../../core/index.ts';
import {
  CircuitOpenError,
  type PostgresqlErrorClass,
  TimeoutError,
  codeOf,
  errorCauses,
  postgresqlErrorClass,
  sqlState,
} from '../../../lib/index.ts';
import type { Datastore } from '../model/types.ts';

/** The datastore is not connected, so nothing was sent. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** Classes of PostgreSQL errors that are temporary or need an administrator. */
const unavailable: ReadonlySet<PostgresqlErrorClass | undefined> = new Set([
  'away',
  'timeout',
  'forbidden',
  'conflict',
] as const);

/** Error codes of the `redis` package. */
const redisCodes: ReadonlySet<string | undefined> = new Set([
  'NR_CLOSED',
  'UNCERTAIN_STATE',
  'CONNECTION_BROKEN',
]);

/**
 * Prefixes of errors with which Redis refuses a command temporarily or for lack of permission. With OOM and MISCONF,
 * Redis still serves reads and refuses writes until memory or disk problems are resolved.
 */
const states =
  'LOADING|MASTERDOWN|CLUSTERDOWN|READONLY|TRYAGAIN|NOREPLICAS|UNKILLABLE|BUSY|OOM|MISCONF|NOAUTH|WRONGPASS|NOPERM';

/** Redis: the user of the connection, also within a script, lacks a right. */
const missingRight =
  /^NOPERM |-?NOPERM |^ERR The user executing the script can't|ACL failure in script/;

/** PostgreSQL: insufficient_privilege. */
const insufficientPrivilege = '42501';

/** Messages of drivers and servers that have no code. */
const texts = [
  new RegExp(`^(?:${states}) `),
  // Redis before 7 wraps errors of commands in a script error.
  new RegExp(`@user_script: ?\\d+: -?(?:${states}) `),
  /^ERR (?:max number of clients|invalid password|operation not permitted)/,
  missingRight,
  /^(?:Connection|Cluster|Node) is (?:closed|aborted|ended|disconnect)/,
  /^Command aborted/,
  /^Stream isn't writeable/,
  /^Reached the max retries per request limit/,
  /^All sentinels are unreachable/,
  /^Failed to refresh slots cache/,
  /^Cluster isn't ready/,
  /^Too many Cluster redirections/,
  /^None of startup nodes is available/,
  /^(?:MOVED|ASK) /,
  /^Command timed out/,
];

/** Redis reports the errors of a transaction's commands beside the error of the transaction. */
function errorsOf(error: Error): readonly Error[] {
  return errorCauses(error).flatMap((cause) => {
    const previous: unknown = Reflect.get(cause, 'previousErrors');
    return [cause, ...(Array.isArray(previous) ? previous.flatMap(errorCauses) : [])];
  });
}

/** Errors of the board itself. */
const ownErrors = [UnreachableError, TimeoutError, CircuitOpenError];

function isUnavailableByItself(error: Error): boolean {
  if (ownErrors.some((type) => error instanceof type)) return true;
  return redisCodes.has(codeOf(error)) || texts.some((text) => text.test(error.message));
}

/** Whether the datastore is unreachable or temporarily unable to serve. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    unavailable.has(postgresqlErrorClass(error)) || errorsOf(error).some(isUnavailableByItself)
  );
}

/** If all queues are unreachable, the request fails; otherwise each failed queue reports its problem. */
export function assertSomeRead(results: readonly (object | { readonly error: Error })[]): void {
  const errors = results.flatMap((result) => ('error' in result ? [result.error] : []));
  const [first] = errors;
  if (first && errors.length === results.length && errors.every(isUnavailable)) throw first;
}

/** Losses of a connection that may have sent a request, or of its outcome (SQLSTATE 40003), by code and by message. */
const lostCodes: ReadonlySet<string | undefined> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'UNCERTAIN_STATE',
  '40003',
]);
const lostTexts =
  /^(?:Connection|Cluster|Node) is (?:closed|aborted|ended|disconnect)|^Command (?:aborted|timed out)|^Connection terminated|^Reached the max retries/;

/** Whether a change may have been sent and was not answered, so that it may have happened. */
export function isOutcomeUnknown(error: unknown): boolean {
  return (
    error instanceof Error &&
    errorsOf(error).some(
      (cause) =>
        cause instanceof TimeoutError ||
        lostCodes.has(codeOf(cause)) ||
        lostTexts.test(cause.message),
    )
  );
}

/** Whether the user of the connection lacks a right; a retry does not help until an administrator grants it. */
function isForbidden(error: Error): boolean {
  return (
    sqlState(error) === insufficientPrivilege ||
    errorsOf(error).some(({ message }) => missingRight.test(message))
  );
}

/** The response for a datastore that cannot serve the request; `undefined` for any other error. */
export function unavailableAnswer(error: unknown, datastore: Datastore): BoardError | undefined {
  if (!(error instanceof Error) || !isUnavailable(error)) return undefined;
  if (!isForbidden(error)) return datastoreUnavailable(error, datastore);
  return new BoardError(datastore === 'sql' ? 'SQL_FORBIDDEN' : 'KV_FORBIDDEN', { cause: error });
}
