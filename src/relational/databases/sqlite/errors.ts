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

/** The same by number, as `node:sqlite` gives them: its `errcode` has the finer code in the bits above. */
const numbered: Readonly<Record<number, ErrorClass>> = {
  3: 'forbidden', // SQLITE_PERM
  5: 'conflict', // SQLITE_BUSY
  6: 'conflict', // SQLITE_LOCKED
  7: 'away', // SQLITE_NOMEM
  8: 'forbidden', // SQLITE_READONLY
  9: 'timeout', // SQLITE_INTERRUPT
  10: 'away', // SQLITE_IOERR
  13: 'away', // SQLITE_FULL
  14: 'away', // SQLITE_CANTOPEN
  15: 'away', // SQLITE_PROTOCOL
  18: 'oversized', // SQLITE_TOOBIG
  23: 'forbidden', // SQLITE_AUTH
};

const messages: readonly (readonly [RegExp, ErrorClass])[] = [
  [/no such (?:table|column)/, 'misfit'],
  [/^The database connection is not open/, 'away'],
  // Of `node:sqlite` and of `@libsql/client`.
  [/^database is not open/, 'away'],
  [/\bclient is closed/i, 'away'],
  [/^Cannot open database because the directory does not exist/, 'away'],
];

function classOf(error: Error): ErrorClass | undefined {
  const code = /^SQLITE_[A-Z]+/.exec(codeOf(error) ?? '')?.[0] ?? '';
  const number: unknown = Reflect.get(error, 'errcode');
  const byNumber = typeof number === 'number' ? numbered[number & 0xff] : undefined;
  return (
    classes[code] ?? byNumber ?? messages.find(([message]) => message.test(error.message))?.[1]
  );
}

/** The class of the error, or of its first cause that has one. */
export function sqliteError(error: unknown): ErrorClass | undefined {
  for (const cause of errorCauses(error)) {
    const found = classOf(cause);
    if (found) return found;
  }
  return undefined;
}
