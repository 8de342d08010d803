/** A keyset page of a listing as the board answers it: rows and the cursors of the neighbours. */

import type { KeysetResult, ListResult } from '../../../rules/index.ts';

/** The result of a listing whose rules know keyset pages alone. */
export function keysetPage<Row>(result: ListResult<Row>): KeysetResult<Row> {
  if ('nextCursor' in result) return result;
  throw new TypeError('The rules of this listing give keyset pages.');
}
