/** Classifies the errors of MySQL and MariaDB, their drivers, and the network in between. */

import { codeOf, errorCauses, isNetworkFailure } from '../../../lib/index.ts';
import type { ErrorClass } from '../../read/driver-error.ts';

const classes: Readonly<Record<string, ErrorClass>> = {
  1021: 'away', // ER_DISK_FULL
  1037: 'away', // ER_OUTOFMEMORY
  1038: 'away', // ER_OUT_OF_SORTMEMORY
  1040: 'away', // ER_CON_COUNT_ERROR: too many connections
  1041: 'away', // ER_OUT_OF_RESOURCES
  1043: 'away', // ER_HANDSHAKE_ERROR
  1044: 'away', // ER_DBACCESS_DENIED_ERROR, at login
  1045: 'away', // ER_ACCESS_DENIED_ERROR, at login
  1047: 'away', // ER_UNKNOWN_COM_ERROR, from a Galera node that has left its cluster
  1049: 'away', // ER_BAD_DB_ERROR
  1053: 'away', // ER_SERVER_SHUTDOWN
  1080: 'away', // ER_FORCING_CLOSE
  1129: 'away', // ER_HOST_IS_BLOCKED
  1135: 'away', // ER_CANT_CREATE_THREAD
  1152: 'away', // ER_ABORTING_CONNECTION
  1158: 'away', // ER_NET_READ_ERROR
  1159: 'away', // ER_NET_READ_INTERRUPTED
  1160: 'away', // ER_NET_ERROR_ON_WRITE
  1161: 'away', // ER_NET_WRITE_INTERRUPTED
  1203: 'away', // ER_TOO_MANY_USER_CONNECTIONS
  1226: 'away', // ER_USER_LIMIT_REACHED
  1317: 'away', // ER_QUERY_INTERRUPTED, by an operator or by the end of the connection
  1927: 'away', // ER_CONNECTION_KILLED
  1698: 'away', // ER_ACCESS_DENIED_NO_PASSWORD_ERROR of MariaDB, at login
  3168: 'away', // ER_SERVER_ISNT_AVAILABLE
  4031: 'away', // ER_CLIENT_INTERACTION_TIMEOUT
  1969: 'timeout', // ER_STATEMENT_TIMEOUT of MariaDB
  3024: 'timeout', // ER_QUERY_TIMEOUT of MySQL
  1142: 'forbidden', // ER_TABLEACCESS_DENIED_ERROR
  1143: 'forbidden', // ER_COLUMNACCESS_DENIED_ERROR
  1227: 'forbidden', // ER_SPECIFIC_ACCESS_DENIED_ERROR
  1290: 'forbidden', // ER_OPTION_PREVENTS_STATEMENT, as on a read-only server
  1205: 'conflict', // ER_LOCK_WAIT_TIMEOUT
  1213: 'conflict', // ER_LOCK_DEADLOCK
  1412: 'conflict', // ER_TABLE_DEF_CHANGED
  1054: 'misfit', // ER_BAD_FIELD_ERROR
  1146: 'misfit', // ER_NO_SUCH_TABLE
  1305: 'misfit', // ER_SP_DOES_NOT_EXIST
  1153: 'oversized', // ER_NET_PACKET_TOO_LARGE: max_allowed_packet
  3854: 'lacking', // ER_CANNOT_CONVERT_STRING: the character set of a column lacks a character
  POOL_NOEXIST: 'away', // no node of a pool cluster is left
  POOL_NONEONLINE: 'away', // every node of a pool cluster is offline
  PROTOCOL_CONNECTION_LOST: 'away',
  PROTOCOL_SEQUENCE_TIMEOUT: 'timeout',
  // Error numbers of MariaDB's own connector.
  45004: 'away', // ER_CMD_NOT_EXECUTED_DESTROYED
  45009: 'away', // ER_SOCKET_UNEXPECTED_CLOSE
  45012: 'away', // ER_CONNECTION_TIMEOUT
  45013: 'away', // ER_CMD_CONNECTION_CLOSED
  45019: 'away', // ER_SOCKET
  45026: 'away', // ER_SOCKET_TIMEOUT
  45027: 'away', // ER_POOL_ALREADY_CLOSED
  45028: 'away', // ER_GET_CONNECTION_TIMEOUT
};

/** Messages of drivers without a code. */
const awayMessages =
  /^(?:Connection lost|Can't add new command when connection is in closed state|Pool is closed|Queue limit reached|No connections available)/;

/**
 * MariaDB's errors for a value with a character that the character set of a column lacks. Columns that cannot be
 * compared with each other have the same error numbers; only values are coercible.
 */
const unlikeCollations = new Set([1267, 1270, 1271]);

const lacksCharacter = (errno: unknown, { message }: Error): boolean =>
  unlikeCollations.has(Number(errno)) && message.includes('COERCIBLE)');

function classOf(error: Error): ErrorClass | undefined {
  const errno: unknown = Reflect.get(error, 'errno');
  const found = classes[String(errno)] ?? classes[codeOf(error) ?? ''];
  if (found) return found;
  if (lacksCharacter(errno, error)) return 'lacking';
  return isNetworkFailure(error) || awayMessages.test(error.message) ? 'away' : undefined;
}

/** The class of the error, or of its first cause that has one. */
export function mysqlError(error: unknown): ErrorClass | undefined {
  for (const cause of errorCauses(error)) {
    const found = classOf(cause);
    if (found) return found;
  }
  return undefined;
}
