/** An edit of data that a formatter of the host has changed before it was shown. */

import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../lib/index.ts';
import { BoardError } from '../board-error.ts';

/**
 * The sent value, with the stored one in every place that is still as shown.
 *
 * @throws {BoardError} INVALID_REQUEST_BODY for `field` when a list was changed of which the client has not seen every item
 */
export function restored(sent: unknown, shown: unknown, stored: unknown, field: string): unknown {
  if (isDeepStrictEqual(sent, shown)) return stored;
  if (isDeepStrictEqual(shown, stored)) return sent;
  if (Array.isArray(sent) && Array.isArray(shown) && Array.isArray(stored)) {
    if (sent.length === shown.length && shown.length === stored.length) {
      return sent.map((item, index) => restored(item, shown[index], stored[index], field));
    }
    throw new BoardError('INVALID_REQUEST_BODY', {
      code: 'INVALID_REQUEST',
      options: { field },
      message: 'Part of the list is hidden, so its length cannot be changed.',
    });
  }
  if (!isRecord(sent) || !isRecord(shown) || !isRecord(stored)) return sent;
  const unseen = Object.entries(stored).filter(([name]) => !Object.hasOwn(shown, name));
  const given = Object.entries(sent).flatMap(([name, value]): [string, unknown][] => {
    if (!Object.hasOwn(shown, name)) return [[name, value]];
    if (Object.hasOwn(stored, name)) {
      return [[name, restored(value, shown[name], stored[name], field)]];
    }
    // A member that the formatter has added is not data.
    return isDeepStrictEqual(value, shown[name]) ? [] : [[name, value]];
  });
  return Object.fromEntries([...unseen, ...given]);
}
