/** Warns at boot of secrets, tokens and passwords that can be guessed; the shortest are rejected in production. */

import { AuthConfigurationError } from './auth-error.ts';
import type { AuthOptions } from './options.ts';

/** Length of a random secret or token that cannot be guessed, in characters. */
const adviced = 32;

/** Minimum length of a secret in production, in characters. */
const least = 16;

/** Minimum number of distinct characters: 32 random hexadecimal digits have about 14. */
const leastDistinct = 8;

/** Minimum number of distinct characters in production: 16 random decimal digits have about 8. */
const fewDistinct = 5;

/** Secrets of an option. */
interface Given {
  readonly option: string;
  readonly secrets: readonly string[];
  /** Consequence of a weak one. */
  readonly effect: string;
  /** Whether the secret is weak. */
  readonly isWeak: (secret: string) => boolean;
}

/**
 * Warns of weak cookie secrets, tokens and passwords, once per option. The message contains the option's name, never its
 * value.
 *
 * @throws {AuthConfigurationError} AUTH_CONFIGURATION_INVALID when a secret, token or password has fewer than 16
 *   characters, or fewer than 5 distinct ones, and `NODE_ENV` is `production`
 */
export function checkStrength(options: AuthOptions): void {
  const isProduction = process.env['NODE_ENV'] === 'production';
  for (const { option, secrets, effect, isWeak } of givenIn(options)) {
    if (isProduction && secrets.some(canBeGuessed)) {
      throw new AuthConfigurationError(
        `"${option}" must have ${least} characters or more in production, ${fewDistinct} of them distinct`,
      );
    }
    if (!secrets.some(isWeak)) continue;
    console.warn(
      `sluice/auth: "${option}" is weak: ${effect}. Use ${adviced} random characters or more.`,
    );
  }
}

function givenIn(given: AuthOptions): Given[] {
  if (given.strategy === 'basic') {
    const { password } = given;
    return [
      {
        option: 'password',
        secrets: [password],
        effect: 'it can be guessed',
        isWeak: canBeGuessed,
      },
    ];
  }
  const { cookie, ...options } = given;
  const fallback =
    options.strategy === 'oidc' && options.bearerOnly !== true ? options.clientSecret : undefined;
  const sealing: Given = {
    option: cookie?.secret === undefined ? 'clientSecret' : 'cookie.secret',
    secrets: [cookie?.secret ?? fallback ?? []].flat(),
    effect: 'sessions can be forged',
    isWeak,
  };
  if (options.strategy === 'oidc') return [sealing];
  const tokens = options.tokens ?? [];
  return [
    sealing,
    { option: 'tokens', secrets: tokens, effect: 'one of them can be guessed', isWeak },
  ];
}

function isWeak(text: string): boolean {
  return text.length < adviced || new Set(text).size < leastDistinct;
}

/** Whether a secret is so short or uniform that attempts must be limited. Runs on every request with a token. */
export function canBeGuessed(text: string): boolean {
  if (text.length < least) return true;
  const distinct = new Set<string>();
  for (const character of text) if (distinct.add(character).size >= fewDistinct) return false;
  return true;
}
