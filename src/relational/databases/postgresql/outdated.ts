/** Named statements whose plan a change of a table has outdated. */

import { errorCauses, sqlState } from '../../../lib/index.ts';

/** The function of the server that reports a plan whose result has other columns; its error code is a general one. */
const checksPlan = 'RevalidateCachedQuery';

/** Whether the statement failed only because a table was changed after it had been prepared. */
export function isOutdated(error: unknown): boolean {
  if (sqlState(error) !== '0A000') return false;
  return errorCauses(error).some((cause) => Reflect.get(cause, 'routine') === checksPlan);
}
