/** Distinguishes a datastore that refused a value from a datastore that failed. */

import { codeOf, postgresqlErrorClass } from '../../../lib/index.ts';
import { isUnavailable } from './unavailable.ts';

/** Redis errors about an argument of a command or of a library script. */
const aboutValue = /^ERR .*(?:script|not an integer|not a valid float)/is;

/** Errors of the same form about the server: an unsupported command, or its state as wrapped by older servers. */
const aboutServer = /unknown (?:redis )?command|@user_script: ?\d+: -?(?!ERR )[A-Z]{3,} /i;

/** Whether the datastore refused a value: PostgreSQL class `refused`, Redis errors about arguments. */
export function isRefusedValue(error: unknown): boolean {
  if (!(error instanceof Error) || isUnavailable(error)) return false;
  if (codeOf(error) !== undefined) return postgresqlErrorClass(error) === 'refused';
  const { name, message } = error;
  return name === 'ReplyError' && aboutValue.test(message) && !aboutServer.test(message);
}

/** Whether the error comes from the server and not from the library. */
export function isFromServer(error: unknown): boolean {
  return error instanceof Error && (error.name === 'ReplyError' || 'severity' in error);
}
