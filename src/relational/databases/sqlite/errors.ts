/** Classifies SQLite's errors. */

import { codeOf, errorCauses } from '../../../lib/index.ts';
import type { ErrorClass } from '../../read/driver-error.ts';

/**
 * Matched by the first two words of the code, because extended codes such as SQLITE_BUSY_SNAPSHOT are finer than
 * needed.
 */
const classes: Readonly<Record<string, ErrorClass>> = {
  SQLITE_BUSY: 'conflict',
  SQLITE_LOCKED: 'conflict',
  SQLITE_CANTOPEN: 'away',
  SQLITE_FULL: 'away',
  SQLITE_IOERR: 'away',
  SQLITE_NOMEM: 'away',
  SQLITE_PROTOCOL: 'away',
  SQLITE_AUTH: 'forbidden',
  SQLITE_PERM: 'forbidden',
  SQLITE_READONLY: 'forbidden',
  SQLITE_INTERRUPT: 'timeout',
  SQLITE_TOOBIG: 'oversized',
};

const messages: readonly (readonly [RegExp, ErrorClass])[] = [
  [/no such (?:table|column)/, 'misfit'],
  [/^The database connection is not open/, 'away'],
  [/^Cannot open database because the directory does not exist/, 'away'],
];

function classOf(error: Error): ErrorClass | undefined {
  const code = /^SQLITE_[A-Z]+/.exec(codeOf(error) ?? '')?.[0] ?? '';
  return classes[code] ?? messages.find(([message]) => message.test(error.message))?.[1];
}

/** The class of the error, or of its first cause that has one. */
export function sqliteError(error: unknown): ErrorClass | undefined {
  for (const cause of errorCauses(error)) {
    const found = classOf(cause);
    if (found) return found;
  }
  return undefined;
}
