/** Tells the host of what kept a request from being decided. */

import type { IncomingMessage } from 'node:http';
import { AuthProviderError } from './auth-error.ts';
import type { AuthOptions } from './options.ts';

export type Report = (error: unknown, req: IncomingMessage) => void;

/** Milliseconds between two lines. */
const quiet = 60_000;

/** The host's hook. One that fails keeps no request from being answered, and does not end the process. */
function guarded(onError: NonNullable<AuthOptions['onError']>): Report {
  const tell = async (error: unknown, req: IncomingMessage): Promise<void> => onError(error, req);
  return (error, req) => void tell(error, req).catch(() => undefined);
}

/**
 * The host's `onError`. Without one, `oidc` prints a line at most once a minute: which step of the provider failed
 * and a code, or the class of what a hook threw, whose message may say anything. `token` prints nothing.
 */
export function reporter({ onError, strategy }: AuthOptions): Report {
  if (onError !== undefined) return guarded(onError);
  if (strategy === 'token') return () => undefined;
  let printed = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (Date.now() - printed < quiet) return;
    printed = Date.now();
    const what =
      error instanceof AuthProviderError
        ? error.message
        : `onAuthenticated threw ${error instanceof Error ? error.constructor.name : typeof error}`;
    console.warn(`sluice/auth: ${what}`);
  };
}
