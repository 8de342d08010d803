/** Reports logins, refusals, logouts and refreshes to the host. */

import type { IncomingMessage } from 'node:http';
import type { AuthEvent, AuthOptions } from './options.ts';

export type Tell = (event: AuthEvent, req: IncomingMessage) => void;

/** Wraps the host's `onEvent`. If it fails, the request is still answered and the process continues. */
export function teller({ onEvent }: AuthOptions): Tell {
  if (onEvent === undefined) return () => undefined;
  const tell = async (event: AuthEvent, req: IncomingMessage): Promise<void> => onEvent(event, req);
  return (event, req) => void tell(event, req).catch(() => undefined);
}
