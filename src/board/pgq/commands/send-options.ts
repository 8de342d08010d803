/** Converts job options to the form that every supported version of the library understands. */

import type { RouteBody, pgqRoutes } from '../../contract/index.ts';

/** Options as validated by the contract. */
export type SendOptions = NonNullable<RouteBody<(typeof pgqRoutes)['sendPgqJob']>['options']>;

/** Times become UTC, because old versions read other strings as intervals. */
export function sendOptions(options: SendOptions = {}): SendOptions {
  const { startAfter } = options;
  if (typeof startAfter !== 'string') return options;
  return { ...options, startAfter: new Date(startAfter).toISOString() };
}
