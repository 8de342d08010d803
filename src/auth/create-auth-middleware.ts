/** The middleware: strategy's routes, then who it is, then the host's own say, then the request goes on. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { failed, forbidden, sendJson, unavailable } from './answers.ts';
import { AuthProviderError } from './auth-error.ts';
import { attachUser } from './auth-user.ts';
import type { BoardAddress } from './board-address.ts';
import { exchangeOf, isRead, targetOf } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import type { AuthMount, AuthOptions } from './options.ts';
import { createOidcStrategy } from './oidc/create-oidc-strategy.ts';
import { reporter } from './report.ts';
import type { Report } from './report.ts';
import { mountNotice } from './mount-notice.ts';
import { safeReturnTo } from './return-to.ts';
import { addressOf, checkAuthOptions, cookieSettings } from './settings.ts';
import { mayWrite } from './same-origin.ts';
import type { Strategy } from './strategy.ts';
import { TokenStrategy } from './token/token-strategy.ts';

/** Stands in front of a board, whatever serves it. */
export interface AuthMiddleware {
  /**
   * For Express, and for everything that takes `(req, res, next)`. `next` is called without an argument, and only
   * when the request may go on; in every other case the response has been sent.
   */
  (req: IncomingMessage, res: ServerResponse, next: () => void): Promise<void>;
  /**
   * For everything else: true when the response has been sent and the request is done with, false when it may
   * go on. Takes Node's own request and response, before anything has read the body.
   */
  handle(req: IncomingMessage, res: ServerResponse): Promise<boolean>;
}

/**
 * Protects everything behind it: pages, API and assets. One middleware per board; it keeps keys and opened
 * sessions in memory and nothing else.
 *
 * @param options the strategy `oidc` or `token` and what it needs
 * @param mount where the board is served; must be the path under which the middleware is mounted
 * @throws {AuthConfigurationError} when an option is unknown, of the wrong form, or cannot work
 */
export function createAuthMiddleware(options: AuthOptions, mount: AuthMount = {}): AuthMiddleware {
  checkAuthOptions(options);
  const address = addressOf(options, mount);
  const report = reporter(options);
  const strategy = strategyOf(options, address, report);
  const guard = { options, address, strategy, report, notice: mountNotice() };
  /** False at once for a request that may go on, so that what was seen before costs next to nothing. */
  const start = (req: IncomingMessage, res: ServerResponse): false | Promise<boolean> => {
    if (recognise(req, guard)) return false;
    return decide(exchangeOf(req, res, address), guard);
  };
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<boolean> =>
    start(req, res);
  const middleware = (
    req: IncomingMessage,
    res: ServerResponse,
    next: () => void,
  ): Promise<void> => {
    const answered = start(req, res);
    if (answered !== false) return answered.then((done) => (done ? undefined : next()));
    next();
    return goneOn;
  };
  return Object.assign(middleware, { handle });
}

function strategyOf(options: AuthOptions, address: BoardAddress, report: Report): Strategy {
  if (options.strategy === 'oidc') return createOidcStrategy(options, address, report);
  const cookie = options.cookie === undefined ? null : cookieSettings(options.cookie);
  return new TokenStrategy(options, cookie, address);
}

/** What a request that went on at once has to wait for. */
const goneOn = Promise.resolve();

interface Guard {
  readonly options: AuthOptions;
  readonly address: BoardAddress;
  readonly strategy: Strategy;
  readonly report: Report;
  /** Sees every request that is not recognised. */
  readonly notice: (exchange: Exchange) => void;
}

/** Whether the request only reads, is for no route of the middleware and by a user who was seen before. */
function recognise(req: IncomingMessage, { options, strategy }: Guard): boolean {
  if (options.onAuthenticated !== undefined) return false;
  if (req.method !== 'GET' && req.method !== 'HEAD') return false;
  const target = targetOf(req);
  if (!target.startsWith('/') || target.includes('/auth/')) return false;
  const user = strategy.recognise(req);
  if (user === null) return false;
  attachUser(req, user);
  return true;
}

/** True when the request was answered. Whatever goes wrong, an undecided request does not go on. */
async function decide(exchange: Exchange, guard: Guard): Promise<boolean> {
  try {
    guard.notice(exchange);
    return (await guard.strategy.serve(exchange)) || (await hold(exchange, guard));
  } catch (error) {
    guard.report(error, exchange.req);
    if (exchange.res.headersSent) exchange.res.end();
    else if (error instanceof AuthProviderError) {
      unavailable(exchange, safeReturnTo(exchange.target, exchange.basePath));
    } else failed(exchange);
    return true;
  }
}

async function hold(exchange: Exchange, { options, address, strategy }: Guard): Promise<boolean> {
  const identity = await strategy.identify(exchange);
  if (identity === null) return true;
  const { user, by } = identity;
  if (by === 'session' && !mayWrite(exchange, address)) {
    forbidden(exchange, null);
    return true;
  }
  const logoutUrl = by === 'session' ? `${exchange.basePath}/auth/logout` : null;
  if (options.onAuthenticated !== undefined) {
    if ((await options.onAuthenticated(user, exchange.req)) === false) {
      forbidden(exchange, logoutUrl);
      return true;
    }
  }
  attachUser(exchange.req, user);
  if (exchange.route !== '/auth/me' || !isRead(exchange)) return false;
  sendJson(exchange, 200, { strategy: strategy.name, user, logoutUrl });
  return true;
}
