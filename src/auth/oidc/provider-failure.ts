/** Tells a provider that cannot be asked from one that says no, and says why without saying what. */

import { errors } from 'jose';
import { ClientError, ResponseBodyError } from 'openid-client';
import { AuthProviderError } from '../auth-error.ts';
import type { ProviderStep } from '../auth-error.ts';

/** Codes of answers that are no answer of a working provider. */
const brokenAnswers = new Set<unknown>([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

/** The error of a provider that is out of order; `null` when it works and refused. */
export function outage(step: ProviderStep, error: unknown): AuthProviderError | null {
  if (error instanceof AuthProviderError) return error;
  const out =
    (error instanceof ResponseBodyError && (error.status >= 500 || error.status === 429)) ||
    (error instanceof ClientError && brokenAnswers.has(error.code)) ||
    (error instanceof TypeError && codeOf(error) === undefined);
  return out ? new AuthProviderError(step, reasonOf(error)) : null;
}

/** Why, in a code: a network's, a library's, or the provider's own. */
export function reasonOf(error: unknown): string {
  if (error instanceof ResponseBodyError) return `${plain(error.error)}, status ${error.status}`;
  if (error instanceof errors.JOSEError) return plain(error.code);
  const cause = error instanceof Error ? codeOf(error.cause) : undefined;
  const own = codeOf(error);
  return plain(cause ?? own ?? (error instanceof Error ? error.name : 'unknown'));
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : undefined;
}

/** A code is a short word; anything else that stands in its place is not repeated. */
function plain(code: string): string {
  return /^[\w .-]{1,64}$/.test(code) ? code : 'unknown';
}

/** The error that tells the host why a working provider refused. */
export function refusal(step: ProviderStep, error: unknown): AuthProviderError {
  return new AuthProviderError(step, reasonOf(error));
}
