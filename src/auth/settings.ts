/** Checks the options once, at boot, and fills in defaults. */

import { randomBytes } from 'node:crypto';
import { checkOptions, normalizeBasePath, type OptionTable } from '../lib/index.ts';
import { AuthConfigurationError } from './auth-error.ts';
import { boardAddress, type BoardAddress } from './address/board-address.ts';
import type { AuthMount, AuthOptions, CookieOptions, OidcOptions } from './options.ts';
import { basicTable, mountTable, oidcTable, strategyTable, tokenTable } from './option-tables.ts';
import { isLoopback, mayBeAsked } from './address/plain-http.ts';
import type { SessionLimits } from './session/session-life.ts';

/** The cookie options with defaults filled in. */
export interface CookieSettings extends SessionLimits {
  /** The first secret seals, all of them open. */
  readonly secrets: readonly string[];
  readonly name: string;
  /** `null` depends on the URL of each request. */
  readonly secure: boolean | null;
  readonly parts: number;
}

const refusal = (message: string): Error => new AuthConfigurationError(message);

function check(options: unknown, table: OptionTable): void {
  checkOptions('createAuthMiddleware', options, table, refusal);
}

const tables = { oidc: oidcTable, token: tokenTable, basic: basicTable };

/**
 * Checks the options by the table of their strategy, and those that depend on each other.
 *
 * @throws {AuthConfigurationError} when an option is unknown, has a wrong type or is invalid
 */
export function checkAuthOptions(options: AuthOptions): void {
  const { strategy } = options ?? {};
  check({ strategy }, strategyTable);
  check(options, tables[strategy]);
  if (options.strategy === 'oidc') return checkOidc(options);
  if (options.strategy === 'basic') return;
  if (options.validate === undefined && (options.tokens ?? []).length === 0) {
    throw refusal('"tokens" must have a token, unless "validate" is given');
  }
}

/** Authorize parameters that the login sets itself. */
const protocolParameters: ReadonlySet<string> = new Set(
  (
    'client_id response_type response_mode redirect_uri scope state nonce ' +
    'code_challenge code_challenge_method request request_uri'
  ).split(' '),
);

function checkOidc({ issuer, url, realm, authorizeParameters, ...options }: OidcOptions): void {
  if (
    issuer === undefined ? url === undefined || realm === undefined : (url ?? realm) !== undefined
  ) {
    throw refusal('"issuer", or "url" and "realm", must be given, and not both');
  }
  const name = issuer === undefined ? 'url' : 'issuer';
  if (!mayBeAsked(new URL(issuer ?? url ?? ''), options.allowInsecureRequests ?? false)) {
    throw refusal(`"${name}" must be https, unless "allowInsecureRequests" is true`);
  }
  for (const parameter of Object.keys(authorizeParameters ?? {})) {
    if (!protocolParameters.has(parameter)) continue;
    throw refusal(`"authorizeParameters.${parameter}" must be left to the login`);
  }
}

/**
 * Returns the cookie settings. `fallback` is the secret if none is given; without either it is random.
 *
 * @throws {AuthConfigurationError} AUTH_CONFIGURATION_INVALID when no browser would keep such a cookie
 */
export function cookieSettings(
  options: CookieOptions,
  fallback?: string,
  { mount = {}, publicUrl }: CookiePlace = {},
): CookieSettings {
  const usual = mount.name === undefined ? 'board_session' : `board_session_${mount.name}`;
  const { name = usual, maxAgeSeconds = 28_800, idleSeconds = null, parts = 1 } = options;
  const secret = options.secret ?? fallback ?? randomBytes(32).toString('base64url');
  const prefixed = /^__(?:Host|Secure)-/i.test(name);
  const secure = options.secure ?? (prefixed ? true : null);
  const url = publicUrl === undefined ? null : new URL(publicUrl);
  if (secure === true && url !== null && url.protocol === 'http:' && !isLoopback(url)) {
    throw refusal('"cookie.secure" must be false where "publicUrl" is http');
  }
  if (prefixed && secure === false) {
    throw refusal('"cookie.secure" must be true for a name with this prefix');
  }
  const path = normalizeBasePath(url?.pathname ?? '') || normalizeBasePath(mount.basePath ?? '');
  if (/^__Host-/i.test(name) && path !== '') {
    throw refusal('"cookie.name" must not begin with __Host- where the board has a path');
  }
  return { secrets: [secret].flat(), name, secure, maxAgeSeconds, idleSeconds, parts };
}

/** The settings that determine the name and path of a cookie. */
interface CookiePlace {
  readonly mount?: AuthMount;
  readonly publicUrl?: string | undefined;
}

/**
 * Returns the URL of the board, from the mount and `publicUrl`.
 *
 * @throws {AuthConfigurationError} when an option of the mount is unknown or not a path
 */
export function addressOf(options: AuthOptions, mount: AuthMount): BoardAddress {
  check(mount, mountTable);
  const { publicUrl, trustProxy = 0 } = options;
  return boardAddress({
    basePath: normalizeBasePath(mount.basePath) ?? null,
    publicUrl: publicUrl === undefined ? null : new URL(publicUrl),
    trustProxy,
  });
}
