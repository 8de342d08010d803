/** Tells the host of logins, refusals, logouts and refreshes. */

import type { IncomingMessage } from 'node:http';
import type { AuthEvent, AuthOptions } from './options.ts';

export type Tell = (event: AuthEvent, req: IncomingMessage) => void;

/** The host's `onEvent`. One that fails keeps no request from being answered, and does not end the process. */
export function teller({ onEvent }: AuthOptions): Tell {
  if (onEvent === undefined) return () => undefined;
  const tell = async (event: AuthEvent, req: IncomingMessage): Promise<void> => onEvent(event, req);
  return (event, req) => void tell(event, req).catch(() => undefined);
}
