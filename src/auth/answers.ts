/** All responses that the middleware sends itself. */

import { type Exchange, isNavigation } from './exchange.ts';
import { messagePage, pageHeaders } from './page.ts';
import { safeReturnTo } from './address/return-to.ts';

/** Keys of the error body, which the board's interface translates. */
type ErrorKey = 'UNAUTHORIZED' | 'FORBIDDEN' | 'INTERNAL_SERVER_ERROR';

function send({ res }: Exchange, status: number, type: string, body: string): void {
  res.statusCode = status;
  res.setHeader('cache-control', 'no-store');
  res.setHeader('content-type', type);
  res.setHeader('content-length', Buffer.byteLength(body));
  res.end(body);
}

/** Sends JSON that must not be cached. */
export function sendJson(exchange: Exchange, status: number, body: object): void {
  send(exchange, status, 'application/json; charset=utf-8', JSON.stringify(body));
}

/** Sends a page with the strict Content-Security-Policy of the middleware. */
export function sendPage(exchange: Exchange, status: number, html: string): void {
  for (const [name, value] of pageHeaders) exchange.res.setHeader(name, value);
  send(exchange, status, 'text/html; charset=utf-8', html);
}

/** Redirects the browser. */
export function redirect(exchange: Exchange, status: 302 | 303, location: string): void {
  exchange.res.setHeader('location', location);
  send(exchange, status, 'text/plain; charset=utf-8', '');
}

function sendError(exchange: Exchange, status: number, key: ErrorKey, code: string = key): void {
  sendJson(exchange, status, { error: { key: `ERRORS.${key}` }, code });
}

/** Sets `WWW-Authenticate`; `invalid` means that the presented token is not valid. */
export function challenge({ res }: Exchange, invalid: boolean): void {
  res.setHeader(
    'www-authenticate',
    `Bearer realm="board"${invalid ? ', error="invalid_token"' : ''}`,
  );
}

/** 401: no credentials, or credentials that are not valid. */
export function unauthorized(exchange: Exchange, { invalid = false } = {}): void {
  challenge(exchange, invalid);
  sendError(exchange, 401, 'UNAUTHORIZED');
}

/** 401: the browser asks for a user name and a password. */
export function needsPassword(exchange: Exchange): void {
  exchange.res.setHeader('www-authenticate', 'Basic realm="board", charset="UTF-8"');
  sendError(exchange, 401, 'UNAUTHORIZED');
}

/** 429: too many wrong tokens or passwords of this client. */
export function tooManyAttempts(exchange: Exchange, seconds: number): void {
  exchange.res.setHeader('retry-after', String(seconds));
  sendError(exchange, 429, 'UNAUTHORIZED', 'TOO_MANY_ATTEMPTS');
}

/** 401 after a failed login: a browser gets a page with a link to try again. */
export function loginFailed(exchange: Exchange, home: string): void {
  challenge(exchange, false);
  if (!isNavigation(exchange)) return sendError(exchange, 401, 'UNAUTHORIZED');
  const html = messagePage({
    title: 'Sign-in failed',
    text: 'The sign-in took too long, was begun in another window, or was refused.',
    key: 'ERRORS.UNAUTHORIZED',
    link: { href: home, text: 'Sign in again' },
  });
  return sendPage(exchange, 401, html);
}

/** Why a session could not begin, for users, who tell it to the operator. */
export const tooLargeText =
  'Your session does not fit the cookie of this board. Its operator can set "cookie.parts" or a "store".';

/** 401 after a login whose session does not fit the cookie. */
export function sessionTooLarge(exchange: Exchange): void {
  challenge(exchange, false);
  if (!isNavigation(exchange)) return sendError(exchange, 401, 'UNAUTHORIZED', 'SESSION_TOO_LARGE');
  const html = messagePage({
    title: 'Sign-in failed',
    text: tooLargeText,
    key: 'ERRORS.UNAUTHORIZED',
    link: { href: `${exchange.basePath}/auth/logout`, text: 'Sign out' },
  });
  return sendPage(exchange, 401, html);
}

/** 403: authenticated, but not allowed. `logout` is the URL where a browser can change the account. */
export function forbidden(exchange: Exchange, logout: string | null): void {
  if (!isNavigation(exchange)) return sendError(exchange, 403, 'FORBIDDEN');
  const html = messagePage({
    title: 'No access',
    text: 'You are signed in, but this account may not use the board.',
    key: 'ERRORS.FORBIDDEN',
    link: logout === null ? null : { href: logout, text: 'Sign out' },
  });
  return sendPage(exchange, 403, html);
}

/** 200 after a logout that does not continue at a provider: the user decides whether to sign in again. */
export function signedOut(exchange: Exchange): void {
  const html = messagePage({
    title: 'Signed out',
    text: 'Your session on this board has ended.',
    link: { href: `${exchange.basePath}/`, text: 'Sign in again' },
  });
  return sendPage(exchange, 200, html);
}

/** 200 before a logout that another site requested: the user must confirm it. */
export function confirmLogout(exchange: Exchange): void {
  const html = messagePage({
    title: 'Sign out?',
    text: 'Another site asked to end your session on this board.',
    link: { href: `${exchange.basePath}/auth/logout`, text: 'Sign out' },
  });
  return sendPage(exchange, 200, html);
}

/** 503: the identity provider or the store is required for the decision, but unavailable. */
export function unavailable(exchange: Exchange, code: string): void {
  exchange.res.setHeader('retry-after', '5');
  if (!isNavigation(exchange)) return sendError(exchange, 503, 'UNAUTHORIZED', code);
  const html = messagePage({
    title: 'Sign-in is not available',
    text: 'The service that knows who you are does not answer. This is usually over in a moment.',
    key: 'ERRORS.UNAUTHORIZED',
    link: { href: safeReturnTo(exchange.target, exchange.basePath), text: 'Try again' },
  });
  return sendPage(exchange, 503, html);
}

/** 500: a hook of the host threw, so the request was not authorized. */
export function failed(exchange: Exchange): void {
  sendError(exchange, 500, 'INTERNAL_SERVER_ERROR');
}
