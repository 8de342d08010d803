/** Options of a job in the form that every version of the library understands. */

import type { RouteBody, pgqRoutes } from '../../contract/index.ts';

/** Options as the contract lets them through. */
export type SendOptions = NonNullable<RouteBody<(typeof pgqRoutes)['sendPgqJob']>['options']>;

/** A moment becomes UTC: old versions take any other text for a span of time. */
export function sendOptions(options: SendOptions = {}): SendOptions {
  const { startAfter } = options;
  if (typeof startAfter !== 'string') return options;
  return { ...options, startAfter: new Date(startAfter).toISOString() };
}
