/** Tells a value that a datastore refused from a datastore that failed. */

import { isUnreachable } from './unreachable.ts';

/** Errors of Redis about a value: of a command, or of the script that a library handed it to. */
const aboutValue = /^ERR .*(?:script|not an integer|not a valid float)/is;

/** What looks like that and is not: a server of another version, and older servers' way to pass on its own state. */
const aboutServer = /unknown (?:redis )?command|@user_script: ?\d+: -?(?!ERR )[A-Z]{3,} /i;

/** Whether it refused a value: PostgreSQL's data exceptions and limits, Redis's errors about arguments. */
export function isRefusedValue(error: unknown): boolean {
  if (!(error instanceof Error) || isUnreachable(error)) return false;
  if ('code' in error && typeof error.code === 'string') return /^(?:22|54)/.test(error.code);
  const { name, message } = error;
  return name === 'ReplyError' && aboutValue.test(message) && !aboutServer.test(message);
}

/** Whether the server spoke, and not the library. */
export function isFromServer(error: unknown): boolean {
  return error instanceof Error && (error.name === 'ReplyError' || 'severity' in error);
}
