/** Reports logins, refusals, logouts and refreshes to the host. */

import type { AuthRequest } from './web.ts';
import type { AuthEvent, AuthOptions } from './options.ts';

export type Tell = (event: AuthEvent, req: AuthRequest) => void;

/** Wraps the host's `onEvent`. If it fails, the request is still answered and the process continues. */
export function teller({ onEvent }: AuthOptions): Tell {
  if (onEvent === undefined) return () => undefined;
  const tell = async (event: AuthEvent, req: AuthRequest): Promise<void> => onEvent(event, req);
  return (event, req) => void tell(event, req).catch(() => undefined);
}
