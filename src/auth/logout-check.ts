/** Logouts that another site asks for: a link there must not end a session without a word. */

import { confirmLogout, forbidden } from './answers.ts';
import type { BoardAddress } from './board-address.ts';
import { isRead } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { mayLogOut } from './same-origin.ts';

/** Answers a logout that is not the user's own, with a page that asks or with 403; false where it may go on. */
export function askedElsewhere(exchange: Exchange, address: BoardAddress): boolean {
  if (mayLogOut(exchange, address)) return false;
  if (isRead(exchange)) confirmLogout(exchange);
  else forbidden(exchange, null);
  return true;
}
