/** Tables of the options of the strategies, for `checkOptions`. */

import { normalizeBasePath, type OptionRow, type OptionTableOf } from '../lib/index.ts';
import * as option from '../lib/option-rows.ts';
import type {
  AuthMount,
  AuthUser,
  BasicOptions,
  CommonAuthOptions,
  CookieOptions,
  LoginLimit,
  OidcOptions,
  TokenOptions,
} from './options.ts';
import { longestToken } from './token/verify.ts';

/** The syntax of the name of a header. */
const syntax = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/**
 * Headers that describe the message or its route, or that browsers and proxies add to requests: such a header would
 * never arrive as sent, or would be a wrong token in every request of a browser.
 */
const used = new RegExp(
  '^(?:' +
    [
      // The message and the connection.
      'connection|content-.+|date|expect|host|http2-settings|keep-alive|proxy-.+|te|trailer|transfer-encoding|upgrade',
      // Browsers. Of the `sec-` headers a page can choose the protocols of a WebSocket, and nothing else.
      'accept|accept-.+|access-control-.+|cache-control|dnt|if-.+|origin|pragma|priority|range|referer',
      'sec-(?!websocket-protocol$).+|set-cookie|cookie|upgrade-insecure-requests|user-agent',
      // Proxies.
      'forwarded|max-forwards|via|x-forwarded-(?:by|for|host|port|prefix|proto|server)|x-real-ip',
    ].join('|') +
    ')$',
  'i',
);

/** Whether a token sent in this header can arrive. */
function mayCarryToken(name: unknown): boolean {
  return typeof name === 'string' && syntax.test(name) && !used.test(name);
}

/** Names of cookies. */
const name = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

const strings = option.listOf(option.nonEmptyString);

/** A URL with only origin and path, because other parts would be lost. */
const plainUrl: OptionRow = {
  expected: 'an http or https URL without query, fragment, user name and password',
  fits(value) {
    if (typeof value !== 'string' || !URL.canParse(value)) return false;
    const { protocol, search, hash, username, password } = new URL(value);
    return /^https?:$/.test(protocol) && `${search}${hash}${username}${password}` === '';
  },
};

/** A longer token, or one with a trailing line break, cannot arrive in a header or through the login form. */
const token: OptionRow = {
  expected: 'a token',
  plural: `non-empty strings of at most ${longestToken} characters without blanks at their ends`,
  fits: (value) =>
    typeof value === 'string' &&
    value !== '' &&
    value === value.trim() &&
    value.length <= longestToken,
};

/** The path becomes an attribute of the cookie, which a semicolon would end. */
const boardUrl: OptionRow = {
  expected: `${plainUrl.expected}, and with a plain path`,
  fits: (value) =>
    plainUrl.fits(value) && normalizeBasePath(new URL(String(value)).pathname) !== undefined,
};

const stringOrList: OptionRow = {
  expected: 'a non-empty string or a list of at least one',
  fits: (value) => {
    const members = [value].flat();
    return members.length > 0 && strings.fits(members);
  },
};

const cookieTable = {
  secret: stringOrList,
  name: option.matching('the name of a cookie', name),
  secure: option.boolean,
  maxAgeSeconds: option.wholeNumber(1),
  idleSeconds: option.wholeNumber(1),
  parts: option.wholeNumber(1, 4),
} satisfies OptionTableOf<CookieOptions>;

const commonTable = {
  publicUrl: boardUrl,
  trustProxy: {
    expected: 'the number of proxies in front of the process, from 0 (as true was, 1) to 100',
    fits: (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 100,
  },
  onAuthenticated: option.func,
  onError: option.func,
  onEvent: option.func,
  store: option.withMethods('a store such as redisAuthStore makes', 'claim', 'get', 'set'),
} satisfies OptionTableOf<CommonAuthOptions>;

export const strategyTable = { strategy: option.required(option.oneOf('oidc', 'token', 'basic')) };

export const oidcTable = {
  ...strategyTable,
  ...commonTable,
  url: plainUrl,
  realm: option.nonEmptyString,
  issuer: plainUrl,
  clientId: option.required(option.nonEmptyString),
  clientSecret: option.nonEmptyString,
  clientAuthentication: option.oneOf(
    'client_secret_post',
    'client_secret_basic',
    'client_secret_jwt',
  ),
  requiredRoles: strings,
  roles: option.func,
  claims: strings,
  authorizeParameters: option.recordOf(option.string),
  outliveAccessToken: option.boolean,
  scope: {
    expected: 'a list of scopes, separated by blanks, with openid among them',
    fits: (value) => typeof value === 'string' && value.split(' ').includes('openid'),
  },
  audience: stringOrList,
  clockToleranceSeconds: option.number(0, 600),
  bearerOnly: option.boolean,
  allowInsecureRequests: option.boolean,
  cookie: option.objectOf(cookieTable),
} satisfies OptionTableOf<OidcOptions>;

const loginLimit = option.objectOf({
  failures: option.required(option.wholeNumber(1, 100)),
  seconds: option.required(option.wholeNumber(1)),
} satisfies OptionTableOf<LoginLimit>);

export const tokenTable = {
  ...strategyTable,
  ...commonTable,
  tokens: option.listOf(token),
  validate: option.func,
  header: {
    expected:
      'the name of a header that HTTP, browsers and proxies do not use, such as x-board-token',
    fits: mayCarryToken,
  },
  loginLimit,
  user: option.objectOf({
    id: option.string,
    username: option.string,
    name: option.string,
    email: option.string,
    roles: strings,
  } satisfies OptionTableOf<AuthUser>),
  cookie: option.objectOf({ ...cookieTable, secret: option.required(cookieTable.secret) }),
} satisfies OptionTableOf<TokenOptions>;

const { store: _store, ...basicCommon } = commonTable;

export const basicTable = {
  ...strategyTable,
  ...basicCommon,
  user: option.required(
    option.matching('a user name without a colon and control characters', /^[^:\p{Cc}]+$/u),
  ),
  password: option.required(option.nonEmptyString),
  loginLimit,
} satisfies OptionTableOf<BasicOptions>;

export const mountTable = {
  basePath: {
    expected: 'a path such as /admin/queues',
    fits: (value) => normalizeBasePath(value) !== undefined,
  },
  name: option.matching('a name that a cookie may end with', name),
} satisfies OptionTableOf<AuthMount>;
