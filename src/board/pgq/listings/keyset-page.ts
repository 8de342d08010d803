/** A keyset page of a listing as in the response: rows, and the cursors of the adjacent pages. */

import type { KeysetResult, ListResult } from '../../../rules/index.ts';

/** The result of a listing whose rules allow only keyset pages. */
export function keysetPage<Row>(result: ListResult<Row>): KeysetResult<Row> {
  if ('nextCursor' in result) return result;
  throw new TypeError('The rules of this listing must produce keyset pages.');
}
