/** Warns at boot of secrets and tokens that can be guessed; the shortest are rejected in production. */

import { AuthConfigurationError } from './auth-error.ts';
import type { AuthOptions } from './options.ts';

/** Length of a random secret or token that cannot be guessed, in characters. */
const adviced = 32;

/** Minimum length of a secret in production, in characters. */
const least = 16;

/** Minimum number of distinct characters: 32 random hexadecimal digits have about 14. */
const leastDistinct = 8;

/**
 * Warns of weak cookie secrets and tokens, once per option. The message contains the option's name, never its value.
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

/** The secrets that seal cookies, and the option that contains them. */
function secretsOf(given: AuthOptions): [name: string, secrets: readonly string[]] {
  if (given.strategy === 'basic') return ['password', []];
  const { cookie, ...options } = given;
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
