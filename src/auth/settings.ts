/** Holds options against what can work, once, at the start. */

import { randomBytes } from 'node:crypto';
import { AuthConfigurationError } from './auth-error.ts';
import { boardAddress } from './board-address.ts';
import type { BoardAddress } from './board-address.ts';
import type {
  AuthMount,
  AuthOptions,
  CookieOptions,
  OidcOptions,
  TokenOptions,
} from './options.ts';
import { checkKeys, cookieKeys, knownKeys, mountKeys, userKeys } from './option-keys.ts';
import { mayBeAsked } from './plain-http.ts';
import { longestToken } from './token/verify.ts';

/** A cookie's options with nothing left open. */
export interface CookieSettings {
  readonly secret: string;
  readonly name: string;
  /** `null` follows the address of each request. */
  readonly secure: boolean | null;
  readonly maxAgeSeconds: number;
}

const pathPattern = /^[\w\-.~!$&'()*+,=:@%/]*$/;

const tokenPattern = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

function refuse(option: string, rule: string): never {
  throw new AuthConfigurationError(`auth: ${option} ${rule}`);
}

function text(options: object, key: string): string {
  const value: unknown = Reflect.get(options, key);
  return typeof value === 'string' && value !== ''
    ? value
    : refuse(`\`${key}\``, 'must be a non-empty string');
}

function list(value: unknown, name: string): void {
  const good =
    Array.isArray(value) && value.every((entry) => typeof entry === 'string' && entry !== '');
  if (!good) refuse(`\`${name}\``, 'must be a list of non-empty strings');
}

/** Refuses options that no strategy has, wrong types, and what cannot work. */
export function checkOptions(options: AuthOptions): void {
  if (typeof options !== 'object' || options === null) refuse('the options', 'must be an object');
  const known = knownKeys(options.strategy);
  if (known === undefined) refuse('`strategy`', 'must be `oidc` or `token`');
  checkKeys(options, known, refuse);
  if (options.cookie !== undefined) checkKeys(options.cookie, cookieKeys, refuse, 'cookie.');
  if (options.strategy === 'oidc') checkOidc(options);
  else checkToken(options);
}

function checkOidc(options: OidcOptions): void {
  for (const key of ['url', 'realm', 'clientId']) text(options, key);
  if (!URL.canParse(options.url)) refuse('`url`', 'must be a whole address');
  const url = new URL(options.url);
  if (url.search !== '' || url.hash !== '' || hasUser(url)) {
    refuse('`url`', 'must have no query, fragment or user');
  }
  if (!/^https?:$/.test(url.protocol)) refuse('`url`', 'must be https');
  if (!mayBeAsked(url, options.allowInsecureRequests ?? false)) {
    refuse('`url`', 'must be https, unless `allowInsecureRequests` is set');
  }
  if (options.clientSecret !== undefined) text(options, 'clientSecret');
  if (options.requiredRoles !== undefined) list(options.requiredRoles, 'requiredRoles');
  if (options.audience !== undefined) list([options.audience].flat(), 'audience');
  if (Array.isArray(options.audience) && options.audience.length === 0) {
    refuse('`audience`', 'must name somebody');
  }
  if (options.scope !== undefined && !options.scope.split(' ').includes('openid')) {
    refuse('`scope`', 'must hold `openid`');
  }
  const tolerance = options.clockToleranceSeconds ?? 0;
  if (!(tolerance >= 0 && tolerance <= 600)) refuse('`clockToleranceSeconds`', 'must be 0 to 600');
}

function checkToken(options: TokenOptions): void {
  if (options.tokens !== undefined) {
    list(options.tokens, 'tokens');
    // Neither a header nor the form brings such a token here: too long, or read from a file with its line's end.
    if (options.tokens.some((token) => token !== token.trim() || token.length > longestToken)) {
      refuse(
        '`tokens`',
        `must have no blanks at their ends, and ${longestToken} characters at most`,
      );
    }
  }
  const { user } = options;
  if (user !== undefined) {
    checkKeys(user, userKeys, refuse, 'user.');
    if (user.roles !== undefined) list(user.roles, 'user.roles');
  }
  if (options.validate === undefined && (options.tokens?.length ?? 0) === 0) {
    refuse('`tokens`', 'must hold a token, unless `validate` is given');
  }
  if (options.header !== undefined && !tokenPattern.test(options.header)) {
    refuse('`header`', 'must be the name of a header');
  }
  if (options.cookie !== undefined) text(options.cookie, 'secret');
}

/** Whether an address holds a name or password. */
function hasUser({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}

/** The cookie's settings. `fallback` stands in for an absent secret; without one it is random. */
export function cookieSettings(options: CookieOptions, fallback?: string): CookieSettings {
  const { name = 'board_session', secure, maxAgeSeconds = 28_800 } = options;
  if (!tokenPattern.test(name)) refuse('`cookie.name`', 'must be the name of a cookie');
  if (!Number.isSafeInteger(maxAgeSeconds) || maxAgeSeconds < 1) {
    refuse('`cookie.maxAgeSeconds`', 'must be a whole number of seconds, 1 or more');
  }
  if (options.secret === '') refuse('`cookie.secret`', 'must be a non-empty string');
  const secret = options.secret ?? fallback ?? randomBytes(32).toString('base64url');
  return { secret, name, secure: secure ?? null, maxAgeSeconds };
}

/** Where the board is, from the mount and `publicUrl`. */
export function addressOf(options: AuthOptions, mount: AuthMount): BoardAddress {
  if (typeof mount !== 'object' || mount === null) refuse('the mount', 'must be an object');
  checkKeys(mount, mountKeys, refuse);
  const basePath = mount.basePath === undefined ? null : normalBasePath(mount.basePath);
  const { publicUrl, trustProxy = true } = options;
  if (publicUrl === undefined) return boardAddress({ basePath, publicUrl: null, trustProxy });
  const parsed = URL.canParse(publicUrl) ? new URL(publicUrl) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    refuse('`publicUrl`', 'must be a whole http or https address');
  }
  if (parsed.search !== '' || parsed.hash !== '' || hasUser(parsed)) {
    refuse('`publicUrl`', 'must have no query, fragment or user');
  }
  // The path becomes an attribute of the cookie, which a semicolon would end.
  if (!pathPattern.test(parsed.pathname)) refuse('`publicUrl`', 'must have a plain path');
  return boardAddress({ basePath, publicUrl: parsed, trustProxy });
}

function normalBasePath(basePath: unknown): string {
  if (typeof basePath !== 'string' || !pathPattern.test(basePath)) {
    refuse('`basePath`', 'must be a path');
  }
  const parts = basePath.split('/').filter((part) => part !== '');
  if (parts.includes('..') || parts.includes('.')) refuse('`basePath`', 'must have no dots');
  return parts.map((part) => `/${part}`).join('');
}
