/** Checks the options once, at the start, and fills in defaults. */

import { randomBytes } from 'node:crypto';
import { checkOptions, normalizeBasePath } from '../lib/index.ts';
import type { OptionTable } from '../lib/index.ts';
import { AuthConfigurationError } from './auth-error.ts';
import { boardAddress } from './board-address.ts';
import type { BoardAddress } from './board-address.ts';
import type { AuthMount, AuthOptions, CookieOptions } from './options.ts';
import { mountTable, oidcTable, strategyTable, tokenTable } from './option-tables.ts';
import { mayBeAsked } from './plain-http.ts';

/** A cookie's options with their defaults. */
export interface CookieSettings {
  readonly secret: string;
  readonly name: string;
  /** `null` follows the address of each request. */
  readonly secure: boolean | null;
  readonly maxAgeSeconds: number;
}

const refusal = (message: string): Error => new AuthConfigurationError(message);

function check(options: unknown, table: OptionTable): void {
  checkOptions('createAuthMiddleware', options, table, refusal);
}

/**
 * Checks the options by the table of their strategy, and those that depend on each other.
 *
 * @throws {AuthConfigurationError} when an option is unknown, has a wrong type or cannot work
 */
export function checkAuthOptions(options: AuthOptions): void {
  const { strategy } = options ?? {};
  check({ strategy }, strategyTable);
  check(options, strategy === 'oidc' ? oidcTable : tokenTable);
  if (options.strategy === 'oidc') {
    if (mayBeAsked(new URL(options.url), options.allowInsecureRequests ?? false)) return;
    throw refusal('"url" must be https, unless "allowInsecureRequests" is true');
  }
  if (options.validate === undefined && (options.tokens ?? []).length === 0) {
    throw refusal('"tokens" must have a token, unless "validate" is given');
  }
}

/** The cookie's settings. `fallback` is the secret where none is given; without either it is random. */
export function cookieSettings(options: CookieOptions, fallback?: string): CookieSettings {
  const { name = 'board_session', secure, maxAgeSeconds = 28_800 } = options;
  const secret = options.secret ?? fallback ?? randomBytes(32).toString('base64url');
  return { secret, name, secure: secure ?? null, maxAgeSeconds };
}

/**
 * The address of the board, from the mount and `publicUrl`.
 *
 * @throws {AuthConfigurationError} when an option of the mount is unknown or not a path
 */
export function addressOf(options: AuthOptions, mount: AuthMount): BoardAddress {
  check(mount, mountTable);
  const { publicUrl, trustProxy = true } = options;
  return boardAddress({
    basePath: normalizeBasePath(mount.basePath) ?? null,
    publicUrl: publicUrl === undefined ? null : new URL(publicUrl),
    trustProxy,
  });
}
