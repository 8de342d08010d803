/** Reports errors to the host that prevented a decision about a request. */

import type { AuthRequest } from './web.ts';
import { AuthConfigurationError, AuthProviderError } from './auth-error.ts';
import type { AuthOptions } from './options.ts';

export type Report = (error: unknown, req: AuthRequest) => void;

/** Minimum time between two log lines, in milliseconds. */
const quiet = 60_000;

/** Wraps the host's hook. If it fails, the request is still answered and the process continues. */
function guarded(onError: NonNullable<AuthOptions['onError']>): Report {
  const tell = async (error: unknown, req: AuthRequest): Promise<void> => onError(error, req);
  return (error, req) => void tell(error, req).catch(() => undefined);
}

/**
 * Returns the host's `onError` or the default. By default `oidc` logs one line, at most once a minute: the failed step
 * of the provider and a code, or only the class of an error of a hook, whose message may contain secrets. `token` logs
 * only a result of `validate` that has the wrong type.
 */
export function reporter({ onError, strategy }: AuthOptions): Report {
  if (onError !== undefined) return guarded(onError);
  if (strategy === 'token') {
    return (error) => {
      if (error instanceof AuthConfigurationError) console.warn(`sluice/auth: ${error.message}`);
    };
  }
  let printed = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (Date.now() - printed < quiet) return;
    printed = Date.now();
    const what =
      error instanceof AuthProviderError || error instanceof AuthConfigurationError
        ? error.message
        : `onAuthenticated threw ${error instanceof Error ? error.constructor.name : typeof error}`;
    console.warn(`sluice/auth: ${what}`);
  };
}
