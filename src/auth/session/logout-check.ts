/** Logouts requested by another site: a link there must not end a session without confirmation. */

import { confirmLogout, forbidden } from '../answers.ts';
import type { BoardAddress } from '../address/board-address.ts';
import { isRead, type Exchange } from '../exchange.ts';
import { mayLogOut } from '../address/same-origin.ts';

/** Answers a logout that the user did not start with a confirmation page or 403; false if it may continue. */
export function askedElsewhere(exchange: Exchange, address: BoardAddress): boolean {
  if (mayLogOut(exchange, address)) return false;
  if (isRead(exchange)) confirmLogout(exchange);
  else forbidden(exchange, null);
  return true;
}
