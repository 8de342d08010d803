/** Recognizes errors of a datastore that is unreachable or temporarily unable to serve. */

import {
  CircuitOpenError,
  type PostgresqlErrorClass,
  TimeoutError,
  codeOf,
  errorCauses,
  postgresqlErrorClass,
} from '../../../lib/index.ts';

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

/** Messages of drivers and servers that have no code. */
const texts = [
  new RegExp(`^(?:${states}) `),
  // Redis before 7 wraps errors of commands in a script error.
  new RegExp(`@user_script: ?\\d+: -?(?:${states}) `),
  /^ERR (?:max number of clients|invalid password|operation not permitted)/,
  // The user that runs the script lacks a permission.
  /^ERR The user executing the script can't|ACL failure in script/,
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
