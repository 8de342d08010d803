/** Secrets and tokens that can be guessed: warned of at boot, and the shortest refused in production. */

import { AuthConfigurationError } from './auth-error.ts';
import type { AuthOptions } from './options.ts';

/** Characters of a secret or token that nobody guesses, where they are random. */
const adviced = 32;

/** Characters that a secret must have in production. */
const least = 16;

/** A random one of 32 hexadecimal digits has some 14 distinct ones. */
const leastDistinct = 8;

/**
 * Warns of weak cookie secrets and tokens, once for each option. The message names the option, never its value.
 *
 * @throws {AuthConfigurationError} AUTH_CONFIGURATION_INVALID when a cookie's secret has fewer than 16 characters and
 *   `NODE_ENV` is `production`
 */
export function checkStrength(options: AuthOptions): void {
  const [name, secrets] = secretsOf(options);
  if (process.env['NODE_ENV'] === 'production' && secrets.some(({ length }) => length < least)) {
    throw new AuthConfigurationError(
      `"${name}" must have ${least} characters or more in production`,
    );
  }
  if (secrets.some(isWeak)) warn(name, 'sessions can be forged');
  if (options.strategy === 'token' && options.tokens?.some(isWeak)) {
    warn('tokens', 'one of them can be guessed');
  }
}

/** The secrets that seal cookies, and the option they come from. */
function secretsOf({
  cookie,
  ...options
}: AuthOptions): [name: string, secrets: readonly string[]] {
  if (cookie?.secret !== undefined) return ['cookie.secret', [cookie.secret].flat()];
  const stands = options.strategy === 'oidc' && options.bearerOnly !== true;
  return ['clientSecret', stands ? [options.clientSecret ?? []].flat() : []];
}

function isWeak(text: string): boolean {
  return text.length < adviced || new Set(text).size < leastDistinct;
}

function warn(option: string, effect: string): void {
  console.warn(
    `sluice/auth: "${option}" is weak: ${effect}. Use ${adviced} random characters or more.`,
  );
}
