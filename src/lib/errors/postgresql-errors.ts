/** The classification of errors from PostgreSQL, its drivers, and the network in between. */

import { codeOf, errorCauses } from './error-causes.ts';
import { isNetworkFailure } from './network-errors.ts';

/**
 * The consequence of an error for the caller:
 * - `away`: the server cannot be reached, is starting or stopping, has no resources left, or refuses the login. Retry
 * later.
 * - `timeout`: the statement or transaction exceeded its time limit.
 * - `forbidden`: the role, or a read-only server, does not allow the statement.
 * - `conflict`: another transaction was in conflict. The same statement may succeed when retried at once.
 * - `misfit`: a schema, table, column, function or type differs from the one that the statement expects.
 * - `failed`: an earlier statement of the transaction failed, and it accepts nothing but its rollback.
 * - `refused`: the server does not accept a value: data exception, integrity constraint, program limit.
 */
export type PostgresqlErrorClass =
  | 'away'
  | 'timeout'
  | 'forbidden'
  | 'conflict'
  | 'misfit'
  | 'failed'
  | 'refused';

/** SQLSTATEs, or their first two characters. A complete code takes precedence over its class. */
const classes: Readonly<Record<string, PostgresqlErrorClass>> = {
  '08': 'away', // connection exception
  '28': 'away', // invalid authorization
  '3D': 'away', // no such database
  '53': 'away', // insufficient resources: connections, disk, memory
  '57P01': 'away', // admin_shutdown
  '57P02': 'away', // crash_shutdown
  '57P03': 'away', // cannot_connect_now
  '57P04': 'away', // database_dropped
  '57P05': 'away', // idle_session_timeout
  '58': 'away', // system error, such as input or output
  '40003': 'away', // statement_completion_unknown, as where the connection breaks
  '25P03': 'away', // idle_in_transaction_session_timeout ends the connection
  '25P04': 'timeout', // transaction_timeout
  '57014': 'timeout', // query_canceled, by statement_timeout
  '25P02': 'failed', // in_failed_sql_transaction
  '25006': 'forbidden', // read_only_sql_transaction, as on a standby
  '42501': 'forbidden', // insufficient_privilege
  '26000': 'conflict', // invalid_sql_statement_name: a pooler has changed the connection
  '42P05': 'conflict', // duplicate_prepared_statement, for the same reason
  '40001': 'conflict', // serialization_failure
  '40P01': 'conflict', // deadlock_detected
  '55006': 'conflict', // object_in_use
  '55P03': 'conflict', // lock_not_available, by NOWAIT or lock_timeout
  '3F': 'misfit', // invalid_schema_name
  '42703': 'misfit', // undefined_column
  '42804': 'misfit', // datatype_mismatch
  '42883': 'misfit', // undefined_function
  '42704': 'misfit', // undefined_object, such as a type
  '42P01': 'misfit', // undefined_table
  '22': 'refused', // data exception
  '23': 'refused', // integrity constraint violation
  '54': 'refused', // program limit exceeded
};

/** Messages of pg, pg-pool, pg-boss, postgres.js and PGlite without a code. */
const messages: readonly (readonly [RegExp, PostgresqlErrorClass])[] = [
  [/^Connection terminated/, 'away'],
  [/^Client (?:has encountered a connection error|was closed)/, 'away'],
  [/^timeout (?:exceeded when trying to connect|expired)/, 'away'],
  [/^Cannot use a pool after calling end/, 'away'],
  [/^Database (?:connection is )?not opened/, 'away'],
  [/^Query read timeout/, 'timeout'],
  // Of postgres.js, behind the action and before the address.
  [/\b(?:CONNECTION_(?:CLOSED|DESTROYED|ENDED)|CONNECT_TIMEOUT)\b/, 'away'],
  [/^PGlite is clos/, 'away'],
];

/** Five characters. System error codes begin with E, and Prisma's with P and a digit other than 0. */
const sqlStateForm = /^(?!E|P[1-9])[0-9A-Z]{5}$/;

function sqlStateIn(error: Error): string | undefined {
  const code = codeOf(error);
  return code !== undefined && sqlStateForm.test(code) ? code : undefined;
}

/** The SQLSTATE of the error or of one of its causes; `undefined` where there is none. */
export function sqlState(error: unknown): string | undefined {
  for (const cause of errorCauses(error)) {
    const state = sqlStateIn(cause);
    if (state !== undefined) return state;
  }
  return undefined;
}

/** The class of a SQLSTATE; `undefined` for states that report a fault of the statement, such as a syntax error. */
function classOfSqlState(state: string): PostgresqlErrorClass | undefined {
  return classes[state] ?? classes[state.slice(0, 2)];
}

function classOfOne(error: Error): PostgresqlErrorClass | undefined {
  const state = sqlStateIn(error);
  if (state !== undefined) return classOfSqlState(state);
  if (isNetworkFailure(error)) return 'away';
  return messages.find(([message]) => message.test(error.message))?.[1];
}

/** The class of the error, or of its first cause that has one. */
export function postgresqlErrorClass(error: unknown): PostgresqlErrorClass | undefined {
  for (const cause of errorCauses(error)) {
    const found = classOfOne(cause);
    if (found !== undefined) return found;
  }
  return undefined;
}

const lostCodes: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE', '57P01']);
const lostMessage = /^(?:Connection terminated|Client has encountered a connection error)/;

/** Whether an established connection broke, so that the statement may succeed on another connection. */
export function isLostConnection(error: unknown): boolean {
  return errorCauses(error).some(
    (cause) => lostCodes.has(codeOf(cause)) || lostMessage.test(cause.message),
  );
}
