/** Tells an unavailable provider from one that refuses, with a reason that contains no sensitive data. */

import { errors } from 'jose';
import { ClientError, ResponseBodyError } from 'openid-client';
import { AuthProviderError, type ProviderStep } from '../auth-error.ts';

/** Error codes of responses that do not come from a working provider. */
const brokenAnswers = new Set<unknown>([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

/** The error of an unavailable provider; `null` when the provider works and refused. */
export function outage(step: ProviderStep, error: unknown): AuthProviderError | null {
  if (error instanceof AuthProviderError) return error;
  const out =
    (error instanceof ResponseBodyError && (error.status >= 500 || error.status === 429)) ||
    (error instanceof ClientError && brokenAnswers.has(error.code)) ||
    (error instanceof TypeError && codeOf(error) === undefined);
  return out ? new AuthProviderError(step, reasonOf(error)) : null;
}

/** The reason as an error code of the network, the library or the provider. */
export function reasonOf(error: unknown): string {
  if (error instanceof ResponseBodyError) return `${plain(error.error)}, status ${error.status}`;
  if (error instanceof errors.JOSEError) return plain(error.code);
  const cause = error instanceof Error ? codeOf(error.cause) : undefined;
  const own = codeOf(error);
  return plain(cause ?? own ?? (error instanceof Error ? error.name : 'unknown'));
}

/** The reason of a failed discovery: the status of the answer, or that it is the document of another issuer. */
export function reasonOfDiscovery(error: unknown): string {
  if (!(error instanceof ClientError)) return reasonOf(error);
  if (error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') return 'another issuer';
  const { cause } = error;
  return cause instanceof Response && !cause.ok ? `status ${cause.status}` : reasonOf(error);
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : undefined;
}

/** A code is a short word; any other value in its place is not repeated. */
function plain(code: string): string {
  return /^[\w .-]{1,64}$/.test(code) ? code : 'unknown';
}

/** The error that reports to the host why a working provider refused. */
export function refusal(step: ProviderStep, error: unknown): AuthProviderError {
  return new AuthProviderError(step, reasonOf(error));
}
