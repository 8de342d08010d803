/** The version that identifies the content of a row, so that a client can tell a command what it has seen. */

import { createHash } from 'node:crypto';

/**
 * Differs after any change of a field, in any digit. Closed fields are left out: a digest of everything
 * else that a client sees and one hidden value would let it try values.
 */
export function versionOf(row: object, closed: ReadonlySet<string>): string {
  const open = Object.fromEntries(
    Object.entries(row).filter(([field]) => !closed.has(field.replace(/Text$/, ''))),
  );
  return createHash('sha256').update(JSON.stringify(open)).digest('base64url').slice(0, 22);
}
